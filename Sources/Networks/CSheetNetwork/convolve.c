// Convolutions: nearly all of the network's time. One loop, written for vectors of any length and compiled for each kernel.

#include "maps.h"

// A sum may not depend on whether the processor can fuse it with a product.
#pragma STDC FP_CONTRACT OFF

enum { BLOCK = CSHEETNETWORK_BLOCK };

// One convolution as the loops see it.
struct job {
    const float *weights;
    int32_t inputs, outputs, taps;
    const float *input;
    ptrdiff_t input_step;  // from the maps of one input to those of the next
    ptrdiff_t offsets[9];  // of the window's places from the pixel
    const float *addend;
    bool rectified;
    float *output;
    ptrdiff_t output_step;
    ptrdiff_t first, end;  // elements of a map that are computed
};

#define NAME(name) name##_plain
#define LANES 4
#include "convolve.h"
#undef NAME
#undef LANES

#if defined(__x86_64__)
#define HAS_AVX2_KERNEL 1
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#define NAME(name) name##_avx2
#define LANES 8
#include "convolve.h"
#undef NAME
#undef LANES
#pragma clang attribute pop
#else
#define HAS_AVX2_KERNEL 0
#endif

bool csheetnetwork_has_avx2(void) {
#if HAS_AVX2_KERNEL
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

// Of a halving window, place -1 is an odd one of the pixel before, 0 an even and 1 an odd one of the pixel itself.
INLINE ptrdiff_t split_offset(int32_t row, int32_t column, int32_t side) {
    const ptrdiff_t map = (row != 0 ? 2 : 0) + (column != 0 ? 1 : 0);
    return map * length_of(side) + (row < 0 ? -pitch_of(side) : 0) + (column < 0 ? -1 : 0);
}

void csheetnetwork_convolve(struct csheetnetwork_convolution convolution, int32_t side, const float *input,
                            const float *addend, bool rectified, bool fast, int32_t first, int32_t tiles,
                            float *output) {
    struct job job = {
        .weights = convolution.weights,
        .inputs = convolution.inputs,
        .outputs = convolution.outputs,
        .taps = convolution.window == CSHEETNETWORK_POINT ? 1 : 9,
        .input = input,
        .input_step = length_of(side) * (convolution.window == CSHEETNETWORK_HALVING ? 4 : 1),
        .offsets = {0},
        .addend = addend,
        .rectified = rectified,
        .output = output,
        .output_step = length_of(side),
        .first = place_of(0, 0, side),
        .end = place_of(side - 1, side - 1, side) + 1,
    };
    for (int32_t t = 0; job.taps == 9 && t < 9; t++) {
        const int32_t row = t / 3 - 1, column = t % 3 - 1;
        job.offsets[t] = convolution.window == CSHEETNETWORK_HALVING ? split_offset(row, column, side)
                                                                     : row * pitch_of(side) + column;
    }
    // Whole tiles: how a map is shared out changes no sum.
    const ptrdiff_t end = job.first + ((ptrdiff_t)first + tiles) * LONGEST_TILE;
    job.first += (ptrdiff_t)first * LONGEST_TILE;
    if (end < job.end) { job.end = end; }
#if HAS_AVX2_KERNEL
    if (fast) {
        convolve_avx2(&job);
    } else {
        convolve_plain(&job);
    }
#else
    (void)fast;
    convolve_plain(&job);
#endif
}

int32_t csheetnetwork_tiles(int32_t side) {
    const ptrdiff_t used = place_of(side - 1, side - 1, side) + 1 - place_of(0, 0, side);
    return (int32_t)((used + LONGEST_TILE - 1) / LONGEST_TILE);
}

void csheetnetwork_clear_rims(int32_t count, int32_t side, float *maps) {
    for (int32_t m = 0; m < count; m++) clear_rim(maps + m * length_of(side), side);
}

// A picture of any size squashed to a square by area, exactly: in units in which an output pixel is as long as the picture
// and a pixel of the picture as long as the output, every overlap is a whole number, and so are all sums.

#include <string.h>

#include "maps.h"

#pragma STDC FP_CONTRACT OFF

// The pixels that an output pixel covers, and how much of the first and the last; those between lie inside.
struct cover {
    int32_t first, last;
    uint32_t of_first, of_last;  // of_last is 0 if there is only one
};

INLINE struct cover cover_of(int32_t output, int32_t length, int32_t side) {
    const int64_t start = (int64_t)output * length, end = start + length;
    const int32_t first = (int32_t)(start / side), last = (int32_t)((end - 1) / side);
    if (first == last) return (struct cover){first, last, (uint32_t)length, 0};
    return (struct cover){first, last, (uint32_t)((int64_t)(first + 1) * side - start),
                          (uint32_t)(end - (int64_t)last * side)};
}

// Sums down the columns: at most 255 times the picture's height.
INLINE void sum_down(const uint8_t *pixels, size_t stride, struct cover rows, uint32_t side, uint32_t *restrict sums) {
    memset(sums, 0, stride * sizeof *sums);
    int32_t y = rows.first + 1;
    // Four rows at a time: their sum fits into 16 bits and is widened only once.
    for (; y + 4 <= rows.last; y += 4) {
        const uint8_t *a = pixels + (size_t)y * stride, *b = a + stride, *c = b + stride, *d = c + stride;
        for (size_t i = 0; i < stride; i++) sums[i] += (uint16_t)((uint16_t)(a[i] + b[i]) + (uint16_t)(c[i] + d[i]));
    }
    for (; y < rows.last; y++) {
        const uint8_t *row = pixels + (size_t)y * stride;
        for (size_t i = 0; i < stride; i++) sums[i] += row[i];
    }
    const uint8_t *first = pixels + (size_t)rows.first * stride, *last = pixels + (size_t)rows.last * stride;
    for (size_t i = 0; i < stride; i++) {
        sums[i] = sums[i] * side + first[i] * rows.of_first + last[i] * rows.of_last;
    }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void sum_down_avx2(const uint8_t *pixels, size_t stride, struct cover rows,
                                                          uint32_t side, uint32_t *sums) {
    sum_down(pixels, stride, rows, side, sums);
}
#else
#define sum_down_avx2 sum_down
#endif

void csheetnetwork_squash(const uint8_t *pixels, int32_t width, int32_t height, int32_t side, int32_t first,
                          int32_t rows, bool fast, uint32_t *sums, float *output) {
    const double whole = 255.0 * (double)width * (double)height;
    for (int32_t y = first; y < first + rows; y++) {
        const struct cover lines = cover_of(y, height, side);
        if (fast) {
            sum_down_avx2(pixels, (size_t)width * 3, lines, (uint32_t)side, sums);
        } else {
            sum_down(pixels, (size_t)width * 3, lines, (uint32_t)side, sums);
        }
        for (int32_t x = 0; x < side; x++, output += 3) {
            const struct cover columns = cover_of(x, width, side);
            const uint32_t *from = sums + (ptrdiff_t)columns.first * 3, *to = sums + (ptrdiff_t)columns.last * 3;
            uint64_t inside[3] = {0, 0, 0};
            for (const uint32_t *at = from + 3; at < to; at += 3) {
                for (int32_t k = 0; k < 3; k++) inside[k] += at[k];
            }
            for (int32_t k = 0; k < 3; k++) {
                const uint64_t sum = inside[k] * (uint32_t)side + (uint64_t)from[k] * columns.of_first +
                                     (uint64_t)to[k] * columns.of_last;
                output[k] = (float)((double)sum / whole);
            }
        }
    }
}

// The weighted sums of 4 x 4 or 2 x 2 source pixels for each pixel of a run, and the bytes that they become: plainly.
#ifndef SUMS_H
#define SUMS_H

#include <stddef.h>
#include <string.h>

#include "run.h"

// So many rows ahead: a row of output takes longer than memory does, and eight rows of picture fit into the second cache.
enum { PREFETCHED_ROWS = 8, PIXELS_IN_CACHE_LINE = 16 };

// The weight of one tap, and of one row.
INLINE int32_t weight_across(const struct run *run, int i, int tap) {
    const uint32_t both = (uint32_t)run->across[tap / 2][i];
    return (int16_t)(uint16_t)(tap % 2 ? both >> 16 : both);
}

INLINE float weight_down(const struct run *run, int i, int row, int taps) {
    if (taps == 4) return run->down[row][i];
    return row ? run->down[0][i] : 1.0f / WEIGHT_ONE - run->down[0][i];
}

INLINE int32_t clamped(int32_t value, int32_t last) { return value < 0 ? 0 : value > last ? last : value; }

// The sums of one pixel at the rim: what lies outside is the nearest pixel inside.
INLINE void sum_at_rim(struct run *run, int i, struct cresampling_picture source, int taps) {
    const int32_t before = taps / 2 - 1;
    float sum[3] = {0, 0, 0};
    for (int r = 0; r < taps; r++) {
        const uint8_t *line =
            source.pixels +
            (size_t)clamped(run->row[i] - before + r, source.height - 1) * (size_t)source.width * 3;
        int32_t across[3] = {0, 0, 0};
        for (int c = 0; c < taps; c++) {
            const uint8_t *pixel = line + clamped(run->column[i] - before + c, source.width - 1) * 3;
            for (int k = 0; k < 3; k++) across[k] += weight_across(run, i, c) * pixel[k];
        }
        for (int k = 0; k < 3; k++) sum[k] += (float)across[k] * weight_down(run, i, r, taps);
    }
    for (int k = 0; k < 3; k++) run->sum[i][k] = sum[k];
}

// The rows of the output that follow read the picture a little lower. Where the map is slanted a run crosses many rows of
// the picture, which the processor's own prefetching does not foresee.
INLINE void prefetch_below(const struct run *run, int count, struct cresampling_picture source) {
    for (int i = 0; i < count; i += PIXELS_IN_CACHE_LINE) {
        __builtin_prefetch(source.pixels + run->first[i] + (ptrdiff_t)PREFETCHED_ROWS * source.width * 3);
    }
}

INLINE const uint8_t *first_tap(const struct run *run, int i, struct cresampling_picture source) {
    return source.pixels + run->first[i];
}

// The sums of one pixel inside the picture, plainly.
INLINE void sum_inside(struct run *run, int i, struct cresampling_picture source, int taps) {
    const uint8_t *line = first_tap(run, i, source);
    const size_t stride = (size_t)source.width * 3;
    float sum[3] = {0, 0, 0};
    for (int r = 0; r < taps; r++, line += stride) {
        int32_t across[3] = {0, 0, 0};
        for (int c = 0; c < taps; c++)
            for (int k = 0; k < 3; k++) across[k] += weight_across(run, i, c) * line[3 * c + k];
        for (int k = 0; k < 3; k++) sum[k] += (float)across[k] * weight_down(run, i, r, taps);
    }
    for (int k = 0; k < 3; k++) run->sum[i][k] = sum[k];
}

INLINE void sum_run(struct run *run, int count, struct cresampling_picture source, int taps, bool all_inside) {
    for (int i = 0; i < count; i++) {
        if (all_inside || run->class[i] == INSIDE) {
            sum_inside(run, i, source, taps);
        } else if (run->class[i] == AT_RIM) {
            sum_at_rim(run, i, source, taps);
        }
    }
}

INLINE uint8_t byte_of(float value) {
    const float rounded = value + 0.5f;
    return (uint8_t)(int32_t)(rounded < 0 ? 0 : rounded > 255 ? 255 : rounded);
}

INLINE uint8_t luma_of(uint8_t red, uint8_t green, uint8_t blue) {
    return (uint8_t)((red * 19595u + green * 38470u + blue * 7471u + 32768u) >> 16);
}

INLINE void write_pixel(uint8_t *output, int i, bool gray, uint8_t red, uint8_t green, uint8_t blue) {
    if (gray) {
        output[i] = luma_of(red, green, blue);
    } else {
        output[3 * i] = red;
        output[3 * i + 1] = green;
        output[3 * i + 2] = blue;
    }
}

INLINE void write_sums(const struct run *run, int from, int count, bool gray, uint8_t *output) {
    for (int i = from; i < count; i++) {
        write_pixel(output, i, gray, byte_of(run->sum[i][0]), byte_of(run->sum[i][1]), byte_of(run->sum[i][2]));
    }
}

INLINE void write_background(const struct run *run, int count, const uint8_t *background, bool gray,
                             uint8_t *output) {
    int missing = 0;
    for (int i = 0; i < count; i++) missing |= run->class[i] == NO_SOURCE;
    if (!missing) return;
    for (int i = 0; i < count; i++) {
        if (run->class[i] == NO_SOURCE) {
            write_pixel(output, i, gray, background[0], background[1], background[2]);
        }
    }
}

#endif

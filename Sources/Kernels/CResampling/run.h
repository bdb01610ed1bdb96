// A run of pixels of one row: their positions in the source, which of them have a source, and the filter's weights.
// Plain loops that the compiler turns into vectors.
#ifndef RUN_H
#define RUN_H

#include "cells.h"

enum { WEIGHT_BITS = 14, WEIGHT_ONE = 1 << WEIGHT_BITS };
// Cells are written in blocks of this many pixels, the last one beyond its end.
enum { BLOCK = 8 };

enum pixel_class { NO_SOURCE = 0, AT_RIM = 1, INSIDE = 2 };

struct run {
    float x[RUN + BLOCK], y[RUN + BLOCK], soft[RUN + BLOCK];
    int32_t column[RUN], row[RUN];
    int32_t first[RUN];  // byte of the picture at which the first tap lies
    int32_t class[RUN];
    int32_t across[2][RUN];  // weights of taps 0 and 1, and of 2 and 3, as two 16-bit halves
    float down[4][RUN];      // weights of the rows, by 2^-14; of two rows the lower one's
    _Alignas(32) float sum[RUN][4];
};

// The cubics of Mitchell & Netravali (1988) with B + 2 C = 1: from Catmull-Rom's, B = 0, straight to the cubic B-spline,
// B = 1. For distances below 1 and from 1 to 2.
INLINE float near_weight(float soft, float t) {
    const float sharp = 1 + t * t * (-2.5f + t * 1.5f);
    return sharp + soft * (-1.0f / 3 + t * t * (1.5f - t));
}
INLINE float far_weight(float soft, float t) {
    const float sharp = 2 + t * (-4 + t * (2.5f - t * 0.5f));
    return sharp + soft * (-2.0f / 3 + t * (2 + t * (-1.5f + t * (1.0f / 3))));
}

// To the nearest whole number and down to one, by truncation of what is known to be positive: without SSE4.1 floorf
// is a call.
INLINE int32_t whole_weight(float w) { return (int32_t)(w * WEIGHT_ONE + (WEIGHT_ONE + 0.5f)) - WEIGHT_ONE; }
INLINE int32_t whole_position(float x) { return (int32_t)(x + 1) - 1; }

INLINE int32_t halves(int32_t low, int32_t high) {
    return (int32_t)((uint32_t)low & 0xFFFF) | (int32_t)((uint32_t)high << 16);
}

// Positions of pixels `from` ... `from + count - 1`, `u` pixels further right and `v` further down; `cells` begin with
// node `first`.
INLINE void find_positions(struct run *run, const struct cells *cells, int32_t spacing, int32_t first,
                           int32_t from, int32_t count, float u, float v) {
    int32_t cell = from / spacing - first;
    int32_t offset = from - (cell + first) * spacing;
    for (int32_t at = 0; at < count; cell++, offset = 0) {
        const float right_x = cells->right[2 * cell], right_y = cells->right[2 * cell + 1];
        // A neighbour without a source must not spoil the pixel that lies on the node itself.
        const float u_x = isnan(right_x) ? 0 : u * right_x, u_y = isnan(right_y) ? 0 : u * right_y;
        const float x0 = cells->here[2 * cell] + u_x + v * cells->down[2 * cell];
        const float y0 = cells->here[2 * cell + 1] + u_y + v * cells->down[2 * cell + 1];
        const float soft = cells->soft[cell];
        const int32_t end = at + (spacing - offset) < count ? at + (spacing - offset) : count;
        const int32_t start = at;
        for (; at < end; at += BLOCK) {
            for (int32_t i = 0; i < BLOCK; i++) {
                const float along = (float)(offset + at - start + i);
                run->x[at + i] = x0 + right_x * along;
                run->y[at + i] = y0 + right_y * along;
                run->soft[at + i] = soft;
            }
        }
        at = end;
        if (offset == 0) {
            run->x[start] = x0;
            run->y[start] = y0;
        }
    }
}

// Classes and weights of the positions; returns whether all of them lie inside.
INLINE bool find_weights(struct run *run, int32_t count, struct cresampling_picture source, bool cubic) {
    const float right = (float)source.width - 0.5f, low = (float)source.height - 0.5f;
    // Inside: all taps lie in the picture, and so do the 16 bytes that the fast kernel reads from the left-most.
    const int32_t first = cubic ? 1 : 0;
    const int32_t last_column = source.width - 6, last_row = source.height - 3;
    int32_t least = INSIDE;
    for (int32_t i = 0; i < count; i++) {
        const float x = run->x[i], y = run->y[i];
        // Comparisons with NaN are false, so a missing node ends here. No short circuits: the loop is to be a vector.
        const int32_t has_source = (x >= -0.5f) & (x <= right) & (y >= -0.5f) & (y <= low);
        const float safe_x = has_source ? x : 0, safe_y = has_source ? y : 0;
        const int32_t column = whole_position(safe_x), row = whole_position(safe_y);
        const int32_t inside = (column >= first) & (column <= last_column) & (row >= first) & (row <= last_row);
        const int32_t class = has_source * (AT_RIM + inside);
        run->x[i] = safe_x - (float)column;
        run->y[i] = safe_y - (float)row;
        run->column[i] = column;
        run->row[i] = row;
        run->first[i] = ((row - first) * source.width + (column - first)) * 3;
        run->class[i] = class;
        least = class < least ? class : least;
    }
    if (cubic) {
        for (int32_t i = 0; i < count; i++) {
            const float t = run->x[i], soft = run->soft[i];
            const int32_t w0 = whole_weight(far_weight(soft, 1 + t)), w2 = whole_weight(near_weight(soft, 1 - t)),
                          w3 = whole_weight(far_weight(soft, 2 - t));
            run->across[0][i] = halves(w0, WEIGHT_ONE - w0 - w2 - w3);
            run->across[1][i] = halves(w2, w3);
        }
        for (int32_t i = 0; i < count; i++) {
            const float t = run->y[i], soft = run->soft[i];
            run->down[0][i] = far_weight(soft, 1 + t) * (1.0f / WEIGHT_ONE);
            run->down[1][i] = near_weight(soft, t) * (1.0f / WEIGHT_ONE);
            run->down[2][i] = near_weight(soft, 1 - t) * (1.0f / WEIGHT_ONE);
            run->down[3][i] = far_weight(soft, 2 - t) * (1.0f / WEIGHT_ONE);
        }
    } else {
        for (int32_t i = 0; i < count; i++) {
            const int32_t w1 = whole_weight(run->x[i]);
            run->across[0][i] = halves(WEIGHT_ONE - w1, w1);
            run->down[0][i] = run->y[i] * (1.0f / WEIGHT_ONE);
        }
    }
    return least == INSIDE;
}

#endif

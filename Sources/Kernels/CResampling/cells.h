// The map along one row of the output: for each node the position that it stands for, and for the cell behind it the
// step to the right, the step down, and what these say about antialiasing.
#ifndef CELLS_H
#define CELLS_H

#include <math.h>
#include <string.h>

#include "include/CResampling.h"

#define INLINE static inline __attribute__((always_inline))

// sqrtf sets errno, which keeps a loop from becoming a vector's.
#if __has_builtin(__builtin_elementwise_sqrt)
#define SQUARE_ROOT __builtin_elementwise_sqrt
#else
#define SQUARE_ROOT sqrtf
#endif

// Pixels that are worked on at once: long enough for vectors, short enough to stay in the nearest cache.
enum { RUN = 128 };
// More samples a pixel and axis than this are not taken: reductions beyond 16 : 1 are a thumbnail's.
enum { MAXIMUM_SAMPLES = 16 };

struct cells {
    // x, y in turn, so that both are one loop.
    float here[2 * (RUN + 2)], step[2 * (RUN + 2)];
    float right[2 * (RUN + 1)], down[2 * (RUN + 1)];
    // Of the cell as a whole, for all its rows.
    int32_t columns[RUN + 1], rows[RUN + 1];  // samples a pixel
    float soft[RUN + 1];                      // B of the cubic
};

// NaN and infinity come out as 1: such cells have no source.
INLINE int32_t samples_for(float scale) {
    const float wanted = ((scale >= 1.5f) & (scale < 1e6f)) ? scale : 1;
    return (int32_t)((wanted < MAXIMUM_SAMPLES ? wanted : MAXIMUM_SAMPLES) + 0.5f);
}

// The mean of two steps; beside a node without a source what the other side says, else nothing.
INLINE float mean_step(float first, float second) {
    const float middle = 0.5f * (first + second);
    const float one = first == first ? first : second == second ? second : 0;
    return middle == middle ? middle : one;
}

// Nodes that cells `first` ... `first + count - 1` lie between; `count` at most RUN + 1.
INLINE int32_t nodes_of(struct cresampling_rows rows, int32_t first, int32_t count) {
    return rows.node_count - first < count + 1 ? rows.node_count - first : count + 1;
}

// What holds for all rows of the cells: their step down, their samples and their softness.
INLINE void find_scales(struct cells *cells, struct cresampling_rows rows, int32_t first, int32_t count) {
    // A step short of a last digit moves a position by less than 10^-5 pixels over a cell; divisions cost more than that.
    const float share = 1 / (float)rows.spacing;
    const int32_t nodes = nodes_of(rows, first, count);
    const float *top = rows.top + 2 * first, *bottom = rows.bottom + 2 * first;
    float right[2 * (RUN + 1)];
    for (int32_t i = 0; i < 2 * nodes; i++) cells->step[i] = (bottom[i] - top[i]) * share;
    for (int32_t i = 0; i < 2 * (nodes - 1); i++) {
        cells->down[i] = mean_step(cells->step[i], cells->step[i + 2]);
        right[i] = mean_step(top[i + 2] - top[i], bottom[i + 2] - bottom[i]) * share;
    }
    // A pixel on the last node belongs to the cell before it, so that it has a scale as well.
    if (nodes <= count) {
        for (int32_t k = 0; k < 2; k++) {
            const int32_t last = 2 * (nodes - 1) + k;
            right[last] = nodes > 1 ? right[last - 2] : 0;
            cells->down[last] = nodes > 1 ? cells->down[last - 2] : mean_step(cells->step[last], cells->step[last]);
        }
    }
    // How many source pixels an output pixel spans along its row and down its column. That many samples are averaged;
    // what is left, less than 1.5 between samples, is left to a softer cubic. (The arrays of one structure do not overlap.)
#pragma clang loop vectorize(assume_safety)
    for (int32_t i = 0; i < count; i++) {
        const float *down = cells->down + 2 * i;
        const float along = SQUARE_ROOT(right[2 * i] * right[2 * i] + right[2 * i + 1] * right[2 * i + 1]);
        const float across = SQUARE_ROOT(down[0] * down[0] + down[1] * down[1]);
        const int32_t columns = samples_for(along), lines = samples_for(across);
        const float rest_along = along / (float)columns, rest_across = across / (float)lines;
        const float rest = rest_along > rest_across ? rest_along : rest_across;
        const float capped = rest < 1.5f ? rest - 1 : 0.5f;
        cells->columns[i] = columns;
        cells->rows[i] = lines;
        cells->soft[i] = rest > 1 ? capped : 0;
    }
}

// Where a row meets the cells' sides, and its step to the right in each.
INLINE void find_places(struct cells *cells, struct cresampling_rows rows, int32_t below, int32_t first,
                        int32_t count) {
    const float share = 1 / (float)rows.spacing;
    const int32_t nodes = nodes_of(rows, first, count);
    const float *top = rows.top + 2 * first, *bottom = rows.bottom + 2 * first;
    // On the nodes themselves: a neighbour without a source does not matter.
    if (below == 0 || below == rows.spacing) {
        memcpy(cells->here, below == 0 ? top : bottom, (size_t)nodes * 2 * sizeof *top);
    } else {
        for (int32_t i = 0; i < 2 * nodes; i++) cells->here[i] = top[i] + cells->step[i] * (float)below;
    }
    for (int32_t i = 0; i < 2 * (nodes - 1); i++) {
        cells->right[i] = (cells->here[i + 2] - cells->here[i]) * share;
    }
    if (nodes <= count) {
        for (int32_t k = 0; k < 2; k++) {
            const int32_t last = 2 * (nodes - 1) + k;
            cells->right[last] = nodes > 1 ? cells->right[last - 2] : 0;
        }
    }
}

#endif

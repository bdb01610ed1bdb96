// The map along one row of the output: for each node the position that it stands for, and for the cell behind it the
// step to the right, the step down, and what these say about antialiasing.
#ifndef CELLS_H
#define CELLS_H

#include <math.h>

#include "include/CResampling.h"

#define INLINE static inline __attribute__((always_inline))

// Pixels that are worked on at once: long enough for vectors, short enough to stay in the nearest cache.
enum { RUN = 128 };
// More samples a pixel and axis than this are not taken: reductions beyond 16 : 1 are a thumbnail's.
enum { MAXIMUM_SAMPLES = 16 };

struct cells {
    // x, y in turn, so that both are one loop.
    float here[2 * (RUN + 2)], step[2 * (RUN + 2)];
    float right[2 * (RUN + 1)], down[2 * (RUN + 1)];
    int32_t columns[RUN + 1], rows[RUN + 1];  // samples a pixel
    float soft[RUN + 1];                      // B of the cubic
};

// NaN and infinity come out as 1: such cells have no source.
INLINE int32_t samples_for(float scale) {
    const float wanted = ((scale >= 1.5f) & (scale < 1e6f)) ? scale : 1;
    return (int32_t)((wanted < MAXIMUM_SAMPLES ? wanted : MAXIMUM_SAMPLES) + 0.5f);
}

INLINE float step_of_one(float step) { return step == step ? step : 0; }

// The cells of nodes `first` ... `first + count - 1`, `count` at most RUN + 1.
INLINE void find_cells(struct cells *cells, struct cresampling_row row, int32_t first, int32_t count) {
    // A step short of a last digit moves a position by less than 10^-5 pixels over a cell; divisions cost more than that.
    const float share = 1 / (float)row.spacing, below = (float)row.below;
    const int32_t nodes = row.node_count - first < count + 1 ? row.node_count - first : count + 1;
    const float *top = row.top + 2 * first, *bottom = row.bottom + 2 * first;
    for (int32_t i = 0; i < 2 * nodes; i++) {
        const float step = (bottom[i] - top[i]) * share;
        cells->step[i] = step;
        // On the nodes themselves: a neighbour without a source does not matter.
        cells->here[i] = row.below == 0 ? top[i] : row.below == row.spacing ? bottom[i] : top[i] + step * below;
    }
    for (int32_t i = 0; i < 2 * (nodes - 1); i++) {
        const float left = cells->step[i], right = cells->step[i + 2], middle = 0.5f * (left + right);
        // Beside a node without a source the scale is what the other side says, else nothing.
        const float one = left == left ? left : right == right ? right : 0;
        cells->down[i] = middle == middle ? middle : one;
        cells->right[i] = (cells->here[i + 2] - cells->here[i]) * share;
    }
    // A pixel on the last node belongs to the cell before it, so that it has a scale as well.
    if (nodes <= count) {
        for (int32_t k = 0; k < 2; k++) {
            const int32_t last = 2 * (nodes - 1) + k;
            cells->right[last] = nodes > 1 ? cells->right[last - 2] : 0;
            cells->down[last] = nodes > 1 ? cells->down[last - 2] : step_of_one(cells->step[last]);
        }
    }
    // How many source pixels an output pixel spans along its row and down its column. That many samples are averaged;
    // what is left, less than 1.5 between samples, is left to a softer cubic.
    for (int32_t i = 0; i < count; i++) {
        const float *right = cells->right + 2 * i, *down = cells->down + 2 * i;
        const float along = sqrtf(right[0] * right[0] + right[1] * right[1]);
        const float across = sqrtf(down[0] * down[0] + down[1] * down[1]);
        const int32_t columns = samples_for(along), rows = samples_for(across);
        const float rest_along = along / (float)columns, rest_across = across / (float)rows;
        const float rest = rest_along > rest_across ? rest_along : rest_across;
        const float capped = rest < 1.5f ? rest - 1 : 0.5f;
        cells->columns[i] = columns;
        cells->rows[i] = rows;
        cells->soft[i] = rest > 1 ? capped : 0;
    }
}

#endif

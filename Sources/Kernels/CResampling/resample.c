// Rows of the output are walked in runs of pixels that take the same number of samples. For each run: positions
// (linear within each cell of the map's grid), which of them have a source, the filter's weights, then the weighted
// sums of 4 x 4 or 2 x 2 source pixels. All but the sums are plain loops that the compiler turns into vectors; the sums
// are written twice, once with AVX2 and once plainly. Both do the same arithmetic: weights across are whole numbers of
// 2^-14 that sum to 1 exactly, sums across are exact, sums down are single precision.

#include "include/CResampling.h"

#if defined(__x86_64__)
#include "sums-avx2.h"
#define HAS_AVX2_KERNEL 1
#else
#include "sums.h"
#define HAS_AVX2_KERNEL 0
#endif

// The number of taps and the usual case written as constants, so that each becomes a loop of its own.
#define SUM(SUM_RUN, run, count, source, cubic, all_inside) \
    do {                                                    \
        if (cubic) {                                        \
            if (all_inside) {                               \
                SUM_RUN(run, count, source, 4, true);       \
            } else {                                        \
                SUM_RUN(run, count, source, 4, false);      \
            }                                               \
        } else {                                            \
            if (all_inside) {                               \
                SUM_RUN(run, count, source, 2, true);       \
            } else {                                        \
                SUM_RUN(run, count, source, 2, false);      \
            }                                               \
        }                                                   \
    } while (0)

// Pixels of a row from one on that lie in cells of the same number of samples.
struct stretch {
    int32_t first_node;
    int32_t from, count;
    int32_t columns, rows;
};

// The mean of `columns` x `rows` samples spread evenly over each output pixel. A pixel counts if its middle does, and
// then takes what lies in the picture: no mixing with the background, which would draw a rim of its own.
#define DEFINE_SUPERSAMPLE(NAME, SUM_RUN, ATTRIBUTES)                                                              \
    ATTRIBUTES static void NAME(struct run *run, struct run *part, const struct cells *cells, int32_t spacing,     \
                                struct stretch stretch, struct cresampling_picture source, bool cubic) {           \
        const int32_t count = stretch.count;                                                                       \
        float sum[RUN][3];                                                                                         \
        int32_t samples[RUN];                                                                                      \
        memset(sum, 0, sizeof sum);                                                                                \
        memset(samples, 0, sizeof samples);                                                                        \
        find_positions(run, cells, spacing, stretch.first_node, stretch.from, count, 0, 0);                        \
        find_weights(run, count, source, cubic);                                                                   \
        for (int32_t r = 0; r < stretch.rows; r++) {                                                               \
            for (int32_t c = 0; c < stretch.columns; c++) {                                                        \
                const float u = ((float)c + 0.5f) / (float)stretch.columns - 0.5f;                                 \
                const float v = ((float)r + 0.5f) / (float)stretch.rows - 0.5f;                                    \
                find_positions(part, cells, spacing, stretch.first_node, stretch.from, count, u, v);               \
                const bool all_inside = find_weights(part, count, source, cubic);                                  \
                SUM(SUM_RUN, part, count, source, cubic, all_inside);                                              \
                for (int32_t i = 0; i < count; i++) {                                                              \
                    if (part->class[i] == NO_SOURCE) continue;                                                     \
                    for (int32_t k = 0; k < 3; k++) sum[i][k] += part->sum[i][k];                                  \
                    samples[i] += 1;                                                                               \
                }                                                                                                  \
            }                                                                                                      \
        }                                                                                                          \
        for (int32_t i = 0; i < count; i++) {                                                                      \
            const float share = samples[i] > 0 ? 1.0f / (float)samples[i] : 0;                                     \
            for (int32_t k = 0; k < 3; k++) run->sum[i][k] = sum[i][k] * share;                                    \
            if (samples[i] == 0) run->class[i] = NO_SOURCE;                                                        \
        }                                                                                                          \
    }

#define DEFINE_ROWS(NAME, SUPERSAMPLE, SUM_RUN, WRITE_SUMS, ATTRIBUTES)                                            \
    ATTRIBUTES static void NAME(struct cresampling_picture source, struct cresampling_rows rows, bool cubic,       \
                                const uint8_t *background, bool gray, uint8_t *output) {                           \
        struct cells cells;                                                                                        \
        struct run run, part;                                                                                      \
        memset(&run, 0, sizeof run);                                                                               \
        memset(&part, 0, sizeof part);                                                                             \
        const size_t bytes = gray ? 1 : 3;                                                                         \
        for (int32_t start = 0; start < rows.width; start += RUN) {                                                \
            const int32_t end = rows.width - start < RUN ? rows.width : start + RUN;                               \
            const int32_t first_node = first_node_for(rows, start);                                                \
            const int32_t cell_count = (end - 1) / rows.spacing - first_node + 1;                                  \
            find_scales(&cells, rows, first_node, cell_count);                                                     \
            for (int32_t r = 0; r < rows.count; r++) {                                                             \
                find_places(&cells, rows, rows.first_below + r, first_node, cell_count);                           \
                uint8_t *line = output + (size_t)r * (size_t)rows.width * bytes;                                   \
                for (int32_t from = start; from < end;) {                                                          \
                    const struct stretch stretch = stretch_from(&cells, rows.spacing, first_node, from, end);      \
                    uint8_t *to = line + (size_t)from * bytes;                                                     \
                    bool all_inside = false;                                                                       \
                    if (stretch.columns == 1 && stretch.rows == 1) {                                               \
                        find_positions(&run, &cells, rows.spacing, first_node, from, stretch.count, 0, 0);         \
                        all_inside = find_weights(&run, stretch.count, source, cubic);                             \
                        prefetch_below(&run, stretch.count, source);                                               \
                        SUM(SUM_RUN, &run, stretch.count, source, cubic, all_inside);                              \
                    } else {                                                                                       \
                        SUPERSAMPLE(&run, &part, &cells, rows.spacing, stretch, source, cubic);                    \
                    }                                                                                              \
                    WRITE_SUMS(&run, 0, stretch.count, gray, to);                                                  \
                    if (!all_inside) write_background(&run, stretch.count, background, gray, to);                  \
                    from += stretch.count;                                                                         \
                }                                                                                                  \
            }                                                                                                      \
        }                                                                                                          \
    }

// The node before a pixel, or the one before that if it is the last: its cell's scale is told from there.
INLINE int32_t first_node_for(struct cresampling_rows rows, int32_t pixel) {
    const int32_t node = pixel / rows.spacing;
    return node + 1 >= rows.node_count && node > 0 ? node - 1 : node;
}

INLINE struct stretch stretch_from(const struct cells *cells, int32_t spacing, int32_t first_node, int32_t from,
                                   int32_t end) {
    int32_t cell = from / spacing - first_node;
    const int32_t columns = cells->columns[cell], rows = cells->rows[cell];
    int32_t to = (cell + first_node + 1) * spacing;
    while (to < end && cells->columns[cell + 1] == columns && cells->rows[cell + 1] == rows) {
        cell += 1;
        to += spacing;
    }
    return (struct stretch){first_node, from, (to < end ? to : end) - from, columns, rows};
}

DEFINE_SUPERSAMPLE(supersample_plain, sum_run, )
DEFINE_ROWS(write_rows_plain, supersample_plain, sum_run, write_sums, )

#if HAS_AVX2_KERNEL
DEFINE_SUPERSAMPLE(supersample_avx2, sum_run_avx2, AVX2)
DEFINE_ROWS(write_rows_avx2, supersample_avx2, sum_run_avx2, write_sums_avx2, AVX2)
#endif

bool cresampling_has_avx2(void) {
#if HAS_AVX2_KERNEL
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

void cresampling_write_rows(struct cresampling_picture source, struct cresampling_rows rows,
                            enum cresampling_filter filter, const uint8_t background[3], bool gray, bool fast,
                            uint8_t *output) {
    const bool cubic = filter == CRESAMPLING_BICUBIC;
#if HAS_AVX2_KERNEL
    if (fast) {
        write_rows_avx2(source, rows, cubic, background, gray, output);
        return;
    }
#endif
    (void)fast;
    write_rows_plain(source, rows, cubic, background, gray, output);
}

// A row of the output is walked cell by cell of the map's grid, in runs of at most RUN pixels.
// For each run: positions (linear along the run), which of them have a source, the filter's weights, then the
// weighted sums of 4 x 4 or 2 x 2 source pixels. The first steps are plain loops that the compiler turns into
// vectors; the sums are written twice, once with AVX2 and once plainly. Both do the same arithmetic: weights across
// are whole numbers of 2^-14 that sum to 1 exactly, sums across are exact, sums down are single precision.

#include "include/CResampling.h"

#include <math.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#define HAS_AVX2_KERNEL 1
#define AVX2 __attribute__((target("avx2,fma")))
#else
#define HAS_AVX2_KERNEL 0
#endif

#define INLINE static inline __attribute__((always_inline))

enum { RUN = 64 };
enum { WEIGHT_BITS = 14, WEIGHT_ONE = 1 << WEIGHT_BITS };
// More samples a pixel and axis than this are not taken: reductions beyond 16 : 1 are a thumbnail's.
enum { MAXIMUM_SAMPLES = 16 };

enum pixel_class { NO_SOURCE = 0, AT_RIM = 1, INSIDE = 2 };

struct run {
    float x[RUN], y[RUN];
    int32_t column[RUN], row[RUN];
    int32_t class[RUN];
    int32_t across[2][RUN];  // weights of taps 0 and 1, and of 2 and 3, as two 16-bit halves
    float down[4][RUN];      // weights of the rows, by 2^-14; of two rows the lower one's, plain
    _Alignas(16) float sum[RUN][4];
};

// A cubic of the family of Mitchell & Netravali (1988) with B + 2 C = 1. `soft` = B: 0 is Catmull-Rom.
struct cubic {
    float near0, near2, near3;        // 1 + ... for distances below 1
    float far0, far1, far2, far3;     // for distances from 1 to 2
};

INLINE struct cubic cubic_of(float soft) {
    const float b = soft, c = 0.5f * (1 - soft);
    return (struct cubic){
        .near0 = (6 - 2 * b) / 6, .near2 = (-18 + 12 * b + 6 * c) / 6, .near3 = (12 - 9 * b - 6 * c) / 6,
        .far0 = (8 * b + 24 * c) / 6, .far1 = (-12 * b - 48 * c) / 6, .far2 = (6 * b + 30 * c) / 6,
        .far3 = (-b - 6 * c) / 6,
    };
}

INLINE float near_weight(struct cubic k, float t) { return k.near0 + t * t * (k.near2 + t * k.near3); }
INLINE float far_weight(struct cubic k, float t) { return k.far0 + t * (k.far1 + t * (k.far2 + t * k.far3)); }

// To the nearest whole number and down to one, by truncation of what is known to be positive: without SSE4.1 floorf
// is a call.
INLINE int32_t whole_weight(float w) { return (int32_t)(w * WEIGHT_ONE + (WEIGHT_ONE + 0.5f)) - WEIGHT_ONE; }
INLINE int32_t whole_position(float x) { return (int32_t)(x + 1) - 1; }

INLINE int32_t halves(int32_t low, int32_t high) {
    return (int32_t)((uint32_t)low & 0xFFFF) | (int32_t)((uint32_t)high << 16);
}

// Positions, classes and weights of a run.
INLINE void prepare(struct run *run, int count, struct cresampling_picture source, float x0, float y0, float dx,
                    float dy, bool cubic, float soft) {
    const float right = (float)source.width - 0.5f, low = (float)source.height - 0.5f;
    // Inside: all taps lie in the picture, and so do the 16 bytes that the fast kernel reads from the left-most.
    const int32_t first = cubic ? 1 : 0;
    const int32_t last_column = source.width - 6, last_row = source.height - 3;
    for (int i = 0; i < count; i++) {
        const float x = x0 + dx * (float)i, y = y0 + dy * (float)i;
        // Comparisons with NaN are false, so a missing node ends here. No short circuits: the loop is to be a vector.
        const int32_t has_source = (x >= -0.5f) & (x <= right) & (y >= -0.5f) & (y <= low);
        const float safe_x = has_source ? x : 0, safe_y = has_source ? y : 0;
        const int32_t column = whole_position(safe_x), row = whole_position(safe_y);
        const int32_t inside = (column >= first) & (column <= last_column) & (row >= first) & (row <= last_row);
        run->x[i] = safe_x - (float)column;
        run->y[i] = safe_y - (float)row;
        run->column[i] = column;
        run->row[i] = row;
        run->class[i] = has_source * (AT_RIM + inside);
    }
    if (cubic) {
        const struct cubic k = cubic_of(soft);
        for (int i = 0; i < count; i++) {
            const float t = run->x[i];
            const int32_t w0 = whole_weight(far_weight(k, 1 + t)), w2 = whole_weight(near_weight(k, 1 - t)),
                          w3 = whole_weight(far_weight(k, 2 - t));
            run->across[0][i] = halves(w0, WEIGHT_ONE - w0 - w2 - w3);
            run->across[1][i] = halves(w2, w3);
        }
        for (int i = 0; i < count; i++) {
            const float t = run->y[i];
            run->down[0][i] = far_weight(k, 1 + t) * (1.0f / WEIGHT_ONE);
            run->down[1][i] = near_weight(k, t) * (1.0f / WEIGHT_ONE);
            run->down[2][i] = near_weight(k, 1 - t) * (1.0f / WEIGHT_ONE);
            run->down[3][i] = far_weight(k, 2 - t) * (1.0f / WEIGHT_ONE);
        }
    } else {
        for (int i = 0; i < count; i++) {
            const int32_t w1 = whole_weight(run->x[i]);
            run->across[0][i] = halves(WEIGHT_ONE - w1, w1);
            run->down[0][i] = run->y[i];
        }
    }
}

// The weight of one tap, and of one row.
INLINE int32_t weight_across(const struct run *run, int i, int tap) {
    const uint32_t both = (uint32_t)run->across[tap / 2][i];
    return (int16_t)(uint16_t)(tap % 2 ? both >> 16 : both);
}

INLINE float weight_down(const struct run *run, int i, int row, int taps) {
    if (taps == 4) return run->down[row][i];
    return (row ? run->down[0][i] : 1 - run->down[0][i]) * (1.0f / WEIGHT_ONE);
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

INLINE const uint8_t *first_tap(const struct run *run, int i, struct cresampling_picture source, int before) {
    return source.pixels +
           ((size_t)(run->row[i] - before) * (size_t)source.width + (size_t)(run->column[i] - before)) * 3;
}

// The sums of one pixel inside the picture, plainly.
INLINE void sum_inside(struct run *run, int i, struct cresampling_picture source, int taps) {
    const uint8_t *line = first_tap(run, i, source, taps / 2 - 1);
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

INLINE void sum_run(struct run *run, int count, struct cresampling_picture source, int taps) {
    for (int i = 0; i < count; i++) {
        if (run->class[i] == INSIDE) {
            sum_inside(run, i, source, taps);
        } else if (run->class[i] == AT_RIM) {
            sum_at_rim(run, i, source, taps);
        }
    }
}

#if HAS_AVX2_KERNEL

// Four pixels of a source row as 16-bit pairs: (r0 r1)(g0 g1)(b0 b1)(0) in the low half, (r2 r3) ... in the high half.
AVX2 INLINE __m256i paired(const uint8_t *line) {
    const __m256i pairs =
        _mm256_setr_epi8(0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1, -1, -1, -1, -1,  //
                         6, -1, 9, -1, 7, -1, 10, -1, 8, -1, 11, -1, -1, -1, -1, -1);
    __m128i bytes;
    memcpy(&bytes, line, sizeof bytes);
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(bytes), pairs);
}

AVX2 INLINE void cubic_inside_avx2(struct run *run, int i, struct cresampling_picture source) {
    const uint8_t *line = first_tap(run, i, source, 1);
    const size_t stride = (size_t)source.width * 3;
    const __m256i across =
        _mm256_set_m128i(_mm_set1_epi32(run->across[1][i]), _mm_set1_epi32(run->across[0][i]));

    const __m256 row0 = _mm256_cvtepi32_ps(_mm256_madd_epi16(paired(line), across));
    const __m256 row1 = _mm256_cvtepi32_ps(_mm256_madd_epi16(paired(line + stride), across));
    const __m256 row2 = _mm256_cvtepi32_ps(_mm256_madd_epi16(paired(line + 2 * stride), across));
    const __m256 row3 = _mm256_cvtepi32_ps(_mm256_madd_epi16(paired(line + 3 * stride), across));
    const __m256 upper =
        _mm256_fmadd_ps(row1, _mm256_set1_ps(run->down[1][i]), _mm256_mul_ps(row0, _mm256_set1_ps(run->down[0][i])));
    const __m256 lower =
        _mm256_fmadd_ps(row3, _mm256_set1_ps(run->down[3][i]), _mm256_mul_ps(row2, _mm256_set1_ps(run->down[2][i])));
    const __m256 both = _mm256_add_ps(upper, lower);
    _mm_store_ps(run->sum[i], _mm_add_ps(_mm256_castps256_ps128(both), _mm256_extractf128_ps(both, 1)));
}

AVX2 INLINE void linear_inside_avx2(struct run *run, int i, struct cresampling_picture source) {
    const __m128i pairs = _mm_setr_epi8(0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1, -1, -1, -1, -1);
    const uint8_t *line = first_tap(run, i, source, 0);
    const __m128i upper = _mm_loadl_epi64((const __m128i *)(const void *)line);
    const __m128i lower = _mm_loadl_epi64((const __m128i *)(const void *)(line + (size_t)source.width * 3));
    const __m128i across = _mm_set1_epi32(run->across[0][i]);
    const __m128 top = _mm_cvtepi32_ps(_mm_madd_epi16(_mm_shuffle_epi8(upper, pairs), across));
    const __m128 bottom = _mm_cvtepi32_ps(_mm_madd_epi16(_mm_shuffle_epi8(lower, pairs), across));
    const __m128 sum = _mm_fmadd_ps(_mm_sub_ps(bottom, top), _mm_set1_ps(run->down[0][i]), top);
    _mm_store_ps(run->sum[i], _mm_mul_ps(sum, _mm_set1_ps(1.0f / WEIGHT_ONE)));
}

AVX2 INLINE void sum_run_avx2(struct run *run, int count, struct cresampling_picture source, int taps) {
    for (int i = 0; i < count; i++) {
        if (__builtin_expect(run->class[i] == INSIDE, 1)) {
            if (taps == 4) {
                cubic_inside_avx2(run, i, source);
            } else {
                linear_inside_avx2(run, i, source);
            }
        } else if (run->class[i] == AT_RIM) {
            sum_at_rim(run, i, source, taps);
        }
    }
}

#endif

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

INLINE void write_sums_plain(const struct run *run, int count, bool gray, uint8_t *output) {
    write_sums(run, 0, count, gray, output);
}

#if HAS_AVX2_KERNEL
AVX2 INLINE __m128i rounded(const float *sum) {
    return _mm_cvttps_epi32(_mm_add_ps(_mm_load_ps(sum), _mm_set1_ps(0.5f)));
}

AVX2 INLINE __m128i clamped_to_byte(__m128i values) {
    return _mm_min_epi32(_mm_max_epi32(values, _mm_setzero_si128()), _mm_set1_epi32(255));
}

// Four pixels at a time.
AVX2 INLINE void write_sums_avx2(const struct run *run, int count, bool gray, uint8_t *output) {
    const __m128i tight = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        const __m128i p0 = rounded(run->sum[i]), p1 = rounded(run->sum[i + 1]);
        const __m128i p2 = rounded(run->sum[i + 2]), p3 = rounded(run->sum[i + 3]);
        if (gray) {
            // Channels side by side, then the same whole-number luma as luma_of.
            const __m128i low = _mm_unpacklo_epi32(p0, p1), high = _mm_unpacklo_epi32(p2, p3);
            const __m128i red = clamped_to_byte(_mm_unpacklo_epi64(low, high));
            const __m128i green = clamped_to_byte(_mm_unpackhi_epi64(low, high));
            const __m128i blue =
                clamped_to_byte(_mm_unpacklo_epi64(_mm_unpackhi_epi32(p0, p1), _mm_unpackhi_epi32(p2, p3)));
            const __m128i sum = _mm_add_epi32(
                _mm_add_epi32(_mm_mullo_epi32(red, _mm_set1_epi32(19595)),
                              _mm_mullo_epi32(green, _mm_set1_epi32(38470))),
                _mm_add_epi32(_mm_mullo_epi32(blue, _mm_set1_epi32(7471)), _mm_set1_epi32(32768)));
            const __m128i luma = _mm_srli_epi32(sum, 16);
            const __m128i words = _mm_packus_epi32(luma, luma);
            const int32_t bytes = _mm_cvtsi128_si32(_mm_packus_epi16(words, words));
            memcpy(output + i, &bytes, 4);
        } else {
            // Packing saturates, which is the clamping. Twelve bytes exactly: what follows may be another thread's.
            const __m128i four = _mm_packus_epi16(_mm_packs_epi32(p0, p1), _mm_packs_epi32(p2, p3));
            const __m128i bytes = _mm_shuffle_epi8(four, tight);
            memcpy(output + 3 * i, &bytes, 8);
            const int32_t last = _mm_extract_epi32(bytes, 2);
            memcpy(output + 3 * i + 8, &last, 4);
        }
    }
    write_sums(run, i, count, gray, output);
}
#endif

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

INLINE int samples_for(float scale) {
    // NaN and infinity come out as 1: such cells have no source.
    if (!(scale >= 1.5f) || !(scale < 1e6f)) return 1;
    const int count = (int)(scale + 0.5f);
    return count < MAXIMUM_SAMPLES ? count : MAXIMUM_SAMPLES;
}

// The map along one row within one cell: linear, with the scale that decides the antialiasing.
struct cell {
    float x, y;            // at the cell's left node, on this row
    float dx, dy;          // per output pixel to the right
    float down_x, down_y;  // per output pixel down, in the middle of the cell
    int columns, rows;     // samples a pixel
    float soft;            // B of the cubic
};

INLINE struct cell cell_at(struct cresampling_row row, int32_t index) {
    // A step short of a last digit moves a position by less than 10^-5 pixels over a cell; divisions cost more than that.
    const float share = 1 / (float)row.spacing;
    // A pixel on the last node belongs to the cell before it, so that it has a scale as well.
    const bool on_last = index + 1 >= row.node_count && index > 0;
    const int32_t here = on_last ? index - 1 : index;
    const int32_t next = here + 1 < row.node_count ? here + 1 : here;
    const float *top = row.top, *bottom = row.bottom;
    float left[2], right[2], down[2];
    for (int k = 0; k < 2; k++) {
        const float a = top[2 * here + k], b = top[2 * next + k];
        const float c = bottom[2 * here + k], d = bottom[2 * next + k];
        const float left_step = (c - a) * share, right_step = (d - b) * share;
        left[k] = row.below == 0 ? a : row.below == row.spacing ? c : a + left_step * (float)row.below;
        right[k] = row.below == 0 ? b : row.below == row.spacing ? d : b + right_step * (float)row.below;
        down[k] = 0.5f * (left_step + right_step);
        // Beside a node without a source the scale is what the other side says, else nothing.
        if (isnan(down[k])) down[k] = isnan(left_step) ? right_step : left_step;
        if (isnan(down[k])) down[k] = 0;
    }
    const float *at = on_last ? right : left;
    struct cell cell = {.x = at[0], .y = at[1], .down_x = down[0], .down_y = down[1]};
    cell.dx = (right[0] - left[0]) * share;
    cell.dy = (right[1] - left[1]) * share;
    // How many source pixels an output pixel spans along its row and down its column. That many samples are averaged;
    // what is left, less than 1.5 between samples, is left to a softer cubic.
    const float along = sqrtf(cell.dx * cell.dx + cell.dy * cell.dy), across = sqrtf(down[0] * down[0] + down[1] * down[1]);
    cell.columns = samples_for(along);
    cell.rows = samples_for(across);
    const float rest_along = along / (float)cell.columns, rest_across = across / (float)cell.rows;
    const float rest = rest_along > rest_across ? rest_along : rest_across;
    cell.soft = rest > 1 ? (rest < 1.5f ? rest - 1 : 0.5f) : 0;
    return cell;
}

// The number of taps written as a constant, so that each filter becomes a loop of its own.
#define SUM(SUM_RUN, run, count, source, cubic)  \
    do {                                         \
        if (cubic) {                             \
            SUM_RUN(run, count, source, 4);      \
        } else {                                 \
            SUM_RUN(run, count, source, 2);      \
        }                                        \
    } while (0)

// The mean of `columns` x `rows` samples spread evenly over each output pixel.
#define DEFINE_SUPERSAMPLE(NAME, SUM_RUN, ATTRIBUTES)                                                              \
    ATTRIBUTES static void NAME(struct run *run, struct run *part, int count, struct cresampling_picture source,   \
                                float x0, float y0, float dx, float dy, float down_x, float down_y, int columns,   \
                                int rows, bool cubic, float soft) {                                                \
        float sum[RUN][3];                                                                                         \
        int32_t samples[RUN];                                                                                      \
        prepare(run, count, source, x0, y0, dx, dy, cubic, soft);                                                  \
        memset(sum, 0, sizeof sum);                                                                                \
        memset(samples, 0, sizeof samples);                                                                        \
        for (int r = 0; r < rows; r++) {                                                                           \
            for (int c = 0; c < columns; c++) {                                                                    \
                const float u = ((float)c + 0.5f) / (float)columns - 0.5f;                                         \
                const float v = ((float)r + 0.5f) / (float)rows - 0.5f;                                            \
                prepare(part, count, source, x0 + u * dx + v * down_x, y0 + u * dy + v * down_y, dx, dy, cubic,    \
                        soft);                                                                                     \
                SUM(SUM_RUN, part, count, source, cubic);                                                          \
                for (int i = 0; i < count; i++) {                                                                  \
                    if (part->class[i] == NO_SOURCE) continue;                                                     \
                    for (int k = 0; k < 3; k++) sum[i][k] += part->sum[i][k];                                      \
                    samples[i] += 1;                                                                               \
                }                                                                                                  \
            }                                                                                                      \
        }                                                                                                          \
        for (int i = 0; i < count; i++) {                                                                          \
            /* A pixel counts if its middle does, and then takes what lies in the picture: no mixing with the */   \
            /* background, which would draw a rim of its own. */                                                   \
            const float share = samples[i] > 0 ? 1.0f / (float)samples[i] : 0;                                     \
            for (int k = 0; k < 3; k++) run->sum[i][k] = sum[i][k] * share;                                        \
            if (samples[i] == 0) run->class[i] = NO_SOURCE;                                                        \
        }                                                                                                          \
    }

#define DEFINE_ROW(NAME, SUPERSAMPLE, SUM_RUN, WRITE_SUMS, ATTRIBUTES)                                             \
    ATTRIBUTES static void NAME(struct cresampling_picture source, struct cresampling_row row, bool cubic,         \
                                const uint8_t *background, bool gray, uint8_t *output) {                           \
        struct run run, part;                                                                                      \
        memset(&run, 0, sizeof run);                                                                               \
        memset(&part, 0, sizeof part);                                                                             \
        const size_t bytes = gray ? 1 : 3;                                                                         \
        for (int32_t cell = 0, start = 0; start < row.width; cell++, start += row.spacing) {                       \
            const struct cell k = cell_at(row, cell);                                                              \
            const int32_t end = row.width - start < row.spacing ? row.width : start + row.spacing;                 \
            for (int32_t from = start; from < end;) {                                                              \
                int count = end - from < RUN ? end - from : RUN;                                                   \
                const float along = (float)(from - start);                                                         \
                float x0 = k.x + k.dx * along, y0 = k.y + k.dy * along;                                            \
                if (from == start) {                                                                               \
                    /* On the node itself: a neighbour without a source does not matter. */                        \
                    x0 = k.x;                                                                                      \
                    y0 = k.y;                                                                                      \
                    if (isnan(k.dx) || isnan(k.dy)) count = 1;                                                     \
                }                                                                                                  \
                const bool one = count == 1;                                                                       \
                const float dx = one && isnan(k.dx) ? 0 : k.dx, dy = one && isnan(k.dy) ? 0 : k.dy;                \
                if (k.columns == 1 && k.rows == 1) {                                                               \
                    prepare(&run, count, source, x0, y0, dx, dy, cubic, k.soft);                                   \
                    SUM(SUM_RUN, &run, count, source, cubic);                                                      \
                } else {                                                                                           \
                    SUPERSAMPLE(&run, &part, count, source, x0, y0, dx, dy, k.down_x, k.down_y, k.columns, k.rows, \
                                cubic, k.soft);                                                                    \
                }                                                                                                  \
                WRITE_SUMS(&run, count, gray, output + (size_t)from * bytes);                                      \
                write_background(&run, count, background, gray, output + (size_t)from * bytes);                    \
                from += count;                                                                                     \
            }                                                                                                      \
        }                                                                                                          \
    }

DEFINE_SUPERSAMPLE(supersample_plain, sum_run, )
DEFINE_ROW(write_row_plain, supersample_plain, sum_run, write_sums_plain, )

#if HAS_AVX2_KERNEL
DEFINE_SUPERSAMPLE(supersample_avx2, sum_run_avx2, AVX2)
DEFINE_ROW(write_row_avx2, supersample_avx2, sum_run_avx2, write_sums_avx2, AVX2)
#endif

bool cresampling_has_avx2(void) {
#if HAS_AVX2_KERNEL
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

void cresampling_write_row(struct cresampling_picture source, struct cresampling_row row,
                           enum cresampling_filter filter, const uint8_t background[3], bool gray, bool fast,
                           uint8_t *output) {
    const bool cubic = filter == CRESAMPLING_BICUBIC;
#if HAS_AVX2_KERNEL
    if (fast) {
        write_row_avx2(source, row, cubic, background, gray, output);
        return;
    }
#endif
    (void)fast;
    write_row_plain(source, row, cubic, background, gray, output);
}

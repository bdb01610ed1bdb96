// The same sums and bytes as in sums.h by AVX2 and FMA.
#ifndef SUMS_AVX2_H
#define SUMS_AVX2_H

#include <immintrin.h>
#include <string.h>

#include "sums.h"

#define AVX2 __attribute__((target("avx2,fma")))

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
    const uint8_t *line = first_tap(run, i, source);
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

// Two pixels side by side: one in each half of the registers.
AVX2 INLINE void linear_pair_inside_avx2(struct run *run, int i, struct cresampling_picture source) {
    const __m256i pairs = _mm256_setr_epi8(0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1, -1, -1, -1, -1,  //
                                           0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1, -1, -1, -1, -1);
    const __m256i halves = _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1);
    const size_t stride = (size_t)source.width * 3;
    const uint8_t *left = first_tap(run, i, source), *right = first_tap(run, i + 1, source);
    const __m256i upper = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)left)),
                                                  _mm_loadu_si128((const void *)right), 1);
    const __m256i lower =
        _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)(left + stride))),
                                _mm_loadu_si128((const void *)(right + stride)), 1);
    const __m256i across = _mm256_permutevar8x32_epi32(
        _mm256_castsi128_si256(_mm_loadl_epi64((const void *)(run->across[0] + i))), halves);
    const __m256 down = _mm256_permutevar8x32_ps(
        _mm256_castsi256_ps(_mm256_castsi128_si256(_mm_loadl_epi64((const void *)(run->down[0] + i)))), halves);
    const __m256 top = _mm256_cvtepi32_ps(_mm256_madd_epi16(_mm256_shuffle_epi8(upper, pairs), across));
    const __m256 bottom = _mm256_cvtepi32_ps(_mm256_madd_epi16(_mm256_shuffle_epi8(lower, pairs), across));
    const __m256 up = _mm256_sub_ps(_mm256_set1_ps(1.0f / WEIGHT_ONE), down);
    _mm256_store_ps(run->sum[i], _mm256_fmadd_ps(bottom, down, _mm256_mul_ps(top, up)));
}

AVX2 INLINE void linear_inside_avx2(struct run *run, int i, struct cresampling_picture source) {
    const __m128i pairs = _mm_setr_epi8(0, -1, 3, -1, 1, -1, 4, -1, 2, -1, 5, -1, -1, -1, -1, -1);
    const uint8_t *line = first_tap(run, i, source);
    const __m128i upper = _mm_loadl_epi64((const __m128i *)(const void *)line);
    const __m128i lower = _mm_loadl_epi64((const __m128i *)(const void *)(line + (size_t)source.width * 3));
    const __m128i across = _mm_set1_epi32(run->across[0][i]);
    const __m128 top = _mm_cvtepi32_ps(_mm_madd_epi16(_mm_shuffle_epi8(upper, pairs), across));
    const __m128 bottom = _mm_cvtepi32_ps(_mm_madd_epi16(_mm_shuffle_epi8(lower, pairs), across));
    const __m128 down = _mm_set1_ps(run->down[0][i]), up = _mm_sub_ps(_mm_set1_ps(1.0f / WEIGHT_ONE), down);
    _mm_store_ps(run->sum[i], _mm_fmadd_ps(bottom, down, _mm_mul_ps(top, up)));
}

AVX2 INLINE void sum_run_avx2(struct run *run, int count, struct cresampling_picture source, int taps,
                              bool all_inside) {
    int i = 0;
    if (taps == 2 && all_inside) {
        for (; i + 2 <= count; i += 2) linear_pair_inside_avx2(run, i, source);
    }
    for (; i < count; i++) {
        if (all_inside || run->class[i] == INSIDE) {
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

AVX2 INLINE __m128i rounded(const float *sum) {
    return _mm_cvttps_epi32(_mm_add_ps(_mm_load_ps(sum), _mm_set1_ps(0.5f)));
}

AVX2 INLINE __m128i clamped_to_byte(__m128i values) {
    return _mm_min_epi32(_mm_max_epi32(values, _mm_setzero_si128()), _mm_set1_epi32(255));
}

// Four pixels at a time.
AVX2 INLINE void write_sums_avx2(const struct run *run, int from, int count, bool gray, uint8_t *output) {
    const __m128i tight = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    int i = from;
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

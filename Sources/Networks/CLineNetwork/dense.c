// The layers that take nearly all of the network's time, written for vectors of any length and compiled for each kernel.

#include "vectors.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// LANES sums plus, of LANES pairs of weights, each the first times a pair of values' first plus the second times its second.
typedef int32_t whole_4 __attribute__((vector_size(16)));
typedef int16_t pairs_4 __attribute__((vector_size(16)));
INLINE whole_4 add_pairs_plain(whole_4 sums, whole_4 units, int32_t pair) {
    const pairs_4 weights = (pairs_4)units;
    const whole_4 first = __builtin_convertvector(__builtin_shufflevector(weights, weights, 0, 2, 4, 6), whole_4);
    const whole_4 second = __builtin_convertvector(__builtin_shufflevector(weights, weights, 1, 3, 5, 7), whole_4);
    int16_t values[2];
    memcpy(values, &pair, sizeof pair);
    return sums + first * (int32_t)values[0] + second * (int32_t)values[1];
}

#define NAME(name) name##_plain
#define LANES 4
#define TILE 6
#define PAIRS add_pairs_plain
#include "dense.h"
#undef NAME
#undef LANES
#undef TILE
#undef PAIRS

#if defined(__x86_64__)
#define HAS_X86_KERNELS 1
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
typedef int32_t whole_8 __attribute__((vector_size(32)));
INLINE whole_8 add_pairs_avx2(whole_8 sums, whole_8 weights, int32_t pair) {
    return sums + (whole_8)_mm256_madd_epi16((__m256i)weights, _mm256_set1_epi32(pair));
}
#define NAME(name) name##_avx2
#define LANES 8
#define TILE 6
#define PAIRS add_pairs_avx2
#include "dense.h"
#undef NAME
#undef LANES
#undef TILE
#undef PAIRS
#pragma clang attribute pop

// Multiplies and adds in one instruction, and has registers for the sums of four times as many places.
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni"))), apply_to = function)
typedef int32_t whole_16 __attribute__((vector_size(64)));
INLINE whole_16 add_pairs_avx512(whole_16 sums, whole_16 weights, int32_t pair) {
    return (whole_16)_mm512_dpwssd_epi32((__m512i)sums, (__m512i)weights, _mm512_set1_epi32(pair));
}
INLINE whole_16 add_quads_avx512(whole_16 sums, whole_16 weights, int32_t quad) {
    return (whole_16)_mm512_dpbusd_epi32((__m512i)sums, _mm512_set1_epi32(quad), (__m512i)weights);
}
INLINE void store_bytes_avx512(whole_16 numbers, int16_t *whole) {
    const __m128i order = _mm_setr_epi8(0, 2, 1, 3, 4, 6, 5, 7, 8, 10, 9, 11, 12, 14, 13, 15);
    _mm_storeu_si128((__m128i *)whole, _mm_shuffle_epi8(_mm512_cvtepi32_epi8((__m512i)numbers), order));
}
#define NAME(name) name##_avx512
#define LANES 16
#define TILE 24
#define PAIRS add_pairs_avx512
#define QUADS add_quads_avx512
#define STORE_BYTES store_bytes_avx512
#include "dense.h"
#undef NAME
#undef LANES
#undef TILE
#undef PAIRS
#undef QUADS
#undef STORE_BYTES
#pragma clang attribute pop
#else
#define HAS_X86_KERNELS 0
#endif

bool clinenetwork_has(enum clinenetwork_kernel kernel) {
    switch (kernel) {
#if HAS_X86_KERNELS
        case CLINENETWORK_AVX2: return __builtin_cpu_supports("avx2");
        case CLINENETWORK_AVX512:
            return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                   __builtin_cpu_supports("avx512vnni");
#endif
        default: return kernel == CLINENETWORK_PLAIN;
    }
}

#if HAS_X86_KERNELS
#define RUN(name, ...)                                                    \
    do {                                                                  \
        switch (kernel) {                                                 \
            case CLINENETWORK_AVX512: name##_avx512(__VA_ARGS__); break;  \
            case CLINENETWORK_AVX2: name##_avx2(__VA_ARGS__); break;      \
            default: name##_plain(__VA_ARGS__);                           \
        }                                                                 \
    } while (0)
#else
#define RUN(name, ...)             \
    do {                           \
        (void)kernel;              \
        name##_plain(__VA_ARGS__); \
    } while (0)
#endif

void clinenetwork_unpack(const uint8_t *packed, int32_t inputs, int32_t outputs, int32_t *weights) {
    const ptrdiff_t pairs = (inputs + 1) / 2, blocks = (outputs + BLOCK - 1) / BLOCK;
    memset(weights, 0, sizeof(int32_t) * (size_t)(blocks * pairs * BLOCK));
    ptrdiff_t n = 0;
    for (int32_t o = 0; o < outputs; o++) {
        int32_t *block = weights + o / BLOCK * pairs * BLOCK + o % BLOCK;
        for (int32_t i = 0; i < inputs; i++, n++) {
            const uint8_t *four = packed + n / 4 * 5;
            const int32_t number = four[n % 4] << 2 | (four[4] >> n % 4 * 2 & 3);
            const int16_t weight = (int16_t)(number - CLINENETWORK_GREATEST_WEIGHT - 1);
            memcpy((int16_t *)(block + i / 2 * BLOCK) + i % 2, &weight, sizeof weight);
        }
    }
}

void clinenetwork_unpack_bytes(const uint8_t *packed, int32_t inputs, int32_t outputs, int32_t *weights, int32_t *sums) {
    static const int place[4] = {0, 2, 1, 3};
    const ptrdiff_t quads = (inputs + 3) / 4, blocks = (outputs + BLOCK - 1) / BLOCK;
    memset(weights, 0, sizeof(int32_t) * (size_t)(blocks * quads * BLOCK));
    memset(sums, 0, sizeof(int32_t) * (size_t)(blocks * BLOCK));
    for (int32_t o = 0; o < outputs; o++) {
        int32_t *block = weights + o / BLOCK * quads * BLOCK + o % BLOCK;
        for (int32_t i = 0; i < inputs; i++) {
            const int8_t weight = (int8_t)(*packed++ - 128);
            memcpy((int8_t *)(block + i / 4 * BLOCK) + place[i % 4], &weight, sizeof weight);
            sums[o] += weight;
        }
    }
}

void clinenetwork_weigh(struct clinenetwork_dense layer, enum clinenetwork_activation activation,
                        enum clinenetwork_kernel kernel, const float *input, int32_t places, float *output,
                        int32_t step, void *scratch) {
    RUN(weigh, layer, activation, input, places, output, step, scratch);
}

void clinenetwork_weigh_windows(struct clinenetwork_dense layer, struct clinenetwork_window window, bool relu,
                                enum clinenetwork_kernel kernel, const float *input, int32_t input_height,
                                int32_t input_width, int32_t channels,
                                int32_t height, int32_t width, float *output, int32_t step, void *scratch) {
    RUN(weigh_windows, layer, window, relu, input, input_height, input_width, channels, height, width, output, step,
        scratch);
}

void clinenetwork_mix(struct clinenetwork_byte_dense first, struct clinenetwork_byte_dense second, bool residual,
                      enum clinenetwork_kernel kernel, const float *input, int32_t places, float *output, void *scratch) {
    RUN(mix, first, second, residual, input, places, output, scratch);
}

void clinenetwork_depthwise(const float *weights, const float *biases, int32_t rows, int32_t columns,
                            int32_t row_stride, int32_t column_stride, enum clinenetwork_kernel kernel, const float *input, int32_t height,
                            int32_t width, int32_t channels, float *output) {
    RUN(depthwise, weights, biases, rows, columns, row_stride, column_stride, input, height, width, channels, output);
}

void clinenetwork_attend(enum clinenetwork_kernel kernel, const float *input, int32_t places, int32_t heads,
                         int32_t length, float *output, float *scratch) {
    RUN(attend, input, places, heads, length, output, scratch);
}

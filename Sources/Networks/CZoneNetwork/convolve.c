#include "include/CZoneNetwork.h"

// A sum may not depend on whether the processor can fuse it with a product.
#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

enum { BLOCK = CZONENETWORK_BLOCK };

// One convolution as the loops see it.
struct job {
    struct czonenetwork_planes from, to;
    const float *input, *weights;
    bool rectified;
    float *output;
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

bool czonenetwork_has_avx2(void) {
#if HAS_AVX2_KERNEL
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

void czonenetwork_convolve(struct czonenetwork_planes from, const float *input, const float *weights, int32_t side,
                           bool rectified, bool fast, struct czonenetwork_planes to, float *output) {
    const struct job job = {
        .from = from, .to = to, .input = input, .weights = weights, .rectified = rectified, .output = output};
#if HAS_AVX2_KERNEL
    if (fast) {
        convolve_avx2(&job, side);
        return;
    }
#else
    (void)fast;
#endif
    convolve_plain(&job, side);
}

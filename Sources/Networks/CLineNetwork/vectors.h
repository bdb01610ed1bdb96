// What the loops share.
#ifndef VECTORS_H
#define VECTORS_H

#include <string.h>

#include "include/CLineNetwork.h"

// A sum may not depend on whether the processor can fuse it with a product. Here, so that what stands below is held to it too.
#pragma STDC FP_CONTRACT OFF

#define INLINE static inline __attribute__((always_inline))

enum {
    BLOCK = CLINENETWORK_BLOCK,
    GROUP = 24,  // places that share a block's weights while these are near; whole tiles of every kernel
    ABREAST = 4, // places whose sums are taken side by side where each sum waits for itself
    REST = 6,    // places of a smaller tile, for those that fill no whole one
    // From a place's whole numbers to the next. A constant, so that a loop needs one address; no power of two, so that places do
    // not drive each other out of the cache.
    PITCH = CLINENETWORK_MOST_INPUTS + 32,
    GREATEST_VALUE = 4095,
    BYTE_STEPS = 254  // from the least byte to the greatest: both ends rounded away from zero take one more
};

// No sum exceeds 32 bits, of bytes not by far.
_Static_assert((int64_t)GREATEST_VALUE * CLINENETWORK_GREATEST_WEIGHT * CLINENETWORK_MOST_INPUTS <= INT32_MAX,
               "a sum of products may not fit");

// A number plus 1.5 * 2^23 is rounded to a whole number, which then stands in the last bits.
#define ROUNDING_SHIFT 12582912.0f
enum { ROUNDING_BITS = 0x4B400000 };
INLINE int32_t rounded(float x) {
    const float shifted = x + ROUNDING_SHIFT;
    int32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    return bits - ROUNDING_BITS;
}

_Static_assert(ABREAST + 2 * CLINENETWORK_MOST_OF_HEAD <= CLINENETWORK_ATTENTION, "attention has too little room");

// What a group of places is worked on in: its inputs as whole numbers, what stands for zero among bytes and what a step stands
// for, the numbers between two layers, and a block of bytes as pairs.
struct scratch {
    int16_t whole[GROUP * PITCH];
    int32_t zeros[GROUP];
    float scales[GROUP];
    float between[GROUP * CLINENETWORK_MOST_INPUTS];
    float patch[CLINENETWORK_MOST_INPUTS];
    int32_t widened[BLOCK * CLINENETWORK_MOST_INPUTS / 2];
};
_Static_assert(sizeof(struct scratch) <= CLINENETWORK_SCRATCH, "the scratch is too small");

// exp by 2^n times the series of exp around 0, up to r^7, for r within half of log 2: the C library's own differs from system
// to system.
INLINE float exponential(float x) {
    const float bounded = x < -80 ? -80 : x > 80 ? 80 : x;
    const float whole = (bounded * 1.44269504f + ROUNDING_SHIFT) - ROUNDING_SHIFT;
    // log 2 in two parts, of which the first times a small whole number is exact.
    const float r = (bounded - whole * 0.693359375f) - whole * -2.12194440e-4f;
    const float series =
        1 + r * (1 + r * (1.0f / 2 +
                          r * (1.0f / 6 + r * (1.0f / 24 + r * (1.0f / 120 + r * (1.0f / 720 + r * (1.0f / 5040)))))));
    const uint32_t bits = (uint32_t)((int32_t)whole + 127) << 23;
    float power;
    memcpy(&power, &bits, sizeof power);
    return series * power;
}

#endif

// What is done to maps between convolutions. Plain loops that the compiler turns into vectors.

#include <string.h>

#include "maps.h"

#pragma STDC FP_CONTRACT OFF

size_t csheetnetwork_map_length(int32_t side) { return (size_t)length_of(side); }

void csheetnetwork_split(const float *input, int32_t count, int32_t side, float *output) {
    for (int32_t m = 0; m < count; m++, input += length_of(2 * side), output += 4 * length_of(side)) {
        for (int32_t y = 0; y < 2 * side; y++) {
            const float *from = input + place_of(0, y, 2 * side);
            float *restrict even = output + y % 2 * 2 * length_of(side) + place_of(0, y / 2, side);
            float *restrict odd = even + length_of(side);
            for (int32_t x = 0; x < side; x++) {
                even[x] = from[2 * x];
                odd[x] = from[2 * x + 1];
            }
        }
        for (int32_t k = 0; k < 4; k++) clear_rim(output + k * length_of(side), side);
    }
}

// What a channel is shifted and scaled by, as in Training/network.py.
static const float MIDDLE = 0.45f, SCALE = 4;

void csheetnetwork_enter(const float *picture, int32_t side, float *output) {
    for (int32_t m = 0; m < 3; m++, output += 4 * length_of(side)) {
        for (int32_t y = 0; y < 2 * side; y++) {
            const float *from = picture + (ptrdiff_t)y * 2 * side * 3 + m;
            float *restrict even = output + y % 2 * 2 * length_of(side) + place_of(0, y / 2, side);
            float *restrict odd = even + length_of(side);
            for (int32_t x = 0; x < side; x++) {
                even[x] = (from[6 * x] - MIDDLE) * SCALE;
                odd[x] = (from[6 * x + 3] - MIDDLE) * SCALE;
            }
        }
        for (int32_t k = 0; k < 4; k++) clear_rim(output + k * length_of(side), side);
    }
}

// A quarter of the farther neighbour and three of the nearer.
INLINE float blend(float farther, float nearer) { return 0.25f * farther + 0.75f * nearer; }

// A row of the doubled map from the row that it lies beside and the next one.
INLINE void double_row(const float *farther, const float *nearer, int32_t side, float *restrict output) {
    float before = blend(farther[0], nearer[0]);
    output[0] = blend(before, before);
    for (int32_t x = 0; x + 1 < side; x++) {
        const float here = blend(farther[x], nearer[x]), next = blend(farther[x + 1], nearer[x + 1]);
        output[2 * x + 1] = blend(next, here);
        output[2 * x + 2] = blend(here, next);
    }
    const float last = blend(farther[side - 1], nearer[side - 1]);
    output[2 * side - 1] = blend(last, last);
}

void csheetnetwork_double(const float *input, int32_t count, int32_t side, float *output) {
    for (int32_t m = 0; m < count; m++, input += length_of(side), output += length_of(2 * side)) {
        for (int32_t y = 0; y < side; y++) {
            const float *here = input + place_of(0, y, side);
            const float *above = y > 0 ? here - pitch_of(side) : here;
            const float *below = y + 1 < side ? here + pitch_of(side) : here;
            double_row(above, here, side, output + place_of(0, 2 * y, 2 * side));
            double_row(below, here, side, output + place_of(0, 2 * y + 1, 2 * side));
        }
        clear_rim(output, 2 * side);
    }
}

void csheetnetwork_means(const float *input, int32_t count, int32_t side, float *means) {
    for (int32_t m = 0; m < count; m++, input += length_of(side)) {
        double sum = 0;
        for (int32_t y = 0; y < side; y++) {
            const float *row = input + place_of(0, y, side);
            for (int32_t x = 0; x < side; x++) sum += row[x];
        }
        means[m] = (float)(sum / ((double)side * side));
    }
}

void csheetnetwork_add(const float *numbers, int32_t count, int32_t side, float *maps) {
    for (int32_t m = 0; m < count; m++, maps += length_of(side)) {
        for (int32_t y = 0; y < side; y++) {
            float *row = maps + place_of(0, y, side);
            for (int32_t x = 0; x < side; x++) row[x] += numbers[m];
        }
    }
}

// exp by 2^n times the series of exp around 0, up to r^7, for r within half of log 2. The C library's own differs from
// system to system.
INLINE float probability(float logit) {
    const float bounded = logit < -80 ? -80 : logit > 80 ? 80 : logit;
    const float x = -bounded;
    // To the nearest whole number: beyond 2^23 a float has no places behind the point.
    const float shift = 12582912.0f;
    const float whole = (x * 1.44269504f + shift) - shift;
    // log 2 in two parts, of which the first times a small whole number is exact.
    const float r = (x - whole * 0.693359375f) - whole * -2.12194440e-4f;
    const float series =
        1 +
        r * (1 +
             r * (1.0f / 2 +
                  r * (1.0f / 6 + r * (1.0f / 24 + r * (1.0f / 120 + r * (1.0f / 720 + r * (1.0f / 5040)))))));
    const uint32_t bits = (uint32_t)((int32_t)whole + 127) << 23;
    float power;
    memcpy(&power, &bits, sizeof power);
    return 1 / (1 + series * power);
}

void csheetnetwork_probabilities(const float *map, int32_t side, float *output) {
    for (int32_t y = 0; y < side; y++, output += side) {
        const float *row = map + place_of(0, y, side);
        for (int32_t x = 0; x < side; x++) output[x] = probability(row[x]);
    }
}

float csheetnetwork_probability(float logit) { return probability(logit); }

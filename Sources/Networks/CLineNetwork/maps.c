// What is done to maps between the layers. Plain loops that the compiler turns into vectors.

#include "vectors.h"

void clinenetwork_greatest(const float *input, int32_t height, int32_t width, int32_t channels, float *output,
                           int32_t step) {
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++, output += step) {
            const float *here = input + ((ptrdiff_t)y * width + x) * channels;
            const float *right = x + 1 < width ? here + channels : here;
            const ptrdiff_t down = y + 1 < height ? (ptrdiff_t)width * channels : 0;
            for (int32_t c = 0; c < channels; c++) {
                const float above = here[c] > right[c] ? here[c] : right[c];
                const float below = here[down + c] > right[down + c] ? here[down + c] : right[down + c];
                output[c] = above > below ? above : below;
            }
        }
    }
}

void clinenetwork_means(const float *input, int32_t places, int32_t channels, float *means) {
    for (int32_t c = 0; c < channels; c++) means[c] = 0;
    for (int32_t p = 0; p < places; p++, input += channels) {
        for (int32_t c = 0; c < channels; c++) means[c] += input[c];
    }
    const float share = 1 / (float)places;
    for (int32_t c = 0; c < channels; c++) means[c] *= share;
}

void clinenetwork_scale(float *map, int32_t places, int32_t channels, const float *factors) {
    for (int32_t p = 0; p < places; p++, map += channels) {
        for (int32_t c = 0; c < channels; c++) map[c] *= factors[c];
    }
}

void clinenetwork_pool(const float *input, int32_t height, int32_t width, int32_t channels, float *output) {
    const float share = 1 / (2 * (float)height);
    for (int32_t x = 0; x + 1 < width; x += 2, output += channels) {
        for (int32_t c = 0; c < channels; c++) output[c] = 0;
        for (int32_t y = 0; y < height; y++) {
            const float *from = input + ((ptrdiff_t)y * width + x) * channels;
            for (int32_t c = 0; c < channels; c++) output[c] += from[c] + from[channels + c];
        }
        for (int32_t c = 0; c < channels; c++) output[c] *= share;
    }
}

void clinenetwork_swish(float *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) numbers[i] /= 1 + exponential(-numbers[i]);
}

void clinenetwork_bend(float *numbers, size_t count, float gain, float shift) {
    for (size_t i = 0; i < count; i++) {
        const float x = numbers[i], line = x / 6 + 0.5f;
        const float above = line > 0 ? line : 0;
        numbers[i] = x * (above < 1 ? above : 1) * gain + shift;
    }
}

void clinenetwork_enlarge(const float *input, int32_t height, int32_t width, int32_t channels, int32_t factor, bool adds,
                          float *output, int32_t step) {
    for (int32_t y = 0; y < height * factor; y++) {
        const float *row = input + (ptrdiff_t)(y / factor) * width * channels;
        for (int32_t x = 0; x < width; x++, row += channels) {
            for (int32_t k = 0; k < factor; k++, output += step) {
                if (adds) {
                    for (int32_t c = 0; c < channels; c++) output[c] += row[c];
                } else {
                    memcpy(output, row, sizeof(float) * (size_t)channels);
                }
            }
        }
    }
}

void clinenetwork_add(const float *addends, size_t count, float *sums) {
    for (size_t i = 0; i < count; i++) sums[i] += addends[i];
}

// Of a place's channels, in eight sums side by side whatever the vectors' length.
INLINE float sum_of(const float *numbers, int32_t count) {
    float sums[8] = {0};
    for (int32_t i = 0; i < count; i += 8) {
        for (int k = 0; k < 8; k++) sums[k] += numbers[i + k];
    }
    return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

void clinenetwork_normalize(const float *input, int32_t places, int32_t channels, const float *gains,
                            const float *shifts, float *output) {
    const float share = 1 / (float)channels;
    for (int32_t p = 0; p < places; p++, input += channels, output += channels) {
        const float mean = sum_of(input, channels) * share;
        for (int32_t c = 0; c < channels; c++) output[c] = (input[c] - mean) * (input[c] - mean);
        const float deviation = __builtin_sqrtf(sum_of(output, channels) * share + 1e-5f);
        for (int32_t c = 0; c < channels; c++) output[c] = (input[c] - mean) / deviation * gains[c] + shifts[c];
    }
}

void clinenetwork_probabilities(float *logits, int32_t places, int32_t classes) {
    for (int32_t p = 0; p < places; p++, logits += classes) {
        float greatest = logits[0];
        for (int32_t c = 1; c < classes; c++) greatest = logits[c] > greatest ? logits[c] : greatest;
        float sum = 0;
        for (int32_t c = 0; c < classes; c++) logits[c] = exponential(logits[c] - greatest);
        for (int32_t c = 0; c < classes; c++) sum += logits[c];
        const float share = 1 / sum;
        for (int32_t c = 0; c < classes; c++) logits[c] *= share;
    }
}

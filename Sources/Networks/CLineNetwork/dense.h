// Layers that weigh all inputs, depthwise ones and attention, by vectors of LANES numbers; included once for each kernel, with NAME giving
// names of its own, PAIRS(sums, weights, values) adding to LANES sums what LANES pairs of weights make of a pair of values, and
// TILE places whose sums fit into registers: a multiple of REST.

typedef float NAME(vector) __attribute__((vector_size(4 * LANES)));
typedef int32_t NAME(whole) __attribute__((vector_size(4 * LANES)));
typedef int16_t NAME(pairs) __attribute__((vector_size(4 * LANES)));
typedef int16_t NAME(short) __attribute__((vector_size(2 * LANES)));
// The same anywhere in memory.
typedef float NAME(loose) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int16_t NAME(loose_pairs) __attribute__((vector_size(4 * LANES), aligned(2), may_alias));
typedef int16_t NAME(loose_short) __attribute__((vector_size(2 * LANES), aligned(2), may_alias));

INLINE NAME(vector) NAME(all)(float x) { return x - (NAME(vector)){0}; }

// Of each two the first where the condition holds.
INLINE NAME(vector) NAME(select)(NAME(whole) condition, NAME(vector) a, NAME(vector) b) {
    return (NAME(vector))(((NAME(whole))a & condition) | ((NAME(whole))b & ~condition));
}

// x times the normal distribution up to x: a polynomial fitted between -4 and 4, so that no result is off by more than 2e-4.
INLINE NAME(vector) NAME(gelu)(NAME(vector) x) {
    const NAME(vector) limit = NAME(all)(4), one = NAME(all)(1), zero = NAME(all)(0);
    NAME(vector) z = NAME(select)(x > limit, limit, x);
    z = NAME(select)(z < -limit, -limit, z);
    const NAME(vector) t = z * z;
    NAME(vector) series = t * 2.277888100365999e-08f - 1.5984735455276677e-06f;
    series = series * t + 4.795300628757104e-05f;
    series = series * t - 0.000813991529867053f;
    series = series * t + 0.008772274479269981f;
    series = series * t - 0.06457286328077316f;
    series = series * t + 0.39788317680358887f;
    NAME(vector) share = z * series + 0.5f;
    share = NAME(select)(share > zero, share, zero);
    share = NAME(select)(share < one, share, one);
    return x * share;
}

INLINE NAME(vector) NAME(activate)(NAME(vector) x, const enum clinenetwork_activation activation) {
    const NAME(vector) zero = NAME(all)(0);
    switch (activation) {
        case CLINENETWORK_RELU: return NAME(select)(x > zero, x, zero);
        case CLINENETWORK_GELU: return NAME(gelu)(x);
        case CLINENETWORK_GATE: {
            NAME(vector) gate = x * 0.16666670143604279f + 0.5f;
            gate = NAME(select)(gate > zero, gate, zero);
            return NAME(select)(gate > 1, NAME(all)(1), gate);
        }
        default: return x;
    }
}

// A place's inputs as whole numbers from -GREATEST_VALUE to GREATEST_VALUE, an odd number filled up with a zero; what one of
// them stands for.
INLINE float NAME(quantize)(const float *input, int32_t count, int16_t *whole) {
    const int32_t vectors = count / LANES * LANES;
    NAME(vector) greatest = NAME(all)(0);
    for (int32_t i = 0; i < vectors; i += LANES) {
        const NAME(vector) x = *(const NAME(loose) *)(input + i);
        const NAME(vector) size = NAME(select)(x < 0, -x, x);
        greatest = NAME(select)(size > greatest, size, greatest);
    }
    float most = 0;
    for (int32_t k = 0; k < LANES; k++) most = greatest[k] > most ? greatest[k] : most;
    for (int32_t i = vectors; i < count; i++) {
        const float size = input[i] < 0 ? -input[i] : input[i];
        most = size > most ? size : most;
    }
    const float factor = most > 0 ? GREATEST_VALUE / most : 0;
    // Adding 1.5 * 2^23 rounds to a whole number, which then stands in the last bits.
    const float shift = 12582912.0f;
    for (int32_t i = 0; i < vectors; i += LANES) {
        const NAME(vector) x = *(const NAME(loose) *)(input + i) * factor + shift;
        *(NAME(loose_short) *)(whole + i) = __builtin_convertvector((NAME(whole))x - 0x4B400000, NAME(short));
    }
    for (int32_t i = vectors; i < count; i++) {
        const float x = input[i] * factor + shift;
        int32_t bits;
        memcpy(&bits, &x, sizeof bits);
        whole[i] = (int16_t)(bits - 0x4B400000);
    }
    if (count % 2) whole[count] = 0;
    return most / GREATEST_VALUE;
}

// A block of outputs at `places` places, at most TILE.
INLINE void NAME(tile)(const int16_t *weights, const float *scales, const float *biases, int32_t pairs,
                       const int16_t *whole, const float *value_scales, int32_t outputs, float *output, ptrdiff_t step,
                       const int places, const enum clinenetwork_activation activation) {
    enum { VECTORS = BLOCK / LANES };
    NAME(whole) sums[TILE][VECTORS];
#pragma clang loop unroll(full)
    for (int p = 0; p < places; p++) {
#pragma clang loop unroll(full)
        for (int v = 0; v < VECTORS; v++) sums[p][v] = (NAME(whole)){0};
    }
    for (int32_t i = 0; i < pairs; i++) {
        NAME(pairs) weighing[VECTORS];
#pragma clang loop unroll(full)
        for (int v = 0; v < VECTORS; v++) weighing[v] = *(const NAME(loose_pairs) *)(weights + v * 2 * LANES);
        weights += 2 * BLOCK;
#pragma clang loop unroll(full)
        for (int p = 0; p < places; p++) {
            int32_t pair;
            memcpy(&pair, whole + p * PITCH + 2 * i, sizeof pair);
#pragma clang loop unroll(full)
            for (int v = 0; v < VECTORS; v++) sums[p][v] = PAIRS(sums[p][v], weighing[v], pair);
        }
    }
#pragma clang loop unroll(full)
    for (int p = 0; p < places; p++) {
#pragma clang loop unroll(full)
        for (int v = 0; v < VECTORS; v++) {
            const NAME(vector) sum = __builtin_convertvector(sums[p][v], NAME(vector)) *
                                         (*(const NAME(loose) *)(scales + v * LANES) * value_scales[p]) +
                                     *(const NAME(loose) *)(biases + v * LANES);
            const NAME(vector) result = NAME(activate)(sum, activation);
            float *target = output + p * step + v * LANES;
            if (outputs >= (v + 1) * LANES) {
                *(NAME(loose) *)target = result;
            } else {
                for (int k = 0; k < LANES && v * LANES + k < outputs; k++) target[k] = result[k];
            }
        }
    }
}

// A layer at some places, given as whole numbers.
INLINE void NAME(weigh_group)(struct clinenetwork_dense layer, const int16_t *whole,
                              const float *value_scales, int32_t places, float *output, ptrdiff_t step,
                              const enum clinenetwork_activation activation) {
    const int32_t pairs = (layer.inputs + 1) / 2;
    for (int32_t o = 0; o < layer.outputs; o += BLOCK) {
        const int16_t *weights = layer.weights + (ptrdiff_t)o * 2 * pairs;
        const int32_t outputs = layer.outputs - o;
        int32_t p = 0;
        for (; p + TILE <= places; p += TILE) {
            NAME(tile)(weights, layer.scales + o, layer.biases + o, pairs, whole + p * PITCH, value_scales + p,
                       outputs, output + p * step + o, step, TILE, activation);
        }
        for (; TILE > REST && p + REST <= places; p += REST) {
            NAME(tile)(weights, layer.scales + o, layer.biases + o, pairs, whole + p * PITCH, value_scales + p,
                       outputs, output + p * step + o, step, REST, activation);
        }
        for (; p < places; p++) {
            NAME(tile)(weights, layer.scales + o, layer.biases + o, pairs, whole + p * PITCH, value_scales + p,
                       outputs, output + p * step + o, step, 1, activation);
        }
    }
}

INLINE void NAME(quantize_places)(const float *input, int32_t inputs, int32_t places, struct scratch *scratch) {
    for (int32_t p = 0; p < places; p++) {
        scratch->scales[p] = NAME(quantize)(input + (ptrdiff_t)p * inputs, inputs, scratch->whole + p * PITCH);
    }
}

INLINE void NAME(weigh_all)(struct clinenetwork_dense layer, const float *input, int32_t places, float *output,
                            int32_t step, struct scratch *scratch, const enum clinenetwork_activation activation) {
    for (int32_t first = 0; first < places; first += GROUP) {
        const int32_t count = places - first < GROUP ? places - first : GROUP;
        NAME(quantize_places)(input + (ptrdiff_t)first * layer.inputs, layer.inputs, count, scratch);
        NAME(weigh_group)(layer, scratch->whole, scratch->scales, count,
                          output + (ptrdiff_t)first * step, step, activation);
    }
}

static void NAME(weigh)(struct clinenetwork_dense layer, enum clinenetwork_activation activation, const float *input,
                        int32_t places, float *output, int32_t step, struct scratch *scratch) {
    switch (activation) {
        case CLINENETWORK_RELU:
            NAME(weigh_all)(layer, input, places, output, step, scratch, CLINENETWORK_RELU);
            break;
        case CLINENETWORK_GELU:
            NAME(weigh_all)(layer, input, places, output, step, scratch, CLINENETWORK_GELU);
            break;
        case CLINENETWORK_GATE:
            NAME(weigh_all)(layer, input, places, output, step, scratch, CLINENETWORK_GATE);
            break;
        default: NAME(weigh_all)(layer, input, places, output, step, scratch, CLINENETWORK_NONE);
    }
}

INLINE void NAME(weigh_all_windows)(struct clinenetwork_dense layer, struct clinenetwork_window window, const float *input,
                                    int32_t input_height, int32_t input_width, int32_t channels, int32_t height,
                                    int32_t width, float *output, int32_t step, struct scratch *scratch,
                                    const enum clinenetwork_activation activation) {
    const size_t bytes = sizeof(float) * (size_t)channels;
    int32_t count = 0;
    for (int32_t y = 0; y < height; y++) {
        for (int32_t x = 0; x < width; x++) {
            float *patch = scratch->patch;
            for (int32_t i = 0; i < window.side; i++) {
                const int32_t row = y * window.stride - window.before + i;
                for (int32_t j = 0; j < window.side; j++, patch += channels) {
                    const int32_t column = x * window.stride - window.before + j;
                    if (row < 0 || row >= input_height || column < 0 || column >= input_width) {
                        memset(patch, 0, bytes);
                    } else {
                        memcpy(patch, input + ((ptrdiff_t)row * input_width + column) * channels, bytes);
                    }
                }
            }
            scratch->scales[count] = NAME(quantize)(scratch->patch, layer.inputs, scratch->whole + count * PITCH);
            count++;
            if (count == GROUP || (y == height - 1 && x == width - 1)) {
                const ptrdiff_t first = (ptrdiff_t)y * width + x + 1 - count;
                NAME(weigh_group)(layer, scratch->whole, scratch->scales, count, output + first * step, step, activation);
                count = 0;
            }
        }
    }
}

static void NAME(weigh_windows)(struct clinenetwork_dense layer, struct clinenetwork_window window, bool relu,
                                const float *input, int32_t input_height, int32_t input_width, int32_t channels,
                                int32_t height, int32_t width, float *output, int32_t step, struct scratch *scratch) {
    if (relu) {
        NAME(weigh_all_windows)(layer, window, input, input_height, input_width, channels, height, width, output, step,
                                scratch, CLINENETWORK_RELU);
    } else {
        NAME(weigh_all_windows)(layer, window, input, input_height, input_width, channels, height, width, output, step,
                                scratch, CLINENETWORK_NONE);
    }
}

static void NAME(mix)(struct clinenetwork_dense first, struct clinenetwork_dense second, bool residual,
                      const float *input, int32_t places, float *output, struct scratch *scratch) {
    for (int32_t place = 0; place < places; place += GROUP) {
        const int32_t count = places - place < GROUP ? places - place : GROUP;
        const float *from = input + (ptrdiff_t)place * first.inputs;
        float *to = output + (ptrdiff_t)place * second.outputs;
        NAME(quantize_places)(from, first.inputs, count, scratch);
        NAME(weigh_group)(first, scratch->whole, scratch->scales, count, scratch->between,
                          first.outputs, CLINENETWORK_GELU);
        NAME(quantize_places)(scratch->between, second.inputs, count, scratch);
        float *sums = residual ? scratch->between : to;
        NAME(weigh_group)(second, scratch->whole, scratch->scales, count, sums,
                          second.outputs, CLINENETWORK_NONE);
        if (!residual) continue;
        const ptrdiff_t numbers = (ptrdiff_t)count * second.outputs;
        ptrdiff_t i = 0;
        for (; i + LANES <= numbers; i += LANES) {
            *(NAME(loose) *)(to + i) = *(const NAME(loose) *)(from + i) + *(const NAME(loose) *)(sums + i);
        }
        for (; i < numbers; i++) to[i] = from[i] + sums[i];
    }
}

static void NAME(depthwise)(const float *weights, const float *biases, int32_t rows, int32_t columns,
                            int32_t row_stride, int32_t column_stride, const float *input, int32_t height,
                            int32_t width, int32_t channels, float *output) {
    for (int32_t y = 0; y < height; y += row_stride) {
        const int32_t top = y - rows / 2 < 0 ? 0 : y - rows / 2;
        const int32_t bottom = y + rows / 2 >= height ? height - 1 : y + rows / 2;
        for (int32_t x = 0; x < width; x += column_stride, output += channels) {
            const int32_t left = x - columns / 2 < 0 ? 0 : x - columns / 2;
            const int32_t right = x + columns / 2 >= width ? width - 1 : x + columns / 2;
            int32_t c = 0;
            for (; c + LANES <= channels; c += LANES) {
                NAME(vector) sum = *(const NAME(loose) *)(biases + c);
                for (int32_t i = top; i <= bottom; i++) {
                    const float *row = input + (ptrdiff_t)i * width * channels + c;
                    const float *weighing = weights + (ptrdiff_t)(i - y + rows / 2) * columns * channels + c;
                    for (int32_t j = left; j <= right; j++) {
                        sum += *(const NAME(loose) *)(weighing + (ptrdiff_t)(j - x + columns / 2) * channels) *
                               *(const NAME(loose) *)(row + (ptrdiff_t)j * channels);
                    }
                }
                *(NAME(loose) *)(output + c) = sum;
            }
            // What fills no vector, summed in the same order.
            for (; c < channels; c++) {
                float sum = biases[c];
                for (int32_t i = top; i <= bottom; i++) {
                    for (int32_t j = left; j <= right; j++) {
                        sum += weights[((ptrdiff_t)(i - y + rows / 2) * columns + j - x + columns / 2) * channels + c] *
                               input[((ptrdiff_t)i * width + j) * channels + c];
                    }
                }
                output[c] = sum;
            }
        }
    }
}

static void NAME(attend)(const float *input, int32_t places, int32_t heads, int32_t length, float *output,
                         float *scratch) {
    const ptrdiff_t width = (ptrdiff_t)heads * length, pitch = 3 * width;
    const float factor = 1 / __builtin_sqrtf((float)length);
    enum { MOST = CLINENETWORK_MOST_OF_HEAD };
    float *keys = scratch + places, *values = keys + (ptrdiff_t)MOST * places;
    for (int32_t h = 0; h < heads; h++) {
        // A head's keys number by number, so that vectors lie along the places; its values filled up with zeros.
        for (int32_t q = 0; q < places; q++) {
            const float *key = input + q * pitch + width + (ptrdiff_t)h * length;
            for (int32_t i = 0; i < length; i++) keys[(ptrdiff_t)i * places + q] = key[i];
            for (int32_t i = 0; i < MOST; i++) values[(ptrdiff_t)q * MOST + i] = i < length ? key[width + i] : 0;
        }
        for (int32_t p = 0; p < places; p++) {
            const float *query = input + p * pitch + (ptrdiff_t)h * length;
            for (int32_t q = 0; q < places; q++) scratch[q] = 0;
            for (int32_t i = 0; i < length; i++) {
                const float *numbers = keys + (ptrdiff_t)i * places;
                const float number = query[i];
                for (int32_t q = 0; q < places; q++) scratch[q] += number * numbers[q];
            }
            float greatest = scratch[0] * factor;
            for (int32_t q = 0; q < places; q++) {
                scratch[q] *= factor;
                greatest = scratch[q] > greatest ? scratch[q] : greatest;
            }
            for (int32_t q = 0; q < places; q++) scratch[q] = exponential(scratch[q] - greatest);
            float sum = 0;
            for (int32_t q = 0; q < places; q++) sum += scratch[q];
            for (int32_t q = 0; q < places; q++) scratch[q] /= sum;
            float results[MOST] = {0};
            for (int32_t q = 0; q < places; q++) {
                for (int i = 0; i < MOST; i++) results[i] += scratch[q] * values[(ptrdiff_t)q * MOST + i];
            }
            memcpy(output + p * width + (ptrdiff_t)h * length, results, sizeof(float) * (size_t)length);
        }
    }
}

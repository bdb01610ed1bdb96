// Layers that weigh all inputs, depthwise ones and attention, by vectors of LANES numbers; included once for each kernel, with NAME giving
// names of its own, PAIRS(sums, weights, values) adding to LANES sums what LANES pairs of weights make of a pair of values, and
// TILE places whose sums fit into registers: a multiple of REST. A kernel that has an instruction for it defines QUADS too, the same
// of four weights and values of 8 bits, and STORE_BYTES(numbers, whole), which lays LANES values down in the order of such weights.

typedef float NAME(vector) __attribute__((vector_size(4 * LANES)));
typedef int32_t NAME(whole) __attribute__((vector_size(4 * LANES)));
typedef int16_t NAME(pairs) __attribute__((vector_size(4 * LANES)));
typedef uint16_t NAME(pairs_of_bits) __attribute__((vector_size(4 * LANES)));
typedef int16_t NAME(short) __attribute__((vector_size(2 * LANES)));
// The same anywhere in memory.
typedef float NAME(loose) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t NAME(loose_whole) __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
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

INLINE NAME(whole) NAME(rounded)(NAME(vector) x) { return (NAME(whole))(x + ROUNDING_SHIFT) - ROUNDING_BITS; }

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
    for (int32_t i = 0; i < vectors; i += LANES) {
        const NAME(vector) x = *(const NAME(loose) *)(input + i) * factor;
        *(NAME(loose_short) *)(whole + i) = __builtin_convertvector(NAME(rounded)(x), NAME(short));
    }
    for (int32_t i = vectors; i < count; i++) whole[i] = (int16_t)rounded(input[i] * factor);
    if (count % 2) whole[count] = 0;
    return most / GREATEST_VALUE;
}

// LANES of some numbers from `i` on, with zeros for those that there are not.
INLINE NAME(vector) NAME(at)(const float *numbers, int32_t i, int32_t count) {
    if (i + LANES <= count) return *(const NAME(loose) *)(numbers + i);
    float rest[LANES] = {0};
    memcpy(rest, numbers + i, sizeof(float) * (size_t)(count - i));
    return *(const NAME(loose) *)rest;
}

// A place's inputs as whole numbers of 8 bits, from the least input or zero, whichever is less, to the greatest. What a step
// stands for, and in `zero` the whole number that stands for zero.
INLINE float NAME(quantize_bytes)(const float *input, int32_t count, int16_t *whole, int32_t *zero) {
    NAME(vector) lows = NAME(all)(0), highs = NAME(all)(0);
    for (int32_t i = 0; i < count; i += LANES) {
        const NAME(vector) x = NAME(at)(input, i, count);
        lows = NAME(select)(x < lows, x, lows);
        highs = NAME(select)(x > highs, x, highs);
    }
    float least = 0, most = 0;
    for (int32_t k = 0; k < LANES; k++) {
        least = lows[k] < least ? lows[k] : least;
        most = highs[k] > most ? highs[k] : most;
    }
    const float range = most - least;
    const float factor = range > 0 ? BYTE_STEPS / range : 0;
    const int32_t lowest = rounded(least * factor);
    for (int32_t i = 0; i < count; i += LANES) {
        const NAME(whole) numbers = NAME(rounded)(NAME(at)(input, i, count) * factor) - lowest;
#ifdef QUADS
        STORE_BYTES(numbers, whole + i / 2);
#else
        *(NAME(loose_short) *)(whole + i) = __builtin_convertvector(numbers, NAME(short));
#endif
    }
    *zero = -lowest;
    return range / BYTE_STEPS;
}

// What a tile weighs: units of 4 bytes of a block's weights, two or four of each output, and of each place's inputs. Of bytes the
// `sums` of the weights and what stands for zero at each place are taken off; else neither is looked at.
struct NAME(tile) {
    const int32_t *weights, *sums;
    const float *scales, *biases;
    int32_t units, outputs;
    const int16_t *whole;
    const int32_t *zeros;
    const float *value_scales;
};

// A block of outputs at `places` places, at most TILE.
INLINE void NAME(weigh_tile)(struct NAME(tile) tile, float *output, ptrdiff_t step, const int places, const bool bytes,
                             const enum clinenetwork_activation activation) {
    enum { VECTORS = BLOCK / LANES };
    NAME(whole) sums[TILE][VECTORS];
#pragma clang loop unroll(full)
    for (int p = 0; p < places; p++) {
#pragma clang loop unroll(full)
        for (int v = 0; v < VECTORS; v++) {
            sums[p][v] = (NAME(whole)){0};
            if (bytes) sums[p][v] -= *(const NAME(loose_whole) *)(tile.sums + v * LANES) * tile.zeros[p];
        }
    }
    for (int32_t i = 0; i < tile.units; i++) {
        NAME(whole) weighing[VECTORS];
#pragma clang loop unroll(full)
        for (int v = 0; v < VECTORS; v++) weighing[v] = *(const NAME(loose_whole) *)(tile.weights + v * LANES);
#pragma clang loop unroll(full)
        for (int p = 0; p < places; p++) {
            int32_t values;
            memcpy(&values, tile.whole + p * PITCH + 2 * i, sizeof values);
#pragma clang loop unroll(full)
            for (int v = 0; v < VECTORS; v++) {
#ifdef QUADS
                if (bytes) {
                    sums[p][v] = QUADS(sums[p][v], weighing[v], values);
                    continue;
                }
#endif
                sums[p][v] = PAIRS(sums[p][v], weighing[v], values);
            }
        }
        tile.weights += BLOCK;
    }
#pragma clang loop unroll(full)
    for (int p = 0; p < places; p++) {
#pragma clang loop unroll(full)
        for (int v = 0; v < VECTORS; v++) {
            const NAME(vector) sum =
                __builtin_convertvector(sums[p][v], NAME(vector)) *
                    (*(const NAME(loose) *)(tile.scales + v * LANES) * tile.value_scales[p]) +
                *(const NAME(loose) *)(tile.biases + v * LANES);
            const NAME(vector) result = NAME(activate)(sum, activation);
            float *target = output + p * step + v * LANES;
            if (tile.outputs >= (v + 1) * LANES) {
                *(NAME(loose) *)target = result;
            } else {
                for (int k = 0; k < LANES && v * LANES + k < tile.outputs; k++) target[k] = result[k];
            }
        }
    }
}

INLINE struct NAME(tile) NAME(from_place)(struct NAME(tile) tile, int32_t place) {
    tile.whole += place * PITCH;
    tile.zeros += place;
    tile.value_scales += place;
    return tile;
}

#ifndef QUADS
// A block of bytes as pairs. Of four the first two lie in the lower halves of two numbers of 16 bits, the others in the upper ones.
INLINE struct NAME(tile) NAME(widened)(struct NAME(tile) block, int32_t *weights) {
    for (int32_t i = 0; i < block.units; i++) {
        for (int32_t v = 0; v < BLOCK; v += LANES) {
            const NAME(whole) quads = *(const NAME(loose_whole) *)(block.weights + i * BLOCK + v);
            const NAME(pairs) first = (NAME(pairs))((NAME(pairs_of_bits))quads << 8) >> 8, second = (NAME(pairs))quads >> 8;
            *(NAME(loose_whole) *)(weights + 2 * i * BLOCK + v) = (NAME(whole))first;
            *(NAME(loose_whole) *)(weights + (2 * i + 1) * BLOCK + v) = (NAME(whole))second;
        }
    }
    block.weights = weights;
    block.units *= 2;
    return block;
}
#endif

// A block of outputs at some places.
INLINE void NAME(weigh_block)(const struct NAME(tile) block, int32_t places, float *output, ptrdiff_t step, const bool bytes,
                              const enum clinenetwork_activation activation) {
    int32_t p = 0;
    for (; p + TILE <= places; p += TILE) {
        NAME(weigh_tile)(NAME(from_place)(block, p), output + p * step, step, TILE, bytes, activation);
    }
    for (; TILE > REST && p + REST <= places; p += REST) {
        NAME(weigh_tile)(NAME(from_place)(block, p), output + p * step, step, REST, bytes, activation);
    }
    for (; p < places; p++) {
        NAME(weigh_tile)(NAME(from_place)(block, p), output + p * step, step, 1, bytes, activation);
    }
}

// A layer at a group of places, whose inputs are whole numbers already.
INLINE void NAME(weigh_group)(struct clinenetwork_dense layer, int32_t places, float *output, ptrdiff_t step,
                              const struct scratch *scratch, const enum clinenetwork_activation activation) {
    const int32_t pairs = (layer.inputs + 1) / 2;
    for (int32_t o = 0; o < layer.outputs; o += BLOCK) {
        const struct NAME(tile) block = {
            layer.weights + (ptrdiff_t)o * pairs, NULL, layer.scales + o, layer.biases + o, pairs, layer.outputs - o,
            scratch->whole, scratch->zeros, scratch->scales,
        };
        NAME(weigh_block)(block, places, output + o, step, false, activation);
    }
}

// A layer of bytes at a group of places.
INLINE void NAME(weigh_bytes)(struct clinenetwork_byte_dense layer, const float *input, int32_t places, float *output,
                              struct scratch *scratch, const enum clinenetwork_activation activation) {
    for (int32_t p = 0; p < places; p++) {
        scratch->scales[p] = NAME(quantize_bytes)(input + (ptrdiff_t)p * layer.inputs, layer.inputs,
                                                  scratch->whole + p * PITCH, scratch->zeros + p);
    }
    const int32_t quads = (layer.inputs + 3) / 4;
    for (int32_t o = 0; o < layer.outputs; o += BLOCK) {
        struct NAME(tile) block = {
            layer.weights + (ptrdiff_t)o * quads, layer.sums + o, layer.scales + o, layer.biases + o, quads,
            layer.outputs - o, scratch->whole, scratch->zeros, scratch->scales,
        };
#ifndef QUADS
        block = NAME(widened)(block, scratch->widened);
#endif
        NAME(weigh_block)(block, places, output + o, layer.outputs, true, activation);
    }
}

INLINE void NAME(weigh_all)(struct clinenetwork_dense layer, const float *input, int32_t places, float *output,
                            int32_t step, struct scratch *scratch, const enum clinenetwork_activation activation) {
    for (int32_t first = 0; first < places; first += GROUP) {
        const int32_t count = places - first < GROUP ? places - first : GROUP;
        for (int32_t p = 0; p < count; p++) {
            scratch->scales[p] = NAME(quantize)(input + (ptrdiff_t)(first + p) * layer.inputs, layer.inputs,
                                                scratch->whole + p * PITCH);
        }
        NAME(weigh_group)(layer, count, output + (ptrdiff_t)first * step, step, scratch, activation);
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
                NAME(weigh_group)(layer, count, output + first * step, step, scratch, activation);
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

static void NAME(mix)(struct clinenetwork_byte_dense first, struct clinenetwork_byte_dense second, bool residual,
                      const float *input, int32_t places, float *output, struct scratch *scratch) {
    for (int32_t place = 0; place < places; place += GROUP) {
        const int32_t count = places - place < GROUP ? places - place : GROUP;
        const float *from = input + (ptrdiff_t)place * first.inputs;
        float *to = output + (ptrdiff_t)place * second.outputs;
        NAME(weigh_bytes)(first, from, count, scratch->between, scratch, CLINENETWORK_GELU);
        float *sums = residual ? scratch->between : to;
        NAME(weigh_bytes)(second, scratch->between, count, sums, scratch, CLINENETWORK_NONE);
        if (!residual) continue;
        const ptrdiff_t numbers = (ptrdiff_t)count * second.outputs;
        ptrdiff_t i = 0;
        for (; i + LANES <= numbers; i += LANES) {
            *(NAME(loose) *)(to + i) = *(const NAME(loose) *)(from + i) + *(const NAME(loose) *)(sums + i);
        }
        for (; i < numbers; i++) to[i] = from[i] + sums[i];
    }
}

// A layer that weighs each channel with its neighbours, and where it works.
struct NAME(neighbours) {
    const float *weights, *biases, *input;
    int32_t rows, columns, height, width, channels;
};

// The channels from `first` on of the place around (`x`, `y`).
INLINE void NAME(depthwise_at)(const struct NAME(neighbours) it, int32_t y, int32_t x, int32_t first, float *output) {
    const int32_t top = y - it.rows / 2 < 0 ? 0 : y - it.rows / 2;
    const int32_t bottom = y + it.rows / 2 >= it.height ? it.height - 1 : y + it.rows / 2;
    const int32_t left = x - it.columns / 2 < 0 ? 0 : x - it.columns / 2;
    const int32_t right = x + it.columns / 2 >= it.width ? it.width - 1 : x + it.columns / 2;
    int32_t c = first;
    for (; c + LANES <= it.channels; c += LANES) {
        NAME(vector) sum = *(const NAME(loose) *)(it.biases + c);
        for (int32_t i = top; i <= bottom; i++) {
            const float *row = it.input + (ptrdiff_t)i * it.width * it.channels + c;
            const float *weighing = it.weights + (ptrdiff_t)(i - y + it.rows / 2) * it.columns * it.channels + c;
            for (int32_t j = left; j <= right; j++) {
                sum += *(const NAME(loose) *)(weighing + (ptrdiff_t)(j - x + it.columns / 2) * it.channels) *
                       *(const NAME(loose) *)(row + (ptrdiff_t)j * it.channels);
            }
        }
        *(NAME(loose) *)(output + c) = sum;
    }
    // What fills no vector, summed in the same order.
    for (; c < it.channels; c++) {
        float sum = it.biases[c];
        for (int32_t i = top; i <= bottom; i++) {
            for (int32_t j = left; j <= right; j++) {
                sum += it.weights[((ptrdiff_t)(i - y + it.rows / 2) * it.columns + j - x + it.columns / 2) * it.channels + c] *
                       it.input[((ptrdiff_t)i * it.width + j) * it.channels + c];
            }
        }
        output[c] = sum;
    }
}

// The same sums at ABREAST places side by side from `x` on, around which `columns` lie within the map: they read each number
// once.
INLINE void NAME(depthwise_abreast)(const struct NAME(neighbours) it, const int columns, int32_t y, int32_t x, float *output) {
    const int32_t top = y - it.rows / 2 < 0 ? 0 : y - it.rows / 2;
    const int32_t bottom = y + it.rows / 2 >= it.height ? it.height - 1 : y + it.rows / 2;
    const int32_t whole = it.channels / LANES * LANES;
    for (int32_t c = 0; c < whole; c += LANES) {
        NAME(vector) sums[ABREAST];
#pragma clang loop unroll(full)
        for (int p = 0; p < ABREAST; p++) sums[p] = *(const NAME(loose) *)(it.biases + c);
        for (int32_t i = top; i <= bottom; i++) {
            const float *row = it.input + ((ptrdiff_t)i * it.width + x - columns / 2) * it.channels + c;
            const float *weighing = it.weights + (ptrdiff_t)(i - y + it.rows / 2) * columns * it.channels + c;
#pragma clang loop unroll(full)
            for (int j = 0; j < ABREAST + columns - 1; j++) {
                const NAME(vector) number = *(const NAME(loose) *)(row + (ptrdiff_t)j * it.channels);
#pragma clang loop unroll(full)
                for (int p = 0; p < ABREAST; p++) {
                    if (j < p || j >= p + columns) continue;
                    sums[p] += *(const NAME(loose) *)(weighing + (ptrdiff_t)(j - p) * it.channels) * number;
                }
            }
        }
#pragma clang loop unroll(full)
        for (int p = 0; p < ABREAST; p++) *(NAME(loose) *)(output + p * it.channels + c) = sums[p];
    }
    if (whole == it.channels) return;
    for (int p = 0; p < ABREAST; p++) NAME(depthwise_at)(it, y, x + p, whole, output + p * it.channels);
}

static void NAME(depthwise)(const float *weights, const float *biases, int32_t rows, int32_t columns,
                            int32_t row_stride, int32_t column_stride, const float *input, int32_t height,
                            int32_t width, int32_t channels, float *output) {
    const struct NAME(neighbours) it = {weights, biases, input, rows, columns, height, width, channels};
    for (int32_t y = 0; y < height; y += row_stride) {
        for (int32_t x = 0; x < width;) {
            if (columns == 3 && column_stride == 1 && x > 0 && x + ABREAST < width) {
                NAME(depthwise_abreast)(it, 3, y, x, output);
                x += ABREAST;
                output += ABREAST * channels;
            } else {
                NAME(depthwise_at)(it, y, x, 0, output);
                x += column_stride;
                output += channels;
            }
        }
    }
}

INLINE float NAME(greatest)(const float *numbers, int32_t count) {
    float greatest = numbers[0];
    int32_t i = 0;
    if (count >= LANES) {
        NAME(vector) most = *(const NAME(loose) *)numbers;
        for (; i + LANES <= count; i += LANES) {
            const NAME(vector) x = *(const NAME(loose) *)(numbers + i);
            most = NAME(select)(x > most, x, most);
        }
        for (int32_t k = 0; k < LANES; k++) greatest = most[k] > greatest ? most[k] : greatest;
    }
    for (; i < count; i++) greatest = numbers[i] > greatest ? numbers[i] : greatest;
    return greatest;
}

// What a query gives each of the places, before all of it adds up to one: exp of how alike it is to their keys.
INLINE void NAME(shares)(const float *query, const float *keys, int32_t places, int32_t length, float factor, float *shares) {
    for (int32_t q = 0; q < places; q++) shares[q] = 0;
    for (int32_t i = 0; i < length; i++) {
        const float *numbers = keys + (ptrdiff_t)i * places;
        const float number = query[i];
        for (int32_t q = 0; q < places; q++) shares[q] += number * numbers[q];
    }
    for (int32_t q = 0; q < places; q++) shares[q] *= factor;
    const float greatest = NAME(greatest)(shares, places);
    for (int32_t q = 0; q < places; q++) shares[q] = exponential(shares[q] - greatest);
}

static void NAME(attend)(const float *input, int32_t places, int32_t heads, int32_t length, float *output,
                         float *scratch) {
    const ptrdiff_t width = (ptrdiff_t)heads * length, pitch = 3 * width;
    const float factor = 1 / __builtin_sqrtf((float)length);
    enum { MOST = CLINENETWORK_MOST_OF_HEAD };
    float *keys = scratch + ABREAST * (ptrdiff_t)places, *values = keys + (ptrdiff_t)MOST * places;
    for (int32_t h = 0; h < heads; h++) {
        // A head's keys number by number, so that vectors lie along the places; its values filled up with zeros.
        for (int32_t q = 0; q < places; q++) {
            const float *key = input + q * pitch + width + (ptrdiff_t)h * length;
            for (int32_t i = 0; i < length; i++) keys[(ptrdiff_t)i * places + q] = key[i];
            for (int32_t i = 0; i < MOST; i++) values[(ptrdiff_t)q * MOST + i] = i < length ? key[width + i] : 0;
        }
        // Sums along the places wait for each other: those of several queries go side by side.
        for (int32_t p = 0; p < places; p += ABREAST) {
            for (int k = 0; k < ABREAST; k++) {
                // The last queries fill up.
                const int32_t own = p + k < places ? p + k : places - 1;
                NAME(shares)(input + own * pitch + (ptrdiff_t)h * length, keys, places, length, factor,
                             scratch + k * (ptrdiff_t)places);
            }
            float sums[ABREAST] = {0};
            for (int32_t q = 0; q < places; q++) {
                for (int k = 0; k < ABREAST; k++) sums[k] += scratch[k * (ptrdiff_t)places + q];
            }
            for (int k = 0; k < ABREAST; k++) {
                for (int32_t q = 0; q < places; q++) scratch[k * (ptrdiff_t)places + q] /= sums[k];
            }
            float results[ABREAST][MOST] = {{0}};
            for (int32_t q = 0; q < places; q++) {
                for (int k = 0; k < ABREAST; k++) {
                    const float share = scratch[k * (ptrdiff_t)places + q];
                    for (int i = 0; i < MOST; i++) results[k][i] += share * values[(ptrdiff_t)q * MOST + i];
                }
            }
            for (int k = 0; k < ABREAST && p + k < places; k++) {
                memcpy(output + (p + k) * width + (ptrdiff_t)h * length, results[k], sizeof(float) * (size_t)length);
            }
        }
    }
}

// The loops of the networks that find rows of print and read a line, and their weights. Private to LineNetwork, which says what
// is computed.
//
// A layer's values are a map: place after place, row by row, the numbers of a place's channels side by side. Channels are a
// multiple of 8, but for a picture's one.
//
// All results are the same bits with each kernel and on every processor: products are summed as whole numbers, which no
// order changes; vectors lie along channels, never along a sum; no product is fused with a sum. Nothing here is checked,
// and nothing allocated.
#ifndef CLINENETWORK_H
#define CLINENETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The bytes of a weights file that ships, and their number: of the network that reads a line, and of the one that finds rows.
const uint8_t *_Nonnull clinenetwork_weights(void);
size_t clinenetwork_weights_size(void);
const uint8_t *_Nonnull clinenetwork_row_weights(void);
size_t clinenetwork_row_weights_size(void);

// Which loops do the sums.
enum clinenetwork_kernel {
    CLINENETWORK_PLAIN,  // on every processor
    CLINENETWORK_AVX2,
    CLINENETWORK_AVX512  // with VNNI
};

// Whether this processor and system have what a kernel needs.
bool clinenetwork_has(enum clinenetwork_kernel kernel);

enum {
    CLINENETWORK_BLOCK = 16,           // outputs whose weights lie together
    CLINENETWORK_GREATEST_WEIGHT = 511,  // of a whole number that stands for a weight
    CLINENETWORK_MOST_INPUTS = 1024,   // with more of the greatest weights and values, a sum would not fit into 32 bits
    CLINENETWORK_MOST_OF_HEAD = 16,    // numbers of a head of attention
    CLINENETWORK_ATTENTION = 2 * CLINENETWORK_MOST_OF_HEAD + 4,  // numbers for each place that attention works in
    CLINENETWORK_SCRATCH = 200 << 10   // bytes that the functions below work in
};

// What becomes of a sum.
enum clinenetwork_activation {
    CLINENETWORK_NONE,
    CLINENETWORK_RELU,
    CLINENETWORK_GELU,
    CLINENETWORK_GATE  // 0 to 1, a line between -3 and 3
};

// A layer that weighs all inputs for each output. Its weights are whole numbers of 10 bits, its inputs are made such of 13,
// place by place.
struct clinenetwork_dense {
    int32_t inputs, outputs;
    // For each block of outputs (the last filled up with zeros), for each two inputs (of an odd number the last with zero), for
    // each output of the block the weights of both, 16 bits each.
    const int32_t *_Nonnull weights;
    // What a whole number stands for, and the biases, both filled up to whole blocks.
    const float *_Nonnull scales;
    const float *_Nonnull biases;
};

// The same with weights and inputs of 8 bits: twice as many products at a time where the processor has an instruction for them.
struct clinenetwork_byte_dense {
    int32_t inputs, outputs;
    // As above for each four inputs, 8 bits each: the first, third, second and fourth of them.
    const int32_t *_Nonnull weights;
    // Of each output's weights, filled up to whole blocks.
    const int32_t *_Nonnull sums;
    const float *_Nonnull scales;
    const float *_Nonnull biases;
};

// Weights as the file has them, into a layer's `weights`. `packed`: whole numbers plus 512, four in five bytes.
void clinenetwork_unpack(const uint8_t *_Nonnull packed, int32_t inputs, int32_t outputs, int32_t *_Nonnull weights);

// The same for a layer of bytes. `packed`: whole numbers plus 128.
void clinenetwork_unpack_bytes(const uint8_t *_Nonnull packed, int32_t inputs, int32_t outputs, int32_t *_Nonnull weights,
                               int32_t *_Nonnull sums);

// A window of a map: `side` x `side` places from (`stride` x - `before`, `stride` y - `before`) on; outside is zero.
struct clinenetwork_window {
    int32_t side, stride, before;
};

// `output` = activation of a layer's sums at each of `places`; the layer's inputs are a place's channels. From one place of the
// output to the next there are `step` numbers.
void clinenetwork_weigh(struct clinenetwork_dense layer, enum clinenetwork_activation activation,
                        enum clinenetwork_kernel kernel, const float *_Nonnull input, int32_t places,
                        float *_Nonnull output, int32_t step,
                        void *_Nonnull scratch);

// The same where the layer's inputs are a window's places, row by row, of a map of `channels`. The output has `height` rows of
// `width` places. A ReLU follows if `relu`.
void clinenetwork_weigh_windows(struct clinenetwork_dense layer, struct clinenetwork_window window, bool relu,
                                enum clinenetwork_kernel kernel, const float *_Nonnull input, int32_t input_height,
                                int32_t input_width, int32_t channels,
                                int32_t height, int32_t width, float *_Nonnull output, int32_t step,
                                void *_Nonnull scratch);

// `output` = `second` of GELU of `first` at each place, plus the input if `residual`. `output` may be `input` if as many
// channels come out as go in.
void clinenetwork_mix(struct clinenetwork_byte_dense first, struct clinenetwork_byte_dense second, bool residual,
                      enum clinenetwork_kernel kernel, const float *_Nonnull input, int32_t places,
                      float *_Nonnull output, void *_Nonnull scratch);

// Each channel weighed with its neighbours: `rows` x `columns` weights a channel around the places of every `row_stride`th row
// and `column_stride`th column, zero outside. `weights`: (row, column, channel). An input of `height` rows gives
// (height - 1) / row_stride + 1, of `width` columns likewise.
void clinenetwork_depthwise(const float *_Nonnull weights, const float *_Nonnull biases, int32_t rows, int32_t columns,
                            int32_t row_stride, int32_t column_stride, enum clinenetwork_kernel kernel, const float *_Nonnull input,
                            int32_t height, int32_t width, int32_t channels, float *_Nonnull output);

// gain * (x times what lies between 0 and 1 of x / 6 + 1 / 2) + shift, in place.
void clinenetwork_bend(float *_Nonnull numbers, size_t count, float gain, float shift);

// Each place of a map as `factor` x `factor` equal ones, written over `output` or added to it; `step` as above.
void clinenetwork_enlarge(const float *_Nonnull input, int32_t height, int32_t width, int32_t channels, int32_t factor,
                          bool adds, float *_Nonnull output, int32_t step);

// The greatest of each place and its right, lower and lower right neighbours, where there are any; `step` as above.
void clinenetwork_greatest(const float *_Nonnull input, int32_t height, int32_t width, int32_t channels,
                           float *_Nonnull output, int32_t step);

// Each channel's mean over all places.
void clinenetwork_means(const float *_Nonnull input, int32_t places, int32_t channels, float *_Nonnull means);

// Each channel times a factor, in place.
void clinenetwork_scale(float *_Nonnull map, int32_t places, int32_t channels, const float *_Nonnull factors);

// Means over all `height` rows of two columns each; an odd last column is left out.
void clinenetwork_pool(const float *_Nonnull input, int32_t height, int32_t width, int32_t channels,
                       float *_Nonnull output);

// x / (1 + exp(-x)), in place.
void clinenetwork_swish(float *_Nonnull numbers, size_t count);

// `sums` += `addends`.
void clinenetwork_add(const float *_Nonnull addends, size_t count, float *_Nonnull sums);

// Each place's channels with mean 0 and variance 1, times gains, plus shifts.
void clinenetwork_normalize(const float *_Nonnull input, int32_t places, int32_t channels, const float *_Nonnull gains,
                            const float *_Nonnull shifts, float *_Nonnull output);

// Attention of places among each other. `input`: for each place the queries, keys and values of `heads` heads of `length`
// numbers; `output`: for each place those of the heads. `scratch` takes ATTENTION numbers for each place.
void clinenetwork_attend(enum clinenetwork_kernel kernel, const float *_Nonnull input, int32_t places, int32_t heads,
                         int32_t length, float *_Nonnull output, float *_Nonnull scratch);

// Logits as probabilities of a place's classes, in place.
void clinenetwork_probabilities(float *_Nonnull logits, int32_t places, int32_t classes);

#endif

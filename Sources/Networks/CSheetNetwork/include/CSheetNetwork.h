// The loops of the network that finds sheets, and its weights. Private to SheetNetwork, which says what is computed.
//
// A layer's values are square maps, one after the other. Each has a rim of zeros, which is what a convolution finds
// outside: element (x, y) of a map of side n lies at (y + 1) * (n + 1) + x + 1, so the zero behind a row is also the
// one before the next, and a map is one run of numbers for the loops. Behind the rim are some that are never used.
//
// All results are the same bits with either kernel and on every processor: vectors lie along a map, never along a sum, each
// sum is taken in one order, and no product is fused with a sum. Nothing here is checked, and nothing allocated.
#ifndef CSHEETNETWORK_H
#define CSHEETNETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The bytes of the weights file that ships, and their number.
const uint8_t *_Nonnull csheetnetwork_weights(void);
size_t csheetnetwork_weights_size(void);

// Whether this processor has what the fast kernel needs (AVX2).
bool csheetnetwork_has_avx2(void);

// Numbers that a map takes.
size_t csheetnetwork_map_length(int32_t side);

// Outputs whose weights lie together: these are computed at once.
enum { CSHEETNETWORK_BLOCK = 6 };

// Which inputs a convolution weighs.
enum csheetnetwork_window {
    CSHEETNETWORK_POINT,   // 1 x 1
    CSHEETNETWORK_SQUARE,  // 3 x 3
    CSHEETNETWORK_HALVING  // 3 x 3 around every second pixel of every second row; its input is split (see below)
};

struct csheetnetwork_convolution {
    enum csheetnetwork_window window;
    int32_t inputs, outputs;
    // For each block of outputs (the last filled up with zeros): their biases, then for each input and each place of its
    // window, row by row, their weights.
    const float *_Nonnull weights;
};

// `output` = sums of a convolution over `input`, maps of side `side` both; plus `addend`, if there is one; negative sums
// replaced by zero if `rectified`. `addend` may be `output`; `input` may not. `fast` chooses the AVX2 kernel and may only be
// true where csheetnetwork_has_avx2(). Writes `tiles` of the maps' csheetnetwork_tiles(), from the one numbered `first` on,
// so that threads may share them; then csheetnetwork_clear_rims() has to follow.
void csheetnetwork_convolve(struct csheetnetwork_convolution convolution, int32_t side, const float *_Nonnull input,
                            const float *_Nullable addend, bool rectified, bool fast, int32_t first, int32_t tiles,
                            float *_Nonnull output);

// Tiles that a map of side `side` is computed in.
int32_t csheetnetwork_tiles(int32_t side);

// Makes the rims of `count` maps of side `side` zero again.
void csheetnetwork_clear_rims(int32_t count, int32_t side, float *_Nonnull maps);

// Each of `count` maps of side 2 `side` split into four of side `side`: even rows' even columns and odd columns, odd rows'
// even columns and odd columns.
void csheetnetwork_split(const float *_Nonnull input, int32_t count, int32_t side, float *_Nonnull output);

// A picture of side 2 `side` (red, green, blue, interleaved, 0 to 1), shifted and scaled as in training, split likewise.
void csheetnetwork_enter(const float *_Nonnull picture, int32_t side, float *_Nonnull output);

// `count` maps of side `side` doubled by bilinear interpolation: output pixel i lies at (i + 0.5) / 2 - 0.5, clamped.
void csheetnetwork_double(const float *_Nonnull input, int32_t count, int32_t side, float *_Nonnull output);

// The mean of each map.
void csheetnetwork_means(const float *_Nonnull input, int32_t count, int32_t side, float *_Nonnull means);

// Adds to each pixel of each map its map's number.
void csheetnetwork_add(const float *_Nonnull numbers, int32_t count, int32_t side, float *_Nonnull maps);

// 1 / (1 + exp(-x)) of each pixel of a map, row by row without the rim. Off by less than 3e-7.
void csheetnetwork_probabilities(const float *_Nonnull map, int32_t side, float *_Nonnull output);

// The same of one number.
float csheetnetwork_probability(float logit);

// A picture of 8-bit red, green and blue squashed to `side` x `side` pixels, 0 to 1, each the mean of the area that it
// covers. Writes rows `first` ... `first + rows - 1`, one after the other. Width and height are less than 2^24; `sums` has
// room for 3 * width numbers. `fast` as above.
void csheetnetwork_squash(const uint8_t *_Nonnull pixels, int32_t width, int32_t height, int32_t side, int32_t first,
                          int32_t rows, bool fast, uint32_t *_Nonnull sums, float *_Nonnull output);

#endif

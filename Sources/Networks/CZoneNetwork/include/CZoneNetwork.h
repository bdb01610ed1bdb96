// The convolution of the network that reads machine-readable zones. Private to Documents, which says what is computed.
//
// A plane's rows are `pitch` numbers apart, and planes follow each other. The columns of a row beyond the plane's own hold
// numbers that mean nothing.
//
// Both kernels give the same bits: each sum is taken in one order, and no product is fused with a sum. Nothing here is checked,
// and nothing allocated.
#ifndef CZONENETWORK_H
#define CZONENETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Outputs that are computed together, and columns that are written at once: a pitch is a multiple of these.
enum { CZONENETWORK_BLOCK = 4, CZONENETWORK_COLUMNS = 16 };

// Whether this processor has what the fast kernel needs (AVX2).
bool czonenetwork_has_avx2(void);

struct czonenetwork_planes {
    int32_t count, height, pitch;
};

// `output` = the convolution of `input` by windows of `side` x `side` numbers without padding, its negative values 0 if
// `rectified`. `weights` holds for each block of outputs (the last filled up) their biases, then for each input and each place
// of the window, row by row, their weights. Behind `input` lie CZONENETWORK_COLUMNS numbers that are read and mean nothing.
// `fast` chooses the AVX2 kernel and may only be true where czonenetwork_has_avx2().
void czonenetwork_convolve(struct czonenetwork_planes from, const float *_Nonnull input, const float *_Nonnull weights,
                           int32_t side, bool rectified, bool fast, struct czonenetwork_planes to,
                           float *_Nonnull output);

#endif

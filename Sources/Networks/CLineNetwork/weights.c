// The weights that ship, files of Training/Reader's export.py and rows.py, as part of the program.

#include "include/CLineNetwork.h"

// Of C23, and taken by clang 19 and later in any C.
#ifndef __has_embed
#error "the reader's weights need a compiler that knows #embed: Swift 6.3"
#endif
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t weights[] = {
#embed "line.weights"
};

static const uint8_t row_weights[] = {
#embed "rows.weights"
};

const uint8_t *clinenetwork_weights(void) { return weights; }
size_t clinenetwork_weights_size(void) { return sizeof weights; }
const uint8_t *clinenetwork_row_weights(void) { return row_weights; }
size_t clinenetwork_row_weights_size(void) { return sizeof row_weights; }

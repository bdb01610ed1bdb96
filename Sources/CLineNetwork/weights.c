// The weights that ship, a file of Training/Reader/export.py, as part of the program.

#include "include/CLineNetwork.h"

// Of C23, and taken by clang 19 and later in any C.
#ifndef __has_embed
#error "the reader's weights need a compiler that knows #embed: Swift 6.3"
#endif
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t weights[] = {
#embed "line.weights"
};

const uint8_t *clinenetwork_weights(void) { return weights; }
size_t clinenetwork_weights_size(void) { return sizeof weights; }

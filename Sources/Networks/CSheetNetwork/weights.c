// The weights that ship, a file of Training/export.py, as part of the program.

#include "include/CSheetNetwork.h"

// Of C23, and taken by clang 19 and later in any C.
#ifndef __has_embed
#error "the network's weights need a compiler that knows #embed: Swift 6.3"
#endif
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t weights[] = {
#embed "sheet.weights"
};

const uint8_t *csheetnetwork_weights(void) { return weights; }
size_t csheetnetwork_weights_size(void) { return sizeof weights; }

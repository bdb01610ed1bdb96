#include "include/CZoneTables.h"

// Of C23, and taken by clang 19 and later in any C.
#ifndef __has_embed
#error "the tables need a compiler that knows #embed: Swift 6.3"
#endif
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t cells[] = {
#embed "cells.weights"
};

static const uint8_t states[] = {
#embed "states.table"
};

const uint8_t *czonetables_states(void) { return states; }
size_t czonetables_states_size(void) { return sizeof states; }

const uint8_t *czonetables_cells(void) { return cells; }
size_t czonetables_cells_size(void) { return sizeof cells; }

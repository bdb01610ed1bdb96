// The weights of the network that reads machine-readable zones, and what their codes of states mean, as bytes of the program. Private to Documents.
#ifndef CZONETABLES_H
#define CZONETABLES_H

#include <stddef.h>
#include <stdint.h>

// States and organisations, "CODE name" a line.
const uint8_t *_Nonnull czonetables_states(void);
size_t czonetables_states_size(void);

// A file of Training/Zones/train.py.
const uint8_t *_Nonnull czonetables_cells(void);
size_t czonetables_cells_size(void);

#endif

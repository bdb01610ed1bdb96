// The weights of the network that reads machine-readable zones, as bytes of the program. Private to Documents.
#ifndef CZONETABLES_H
#define CZONETABLES_H

#include <stddef.h>
#include <stdint.h>

// A file of Training/Zones/train.py.
const uint8_t *_Nonnull czonetables_cells(void);
size_t czonetables_cells_size(void);

#endif

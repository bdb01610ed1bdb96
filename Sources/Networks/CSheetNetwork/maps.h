// Where the elements of a map lie (see CSheetNetwork.h).
#ifndef MAPS_H
#define MAPS_H

#include "include/CSheetNetwork.h"

#define INLINE static inline __attribute__((always_inline))

// The most numbers that a kernel writes at once, and so the room behind a map.
enum { LONGEST_TILE = 16 };

// From one row to the next.
INLINE ptrdiff_t pitch_of(int32_t side) { return side + 1; }

// From a map to the next: what a tile reads below the last pixel still belongs to it.
INLINE ptrdiff_t length_of(int32_t side) {
    const ptrdiff_t used = (side + 2) * pitch_of(side) + 1 + LONGEST_TILE;
    return (used + 15) / 16 * 16;
}

INLINE ptrdiff_t place_of(int32_t x, int32_t y, int32_t side) { return (y + 1) * pitch_of(side) + x + 1; }

// The rim, which loops over a whole map write over and scratch memory has never had.
INLINE void clear_rim(float *map, int32_t side) {
    const ptrdiff_t pitch = pitch_of(side), end = length_of(side);
    for (ptrdiff_t i = 0; i <= pitch; i++) map[i] = 0;
    for (int32_t y = 2; y <= side; y++) map[y * pitch] = 0;
    for (ptrdiff_t i = (side + 1) * pitch; i < end; i++) map[i] = 0;
}

#endif

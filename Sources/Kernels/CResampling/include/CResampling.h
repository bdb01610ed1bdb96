// Some rows of a picture resampled through a coarse map: the loop that the warp's time goes into.
// Private to Imaging, which documents filters, coordinates and antialiasing for its users (Resampling.swift).
#ifndef CRESAMPLING_H
#define CRESAMPLING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cresampling_filter { CRESAMPLING_BILINEAR = 0, CRESAMPLING_BICUBIC = 1 };

// What a row is made of. Nothing here is checked: the caller's preconditions have been.
struct cresampling_picture {
    const uint8_t *_Nonnull pixels;  // red, green, blue, interleaved, without padding
    int32_t width, height;           // at least 1
};

// Rows of the output between two rows of the map's nodes, or on one of them.
struct cresampling_rows {
    const float *_Nonnull top;     // x, y of the nodes above the rows (or on the first)
    const float *_Nonnull bottom;  // x, y of the nodes below them
    int32_t node_count;            // at least 1
    int32_t spacing;               // output pixels between nodes
    int32_t first_below;           // output pixels from the top nodes to the first row, 0 ... spacing
    int32_t count;                 // first_below + count - 1 is at most spacing
    int32_t width;                 // output pixels to write in each row
};

// Whether this processor has what the fast kernel needs (AVX2 and FMA).
bool cresampling_has_avx2(void);

// Writes `count` rows of `width` pixels, one after the other: three bytes each, or one (BT.601 luma) if `gray`.
// `fast` chooses the AVX2 kernel and may only be true where cresampling_has_avx2(). The picture has less than 2^31 bytes.
void cresampling_write_rows(struct cresampling_picture source, struct cresampling_rows rows,
                            enum cresampling_filter filter, const uint8_t background[_Nonnull 3], bool gray,
                            bool fast, uint8_t *_Nonnull output);

// Asks the system for large pages (2 MiB) under memory that is not yet written.
void cresampling_prefer_large_pages(void *_Nonnull memory, size_t length);

// Has the system give memory its pages now, not when it is first written; what is in it stays as it is.
void cresampling_make_pages_ready(void *_Nonnull memory, size_t length);

#endif

// PNG in and out of memory, over libpng. Nothing of png.h is seen by whoever includes this file.
//
// libpng reports errors by longjmp, which must not cross Swift frames: every function here holds its own setjmp,
// returns a plain int and copies libpng's words into the caller's buffer. Nothing is ever printed.
#pragma once
#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus)
extern "C" {
#endif

/// Versions of the libraries that are loaded: libpng's; zlib's, null if it cannot be asked; and ISA-L's as its header said
/// when this was built, as it cannot be asked.
const char *cpng_libpng_version(void);
const char *cpng_zlib_version(void);
const char *cpng_isal_version(void);

/// How the decoded pixels lie in memory; rows follow one another without padding.
typedef enum {
    /// Three bytes a pixel: any kind of PNG, transparency laid over white, 16 bits rounded to 8, no gamma applied.
    CPNG_LAYOUT_RGB8 = 0,
    /// One byte a pixel, exactly as stored: grey files of 1, 2, 4 or 8 bits; of RGB and of what has alpha, the first channel.
    CPNG_LAYOUT_STORED_GRAY8 = 1,
    /// Two bytes a pixel in host order, likewise: files of 16 bits.
    CPNG_LAYOUT_STORED_GRAY16 = 2,
} cpng_layout;

enum {
    /// `cpng_decode` returns it for a picture whose data goes on after its last row.
    CPNG_DATA_GOES_ON = -2,
    /// Bytes of compressed data that may follow the last row. libpng inflates them all, up to 1,032 bytes each, so this is
    /// 68 MB of work at most (0.06 s on a core of 3 GHz). Encoders leave a checksum and at times an empty block, some ten
    /// bytes; 64 KiB is the longest block that deflate can store, for those that end with one.
    CPNG_MAXIMUM_DATA_AFTER_ROWS = 65536,
};

/// What stands beside the pixels.
typedef struct {
    /// From pHYs when its unit is the metre, else 0.
    uint32_t pixels_per_meter_x;
    uint32_t pixels_per_meter_y;
    /// From eXIf: a TIFF structure, NULL if there is none. Freed by `cpng_metadata_free`.
    uint8_t *exif;
    size_t exif_size;
    /// Whether something was left out: colours that are not the first channel's value, or alpha that is not opaque.
    int channels_differ;
    /// Bytes of compressed data left in the file before the last row is read, and what that row and the slack allow.
    size_t data_left;
    size_t data_left_allowed;
} cpng_metadata;

/// Decodes a whole PNG into `pixels`.
///
/// The caller has read width and height from the IHDR chunk; a file that says otherwise here is refused.
/// Ancillary chunks other than tRNS, pHYs and eXIf are skipped unread, so compressed text costs nothing.
/// Returns 0, -1 with `error` filled, or `CPNG_DATA_GOES_ON` with `data_left` and `data_left_allowed` of `metadata`.
int cpng_decode(
    const uint8_t *bytes, size_t count, cpng_layout layout, uint32_t width, uint32_t height, uint8_t *pixels,
    size_t pixel_bytes, size_t maximum_chunk_bytes, cpng_metadata *metadata, char *error, size_t error_size);

/// Frees what `cpng_decode` put into `metadata`; harmless on zeroed memory.
void cpng_metadata_free(cpng_metadata *metadata);

/// An encoder that takes rows as they come.
typedef struct cpng_writer cpng_writer;

/// Takes encoded bytes; returns 0, or anything else to stop the encoder.
typedef int (*cpng_sink)(void *context, const uint8_t *bytes, size_t count);

/// Starts a PNG.
///
/// `bits_per_pixel` is 1 (black and white, the first pixel in a byte's highest bit, 1 white), 8 (grey), 16 (grey in host
/// order), 24 or 48 (RGB likewise); `pixels_per_meter` 0 writes no pHYs. Returns NULL with `error` filled on failure.
cpng_writer *cpng_writer_create(
    uint32_t width, uint32_t height, int bits_per_pixel, uint32_t pixels_per_meter, cpng_sink sink, void *context,
    char *error, size_t error_size);

/// Encodes the next `row_count` rows, each filled up to whole bytes. Returns 0, or -1 with `error` filled.
int cpng_writer_write(
    cpng_writer *writer, const uint8_t *rows, size_t row_count, char *error, size_t error_size);

/// Ends the file: every row must have been written. Returns 0, or -1 with `error` filled.
int cpng_writer_finish(cpng_writer *writer, char *error, size_t error_size);

/// Frees the encoder, finished or not.
void cpng_writer_destroy(cpng_writer *writer);

#if defined(__cplusplus)
}
#endif

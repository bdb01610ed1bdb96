#include "CPNGCodec.h"

#include <stdlib.h>
#include <string.h>

#include "message.h"

/// The file in memory and how far it has been read.
typedef struct {
    const uint8_t *bytes;
    size_t count;
    size_t position;
} source;

static void read_bytes(png_structp png, png_bytep target, size_t count) {
    source *from = (source *)png_get_io_ptr(png);
    if (count > from->count - from->position) { png_error(png, "the file ends too early"); }
    memcpy(target, from->bytes + from->position, count);
    from->position += count;
}

/// Skips everything that is not needed for the pixels, the density or the orientation.
static void select_chunks(png_structp png, size_t maximum_chunk_bytes) {
    static const png_byte needed[] = {'p', 'H', 'Y', 's', 0, 'e', 'X', 'I', 'f', 0};
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_AS_DEFAULT, needed, 2);
    png_set_chunk_cache_max(png, 64);
    png_set_chunk_malloc_max(png, maximum_chunk_bytes);
}

/// Whether every EXIF chunk is held by the file and by `maximum`. libpng keeps its limits for all other chunks, but for
/// this one (1.6.39) reserves whatever length is written, up to 2 GiB, before it reads.
static int exif_is_bounded(const uint8_t *bytes, size_t count, size_t maximum) {
    const size_t signature = 8, around = 12;  // length, type, checksum
    for (size_t at = signature; at < count && count - at >= around;) {
        size_t length = png_get_uint_32(bytes + at);
        size_t left = count - at - around;
        if (memcmp(bytes + at + 4, "eXIf", 4) == 0 && (length > left || length > maximum)) return 0;
        if (length > left) return 1;
        at += around + length;
    }
    return 1;
}

/// Lays a row of RGBA, 8 or 16 bits, over white: RGB of 8 bits, in place, rounded once.
///
/// libpng's own background would do, but it reduces 16 bits to 8 first and is off by one or two then.
static void lay_over_white(png_structp png, png_row_infop row, png_bytep pixels) {
    (void)png;
    const png_byte *from = pixels;
    png_byte *to = pixels;
    if (row->bit_depth == 16) {
        const uint64_t full = 65535;
        for (png_uint_32 x = 0; x < row->width; x++, from += 8, to += 3) {
            uint64_t alpha = (uint64_t)from[6] << 8 | from[7];
            for (int channel = 0; channel < 3; channel++) {
                uint64_t value = (uint64_t)from[2 * channel] << 8 | from[2 * channel + 1];
                uint64_t laid = value * alpha + full * (full - alpha);
                to[channel] = (png_byte)((laid * 255 + full * full / 2) / (full * full));
            }
        }
    } else {
        for (png_uint_32 x = 0; x < row->width; x++, from += 4, to += 3) {
            uint32_t alpha = from[3];
            for (int channel = 0; channel < 3; channel++) {
                to[channel] = (png_byte)((from[channel] * alpha + 255 * (255 - alpha) + 127) / 255);
            }
        }
    }
    row->bit_depth = 8;
    row->channels = 3;
    row->pixel_depth = 24;
    row->color_type = PNG_COLOR_TYPE_RGB;
    row->rowbytes = (size_t)row->width * 3;
}

/// Keeps the first channel of each pixel of a row, 8 or 16 bits, in place, and notes whether other colours differ from it or
/// a pixel is not opaque.
static void keep_first_channel(png_structp png, png_row_infop row, png_bytep pixels) {
    int *channels_differ = (int *)png_get_user_transform_ptr(png);
    size_t size = row->bit_depth / 8;
    int colors = row->channels >= 3 ? 3 : 1;
    static const png_byte opaque[2] = {0xFF, 0xFF};
    const png_byte *from = pixels;
    png_byte *to = pixels;
    for (png_uint_32 x = 0; x < row->width; x++, from += size * row->channels, to += size) {
        for (int channel = 1; channel < colors; channel++) {
            if (memcmp(from, from + (size_t)channel * size, size) != 0) *channels_differ = 1;
        }
        if (row->channels > colors && memcmp(from + (size_t)colors * size, opaque, size) != 0) *channels_differ = 1;
        memmove(to, from, size);
    }
    row->channels = 1;
    row->pixel_depth = row->bit_depth;
    row->color_type = PNG_COLOR_TYPE_GRAY;
    row->rowbytes = (size_t)row->width * size;
}

/// The transformations from what is stored to `layout`. Colour chunks (gAMA, sRGB, sBIT) never change a value.
static void set_layout(png_structp png, png_infop info, cpng_layout layout, int *channels_differ) {
    int bits = png_get_bit_depth(png, info);
    int color = png_get_color_type(png, info);
    if (layout == CPNG_LAYOUT_RGB8) {
        int transparent = (color & PNG_COLOR_MASK_ALPHA) || png_get_valid(png, info, PNG_INFO_tRNS);
        png_set_expand(png);
        png_set_gray_to_rgb(png);
        if (transparent) {
            png_set_read_user_transform_fn(png, lay_over_white);
            png_set_user_transform_info(png, NULL, 8, 3);
        } else if (bits == 16) {
            png_set_scale_16(png);
        }
        return;
    }
    if (color == PNG_COLOR_TYPE_PALETTE || (bits == 16) != (layout == CPNG_LAYOUT_STORED_GRAY16)) {
        png_error(png, "the picture changed its kind");
    }
    if (color != PNG_COLOR_TYPE_GRAY) {
        png_set_read_user_transform_fn(png, keep_first_channel);
        png_set_user_transform_info(png, channels_differ, bits, 1);
    }
    if (bits == 16) {
        const uint16_t probe = 1;
        if (*(const uint8_t *)&probe == 1) { png_set_swap(png); }
    } else if (bits < 8) {
        png_set_packing(png);
    }
}

/// The bytes of the picture's own data (IDAT) that lie in the file at `position` and beyond. O(chunks).
static size_t data_bytes_from(const uint8_t *bytes, size_t count, size_t position) {
    const size_t signature = 8, around = 12;  // length, type, checksum
    size_t sum = 0;
    for (size_t at = signature; at < count && count - at >= around;) {
        size_t start = at + 8, length = png_get_uint_32(bytes + at);
        if (length > count - start) length = count - start;
        if (memcmp(bytes + at + 4, "IDAT", 4) == 0 && start + length > position) {
            sum += start + length - (start > position ? start : position);
        }
        // A chunk that is cut off ends the file.
        if (count - start - length < 4) break;
        at = start + length + 4;
    }
    return sum;
}

static void read_metadata(png_structp png, png_infop info, cpng_metadata *metadata) {
    png_uint_32 x = 0, y = 0;
    int unit = PNG_RESOLUTION_UNKNOWN;
    if (png_get_pHYs(png, info, &x, &y, &unit) && unit == PNG_RESOLUTION_METER) {
        metadata->pixels_per_meter_x = x;
        metadata->pixels_per_meter_y = y;
    }
    png_uint_32 size = 0;
    png_bytep exif = NULL;
    if (png_get_eXIf_1(png, info, &size, &exif) && exif != NULL && size > 0) {
        metadata->exif = malloc(size);
        if (metadata->exif == NULL) { png_error(png, "out of memory"); }
        memcpy(metadata->exif, exif, size);
        metadata->exif_size = size;
    }
}

int cpng_decode(
    const uint8_t *bytes, size_t count, cpng_layout layout, uint32_t width, uint32_t height, uint8_t *pixels,
    size_t pixel_bytes, size_t maximum_chunk_bytes, cpng_metadata *metadata, char *error, size_t error_size) {
    cpng_message message = {error, error_size};
    source from = {bytes, count, 0};
    memset(metadata, 0, sizeof *metadata);
    if (!exif_is_bounded(bytes, count, maximum_chunk_bytes)) {
        cpng_message_set(&message, "its EXIF is larger than the file or than allowed");
        return -1;
    }

    png_structp png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, &message, cpng_message_error, cpng_message_warning);
    if (png == NULL) {
        cpng_message_set(&message, "out of memory");
        return -1;
    }
    png_infop volatile info = png_create_info_struct(png);
    if (info == NULL) {
        png_destroy_read_struct(&png, NULL, NULL);
        cpng_message_set(&message, "out of memory");
        return -1;
    }
    if (setjmp(png_jmpbuf(png))) {
        png_infop made = info;
        png_destroy_read_struct(&png, &made, NULL);
        cpng_metadata_free(metadata);
        return -1;
    }

    png_set_read_fn(png, &from, read_bytes);
    png_set_user_limits(png, width, height);
    select_chunks(png, maximum_chunk_bytes);
    png_read_info(png, info);
    if (png_get_image_width(png, info) != width || png_get_image_height(png, info) != height) {
        png_error(png, "the picture changed its size");
    }
    set_layout(png, info, layout, &metadata->channels_differ);
    int passes = png_set_interlace_handling(png);
    size_t stored_stride = png_get_rowbytes(png, info);
    png_read_update_info(png, info);

    size_t pixel_size = layout == CPNG_LAYOUT_RGB8 ? 3 : layout == CPNG_LAYOUT_STORED_GRAY16 ? 2 : 1;
    size_t stride = (size_t)width * pixel_size;
    if (png_get_rowbytes(png, info) != stride || pixel_bytes / stride < height) {
        png_error(png, "the rows have an unexpected length");
    }
    // One row at a time also for interlaced files: each pass only adds its pixels to the rows that are there.
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t y = 0; y < height; y++) {
            // With the last row libpng inflates whatever is left of the stream, to see that it ends.
            if (pass == passes - 1 && y == height - 1) {
                metadata->data_left = data_bytes_from(bytes, count, from.position);
                metadata->data_left_allowed = stored_stride + 1 + CPNG_MAXIMUM_DATA_AFTER_ROWS;
                if (metadata->data_left > metadata->data_left_allowed) {
                    png_infop made = info;
                    png_destroy_read_struct(&png, &made, NULL);
                    return CPNG_DATA_GOES_ON;
                }
            }
            png_read_row(png, pixels + y * stride, NULL);
        }
    }
    png_read_end(png, info);
    read_metadata(png, info, metadata);

    png_infop made = info;
    png_destroy_read_struct(&png, &made, NULL);
    return 0;
}

void cpng_metadata_free(cpng_metadata *metadata) {
    free(metadata->exif);
    memset(metadata, 0, sizeof *metadata);
}

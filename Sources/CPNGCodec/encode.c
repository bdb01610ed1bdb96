#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "CPNGCodec.h"
#include "message.h"

struct cpng_writer {
    png_structp png;
    png_infop info;
    cpng_message message;
    cpng_sink sink;
    void *context;
    size_t stride;
    size_t rows_left;
    /// Set by the first failure: libpng must not be called again after a jump.
    int failed;
};

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
    cpng_writer *writer = (cpng_writer *)png_get_io_ptr(png);
    if (writer->sink(writer->context, bytes, count) != 0) { png_error(png, "the bytes could not be written"); }
}

static void flush_nothing(png_structp png) { (void)png; }

cpng_writer *cpng_writer_create(
    uint32_t width, uint32_t height, int bytes_per_pixel, uint32_t pixels_per_meter, cpng_sink sink, void *context,
    char *error, size_t error_size) {
    const int is_deep = bytes_per_pixel == 2 || bytes_per_pixel == 6;
    cpng_message message = {error, error_size};
    cpng_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) {
        cpng_message_set(&message, "out of memory");
        return NULL;
    }
    writer->message = message;
    writer->sink = sink;
    writer->context = context;
    writer->stride = (size_t)width * (size_t)bytes_per_pixel;
    writer->rows_left = height;
    writer->png = png_create_write_struct(
        PNG_LIBPNG_VER_STRING, &writer->message, cpng_message_error, cpng_message_warning);
    if (writer->png != NULL) { writer->info = png_create_info_struct(writer->png); }
    if (writer->png == NULL || writer->info == NULL) {
        cpng_message_set(&message, "out of memory");
        cpng_writer_destroy(writer);
        return NULL;
    }
    if (setjmp(png_jmpbuf(writer->png))) {
        cpng_writer_destroy(writer);
        return NULL;
    }
    png_set_write_fn(writer->png, writer, write_bytes, flush_nothing);
    png_set_IHDR(
        writer->png, writer->info, width, height, is_deep ? 16 : 8,
        bytes_per_pixel <= 2 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB,
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    if (pixels_per_meter > 0) {
        png_set_pHYs(
            writer->png, writer->info, pixels_per_meter, pixels_per_meter, PNG_RESOLUTION_METER);
    }
    // Photographs: differences to the row above and run lengths cost a fraction of a full search and give the size
    // that other encoders' defaults give.
    // Maps of 16 bits are small, and their low bytes are noise: there a full search is worth its time.
    png_set_filter(writer->png, PNG_FILTER_TYPE_BASE, is_deep ? PNG_ALL_FILTERS : PNG_FILTER_UP);
    png_set_compression_level(writer->png, is_deep ? 6 : 1);
    png_set_compression_strategy(writer->png, is_deep ? Z_FILTERED : Z_RLE);
    png_set_compression_buffer_size(writer->png, 1 << 16);
    png_write_info(writer->png, writer->info);
    // Rows come in host order, files hold the high byte first.
    if (is_deep) { png_set_swap(writer->png); }
    return writer;
}

int cpng_writer_write(
    cpng_writer *writer, const uint8_t *rows, size_t row_count, char *error, size_t error_size) {
    writer->message = (cpng_message){error, error_size};
    if (writer->failed || row_count > writer->rows_left) {
        cpng_message_set(&writer->message, "no more rows are expected");
        writer->failed = 1;
        return -1;
    }
    if (setjmp(png_jmpbuf(writer->png))) {
        writer->failed = 1;
        return -1;
    }
    for (size_t y = 0; y < row_count; y++) { png_write_row(writer->png, rows + y * writer->stride); }
    writer->rows_left -= row_count;
    return 0;
}

int cpng_writer_finish(cpng_writer *writer, char *error, size_t error_size) {
    writer->message = (cpng_message){error, error_size};
    if (writer->failed || writer->rows_left > 0) {
        cpng_message_set(&writer->message, "rows are missing");
        writer->failed = 1;
        return -1;
    }
    if (setjmp(png_jmpbuf(writer->png))) {
        writer->failed = 1;
        return -1;
    }
    png_write_end(writer->png, writer->info);
    return 0;
}

void cpng_writer_destroy(cpng_writer *writer) {
    if (writer == NULL) { return; }
    if (writer->png != NULL) {
        png_destroy_write_struct(&writer->png, writer->info != NULL ? &writer->info : NULL);
    }
    free(writer);
}

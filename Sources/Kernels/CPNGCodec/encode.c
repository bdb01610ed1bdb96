#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "CPNGCodec.h"
#include "message.h"

// Photographs are compressed here, by ISA-L's deflate: a third of zlib's time at its fastest, and streaming, so that no
// picture need be held for it. libpng keeps the chunks, and the compression of 16-bit maps.
struct compressor {
    struct isal_zstream stream;
    uint8_t level_buffer[ISAL_DEF_LVL1_DEFAULT];
    /// What one IDAT chunk takes.
    uint8_t chunk[1 << 16];
};

struct cpng_writer {
    png_structp png;
    png_infop info;
    cpng_message message;
    cpng_sink sink;
    void *context;
    size_t stride;
    size_t rows_left;
    /// NULL for 16-bit maps.
    struct compressor *compressor;
    /// The row before, zero at first, and the next row's differences to it, with the filter's number before them.
    uint8_t *above;
    uint8_t *filtered;
    /// Set by the first failure: libpng must not be called again after a jump.
    int failed;
};

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
    cpng_writer *writer = (cpng_writer *)png_get_io_ptr(png);
    if (writer->sink(writer->context, bytes, count) != 0) { png_error(png, "the bytes could not be written"); }
}

static void flush_nothing(png_structp png) { (void)png; }

/// Compresses what the stream has been given; writes a chunk whenever one is full, and the last one at the end.
static void write_compressed(cpng_writer *writer) {
    struct compressor *compressor = writer->compressor;
    struct isal_zstream *stream = &compressor->stream;
    for (;;) {
        if (isal_deflate(stream) != COMP_OK) { png_error(writer->png, "the rows cannot be compressed"); }
        int is_done = stream->end_of_stream && stream->internal_state.state == ZSTATE_END;
        if (stream->avail_out > 0 && !is_done) { return; }
        png_write_chunk(
            writer->png, (png_const_bytep) "IDAT", compressor->chunk, sizeof compressor->chunk - stream->avail_out);
        stream->next_out = compressor->chunk;
        stream->avail_out = sizeof compressor->chunk;
        if (is_done) { return; }
    }
}

/// Differences to the row above and a fast compressor cost a fraction of a full search and give the size that other
/// encoders' defaults give.
static void compress_row(cpng_writer *writer, const uint8_t *row) {
    uint8_t *differences = writer->filtered + 1;
    writer->filtered[0] = PNG_FILTER_VALUE_UP;
    for (size_t i = 0; i < writer->stride; i++) { differences[i] = (uint8_t)(row[i] - writer->above[i]); }
    memcpy(writer->above, row, writer->stride);
    writer->compressor->stream.next_in = writer->filtered;
    writer->compressor->stream.avail_in = (uint32_t)writer->stride + 1;
    write_compressed(writer);
}

/// Returns 0 if memory is lacking.
static int start_compressor(cpng_writer *writer) {
    struct compressor *compressor = writer->compressor = calloc(1, sizeof *compressor);
    writer->above = calloc(1, writer->stride);
    writer->filtered = malloc(writer->stride + 1);
    if (compressor == NULL || writer->above == NULL || writer->filtered == NULL) { return 0; }
    isal_deflate_init(&compressor->stream);
    compressor->stream.level = 1;
    compressor->stream.level_buf = compressor->level_buffer;
    compressor->stream.level_buf_size = sizeof compressor->level_buffer;
    compressor->stream.gzip_flag = IGZIP_ZLIB;
    compressor->stream.next_out = compressor->chunk;
    compressor->stream.avail_out = sizeof compressor->chunk;
    return 1;
}

cpng_writer *cpng_writer_create(
    uint32_t width, uint32_t height, int bits_per_pixel, uint32_t pixels_per_meter, cpng_sink sink, void *context,
    char *error, size_t error_size) {
    const int is_deep = bits_per_pixel == 16 || bits_per_pixel == 48;
    cpng_message message = {error, error_size};
    cpng_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) {
        cpng_message_set(&message, "out of memory");
        return NULL;
    }
    writer->message = message;
    writer->sink = sink;
    writer->context = context;
    writer->stride = ((size_t)width * (size_t)bits_per_pixel + 7) / 8;
    writer->rows_left = height;
    writer->png = png_create_write_struct(
        PNG_LIBPNG_VER_STRING, &writer->message, cpng_message_error, cpng_message_warning);
    if (writer->png != NULL) { writer->info = png_create_info_struct(writer->png); }
    if (writer->png == NULL || writer->info == NULL || (!is_deep && !start_compressor(writer))) {
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
        writer->png, writer->info, width, height, is_deep ? 16 : bits_per_pixel < 8 ? bits_per_pixel : 8,
        bits_per_pixel <= 16 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB,
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
    if (pixels_per_meter > 0) {
        png_set_pHYs(
            writer->png, writer->info, pixels_per_meter, pixels_per_meter, PNG_RESOLUTION_METER);
    }
    if (is_deep) {
        // The low bytes of depth are noise, and maps are small: a full search is worth its time.
        png_set_filter(writer->png, PNG_FILTER_TYPE_BASE, PNG_ALL_FILTERS);
        png_set_compression_level(writer->png, 6);
        png_set_compression_strategy(writer->png, Z_FILTERED);
        png_set_compression_buffer_size(writer->png, 1 << 16);
    }
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
    for (size_t y = 0; y < row_count; y++) {
        const uint8_t *row = rows + y * writer->stride;
        if (writer->compressor != NULL) {
            compress_row(writer, row);
        } else {
            png_write_row(writer->png, row);
        }
    }
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
    if (writer->compressor != NULL) {
        writer->compressor->stream.end_of_stream = 1;
        write_compressed(writer);
        png_write_chunk(writer->png, (png_const_bytep) "IEND", NULL, 0);
    } else {
        png_write_end(writer->png, writer->info);
    }
    return 0;
}

void cpng_writer_destroy(cpng_writer *writer) {
    if (writer == NULL) { return; }
    if (writer->png != NULL) {
        png_destroy_write_struct(&writer->png, writer->info != NULL ? &writer->info : NULL);
    }
    free(writer->compressor);
    free(writer->above);
    free(writer->filtered);
    free(writer);
}

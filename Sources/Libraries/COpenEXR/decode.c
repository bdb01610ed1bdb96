#include "COpenEXR.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct COpenEXRPicture {
    const struct COpenEXRFunctions *exr;
    const uint8_t *bytes;
    size_t count;
    exr_context_t context;
    exr_attr_box2i_t window;
};

static int64_t read_memory(
    exr_const_context_t context, void *user, void *buffer, uint64_t size, uint64_t offset,
    exr_stream_error_func_ptr_t report) {
    (void)context;
    (void)report;
    const COpenEXRPicture *picture = user;
    if (offset >= picture->count) return 0;
    uint64_t left = picture->count - offset;
    uint64_t taken = size < left ? size : left;
    memcpy(buffer, picture->bytes + offset, taken);
    return (int64_t)taken;
}

static int64_t memory_size(exr_const_context_t context, void *user) {
    (void)context;
    return (int64_t)((const COpenEXRPicture *)user)->count;
}

// The library would print to standard error; the codes say enough.
static void ignore_error(exr_const_context_t context, exr_result_t code, const char *message) {
    (void)context;
    (void)code;
    (void)message;
}

static COpenEXRStatus failed(const struct COpenEXRFunctions *exr, exr_result_t code, char *message) {
    snprintf(message, COPENEXR_MESSAGE_LENGTH, "%s", exr->exr_get_default_error_message(code));
    return COPENEXR_BROKEN;
}

COpenEXRStatus copenexr_open(
    const struct COpenEXRFunctions *exr, const uint8_t *bytes, size_t count, int maximum_side,
    uint64_t maximum_bytes, COpenEXRPicture **result, int *width, int *height, char *message) {
    *result = NULL;
    COpenEXRPicture *picture = calloc(1, sizeof *picture);
    if (picture == NULL) return COPENEXR_TOO_LARGE;
    picture->exr = exr;
    picture->bytes = bytes;
    picture->count = count;
    // The library would call a file beyond its limits broken: these only keep nonsense from it, ours are checked below.
    const int32_t no_camera = 1 << 20;
    exr_context_initializer_t initializer = EXR_DEFAULT_CONTEXT_INITIALIZER;
    initializer.error_handler_fn = ignore_error;
    initializer.user_data = picture;
    initializer.read_fn = read_memory;
    initializer.size_fn = memory_size;
    initializer.max_image_width = initializer.max_image_height = no_camera;
    initializer.max_tile_width = initializer.max_tile_height = no_camera;
    exr_result_t code = exr->exr_start_read(&picture->context, "memory", &initializer);
    if (code != 0) {
        free(picture);
        return failed(exr, code, message);
    }
    COpenEXRStatus status = COPENEXR_OK;
    int parts = 0;
    exr_storage_t storage = EXR_STORAGE_LAST_TYPE;
    uint64_t unpacked = 0;
    if ((code = exr->exr_get_count(picture->context, &parts)) != 0 ||
        (code = exr->exr_get_storage(picture->context, 0, &storage)) != 0 ||
        (code = exr->exr_get_data_window(picture->context, 0, &picture->window)) != 0 ||
        (code = exr->exr_get_chunk_unpacked_size(picture->context, 0, &unpacked)) != 0) {
        status = failed(exr, code, message);
    } else if (parts != 1 || storage != EXR_STORAGE_SCANLINE) {
        snprintf(message, COPENEXR_MESSAGE_LENGTH, "%d parts, storage %d", parts, (int)storage);
        status = COPENEXR_UNSUPPORTED;
    } else if (unpacked > maximum_bytes) {
        snprintf(
            message, COPENEXR_MESSAGE_LENGTH, "%llu bytes for a few rows", (unsigned long long)unpacked);
        status = COPENEXR_TOO_LARGE;
    }
    int64_t columns = (int64_t)picture->window.max.x - picture->window.min.x + 1;
    int64_t rows = (int64_t)picture->window.max.y - picture->window.min.y + 1;
    if (status == COPENEXR_OK &&
        (columns < 1 || rows < 1 || columns > maximum_side || rows > maximum_side)) {
        snprintf(
            message, COPENEXR_MESSAGE_LENGTH, "%lld x %lld", (long long)columns, (long long)rows);
        status = COPENEXR_TOO_LARGE;
    }
    if (status != COPENEXR_OK) {
        copenexr_close(picture);
        return status;
    }
    *width = (int)columns;
    *height = (int)rows;
    *result = picture;
    return COPENEXR_OK;
}

// The channel that holds the map: depth is written as Z, as luminance, or in all of R, G and B.
static exr_coding_channel_info_t *map_channel(const exr_decode_pipeline_t *pipeline) {
    static const char *const names[] = {"Z", "Y", "R"};
    for (size_t name = 0; name < sizeof names / sizeof *names; name++) {
        for (int index = 0; index < pipeline->channel_count; index++) {
            if (strcmp(pipeline->channels[index].channel_name, names[name]) == 0) return &pipeline->channels[index];
        }
    }
    return pipeline->channel_count == 1 ? pipeline->channels : NULL;
}

COpenEXRStatus copenexr_read(COpenEXRPicture *picture, float *values, char *message) {
    const struct COpenEXRFunctions *exr = picture->exr;
    int width = picture->window.max.x - picture->window.min.x + 1;
    int32_t lines = 0;
    exr_result_t code = exr->exr_get_scanlines_per_chunk(picture->context, 0, &lines);
    if (code != 0 || lines < 1) return failed(exr, code, message);
    float *unwanted = malloc((size_t)lines * (size_t)width * sizeof(float));
    if (unwanted == NULL) return COPENEXR_TOO_LARGE;
    exr_decode_pipeline_t pipeline = EXR_DECODE_PIPELINE_INITIALIZER;
    COpenEXRStatus status = COPENEXR_OK;
    bool is_first = true;
    for (int64_t y = picture->window.min.y; y <= picture->window.max.y && status == COPENEXR_OK;
         y += lines) {
        exr_chunk_info_t chunk;
        code = exr->exr_read_scanline_chunk_info(picture->context, 0, (int)y, &chunk);
        if (code == 0) {
            code = is_first ? exr->exr_decoding_initialize(picture->context, 0, &chunk, &pipeline)
                            : exr->exr_decoding_update(picture->context, 0, &chunk, &pipeline);
        }
        if (code != 0) {
            status = failed(exr, code, message);
            break;
        }
        exr_coding_channel_info_t *channel = map_channel(&pipeline);
        if (channel == NULL || channel->x_samples != 1 || channel->y_samples != 1 || channel->width != width ||
            chunk.start_y < picture->window.min.y || chunk.height < 1 || chunk.height > lines ||
            (int64_t)chunk.start_y + chunk.height - 1 > picture->window.max.y) {
            snprintf(message, COPENEXR_MESSAGE_LENGTH, "no channel Z, Y or R at full size");
            status = COPENEXR_UNSUPPORTED;
            is_first = false;
            break;
        }
        for (int index = 0; index < pipeline.channel_count; index++) {
            exr_coding_channel_info_t *each = &pipeline.channels[index];
            each->user_bytes_per_element = sizeof(float);
            each->user_data_type = EXR_PIXEL_FLOAT;
            each->user_pixel_stride = sizeof(float);
            each->user_line_stride = width * (int32_t)sizeof(float);
            // Its fast paths write all channels, wanted or not.
            each->decode_to_ptr = (uint8_t *)unwanted;
        }
        size_t row = (size_t)(chunk.start_y - picture->window.min.y);
        channel->decode_to_ptr = (uint8_t *)(values + row * (size_t)width);
        if (is_first) {
            code = exr->exr_decoding_choose_default_routines(picture->context, 0, &pipeline);
        }
        is_first = false;
        if (code == 0) code = exr->exr_decoding_run(picture->context, 0, &pipeline);
        if (code != 0) status = failed(exr, code, message);
    }
    if (!is_first) exr->exr_decoding_destroy(picture->context, &pipeline);
    free(unwanted);
    return status;
}

void copenexr_close(COpenEXRPicture *picture) {
    if (picture == NULL) return;
    picture->exr->exr_finish(&picture->context);
    free(picture);
}

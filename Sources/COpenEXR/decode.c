#include "COpenEXR.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Declarations of OpenEXR 3.1 (openexr_context.h, openexr_chunkio.h, openexr_coding.h, openexr_decode.h).

typedef void *Context;

typedef struct {
    size_t size;
    void (*error_handler)(Context, int32_t, const char *);
    void *(*allocate)(size_t);
    void (*release)(void *);
    void *user_data;
    int64_t (*read)(Context, void *, void *, uint64_t, uint64_t, void *);
    int64_t (*query_size)(Context, void *);
    void *write;
    void *destroy;
    int maximum_width, maximum_height, maximum_tile_width, maximum_tile_height;
    int zip_level;
    float dwa_quality;
    int flags;
} Initializer;

typedef struct {
    int32_t index, start_x, start_y, height, width;
    uint8_t level_x, level_y, type, compression;
    uint64_t data_offset, packed_size, unpacked_size, sample_count_data_offset, sample_count_table_size;
} Chunk;

typedef struct {
    const char *name;
    int32_t height, width, x_samples, y_samples;
    uint8_t is_linear;
    int8_t bytes_each;
    uint16_t type;
    int16_t user_bytes_each;
    uint16_t user_type;
    int32_t user_pixel_stride, user_line_stride;
    uint8_t *decode_to;
} Channel;

typedef struct {
    Channel *channels;
    int16_t channel_count;
    // What follows is the library's own business; this is more than it takes (552 bytes in 3.1).
    uint64_t rest[256];
} Pipeline;

typedef struct {
    int32_t min_x, min_y, max_x, max_y;
} Box;

enum { STORAGE_SCANLINE = 0, PIXEL_FLOAT = 2 };

// Every function that is used, once: result, name, parameters.
#define FUNCTIONS(X)                                                                              \
    X(int32_t, exr_start_read, (Context *, const char *, const Initializer *))                    \
    X(int32_t, exr_finish, (Context *))                                                           \
    X(int32_t, exr_get_count, (Context, int *))                                                   \
    X(int32_t, exr_get_storage, (Context, int, int *))                                            \
    X(int32_t, exr_get_data_window, (Context, int, Box *))                                        \
    X(int32_t, exr_get_scanlines_per_chunk, (Context, int, int32_t *))                            \
    X(int32_t, exr_get_chunk_unpacked_size, (Context, int, uint64_t *))                           \
    X(int32_t, exr_read_scanline_chunk_info, (Context, int, int, Chunk *))                        \
    X(int32_t, exr_decoding_initialize, (Context, int, const Chunk *, Pipeline *))                \
    X(int32_t, exr_decoding_update, (Context, int, const Chunk *, Pipeline *))                    \
    X(int32_t, exr_decoding_choose_default_routines, (Context, int, Pipeline *))                  \
    X(int32_t, exr_decoding_run, (Context, int, Pipeline *))                                      \
    X(int32_t, exr_decoding_destroy, (Context, Pipeline *))                                       \
    X(const char *, exr_get_default_error_message, (int32_t))

typedef struct {
#define MEMBER(result, name, parameters) result(*name) parameters;
    FUNCTIONS(MEMBER)
#undef MEMBER
} Functions;

static Functions exr;

const char *copenexr_find_functions(void *library, COpenEXRFunctions *table) {
    Functions found;
#define FIND(result, name, parameters)             \
    *(void **)&found.name = dlsym(library, #name); \
    if (*(void **)&found.name == NULL) return #name;
    FUNCTIONS(FIND)
#undef FIND
    *(void **)&table->exr_get_library_version = dlsym(library, "exr_get_library_version");
    if (table->exr_get_library_version == NULL) return "exr_get_library_version";
    exr = found;
    return NULL;
}

struct COpenEXRPicture {
    const uint8_t *bytes;
    size_t count;
    Context context;
    Box window;
};

static int64_t read_memory(
    Context context, void *user, void *buffer, uint64_t size, uint64_t offset, void *report) {
    (void)context;
    (void)report;
    const COpenEXRPicture *picture = user;
    if (offset >= picture->count) return 0;
    uint64_t left = picture->count - offset;
    uint64_t taken = size < left ? size : left;
    memcpy(buffer, picture->bytes + offset, taken);
    return (int64_t)taken;
}

static int64_t memory_size(Context context, void *user) {
    (void)context;
    return (int64_t)((const COpenEXRPicture *)user)->count;
}

// The library would print to standard error; the codes say enough.
static void ignore_error(Context context, int32_t code, const char *message) {
    (void)context;
    (void)code;
    (void)message;
}

static COpenEXRStatus failed(int32_t code, char *message) {
    snprintf(message, COPENEXR_MESSAGE_LENGTH, "%s", exr.exr_get_default_error_message(code));
    return COPENEXR_BROKEN;
}

COpenEXRStatus copenexr_open(
    const uint8_t *bytes, size_t count, int maximum_side, uint64_t maximum_bytes,
    COpenEXRPicture **result, int *width, int *height, char *message) {
    *result = NULL;
    COpenEXRPicture *picture = calloc(1, sizeof *picture);
    if (picture == NULL) return COPENEXR_TOO_LARGE;
    picture->bytes = bytes;
    picture->count = count;
    // The library would call a file beyond its limits broken: these only keep nonsense from it, ours are checked below.
    const int32_t no_camera = 1 << 20;
    Initializer initializer = {
        .size = sizeof initializer, .error_handler = ignore_error, .user_data = picture,
        .read = read_memory, .query_size = memory_size, .maximum_width = no_camera,
        .maximum_height = no_camera, .maximum_tile_width = no_camera,
        .maximum_tile_height = no_camera, .zip_level = -2, .dwa_quality = -1};
    int32_t code = exr.exr_start_read(&picture->context, "memory", &initializer);
    if (code != 0) {
        free(picture);
        return failed(code, message);
    }
    COpenEXRStatus status = COPENEXR_OK;
    int parts = 0, storage = -1;
    uint64_t unpacked = 0;
    if ((code = exr.exr_get_count(picture->context, &parts)) != 0 ||
        (code = exr.exr_get_storage(picture->context, 0, &storage)) != 0 ||
        (code = exr.exr_get_data_window(picture->context, 0, &picture->window)) != 0 ||
        (code = exr.exr_get_chunk_unpacked_size(picture->context, 0, &unpacked)) != 0) {
        status = failed(code, message);
    } else if (parts != 1 || storage != STORAGE_SCANLINE) {
        snprintf(message, COPENEXR_MESSAGE_LENGTH, "%d parts, storage %d", parts, storage);
        status = COPENEXR_UNSUPPORTED;
    } else if (unpacked > maximum_bytes) {
        snprintf(
            message, COPENEXR_MESSAGE_LENGTH, "%llu bytes for a few rows", (unsigned long long)unpacked);
        status = COPENEXR_TOO_LARGE;
    }
    int64_t columns = (int64_t)picture->window.max_x - picture->window.min_x + 1;
    int64_t rows = (int64_t)picture->window.max_y - picture->window.min_y + 1;
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
static Channel *map_channel(const Pipeline *pipeline) {
    static const char *const names[] = {"Z", "Y", "R"};
    for (size_t name = 0; name < sizeof names / sizeof *names; name++) {
        for (int index = 0; index < pipeline->channel_count; index++) {
            if (strcmp(pipeline->channels[index].name, names[name]) == 0) return &pipeline->channels[index];
        }
    }
    return pipeline->channel_count == 1 ? pipeline->channels : NULL;
}

COpenEXRStatus copenexr_read(COpenEXRPicture *picture, float *values, char *message) {
    int width = picture->window.max_x - picture->window.min_x + 1;
    int32_t lines = 0;
    int32_t code = exr.exr_get_scanlines_per_chunk(picture->context, 0, &lines);
    if (code != 0 || lines < 1) return failed(code, message);
    float *unwanted = malloc((size_t)lines * (size_t)width * sizeof(float));
    if (unwanted == NULL) return COPENEXR_TOO_LARGE;
    Pipeline pipeline = {0};
    COpenEXRStatus status = COPENEXR_OK;
    bool is_first = true;
    for (int64_t y = picture->window.min_y; y <= picture->window.max_y && status == COPENEXR_OK;
         y += lines) {
        Chunk chunk;
        code = exr.exr_read_scanline_chunk_info(picture->context, 0, (int)y, &chunk);
        if (code == 0) {
            code = is_first ? exr.exr_decoding_initialize(picture->context, 0, &chunk, &pipeline)
                            : exr.exr_decoding_update(picture->context, 0, &chunk, &pipeline);
        }
        if (code != 0) {
            status = failed(code, message);
            break;
        }
        Channel *channel = map_channel(&pipeline);
        if (channel == NULL || channel->x_samples != 1 || channel->y_samples != 1 || channel->width != width ||
            chunk.start_y < picture->window.min_y || chunk.height < 1 || chunk.height > lines ||
            (int64_t)chunk.start_y + chunk.height - 1 > picture->window.max_y) {
            snprintf(message, COPENEXR_MESSAGE_LENGTH, "no channel Z, Y or R at full size");
            status = COPENEXR_UNSUPPORTED;
            is_first = false;
            break;
        }
        for (int index = 0; index < pipeline.channel_count; index++) {
            Channel *each = &pipeline.channels[index];
            each->user_bytes_each = sizeof(float);
            each->user_type = PIXEL_FLOAT;
            each->user_pixel_stride = sizeof(float);
            each->user_line_stride = width * (int32_t)sizeof(float);
            // Its fast paths write all channels, wanted or not.
            each->decode_to = (uint8_t *)unwanted;
        }
        size_t row = (size_t)(chunk.start_y - picture->window.min_y);
        channel->decode_to = (uint8_t *)(values + row * (size_t)width);
        if (is_first) {
            code = exr.exr_decoding_choose_default_routines(picture->context, 0, &pipeline);
        }
        is_first = false;
        if (code == 0) code = exr.exr_decoding_run(picture->context, 0, &pipeline);
        if (code != 0) status = failed(code, message);
    }
    if (!is_first) exr.exr_decoding_destroy(picture->context, &pipeline);
    free(unwanted);
    return status;
}

void copenexr_close(COpenEXRPicture *picture) {
    if (picture == NULL) return;
    exr.exr_finish(&picture->context);
    free(picture);
}

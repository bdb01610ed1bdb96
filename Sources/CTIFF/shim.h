// libtiff as Swift can call it: typed getters for its variadic ones, files in memory, errors by handle.
#pragma once
#include <dlfcn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

/// A file in memory and the words of the first error that happened with it.
typedef struct {
    /// The file; owned by whoever opened it for reading, by the structure itself when writing.
    uint8_t *bytes;
    uint64_t count;
    uint64_t capacity;
    uint64_t position;
    /// Whether writes are allowed.
    int writable;
    char message[256];
} ctiff_memory;

static inline tmsize_t ctiff_memory_read(thandle_t handle, void *target, tmsize_t count) {
    ctiff_memory *memory = (ctiff_memory *)handle;
    if (count <= 0 || memory->position >= memory->count) { return 0; }
    uint64_t left = memory->count - memory->position;
    uint64_t taken = (uint64_t)count < left ? (uint64_t)count : left;
    memcpy(target, memory->bytes + memory->position, (size_t)taken);
    memory->position += taken;
    return (tmsize_t)taken;
}

static inline tmsize_t ctiff_memory_write(thandle_t handle, void *source, tmsize_t count) {
    ctiff_memory *memory = (ctiff_memory *)handle;
    if (!memory->writable || count < 0) { return -1; }
    uint64_t end = memory->position + (uint64_t)count;
    // A classic TIFF ends at 4 GiB; also keeps the sum above from wrapping.
    if (end < memory->position || end > UINT32_MAX) { return -1; }
    if (end > memory->capacity) {
        uint64_t capacity = memory->capacity < 65536 ? 65536 : memory->capacity;
        while (capacity < end) { capacity += capacity / 2; }
        uint8_t *grown = (uint8_t *)realloc(memory->bytes, (size_t)capacity);
        if (grown == NULL) { return -1; }
        memory->bytes = grown;
        memory->capacity = capacity;
    }
    if (memory->position > memory->count) {
        memset(memory->bytes + memory->count, 0, (size_t)(memory->position - memory->count));
    }
    memcpy(memory->bytes + memory->position, source, (size_t)count);
    memory->position = end;
    if (end > memory->count) { memory->count = end; }
    return count;
}

static inline toff_t ctiff_memory_seek(thandle_t handle, toff_t offset, int whence) {
    ctiff_memory *memory = (ctiff_memory *)handle;
    switch (whence) {
        case SEEK_SET: memory->position = offset; break;
        case SEEK_CUR: memory->position += offset; break;
        case SEEK_END: memory->position = memory->count + offset; break;
        default: return (toff_t)-1;
    }
    return memory->position;
}

static inline int ctiff_memory_close(thandle_t handle) {
    (void)handle;
    return 0;
}

static inline toff_t ctiff_memory_size(thandle_t handle) { return ((ctiff_memory *)handle)->count; }

static inline int ctiff_memory_error(
    TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    ctiff_memory *memory = (ctiff_memory *)user;
    (void)tiff;
    (void)module;
    // The first error is the cause, what follows are its consequences.
    if (memory->message[0] == '\0') { vsnprintf(memory->message, sizeof memory->message, format, arguments); }
    return 1;
}

static inline int ctiff_memory_warning(
    TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    (void)tiff;
    (void)user;
    (void)module;
    (void)format;
    (void)arguments;
    return 1;
}

/// Limits what libtiff holds at once for one file, where the loaded version (4.6.1 and newer) can do so. Looked up at run
/// time: the header that this is built with may be an older one, or a newer one than the library.
static inline void ctiff_limit_total(TIFFOpenOptions *options, tmsize_t maximum) {
    void (*limit)(TIFFOpenOptions *, tmsize_t) = NULL;
    *(void **)&limit = dlsym(RTLD_DEFAULT, "TIFFOpenOptionsSetMaxCumulatedMemAlloc");
    if (limit != NULL) { limit(options, maximum); }
}

/// Opens a file in memory. Errors go to `memory->message`, no allocation is larger than `maximum_allocation`, and all
/// together not larger than `maximum_total`; 0 is no limit.
static inline TIFF *ctiff_open(
    ctiff_memory *memory, const char *mode, tmsize_t maximum_allocation, tmsize_t maximum_total) {
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (options == NULL) { return NULL; }
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, maximum_allocation);
    ctiff_limit_total(options, maximum_total);
    TIFFOpenOptionsSetErrorHandlerExtR(options, ctiff_memory_error, memory);
    TIFFOpenOptionsSetWarningHandlerExtR(options, ctiff_memory_warning, memory);
    TIFF *tiff = TIFFClientOpenExt(
        "file", mode, (thandle_t)memory, ctiff_memory_read, ctiff_memory_write, ctiff_memory_seek,
        ctiff_memory_close, ctiff_memory_size, NULL, NULL, options);
    TIFFOpenOptionsFree(options);
    return tiff;
}

/// The value of a tag of 16 bits, its default, or `fallback`.
static inline uint16_t ctiff_get_uint16(TIFF *tiff, uint32_t tag, uint16_t fallback) {
    uint16_t value = 0;
    return TIFFGetFieldDefaulted(tiff, tag, &value) ? value : fallback;
}

/// The value of a tag of 32 bits, its default, or `fallback`.
static inline uint32_t ctiff_get_uint32(TIFF *tiff, uint32_t tag, uint32_t fallback) {
    uint32_t value = 0;
    return TIFFGetFieldDefaulted(tiff, tag, &value) ? value : fallback;
}

/// The value of a tag that libtiff holds as float (XResolution, YResolution), or `fallback`.
static inline float ctiff_get_float(TIFF *tiff, uint32_t tag, float fallback) {
    float value = 0;
    return TIFFGetField(tiff, tag, &value) ? value : fallback;
}

/// What the samples beyond the colours mean; the array is libtiff's own. Returns their number.
static inline uint16_t ctiff_get_extra_samples(TIFF *tiff, const uint16_t **kinds) {
    uint16_t count = 0;
    uint16_t *found = NULL;
    if (!TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &found) || found == NULL) { count = 0; }
    *kinds = found;
    return count;
}

/// The palette: three arrays of 2^bits values, libtiff's own. Returns whether there is one.
static inline int ctiff_get_color_map(
    TIFF *tiff, const uint16_t **red, const uint16_t **green, const uint16_t **blue) {
    uint16_t *r = NULL, *g = NULL, *b = NULL;
    int found = TIFFGetField(tiff, TIFFTAG_COLORMAP, &r, &g, &b);
    *red = r;
    *green = g;
    *blue = b;
    return found && r != NULL && g != NULL && b != NULL;
}

/// Sets a tag whose value libtiff takes as an integer of at most 32 bits.
static inline int ctiff_set_uint32(TIFF *tiff, uint32_t tag, uint32_t value) {
    return TIFFSetField(tiff, tag, value);
}

/// Sets a tag whose value libtiff takes as a double (XResolution, YResolution).
static inline int ctiff_set_double(TIFF *tiff, uint32_t tag, double value) {
    return TIFFSetField(tiff, tag, value);
}

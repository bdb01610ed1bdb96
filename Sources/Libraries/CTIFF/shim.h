// libtiff (4.5 and newer) as Swift can call it, found at run time: typed getters for its variadic ones, files in memory,
// errors by handle.
//
// Nothing here is linked: tiffio.h lends its types, so that a wrong signature does not compile, and the functions are
// looked up in a library opened with dlopen (RuntimeLibraries). libtiff brings eight libraries of codecs with it; a program
// that reads and writes no TIFF runs without all of them.
#pragma once
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

// Every function that is used, once: a column of the table, and its name.
#define CTIFF_FUNCTIONS(X)               \
    X(TIFFGetVersion)                    \
    X(TIFFOpenOptionsAlloc)              \
    X(TIFFOpenOptionsFree)               \
    X(TIFFOpenOptionsSetMaxSingleMemAlloc) \
    X(TIFFOpenOptionsSetErrorHandlerExtR) \
    X(TIFFOpenOptionsSetWarningHandlerExtR) \
    X(TIFFClientOpenExt)                 \
    X(TIFFClose)                         \
    X(TIFFFlush)                         \
    X(TIFFGetField)                      \
    X(TIFFGetFieldDefaulted)             \
    X(TIFFSetField)                      \
    X(TIFFIsCODECConfigured)             \
    X(TIFFIsTiled)                       \
    X(TIFFScanlineSize)                  \
    X(TIFFReadScanline)                  \
    X(TIFFWriteScanline)                 \
    X(TIFFTileSize)                      \
    X(TIFFTileRowSize)                   \
    X(TIFFReadTile)                      \
    X(TIFFRawStripSize)                  \
    X(TIFFReadRawStrip)

struct CTIFFFunctions {
#define CTIFF_MEMBER(name) __typeof__(name) *_Nonnull name;
    CTIFF_FUNCTIONS(CTIFF_MEMBER)
#undef CTIFF_MEMBER
    // Of 4.6.1: the header that this is built with may be an older one. Null where the library lacks it.
    void (*_Nullable TIFFOpenOptionsSetMaxCumulatedMemAlloc)(TIFFOpenOptions *, tmsize_t);
};

// The names of the table's functions in their order, a space after each: those that are needed, and that which may lack.
#define CTIFF_NAME(name) #name " "
static inline const char *_Nonnull ctiff_function_names(void) { return CTIFF_FUNCTIONS(CTIFF_NAME); }
static inline const char *_Nonnull ctiff_optional_function_names(void) {
    return "TIFFOpenOptionsSetMaxCumulatedMemAlloc ";
}
#undef CTIFF_NAME

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

/// Opens a file in memory. Errors go to `memory->message`, no allocation is larger than `maximum_allocation`, and all
/// together not larger than `maximum_total`; 0 is no limit.
static inline TIFF *ctiff_open(
    struct CTIFFFunctions library, ctiff_memory *memory, const char *mode, tmsize_t maximum_allocation,
    tmsize_t maximum_total) {
    TIFFOpenOptions *options = library.TIFFOpenOptionsAlloc();
    if (options == NULL) { return NULL; }
    library.TIFFOpenOptionsSetMaxSingleMemAlloc(options, maximum_allocation);
    // Only newer versions limit what they hold at once for one file.
    if (library.TIFFOpenOptionsSetMaxCumulatedMemAlloc != NULL) {
        library.TIFFOpenOptionsSetMaxCumulatedMemAlloc(options, maximum_total);
    }
    library.TIFFOpenOptionsSetErrorHandlerExtR(options, ctiff_memory_error, memory);
    library.TIFFOpenOptionsSetWarningHandlerExtR(options, ctiff_memory_warning, memory);
    TIFF *tiff = library.TIFFClientOpenExt(
        "file", mode, (thandle_t)memory, ctiff_memory_read, ctiff_memory_write, ctiff_memory_seek,
        ctiff_memory_close, ctiff_memory_size, NULL, NULL, options);
    library.TIFFOpenOptionsFree(options);
    return tiff;
}

/// The value of a tag of 16 bits, its default, or `fallback`.
static inline uint16_t ctiff_get_uint16(struct CTIFFFunctions library, TIFF *tiff, uint32_t tag, uint16_t fallback) {
    uint16_t value = 0;
    return library.TIFFGetFieldDefaulted(tiff, tag, &value) ? value : fallback;
}

/// The value of a tag of 32 bits, its default, or `fallback`.
static inline uint32_t ctiff_get_uint32(struct CTIFFFunctions library, TIFF *tiff, uint32_t tag, uint32_t fallback) {
    uint32_t value = 0;
    return library.TIFFGetFieldDefaulted(tiff, tag, &value) ? value : fallback;
}

/// The value of a tag that libtiff holds as float (XResolution, YResolution), or `fallback`.
static inline float ctiff_get_float(struct CTIFFFunctions library, TIFF *tiff, uint32_t tag, float fallback) {
    float value = 0;
    return library.TIFFGetField(tiff, tag, &value) ? value : fallback;
}

/// What the samples beyond the colours mean; the array is libtiff's own. Returns their number.
static inline uint16_t ctiff_get_extra_samples(struct CTIFFFunctions library, TIFF *tiff, const uint16_t **kinds) {
    uint16_t count = 0;
    uint16_t *found = NULL;
    if (!library.TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &found) || found == NULL) { count = 0; }
    *kinds = found;
    return count;
}

/// The palette: three arrays of 2^bits values, libtiff's own. Returns whether there is one.
static inline int ctiff_get_color_map(
    struct CTIFFFunctions library, TIFF *tiff, const uint16_t **red, const uint16_t **green, const uint16_t **blue) {
    uint16_t *r = NULL, *g = NULL, *b = NULL;
    int found = library.TIFFGetField(tiff, TIFFTAG_COLORMAP, &r, &g, &b);
    *red = r;
    *green = g;
    *blue = b;
    return found && r != NULL && g != NULL && b != NULL;
}

/// Sets a tag whose value libtiff takes as an integer of at most 32 bits.
static inline int ctiff_set_uint32(struct CTIFFFunctions library, TIFF *tiff, uint32_t tag, uint32_t value) {
    return library.TIFFSetField(tiff, tag, value);
}

/// Sets a tag whose value libtiff takes as a double (XResolution, YResolution).
static inline int ctiff_set_double(struct CTIFFFunctions library, TIFF *tiff, uint32_t tag, double value) {
    return library.TIFFSetField(tiff, tag, value);
}

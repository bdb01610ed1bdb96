// One channel of an OpenEXR picture as floats, by OpenEXRCore's functions, found at run time.
//
// Nothing here is linked: OpenEXR's headers lend their types and structures, and the functions are looked up in a library
// opened with dlopen (RuntimeLibraries). A program that reads no such picture runs without the library.
#pragma once

#include <OpenEXR/openexr.h>
#include <stddef.h>
#include <stdint.h>

// Every function that is used, once: a column of the table, and its name.
#define COPENEXR_FUNCTIONS(X)              \
    X(exr_get_library_version)             \
    X(exr_get_default_error_message)       \
    X(exr_start_read)                      \
    X(exr_finish)                          \
    X(exr_get_count)                       \
    X(exr_get_storage)                     \
    X(exr_get_data_window)                 \
    X(exr_get_scanlines_per_chunk)         \
    X(exr_get_chunk_unpacked_size)         \
    X(exr_read_scanline_chunk_info)        \
    X(exr_decoding_initialize)             \
    X(exr_decoding_update)                 \
    X(exr_decoding_choose_default_routines) \
    X(exr_decoding_run)                    \
    X(exr_decoding_destroy)

struct COpenEXRFunctions {
#define COPENEXR_MEMBER(name) __typeof__(name) *_Nonnull name;
    COPENEXR_FUNCTIONS(COPENEXR_MEMBER)
#undef COPENEXR_MEMBER
};

// The names of the table's functions in their order, a space after each.
static inline const char *_Nonnull copenexr_function_names(void) {
#define COPENEXR_NAME(name) #name " "
    return COPENEXR_FUNCTIONS(COPENEXR_NAME);
#undef COPENEXR_NAME
}

// The minor version of OpenEXR 3 whose headers this was built with: they decide which libraries' structures are known.
enum { COPENEXR_HEADER_MINOR = OPENEXR_VERSION_MINOR };

// An open picture.
typedef struct COpenEXRPicture COpenEXRPicture;

// Why nothing came out.
typedef enum {
    COPENEXR_OK = 0,
    // The file is broken.
    COPENEXR_BROKEN,
    // Tiles, deep pixels, several parts, or no channel that could be a map.
    COPENEXR_UNSUPPORTED,
    // The file asks for more memory than allowed.
    COPENEXR_TOO_LARGE,
} COpenEXRStatus;

enum { COPENEXR_MESSAGE_LENGTH = 200 };

// Opens a picture in memory. The bytes and the table of functions must stay until it is closed.
// width, height: its data window, at most maximum_side each.
// message: the library's words when the status is not COPENEXR_OK.
COpenEXRStatus copenexr_open(
    const struct COpenEXRFunctions *_Nonnull exr, const uint8_t *_Nonnull bytes, size_t count,
    int maximum_side, uint64_t maximum_bytes, COpenEXRPicture *_Nullable *_Nonnull picture,
    int *_Nonnull width, int *_Nonnull height, char *_Nonnull message);

// Decodes channel Z, Y or R, or the only one there is, into width x height floats.
COpenEXRStatus copenexr_read(
    COpenEXRPicture *_Nonnull picture, float *_Nonnull values, char *_Nonnull message);

// Frees a picture.
void copenexr_close(COpenEXRPicture *_Nullable picture);

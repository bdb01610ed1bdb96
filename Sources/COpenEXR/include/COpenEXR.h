// One channel of an OpenEXR picture as floats, by OpenEXRCore found at run time.
//
// Nothing is linked and OpenEXR's headers are not needed to build: what is used of them is declared in decode.c, as
// OpenEXR 3.1 does. Its decoding pipeline has another layout from 3.2 on, which the library's own name tells apart.
#pragma once

#include <stddef.h>
#include <stdint.h>

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

// What is asked of the library before it is used.
typedef struct COpenEXRFunctions {
    void (*_Nonnull exr_get_library_version)(
        int *_Nonnull major, int *_Nonnull minor, int *_Nonnull patch,
        const char *_Nullable *_Nonnull extra);
} COpenEXRFunctions;

// Looks up all functions in an open library, for all that is below: to have succeeded before those are called, not to be
// called at once with them. Returns null, or the name of the first function that the library lacks.
const char *_Nullable copenexr_find_functions(
    void *_Nonnull library, COpenEXRFunctions *_Nonnull functions);

// Opens a picture in memory, which must stay until it is closed.
// width, height: its data window, at most maximum_side each.
// message: the library's words when the status is not COPENEXR_OK.
COpenEXRStatus copenexr_open(
    const uint8_t *_Nonnull bytes, size_t count, int maximum_side, uint64_t maximum_bytes,
    COpenEXRPicture *_Nullable *_Nonnull picture, int *_Nonnull width, int *_Nonnull height,
    char *_Nonnull message);

// Decodes channel Z, Y or R, or the only one there is, into width x height floats.
COpenEXRStatus copenexr_read(
    COpenEXRPicture *_Nonnull picture, float *_Nonnull values, char *_Nonnull message);

// Frees a picture.
void copenexr_close(COpenEXRPicture *_Nullable picture);

// zbar's functions (0.23 and newer, libzbar.so.0), found at run time.
//
// Nothing here is linked, and no header of zbar is needed, whose development package brings those of X11 and video: the few
// functions that are used are declared here as zbar.h documents them. All objects are opaque.
#pragma once

#include <stddef.h>

typedef struct czbar_scanner czbar_scanner;
typedef struct czbar_image czbar_image;
typedef struct czbar_symbol czbar_symbol;

// Kinds of symbols (zbar_symbol_type_t).
enum {
    CZBAR_ANY = 0,
    CZBAR_EAN8 = 8,
    CZBAR_UPCE = 9,
    CZBAR_UPCA = 12,
    CZBAR_EAN13 = 13,
    CZBAR_ITF = 25,
    CZBAR_DATABAR = 34,
    CZBAR_DATABAR_EXPANDED = 35,
    CZBAR_CODABAR = 38,
    CZBAR_CODE39 = 39,
    CZBAR_QR = 64,
    CZBAR_CODE93 = 93,
    CZBAR_CODE128 = 128,
};

// Settings (zbar_config_t).
enum {
    CZBAR_ENABLE = 0,
    // QR: bytes as they stand in the symbol, not guessed to be text.
    CZBAR_BINARY = 4,
    // Looks again in the negative where nothing was found.
    CZBAR_TEST_INVERTED = 0x81,
};

// Bits of zbar_symbol_get_modifiers: FNC1 stands first, or after an application indicator.
enum { CZBAR_GS1 = 1 << 0 };

// Every function that is used, once: what it returns, its name, its parameters.
#define CZBAR_FUNCTIONS(X)                                                                                             \
    X(int, zbar_version, (unsigned *_Nullable major, unsigned *_Nullable minor, unsigned *_Nullable patch))            \
    X(czbar_scanner *_Nullable, zbar_image_scanner_create, (void))                                                     \
    X(void, zbar_image_scanner_destroy, (czbar_scanner *_Nonnull))                                                     \
    X(int, zbar_image_scanner_set_config, (czbar_scanner *_Nonnull, int symbology, int config, int value))             \
    X(int, zbar_scan_image, (czbar_scanner *_Nonnull, czbar_image *_Nonnull))                                          \
    X(czbar_image *_Nullable, zbar_image_create, (void))                                                               \
    X(void, zbar_image_destroy, (czbar_image *_Nonnull))                                                               \
    X(void, zbar_image_set_format, (czbar_image *_Nonnull, unsigned long fourcc))                                      \
    X(void, zbar_image_set_size, (czbar_image *_Nonnull, unsigned width, unsigned height))                             \
    X(void, zbar_image_set_data,                                                                                       \
      (czbar_image *_Nonnull, const void *_Nonnull data, unsigned long bytes, void (*_Nullable done)(czbar_image *_Nullable))) \
    X(const czbar_symbol *_Nullable, zbar_image_first_symbol, (const czbar_image *_Nonnull))                           \
    X(const czbar_symbol *_Nullable, zbar_symbol_next, (const czbar_symbol *_Nonnull))                                 \
    X(int, zbar_symbol_get_type, (const czbar_symbol *_Nonnull))                                                       \
    X(unsigned, zbar_symbol_get_modifiers, (const czbar_symbol *_Nonnull))                                             \
    X(const char *_Nullable, zbar_symbol_get_data, (const czbar_symbol *_Nonnull))                                     \
    X(unsigned, zbar_symbol_get_data_length, (const czbar_symbol *_Nonnull))                                           \
    X(int, zbar_symbol_get_quality, (const czbar_symbol *_Nonnull))                                                    \
    X(unsigned, zbar_symbol_get_loc_size, (const czbar_symbol *_Nonnull))                                              \
    X(int, zbar_symbol_get_loc_x, (const czbar_symbol *_Nonnull, unsigned index))                                      \
    X(int, zbar_symbol_get_loc_y, (const czbar_symbol *_Nonnull, unsigned index))

struct CZBarFunctions {
#define CZBAR_MEMBER(type, name, parameters) type(*_Nonnull name) parameters;
    CZBAR_FUNCTIONS(CZBAR_MEMBER)
#undef CZBAR_MEMBER
};

// The names of the table's functions in their order, a space after each.
static inline const char *_Nonnull czbar_function_names(void) {
#define CZBAR_NAME(type, name, parameters) #name " "
    return CZBAR_FUNCTIONS(CZBAR_NAME);
#undef CZBAR_NAME
}

// The C functions of ZXing-C++ (2.3 and newer), found at run time.
//
// Nothing here is linked, and no header of ZXing-C++ is needed: the few functions that are used are declared here as its
// ZXingC.h documents them. Formats are asked for by name: their numbers are others in version 3.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct czxing_view czxing_view;
typedef struct czxing_options czxing_options;
typedef struct czxing_barcodes czxing_barcodes;
typedef struct czxing_barcode czxing_barcode;

typedef struct { int x, y; } czxing_point;
typedef struct { czxing_point top_left, top_right, bottom_right, bottom_left; } czxing_position;

// One byte of brightness a pixel (ZXing_ImageFormat_Lum).
enum { CZXING_LUMINANCE = 0x01000000 };
// Text as it was encoded (ZXing_TextMode_Plain).
enum { CZXING_PLAIN = 0 };
// The content follows GS1's rules (ZXing_ContentType_GS1).
enum { CZXING_GS1 = 3 };

// Every function that is used, once: what it returns, its name, its parameters.
#define CZXING_FUNCTIONS(X)                                                                                            \
    X(const char *_Nullable, ZXing_Version, (void))                                                                    \
    X(void, ZXing_free, (void *_Nullable))                                                                             \
    X(czxing_view *_Nullable, ZXing_ImageView_new,                                                                     \
      (const uint8_t *_Nonnull pixels, int width, int height, int format, int row_stride, int pixel_stride))           \
    X(void, ZXing_ImageView_delete, (czxing_view *_Nonnull))                                                           \
    X(czxing_options *_Nullable, ZXing_ReaderOptions_new, (void))                                                      \
    X(void, ZXing_ReaderOptions_delete, (czxing_options *_Nonnull))                                                    \
    X(void, ZXing_ReaderOptions_setTextMode, (czxing_options *_Nonnull, int mode))                                     \
    X(czxing_barcodes *_Nullable, ZXing_ReadBarcodes, (const czxing_view *_Nonnull, const czxing_options *_Nullable))  \
    X(void, ZXing_Barcodes_delete, (czxing_barcodes *_Nonnull))                                                        \
    X(int, ZXing_Barcodes_size, (const czxing_barcodes *_Nonnull))                                                     \
    X(const czxing_barcode *_Nullable, ZXing_Barcodes_at, (const czxing_barcodes *_Nonnull, int index))                \
    X(bool, ZXing_Barcode_isValid, (const czxing_barcode *_Nonnull))                                                   \
    X(int, ZXing_Barcode_format, (const czxing_barcode *_Nonnull))                                                     \
    X(char *_Nullable, ZXing_BarcodeFormatToString, (int format))                                                      \
    X(int, ZXing_Barcode_contentType, (const czxing_barcode *_Nonnull))                                                \
    X(uint8_t *_Nullable, ZXing_Barcode_bytes, (const czxing_barcode *_Nonnull, int *_Nonnull count))                  \
    X(char *_Nullable, ZXing_Barcode_text, (const czxing_barcode *_Nonnull))                                           \
    X(czxing_position, ZXing_Barcode_position, (const czxing_barcode *_Nonnull))

struct CZXingFunctions {
#define CZXING_MEMBER(type, name, parameters) type(*_Nonnull name) parameters;
    CZXING_FUNCTIONS(CZXING_MEMBER)
#undef CZXING_MEMBER
};

// The names of the table's functions in their order, a space after each.
static inline const char *_Nonnull czxing_function_names(void) {
#define CZXING_NAME(type, name, parameters) #name " "
    return CZXING_FUNCTIONS(CZXING_NAME);
#undef CZXING_NAME
}

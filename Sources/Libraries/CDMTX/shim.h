// libdmtx's functions (0.7.5 and newer of 0.7, libdmtx.so.0), found at run time.
//
// Nothing here is linked, and no header of libdmtx is needed: the few functions that are used are declared here as dmtx.h
// documents them. Of its structures only the message and the region are looked into, and only at the members declared here.
#pragma once

#include <stddef.h>

typedef struct cdmtx_image cdmtx_image;
typedef struct cdmtx_decode cdmtx_decode;
typedef struct cdmtx_time cdmtx_time;

// What was decoded (DmtxMessage).
typedef struct {
    size_t array_size, code_size, output_size;
    // How many bytes of the output are written.
    int output_count;
    int padding_count;
    int fnc1;
    unsigned char *_Nullable array;
    unsigned char *_Nullable code;
    unsigned char *_Nullable output;
} cdmtx_message;

typedef struct { int x, y; } cdmtx_pixel;
typedef struct { int plane, arrive, depart, magnitude; cdmtx_pixel place; } cdmtx_flow;
typedef struct {
    int angle, offset, magnitude, step_begin, step_positive, step_negative, distance;
    double deviation;
    cdmtx_pixel begin, positive, negative;
} cdmtx_line;

// Where a symbol stands (DmtxRegion). `fit_to_raw` takes the unit square to pixels counted from the lower left corner: rows
// (x, y, 1) times the matrix, divided by the third.
typedef struct {
    int jump_to_positive, jump_to_negative, steps;
    cdmtx_pixel final_positive, final_negative, bound_minimum, bound_maximum;
    cdmtx_flow flow_begin;
    int polarity, step_r, step_t;
    cdmtx_pixel place_r, place_t;
    int left_known, left_angle;
    cdmtx_pixel left_place;
    cdmtx_line left_line;
    int bottom_known, bottom_angle;
    cdmtx_pixel bottom_place;
    cdmtx_line bottom_line;
    int top_known, top_angle;
    cdmtx_pixel top_place;
    int right_known, right_angle;
    cdmtx_pixel right_place;
    int on_color, off_color, size_index, symbol_rows, symbol_columns, mapping_rows, mapping_columns;
    double raw_to_fit[3][3];
    double fit_to_raw[3][3];
} cdmtx_region;

enum {
    // Eight bits of grey a pixel.
    CDMTX_GRAY = 300,
    // The character that stands for FNC1 (DmtxPropFnc1).
    CDMTX_FNC1 = 104,
    // Pixels between the rows that are looked at, and the contrast of an edge, 1 to 100.
    CDMTX_SCAN_GAP = 202,
    CDMTX_EDGE_THRESHOLD = 205,
    // As many errors as the symbol's own redundancy can mend.
    CDMTX_ALL_ERRORS = -1,
};

// Every function that is used, once: what it returns, its name, its parameters.
#define CDMTX_FUNCTIONS(X)                                                                                             \
    X(char *_Nullable, dmtxVersion, (void))                                                                            \
    X(cdmtx_image *_Nullable, dmtxImageCreate, (unsigned char *_Nonnull pixels, int width, int height, int packing))   \
    X(unsigned, dmtxImageDestroy, (cdmtx_image *_Nullable *_Nonnull))                                                  \
    X(cdmtx_decode *_Nullable, dmtxDecodeCreate, (cdmtx_image *_Nonnull, int shrinking))                               \
    X(unsigned, dmtxDecodeDestroy, (cdmtx_decode *_Nullable *_Nonnull))                                                \
    X(unsigned, dmtxDecodeSetProp, (cdmtx_decode *_Nonnull, int property, int value))                                  \
    X(cdmtx_region *_Nullable, dmtxRegionFindNext, (cdmtx_decode *_Nonnull, cdmtx_time *_Nullable))                    \
    X(unsigned, dmtxRegionDestroy, (cdmtx_region *_Nullable *_Nonnull))                                                \
    X(cdmtx_message *_Nullable, dmtxDecodeMatrixRegion, (cdmtx_decode *_Nonnull, cdmtx_region *_Nonnull, int errors))  \
    X(unsigned, dmtxMessageDestroy, (cdmtx_message *_Nullable *_Nonnull))

struct CDMTXFunctions {
#define CDMTX_MEMBER(type, name, parameters) type(*_Nonnull name) parameters;
    CDMTX_FUNCTIONS(CDMTX_MEMBER)
#undef CDMTX_MEMBER
};

// The names of the table's functions in their order, a space after each.
static inline const char *_Nonnull cdmtx_function_names(void) {
#define CDMTX_NAME(type, name, parameters) #name " "
    return CDMTX_FUNCTIONS(CDMTX_NAME);
#undef CDMTX_NAME
}

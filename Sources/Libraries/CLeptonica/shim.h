// Leptonica's functions (1.79 and newer), found at run time: what tesseract reads pictures with.
//
// Nothing here is linked: allheaders.h lends its types, so that a wrong signature does not compile, and the functions are looked
// up in a library opened with dlopen (RuntimeLibraries).
#pragma once

#include <leptonica/allheaders.h>

// Every function that is used, once: a column of the table, and its name.
#define CLEPTONICA_FUNCTIONS(X) \
    X(setMsgSeverity)           \
    X(pixReadMem)               \
    X(pixReadHeaderMem)         \
    X(pixDestroy)               \
    X(pixGetWidth)              \
    X(pixGetHeight)             \
    X(pixGetDepth)              \
    X(pixGetSpp)                \
    X(pixGetWpl)                \
    X(pixGetData)               \
    X(pixConvertTo32)           \
    X(pixAlphaBlendUniform)

struct CLeptonicaFunctions {
#define CLEPTONICA_MEMBER(name) __typeof__(name) *_Nonnull name;
    CLEPTONICA_FUNCTIONS(CLEPTONICA_MEMBER)
#undef CLEPTONICA_MEMBER
};

#define CLEPTONICA_NAME(name) #name " "
// The names of the table's functions in their order, a space after each.
static inline const char *_Nonnull cleptonica_function_names(void) { return CLEPTONICA_FUNCTIONS(CLEPTONICA_NAME); }
#undef CLEPTONICA_NAME

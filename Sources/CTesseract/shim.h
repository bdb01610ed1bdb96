// tesseract's C API, found at run time.
//
// Nothing here is linked: the header only lends its types, so that a wrong signature does not compile, and the
// functions are looked up in a library opened with dlopen. A program that never reads text never pays for loading
// the library and runs where it is not installed.
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <tesseract/capi.h>

// Every function that is used, once: a column for the table and its look-up.
#define CTESSERACT_FUNCTIONS(X)                                                                     \
    X(TessDeleteText)                                                                               \
    X(TessDeleteTextArray)                                                                          \
    X(TessBaseAPIDelete)                                                                            \
    X(TessBaseAPISetVariable)                                                                       \
    X(TessBaseAPIInit4)                                                                             \
    X(TessBaseAPIGetLoadedLanguagesAsVector)                                                        \
    X(TessBaseAPISetPageSegMode)                                                                    \
    X(TessBaseAPISetImage)                                                                          \
    X(TessBaseAPISetSourceResolution)                                                               \
    X(TessBaseAPISetRectangle)                                                                      \
    X(TessBaseAPIRecognize)                                                                         \
    X(TessBaseAPIGetIterator)                                                                       \
    X(TessBaseAPIClear)                                                                             \
    X(TessResultIteratorDelete)                                                                     \
    X(TessResultIteratorNext)                                                                       \
    X(TessResultIteratorGetUTF8Text)                                                                \
    X(TessResultIteratorConfidence)                                                                 \
    X(TessResultIteratorGetPageIteratorConst)                                                       \
    X(TessPageIteratorBoundingBox)                                                                  \
    X(TessPageIteratorIsAtBeginningOf)                                                              \
    X(TessMonitorDelete)                                                                            \
    X(TessMonitorSetCancelFunc)                                                                     \
    X(TessMonitorSetCancelThis)                                                                     \
    X(TessMonitorSetDeadlineMSecs)

// tesseract's functions by their own names. The three that take nothing are declared in the header without a
// prototype, which has another type in C; they are spelled out.
struct CTesseractFunctions {
#define CTESSERACT_MEMBER(name) __typeof__(name) *_Nonnull name;
    CTESSERACT_FUNCTIONS(CTESSERACT_MEMBER)
#undef CTESSERACT_MEMBER
    const char *_Nullable (*_Nonnull TessVersion)(void);
    TessBaseAPI *_Nullable (*_Nonnull TessBaseAPICreate)(void);
    ETEXT_DESC *_Nullable (*_Nonnull TessMonitorCreate)(void);
    // OpenMP's, of the copy that tesseract itself uses; null where it was built without.
    int (*_Nullable omp_get_max_active_levels)(void);
    void (*_Nullable omp_set_max_active_levels)(int);
};

// Fills `table` from an open library. Returns null, or the name of the first function that the library lacks.
static inline const char *_Nullable ctesseract_find_functions(
    void *_Nonnull library, struct CTesseractFunctions *_Nonnull table) {
#define CTESSERACT_FIND(name)                                          \
    *(void **)&table->name = dlsym(library, #name);                    \
    if (*(void **)&table->name == NULL) return #name;
    CTESSERACT_FUNCTIONS(CTESSERACT_FIND)
    CTESSERACT_FIND(TessVersion)
    CTESSERACT_FIND(TessBaseAPICreate)
    CTESSERACT_FIND(TessMonitorCreate)
#undef CTESSERACT_FIND
    *(void **)&table->omp_get_max_active_levels = dlsym(library, "omp_get_max_active_levels");
    *(void **)&table->omp_set_max_active_levels = dlsym(library, "omp_set_max_active_levels");
    return NULL;
}

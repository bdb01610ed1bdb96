// tesseract's C API, found at run time, with its exceptions made a status.
//
// Nothing here is linked: the header lends its types, so that a wrong signature does not compile, and the functions are
// looked up in a library opened with dlopen (RuntimeLibraries). A program that never reads text never pays for loading the
// library and runs where it is not installed.
//
// tesseract is C++ and its C functions let exceptions pass, std::bad_alloc above all; one that reached a frame of Swift
// would end the process. All that allocates therefore goes through the functions at the end of this header.
#pragma once

#include <tesseract/capi.h>

#if defined(__cplusplus)
extern "C" {
#endif

// Every function that is used, once: a column of the table, and its name.
#define CTESSERACT_FUNCTIONS(X)                                                                     \
    X(TessDeleteText)                                                                               \
    X(TessDeleteTextArray)                                                                          \
    X(TessBaseAPIDelete)                                                                            \
    X(TessBaseAPISetVariable)                                                                       \
    X(TessBaseAPIInit4)                                                                             \
    X(TessBaseAPIGetLoadedLanguagesAsVector)                                                        \
    X(TessBaseAPIGetDatapath)                                                                       \
    X(TessBaseAPISetPageSegMode)                                                                    \
    X(TessBaseAPISetImage)                                                                          \
    X(TessBaseAPISetSourceResolution)                                                               \
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
    // Leptonica's, of the copy that tesseract itself uses; what it returns is freed.
    char *_Nullable (*_Nullable getLeptonicaVersion)(void);
    // OpenMP's, of the copy that tesseract itself uses; null where it was built without.
    int (*_Nullable omp_get_max_active_levels)(void);
    void (*_Nullable omp_set_max_active_levels)(int);
    // Leptonica's too: which of its messages go to standard error.
    int (*_Nullable setMsgSeverity)(int);
};

// The names of the table's functions in their order, a space after each: those that are needed, and those that may lack.
static inline const char *_Nonnull ctesseract_function_names(void) {
#define CTESSERACT_NAME(name) #name " "
    return CTESSERACT_FUNCTIONS(CTESSERACT_NAME) "TessVersion TessBaseAPICreate TessMonitorCreate ";
#undef CTESSERACT_NAME
}
static inline const char *_Nonnull ctesseract_optional_function_names(void) {
    return "getLeptonicaVersion omp_get_max_active_levels omp_set_max_active_levels setMsgSeverity ";
}

// How a call ended.
typedef enum {
    CTESSERACT_DONE = 0,
    // tesseract found no memory. What it was called with is not to be used again, not even to be freed: it was left in the
    // middle of a change.
    CTESSERACT_OUT_OF_MEMORY,
    // tesseract threw something else; the same holds.
    CTESSERACT_THREW,
} CTesseractStatus;

enum { CTESSERACT_MESSAGE_LENGTH = 200 };

// In all of these `message` has CTESSERACT_MESSAGE_LENGTH bytes and holds the words of what was thrown with
// CTESSERACT_THREW; results are written with CTESSERACT_DONE only. They have to be called in the order of a reading.

// A new handle, silent but for what it is asked: null if there is none. `file` takes tesseract's own messages.
CTesseractStatus ctesseract_create(
    const struct CTesseractFunctions *_Nonnull tesseract, const char *_Nonnull file,
    TessBaseAPI *_Nullable *_Nonnull handle, char *_Nonnull message);

// Loads languages; `result` is 0 if at least one was found. What does not read is told where their data lie, and loads only
// what sets them up.
CTesseractStatus ctesseract_init(
    const struct CTesseractFunctions *_Nonnull tesseract, TessBaseAPI *_Nonnull handle,
    const char *_Nullable folder, const char *_Nonnull languages, bool reads, int *_Nonnull result,
    char *_Nonnull message);

// The names of the languages that were loaded, ended by null; freed by TessDeleteTextArray, which throws nothing.
CTesseractStatus ctesseract_loaded_languages(
    const struct CTesseractFunctions *_Nonnull tesseract, TessBaseAPI *_Nonnull handle,
    char *_Nullable *_Nullable *_Nonnull names, char *_Nonnull message);

// A page of grey pixels without padding, and who is asked before each word whether to stop. `cancel` is called from
// tesseract and must return: nothing may be thrown through it, nor does tesseract throw while it runs.
typedef struct {
    const unsigned char *_Nonnull pixels;
    int width, height;
    int dots_per_inch;
    TessPageSegMode segmentation;
    // Whether what is hardly read is read again light on dark, which takes as long again.
    bool tries_inverted;
    bool (*_Nullable cancel)(void *_Nullable context, int words);
    void *_Nullable context;
} CTesseractPage;

// Recognises a page; `result` is 0 unless tesseract refuses it or was told to stop.
CTesseractStatus ctesseract_recognize(
    const struct CTesseractFunctions *_Nonnull tesseract, TessBaseAPI *_Nonnull handle,
    const CTesseractPage *_Nonnull page, int *_Nonnull result, char *_Nonnull message);

// The symbols of the page that was recognised last, standing on the first: null if there are none.
CTesseractStatus ctesseract_begin_symbols(
    const struct CTesseractFunctions *_Nonnull tesseract, TessBaseAPI *_Nonnull handle,
    TessResultIterator *_Nullable *_Nonnull symbols, char *_Nonnull message);

// A box in pixels of the page, and whether there is one.
typedef struct {
    bool is_there;
    int left, top, right, bottom;
} CTesseractBox;

// One symbol, and the word that it begins.
typedef struct {
    // Null if there is none; freed by TessDeleteText, which throws nothing.
    char *_Nullable text;
    float confidence;
    CTesseractBox box;
    bool begins_word;
    float word_confidence;
    CTesseractBox word_box;
} CTesseractSymbol;

// The symbol on which the iterator stands; moves it to the next, `has_next` if there is one.
CTesseractStatus ctesseract_take_symbol(
    const struct CTesseractFunctions *_Nonnull tesseract, TessResultIterator *_Nonnull symbols,
    CTesseractSymbol *_Nonnull symbol, bool *_Nonnull has_next, char *_Nonnull message);

CTesseractStatus ctesseract_end_symbols(
    const struct CTesseractFunctions *_Nonnull tesseract, TessResultIterator *_Nonnull symbols,
    char *_Nonnull message);

// Forgets the page.
CTesseractStatus ctesseract_clear(
    const struct CTesseractFunctions *_Nonnull tesseract, TessBaseAPI *_Nonnull handle,
    char *_Nonnull message);

CTesseractStatus ctesseract_delete(
    const struct CTesseractFunctions *_Nonnull tesseract, TessBaseAPI *_Nonnull handle,
    char *_Nonnull message);

#if defined(__cplusplus)
}
#endif

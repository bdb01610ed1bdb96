#include "CTesseract.h"

#include <cstdio>
#include <exception>
#include <new>

namespace {

// Calls `body` and makes what it throws a status. No exception leaves this function.
template <class Body>
CTesseractStatus guarded(char *message, Body body) noexcept {
    message[0] = '\0';
    try {
        body();
        return CTESSERACT_DONE;
    } catch (const std::bad_alloc &) {
        return CTESSERACT_OUT_OF_MEMORY;
    } catch (const std::exception &error) {
        std::snprintf(message, CTESSERACT_MESSAGE_LENGTH, "%s", error.what());
        return CTESSERACT_THREW;
    } catch (...) {
        std::snprintf(message, CTESSERACT_MESSAGE_LENGTH, "something that is no exception");
        return CTESSERACT_THREW;
    }
}

CTesseractBox box(const CTesseractFunctions *tesseract, const TessPageIterator *place, TessPageIteratorLevel level) {
    CTesseractBox box = {};
    box.is_there =
        tesseract->TessPageIteratorBoundingBox(place, level, &box.left, &box.top, &box.right, &box.bottom) != 0;
    return box;
}

}  // namespace

// In C++ the enumerations' names lie in a namespace, and in no other way differ.
#define LEVEL(name) tesseract::name

extern "C" {

CTesseractStatus ctesseract_create(
    const CTesseractFunctions *tesseract, const char *file, TessBaseAPI **handle, char *message) {
    *handle = nullptr;
    return guarded(message, [&] {
        TessBaseAPI *made = tesseract->TessBaseAPICreate();
        if (made != nullptr) { tesseract->TessBaseAPISetVariable(made, "debug_file", file); }
        *handle = made;
    });
}

CTesseractStatus ctesseract_init(
    const CTesseractFunctions *tesseract, TessBaseAPI *handle, const char *folder, const char *languages,
    bool reads, int *result, char *message) {
    return guarded(message, [&] {
        // Both are only read.
        char name[] = "tessedit_init_config_only", value[] = "1";
        char *names[] = {name}, *values[] = {value};
        *result = tesseract->TessBaseAPIInit4(
            handle, folder, languages, tesseract::OEM_LSTM_ONLY, nullptr, 0, names, values, reads ? 0 : 1, 0);
    });
}

CTesseractStatus ctesseract_loaded_languages(
    const CTesseractFunctions *tesseract, TessBaseAPI *handle, char ***names, char *message) {
    *names = nullptr;
    return guarded(message, [&] { *names = tesseract->TessBaseAPIGetLoadedLanguagesAsVector(handle); });
}

CTesseractStatus ctesseract_recognize(
    const CTesseractFunctions *tesseract, TessBaseAPI *handle, const CTesseractPage *page, int *result,
    char *message) {
    return guarded(message, [&] {
        tesseract->TessBaseAPISetPageSegMode(handle, page->segmentation);
        tesseract->TessBaseAPISetVariable(handle, "tessedit_do_invert", page->tries_inverted ? "1" : "0");
        tesseract->TessBaseAPISetImage(handle, page->pixels, page->width, page->height, 1, page->width);
        tesseract->TessBaseAPISetSourceResolution(handle, page->dots_per_inch);
        ETEXT_DESC *monitor = tesseract->TessMonitorCreate();
        tesseract->TessMonitorSetCancelThis(monitor, page->context);
        tesseract->TessMonitorSetCancelFunc(monitor, page->cancel);
        *result = tesseract->TessBaseAPIRecognize(handle, monitor);
        tesseract->TessMonitorDelete(monitor);
    });
}

CTesseractStatus ctesseract_begin_symbols(
    const CTesseractFunctions *tesseract, TessBaseAPI *handle, TessResultIterator **symbols, char *message) {
    *symbols = nullptr;
    return guarded(message, [&] { *symbols = tesseract->TessBaseAPIGetIterator(handle); });
}

CTesseractStatus ctesseract_take_symbol(
    const CTesseractFunctions *tesseract, TessResultIterator *symbols, CTesseractSymbol *symbol,
    bool *has_next, char *message) {
    return guarded(message, [&] {
        const TessPageIterator *place = tesseract->TessResultIteratorGetPageIteratorConst(symbols);
        CTesseractSymbol taken = {};
        taken.begins_word = tesseract->TessPageIteratorIsAtBeginningOf(place, LEVEL(RIL_WORD)) != 0;
        if (taken.begins_word) {
            taken.word_box = box(tesseract, place, LEVEL(RIL_WORD));
            taken.word_confidence = tesseract->TessResultIteratorConfidence(symbols, LEVEL(RIL_WORD));
        }
        taken.box = box(tesseract, place, LEVEL(RIL_SYMBOL));
        taken.confidence = tesseract->TessResultIteratorConfidence(symbols, LEVEL(RIL_SYMBOL));
        taken.text = tesseract->TessResultIteratorGetUTF8Text(symbols, LEVEL(RIL_SYMBOL));
        *symbol = taken;
        *has_next = tesseract->TessResultIteratorNext(symbols, LEVEL(RIL_SYMBOL)) != 0;
    });
}

CTesseractStatus ctesseract_end_symbols(
    const CTesseractFunctions *tesseract, TessResultIterator *symbols, char *message) {
    return guarded(message, [&] { tesseract->TessResultIteratorDelete(symbols); });
}

CTesseractStatus ctesseract_clear(const CTesseractFunctions *tesseract, TessBaseAPI *handle, char *message) {
    return guarded(message, [&] { tesseract->TessBaseAPIClear(handle); });
}

CTesseractStatus ctesseract_delete(const CTesseractFunctions *tesseract, TessBaseAPI *handle, char *message) {
    return guarded(message, [&] { tesseract->TessBaseAPIDelete(handle); });
}

}  // extern "C"

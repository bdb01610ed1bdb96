// Another language is another file of `words`, and a line here.

#include "include/CReceiptTables.h"

// Of C23, and taken by clang 19 and later in any C.
#ifndef __has_embed
#error "the tables need a compiler that knows #embed: Swift 6.3"
#endif
#pragma clang diagnostic ignored "-Wc23-extensions"

// Each file ends in a line feed.
static const uint8_t words[] = {
#embed "words/en.words"
    ,
#embed "words/ms.words"
    ,
#embed "words/de.words"
    ,
#embed "words/fr.words"
    ,
#embed "words/es.words"
    ,
#embed "words/it.words"
    ,
#embed "words/pt.words"
    ,
#embed "words/nl.words"
    ,
#embed "words/ja.words"
    ,
#embed "words/vi.words"
    ,
#embed "words/ru.words"
    ,
#embed "words/pl.words"
    ,
#embed "words/sv.words"
    ,
#embed "words/nb.words"
    ,
#embed "words/da.words"
    ,
#embed "words/fi.words"
    ,
#embed "words/cs.words"
    ,
#embed "words/sk.words"
    ,
#embed "words/hu.words"
    ,
#embed "words/ro.words"
    ,
#embed "words/tr.words"
    ,
#embed "words/el.words"
    ,
#embed "words/id.words"
    ,
#embed "words/hr.words"
    ,
#embed "words/sl.words"
    ,
#embed "words/et.words"
    ,
#embed "words/lv.words"
    ,
#embed "words/lt.words"
    ,
#embed "words/ca.words"
};

static const uint8_t countries[] = {
#embed "words/countries.words"
};

static const uint8_t kind_words[] = {
#embed "words/kinds.words"
};

static const uint8_t page_words[] = {
#embed "words/pages.words"
};
static const uint8_t letter_words[] = {
#embed "words/letters.words"
};

static const uint8_t category_words[] = {
#embed "words/categories.words"
};

static const uint8_t brands[] = {
#embed "brands.table"
};

static const uint8_t kind_weights[] = {
#embed "kinds.weights"
};

static const uint8_t weights[] = {
#embed "rows.weights"
};

static const uint8_t calibration[] = {
#embed "confidence.table"
};

const uint8_t *creceipttables_words(void) { return words; }
size_t creceipttables_words_size(void) { return sizeof words; }

const uint8_t *creceipttables_countries(void) { return countries; }
size_t creceipttables_countries_size(void) { return sizeof countries; }

const uint8_t *creceipttables_weights(void) { return weights; }
size_t creceipttables_weights_size(void) { return sizeof weights; }

const uint8_t *creceipttables_calibration(void) { return calibration; }
size_t creceipttables_calibration_size(void) { return sizeof calibration; }

const uint8_t *creceipttables_kind_words(void) { return kind_words; }
size_t creceipttables_kind_words_size(void) { return sizeof kind_words; }

const uint8_t *creceipttables_kind_weights(void) { return kind_weights; }
size_t creceipttables_kind_weights_size(void) { return sizeof kind_weights; }

const uint8_t *creceipttables_page_words(void) { return page_words; }
size_t creceipttables_page_words_size(void) { return sizeof page_words; }
const uint8_t *creceipttables_letter_words(void) { return letter_words; }
size_t creceipttables_letter_words_size(void) { return sizeof letter_words; }

const uint8_t *creceipttables_category_words(void) { return category_words; }
size_t creceipttables_category_words_size(void) { return sizeof category_words; }

const uint8_t *creceipttables_brands(void) { return brands; }
size_t creceipttables_brands_size(void) { return sizeof brands; }

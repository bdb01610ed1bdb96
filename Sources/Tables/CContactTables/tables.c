// Another language is another file of `words`, and a line here.

#include "include/CContactTables.h"

// Of C23, and taken by clang 19 and later in any C.
#ifndef __has_embed
#error "the tables need a compiler that knows #embed: Swift 6.3"
#endif
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t numbers[] = {
#embed "numbers.table"
};

// Each file ends in a line feed.
static const uint8_t words[] = {
#embed "words/en.words"
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
};

const uint8_t *ccontacttables_numbers(void) { return numbers; }
size_t ccontacttables_numbers_size(void) { return sizeof numbers; }

const uint8_t *ccontacttables_words(void) { return words; }
size_t ccontacttables_words_size(void) { return sizeof words; }

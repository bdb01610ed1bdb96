// Another language is another file of `words`, and a line here.

#include "include/CCaptureTables.h"

// Of C23, and taken by clang 19 and later in any C.
#ifndef __has_embed
#error "the tables need a compiler that knows #embed: Swift 6.3"
#endif
#pragma clang diagnostic ignored "-Wc23-extensions"

// Each file ends in a line feed.
static const uint8_t words[] = {
#embed "words/en.words"
    ,
#embed "words/de.words"
    ,
#embed "words/es.words"
    ,
#embed "words/fr.words"
    ,
#embed "words/it.words"
    ,
#embed "words/pt.words"
    ,
#embed "words/ja.words"
};

const uint8_t *ccapturetables_words(void) { return words; }
size_t ccapturetables_words_size(void) { return sizeof words; }

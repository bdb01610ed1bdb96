// What receipts say in each language, and the weights of the model that classifies their rows, as bytes of the program.
// Private to Documents.
#ifndef CRECEIPTTABLES_H
#define CRECEIPTTABLES_H

#include <stddef.h>
#include <stdint.h>

// The vocabulary: the files of `words`, one after the other, in UTF-8.
const uint8_t *_Nonnull creceipttables_words(void);
size_t creceipttables_words_size(void);

// The countries: `words/countries.words`.
const uint8_t *_Nonnull creceipttables_countries(void);
size_t creceipttables_countries_size(void);

// The row model's weights, a file of Training/Fields/train.py.
const uint8_t *_Nonnull creceipttables_weights(void);
size_t creceipttables_weights_size(void);

// How sure a field is by what speaks for it, a file of Training/Fields/calibrate.py.
const uint8_t *_Nonnull creceipttables_calibration(void);
size_t creceipttables_calibration_size(void);

// What is printed on documents of each kind: `words/kinds.words`.
const uint8_t *_Nonnull creceipttables_kind_words(void);
size_t creceipttables_kind_words_size(void);

// The weights of the model that tells kinds of documents apart, a file of Training/Kinds/train.py.
const uint8_t *_Nonnull creceipttables_kind_weights(void);
size_t creceipttables_kind_weights_size(void);

// What pages of a document say of the others: `words/pages.words`.
const uint8_t *_Nonnull creceipttables_page_words(void);
size_t creceipttables_page_words_size(void);

// What letters call those whom they are from and to: `words/letters.words`.
const uint8_t *_Nonnull creceipttables_letter_words(void);
size_t creceipttables_letter_words_size(void);

// Words that say what a shop sells: `words/categories.words`.
const uint8_t *_Nonnull creceipttables_category_words(void);
size_t creceipttables_category_words_size(void);

// Chains of shops: key, name, category and countries in rows that are sorted by the bytes of their keys, a file of
// Training/Brands/draw_brands.py.
const uint8_t *_Nonnull creceipttables_brands(void);
size_t creceipttables_brands_size(void);

#endif

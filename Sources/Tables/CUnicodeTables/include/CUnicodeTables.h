// What Unicode says of languages, regions and letters, as bytes of the program: tables of Scripts/write-unicode, in UTF-8.
#ifndef CUNICODETABLES_H
#define CUNICODETABLES_H

#include <stddef.h>
#include <stdint.h>

// A line a language: its codes of three and two letters, and its name in English.
const uint8_t *_Nonnull cunicodetables_languages(void);
size_t cunicodetables_languages_size(void);

// A line a region: its code of two letters, and its names in the languages of receipts.
const uint8_t *_Nonnull cunicodetables_regions(void);
size_t cunicodetables_regions_size(void);

// A line a letter: without accents, a tabulator, and with them.
const uint8_t *_Nonnull cunicodetables_accents(void);
size_t cunicodetables_accents_size(void);

// A line a sign as words are compared by it, a tabulator, and its forms beyond capitals and accents.
const uint8_t *_Nonnull cunicodetables_forms(void);
size_t cunicodetables_forms_size(void);

// A line a sign, a tabulator, and its forms of compatibility.
const uint8_t *_Nonnull cunicodetables_compatibility(void);
size_t cunicodetables_compatibility_size(void);

#endif

#include "include/CUnicodeTables.h"

// Of C23, and taken by clang 19 and later in any C.
#ifndef __has_embed
#error "the tables need a compiler that knows #embed: Swift 6.3"
#endif
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t languages[] = {
#embed "languages.table"
};

static const uint8_t regions[] = {
#embed "regions.table"
};

static const uint8_t accents[] = {
#embed "accents.table"
};

static const uint8_t forms[] = {
#embed "forms.table"
};

static const uint8_t compatibility[] = {
#embed "compatibility.table"
};

const uint8_t *cunicodetables_languages(void) { return languages; }
size_t cunicodetables_languages_size(void) { return sizeof languages; }

const uint8_t *cunicodetables_regions(void) { return regions; }
size_t cunicodetables_regions_size(void) { return sizeof regions; }

const uint8_t *cunicodetables_accents(void) { return accents; }
size_t cunicodetables_accents_size(void) { return sizeof accents; }

const uint8_t *cunicodetables_forms(void) { return forms; }
size_t cunicodetables_forms_size(void) { return sizeof forms; }

const uint8_t *cunicodetables_compatibility(void) { return compatibility; }
size_t cunicodetables_compatibility_size(void) { return sizeof compatibility; }

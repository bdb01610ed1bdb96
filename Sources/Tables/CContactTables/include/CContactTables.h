// What telephone numbers look like in each country, and what business cards say, as bytes of the program. Private to Documents.
#ifndef CCONTACTTABLES_H
#define CCONTACTTABLES_H

#include <stddef.h>
#include <stdint.h>

// The numbers of each region, a file of Training/Numbers/draw_plan.py.
const uint8_t *_Nonnull ccontacttables_numbers(void);
size_t ccontacttables_numbers_size(void);

// What business cards say: the files of `words`, one after the other, in UTF-8.
const uint8_t *_Nonnull ccontacttables_words(void);
size_t ccontacttables_words_size(void);

#endif

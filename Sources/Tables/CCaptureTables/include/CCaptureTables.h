// What a person is told while pointing a camera, in each language, as bytes of the program. Private to ReceiptCapture.
#ifndef CCAPTURETABLES_H
#define CCAPTURETABLES_H

#include <stddef.h>
#include <stdint.h>

// The files of `words`, one after the other, in UTF-8.
const uint8_t *_Nonnull ccapturetables_words(void);
size_t ccapturetables_words_size(void);

#endif

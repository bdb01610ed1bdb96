#include "message.h"

#include <string.h>

void cpng_message_set(cpng_message *message, const char *text) {
    if (message == NULL || message->text == NULL || message->size == 0) { return; }
    size_t length = strlen(text);
    if (length >= message->size) { length = message->size - 1; }
    memcpy(message->text, text, length);
    message->text[length] = '\0';
}

PNG_NORETURN void cpng_message_error(png_structp png, png_const_charp text) {
    cpng_message_set((cpng_message *)png_get_error_ptr(png), text);
    png_longjmp(png, 1);
}

void cpng_message_warning(png_structp png, png_const_charp text) {
    (void)png;
    (void)text;
}

// Where libpng's words go: shared by the decoder and the encoder, not part of the interface.
#pragma once
#include <png.h>
#include <stddef.h>

/// The caller's buffer for an error text.
typedef struct {
    char *text;
    size_t size;
} cpng_message;

/// Copies `text`, cut to the buffer.
void cpng_message_set(cpng_message *message, const char *text);

/// libpng's error handler: keeps the text and jumps back to the setjmp of the calling function.
PNG_NORETURN void cpng_message_error(png_structp png, png_const_charp text);

/// libpng's warning handler: what libpng can live with, so can we.
void cpng_message_warning(png_structp png, png_const_charp text);

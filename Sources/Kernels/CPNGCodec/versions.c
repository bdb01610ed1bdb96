#include <dlfcn.h>
#include <isa-l.h>
#include <stddef.h>

#include "CPNGCodec.h"
#include "message.h"

const char *cpng_libpng_version(void) { return png_get_libpng_ver(NULL); }

const char *cpng_zlib_version(void) {
    // libpng brings it; nothing here is linked to it.
    const char *(*ask)(void) = NULL;
    *(void **)&ask = dlsym(RTLD_DEFAULT, "zlibVersion");
    return ask != NULL ? ask() : NULL;
}

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

const char *cpng_isal_version(void) {
    return TEXT(ISAL_MAJOR_VERSION) "." TEXT(ISAL_MINOR_VERSION) "." TEXT(ISAL_PATCH_VERSION);
}

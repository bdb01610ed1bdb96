// libzip's functions, found at run time.
//
// Nothing here is linked: zip.h lends its types, so that a wrong signature does not compile, and the functions are looked
// up in a library opened with dlopen (RuntimeLibraries). A program that opens no archive runs without the library.
#pragma once

#include <zip.h>

// Every function that is used, once: a column of the table, and its name.
#define CZIP_FUNCTIONS(X)                \
    X(zip_libzip_version)                \
    X(zip_open)                          \
    X(zip_discard)                       \
    X(zip_get_num_entries)               \
    X(zip_stat_index)                    \
    X(zip_file_get_external_attributes)  \
    X(zip_fopen_index)                   \
    X(zip_fread)                         \
    X(zip_fclose)                        \
    X(zip_strerror)

struct CZipFunctions {
#define CZIP_MEMBER(name) __typeof__(name) *_Nonnull name;
    CZIP_FUNCTIONS(CZIP_MEMBER)
#undef CZIP_MEMBER
};

// The names of the table's functions in their order, a space after each.
static inline const char *_Nonnull czip_function_names(void) {
#define CZIP_NAME(name) #name " "
    return CZIP_FUNCTIONS(CZIP_NAME);
#undef CZIP_NAME
}

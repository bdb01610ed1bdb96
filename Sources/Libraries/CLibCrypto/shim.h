// The functions of OpenSSL's libcrypto that hash, found at run time.
//
// Nothing here is linked: its headers lend their types, so that a wrong signature does not compile, and the functions are
// looked up in a library opened with dlopen (RuntimeLibraries). A program that hashes nothing runs without the library.
//
// SHA-256 by its own functions and not by EVP's: these ask for memory, and where none is to be had for its first use, OpenSSL
// 3.0 ends the process by a lock that it did not get. OpenSSL calls them deprecated, in all libraries that are looked for.
#pragma once

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

// Every function that is used, once: a column of the table, and its name.
#define CLIBCRYPTO_FUNCTIONS(X) \
    X(SHA256_Init)              \
    X(SHA256_Update)            \
    X(SHA256_Final)

struct CLibCryptoFunctions {
#define CLIBCRYPTO_MEMBER(name) __typeof__(name) *_Nonnull name;
    CLIBCRYPTO_FUNCTIONS(CLIBCRYPTO_MEMBER)
#undef CLIBCRYPTO_MEMBER
};

// The names of the table's functions in their order, a space after each.
static inline const char *_Nonnull clibcrypto_function_names(void) {
#define CLIBCRYPTO_NAME(name) #name " "
    return CLIBCRYPTO_FUNCTIONS(CLIBCRYPTO_NAME);
#undef CLIBCRYPTO_NAME
}

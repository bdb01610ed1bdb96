// The functions of OpenSSL's libcrypto that hash, found at run time.
//
// Nothing here is linked: its headers lend their types, so that a wrong signature does not compile, and the functions are
// looked up in a library opened with dlopen (RuntimeLibraries). A program that hashes nothing runs without the library.
#pragma once

#include <openssl/crypto.h>
#include <openssl/evp.h>

// Every function that is used, once: a column of the table, and its name.
#define CLIBCRYPTO_FUNCTIONS(X) \
    X(OPENSSL_init_crypto)      \
    X(EVP_MD_CTX_new)           \
    X(EVP_MD_CTX_free)          \
    X(EVP_MD_CTX_copy_ex)       \
    X(EVP_sha256)               \
    X(EVP_DigestInit_ex)        \
    X(EVP_DigestUpdate)         \
    X(EVP_DigestFinal_ex)

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

// LAPACKE's functions, found at run time.
//
// Nothing here is linked: the header lends its types, so that a wrong signature does not compile, and the functions are
// looked up in a library opened with dlopen. OpenBLAS takes longer to load than the rest of a program's start.
#pragma once

#include <dlfcn.h>
#include <lapacke.h>
#include <stddef.h>

// Every function that is used, once: a column for the table and its look-up. Those named _work skip LAPACKE's own search
// for NaN, which misses infinity and takes as long as a narrow band's factor.
#define CLAPACKE_FUNCTIONS(X) \
    X(LAPACKE_dgesdd)         \
    X(LAPACKE_dpbtrf_work)    \
    X(LAPACKE_dpbtrs_work)    \
    X(LAPACKE_dpotrf_work)    \
    X(LAPACKE_dpotrs_work)    \
    X(LAPACKE_dsyev)

struct CLAPACKEFunctions {
#define CLAPACKE_MEMBER(name) __typeof__(name) *_Nonnull name;
    CLAPACKE_FUNCTIONS(CLAPACKE_MEMBER)
#undef CLAPACKE_MEMBER
    // OpenBLAS's own; null with another BLAS.
    void (*_Nullable openblas_set_num_threads)(int);
    char *_Nullable (*_Nullable openblas_get_config)(void);
    // LAPACK's own version; Fortran's name of it.
    void (*_Nullable ilaver_)(int *_Nonnull major, int *_Nonnull minor, int *_Nonnull patch);
};

// Fills `table` from an open library. Returns null, or the name of the first function that the library lacks.
static inline const char *_Nullable clapacke_find_functions(
    void *_Nonnull library, struct CLAPACKEFunctions *_Nonnull table) {
#define CLAPACKE_FIND(name)                         \
    *(void **)&table->name = dlsym(library, #name); \
    if (*(void **)&table->name == NULL) return #name;
    CLAPACKE_FUNCTIONS(CLAPACKE_FIND)
#undef CLAPACKE_FIND
    *(void **)&table->openblas_set_num_threads = dlsym(library, "openblas_set_num_threads");
    *(void **)&table->openblas_get_config = dlsym(library, "openblas_get_config");
    *(void **)&table->ilaver_ = dlsym(library, "ilaver_");
    return NULL;
}

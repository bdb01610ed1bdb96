// LAPACKE's functions, found at run time.
//
// Nothing here is linked: the header lends its types, so that a wrong signature does not compile, and the functions are
// looked up in a library opened with dlopen (RuntimeLibraries). OpenBLAS takes longer to load than the rest of a program's
// start.
#pragma once

#include <lapacke.h>

// Every function that is used, once: a column of the table, and its name. Those named _work skip LAPACKE's own search
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

// The names of the table's functions in their order, a space after each: those that are needed, and those that may lack.
static inline const char *_Nonnull clapacke_function_names(void) {
#define CLAPACKE_NAME(name) #name " "
    return CLAPACKE_FUNCTIONS(CLAPACKE_NAME);
#undef CLAPACKE_NAME
}
static inline const char *_Nonnull clapacke_optional_function_names(void) {
    return "openblas_set_num_threads openblas_get_config ilaver_ ";
}

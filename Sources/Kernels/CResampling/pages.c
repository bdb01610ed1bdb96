#if defined(__linux__)
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "CResampling.h"

#if defined(MADV_HUGEPAGE)
// Older headers lack the name; older kernels (before 5.14) refuse the number.
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

// A wish about the whole pages of some memory; what lies beside them belongs to others. Refused, nothing is lost.
static void advise(void *memory, size_t length, int wish) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t first = ((uintptr_t)memory + page - 1) / page * page;
    const uintptr_t end = ((uintptr_t)memory + length) / page * page;
    if (end > first) { (void)madvise((void *)first, end - first, wish); }
}
#else
enum { MADV_HUGEPAGE, MADV_POPULATE_WRITE };
static void advise(void *memory, size_t length, int wish) {
    (void)memory;
    (void)length;
    (void)wish;
}
#endif

void cresampling_prefer_large_pages(void *memory, size_t length) { advise(memory, length, MADV_HUGEPAGE); }

void cresampling_make_pages_ready(void *memory, size_t length) { advise(memory, length, MADV_POPULATE_WRITE); }

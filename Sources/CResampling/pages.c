#if defined(__linux__)
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "CResampling.h"

void cresampling_prefer_large_pages(void *memory, size_t length) {
#if defined(MADV_HUGEPAGE)
    // Whole pages of the memory only; what lies beside them belongs to others.
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t first = ((uintptr_t)memory + page - 1) / page * page;
    const uintptr_t end = ((uintptr_t)memory + length) / page * page;
    // A wish: a kernel without large pages refuses it, and nothing is lost.
    if (end > first) { (void)madvise((void *)first, end - first, MADV_HUGEPAGE); }
#else
    (void)memory;
    (void)length;
#endif
}

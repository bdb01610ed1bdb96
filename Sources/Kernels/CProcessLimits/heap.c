#include "CProcessLimits.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void process_share_one_heap(void) {
#ifdef __GLIBC__
    if (!getenv("MALLOC_ARENA_MAX")) (void)mallopt(M_ARENA_MAX, 1);
#endif
}

// prctl and the limits of setrlimit.
#define _GNU_SOURCE
#include "CProcessLimits.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

int process_die_with_parent(pid_t parent) {
#ifdef __linux__
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return -1;
#endif
    // The parent may have died before the kernel was asked.
    return getppid() == parent ? 0 : -1;
}

#ifdef __linux__
typedef __rlimit_resource_t resource_kind;
#else
typedef int resource_kind;
#endif

static int lower(resource_kind resource, rlim_t soft, rlim_t hard) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return -1;
    if (limit.rlim_max > hard) limit.rlim_max = hard;
    if (soft > limit.rlim_max) soft = limit.rlim_max;
    if (limit.rlim_cur > soft) limit.rlim_cur = soft;
    return setrlimit(resource, &limit);
}

int process_limit_resources(uint64_t address_space, uint64_t processor_seconds) {
    if (lower(RLIMIT_CORE, 0, 0) != 0) return -1;
    // SIGXCPU at the soft limit tells why; a second later the kernel kills.
    if (lower(RLIMIT_CPU, processor_seconds, processor_seconds + 1) != 0) return -1;
#ifdef __linux__
    if (lower(RLIMIT_AS, address_space, address_space) != 0) return -1;
#endif
    return 0;
}

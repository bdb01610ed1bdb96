// prctl and the limits of setrlimit. Nothing here but system calls: it also runs between fork and exec.
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

#if defined(__linux__) && defined(__GLIBC__)
typedef __rlimit_resource_t resource_kind;
#else
typedef int resource_kind;
#endif

static int lower(resource_kind resource, uint64_t soft, uint64_t hard) {
    if (soft == UINT64_MAX) return 0;
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return -1;
    if (limit.rlim_max > hard) limit.rlim_max = hard;
    if (soft > limit.rlim_max) soft = limit.rlim_max;
    if (limit.rlim_cur > soft) limit.rlim_cur = soft;
    return setrlimit(resource, &limit);
}

int process_limit_resources(const struct process_limits *limits) {
    uint64_t seconds = limits->processor_seconds;
    if (lower(RLIMIT_CORE, 0, 0) != 0) return -1;
    if (lower(RLIMIT_CPU, seconds, seconds == UINT64_MAX ? seconds : seconds + 1) != 0) return -1;
    if (lower(RLIMIT_FSIZE, limits->file_bytes, limits->file_bytes) != 0) return -1;
    if (lower(RLIMIT_NOFILE, limits->open_files, limits->open_files) != 0) return -1;
    if (lower(RLIMIT_NPROC, limits->processes, limits->processes) != 0) return -1;
#ifdef __linux__
    if (lower(RLIMIT_AS, limits->address_space, limits->address_space) != 0) return -1;
#endif
    return 0;
}

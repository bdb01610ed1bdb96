// What a process gives up before it touches a file that it does not trust. In C, because Landlock has no wrapper in the C
// library and prctl is variadic, neither of which Swift can call.
#ifndef CPROCESSLIMITS_H
#define CPROCESSLIMITS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Has the kernel kill this process as soon as its parent dies (Linux only; elsewhere it does nothing).
/// @param parent the process that started this one; if it is already gone there is nobody to work for.
/// @return 0, or -1 if the parent is gone.
int process_die_with_parent(pid_t parent);

/// Limits the address space in bytes and the processor time in seconds, and forbids core dumps; none can be raised again.
/// A limit that is already lower stays. Darwin has no limit of the address space.
/// @return 0, or -1 with errno.
int process_limit_resources(uint64_t address_space, uint64_t processor_seconds);

/// Confines this process, for good, to reading below some paths and writing below others (Landlock). Paths that do not
/// exist are passed over; nothing can be executed, no TCP port bound or connected to.
/// @return 1 if the kernel confines it, 0 if the kernel has no Landlock, -1 with errno if it could not be done.
int process_confine(
    const char *const *readable, size_t readable_count, const char *const *writable, size_t writable_count);

#endif

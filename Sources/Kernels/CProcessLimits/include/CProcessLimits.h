// What a process gives up before it touches a file that it does not trust, and how one is started that has given it up. In
// C, because Landlock and seccomp have no wrappers in the C library, prctl is variadic, and what runs between fork and exec
// may call nothing but the kernel; Swift can do none of it.
#ifndef CPROCESSLIMITS_H
#define CPROCESSLIMITS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// MARK: - Limits of resources (resources.c)

/// Limits of resources. UINT64_MAX leaves one as it is inherited; one that is already lower stays.
struct process_limits {
    /// Bytes of address space. Darwin does not limit it.
    uint64_t address_space;
    /// Seconds of processor time; SIGXCPU says so, and a second later the kernel kills.
    uint64_t processor_seconds;
    /// Bytes of a file that is written; pipes are none.
    uint64_t file_bytes;
    /// Descriptors that are open at once.
    uint64_t open_files;
    /// Threads of the user, this process's and all others', beyond which none is started. The kernel does not hold root
    /// to it.
    uint64_t processes;
};

/// Has the kernel kill this process as soon as its parent dies (Linux only; elsewhere it does nothing).
/// @param parent the process that started this one; if it is already gone there is nobody to work for.
/// @return 0, or -1 if the parent is gone.
int process_die_with_parent(pid_t parent);

/// Sets the limits and forbids core dumps; none can be raised again, except by root as long as its calls are not confined.
/// @return 0, or -1 with errno.
int process_limit_resources(const struct process_limits *limits);

// MARK: - Memory (heap.c)

/// Has all threads take memory from one heap, unless MALLOC_ARENA_MAX says otherwise (glibc only; elsewhere it does nothing).
void process_share_one_heap(void);

// MARK: - Files (landlock.c)

/// What may be reached by name. What is not there is passed over.
struct process_files {
    /// Read, with all below if it is a folder. Links are followed: the system's own paths are full of them.
    const char *const *system;
    size_t system_count;
    /// Read, as `system`, but where the last component is a link there is no rule: it may have been put there meanwhile.
    const char *const *readable;
    size_t readable_count;
    /// The one folder whose regular files may be made, written, cut, renamed within it and removed; no link; NULL for none.
    const char *writable;
    /// Whether programs among `system` may be executed.
    int executes;
};

/// The version of the running kernel's Landlock, 0 if it has none or it is switched off. What each brings:
/// 1 (Linux 5.13) reading, writing, making, removing and executing files; 2 (5.19) files linked or renamed from one folder
/// to another, refused always before; 3 (6.2) truncating; 4 (6.7) TCP; 5 (6.10) ioctl on devices; 6 (6.12) signals and
/// abstract UNIX sockets to processes outside.
int process_landlock_version(void);

/// Confines the calling thread, and those that it starts from now on, to these files and /dev/null, for good. What the
/// running kernel's version does not know is left out.
/// @return 1 if the kernel confines it, 0 if the kernel has no Landlock, -1 with errno if it could not be done.
int process_confine_files(const struct process_files *files);

// MARK: - System calls (seccomp.c)

/// Which system calls are refused.
enum process_calls {
    /// None.
    PROCESS_CALLS_ALL = 0,
    /// Those that a worker has no use for, executing included.
    PROCESS_CALLS_OF_WORKER = 1,
    /// The same for a program that is yet to be executed.
    PROCESS_CALLS_OF_PROGRAM = 2,
};

/// Whether the running kernel filters system calls, and we know their numbers on this processor (x86-64, arm64).
int process_filters_calls(void);

/// Refuses system calls to all threads of this process, for good; see seccomp.c for which.
/// @return 1 if the kernel refuses them, 0 if it has no filters, -1 with errno if it could not be done.
int process_confine_calls(enum process_calls calls);

// MARK: - Child processes (spawn.c)

/// A program that is to be started.
struct process_start {
    /// Its path; no search path is looked at.
    const char *program;
    /// Ending with NULL, the first being the name it goes by.
    char *const *arguments;
    /// "NAME=value", ending with NULL: all of it.
    char *const *environment;
    /// What its descriptors 0, 1 and 2 are; -1 for /dev/null. All others are closed.
    int input, output, errors;
    struct process_limits limits;
    /// NULL for all.
    const struct process_files *files;
    enum process_calls calls;
};

/// Where starting a program failed.
enum process_step {
    PROCESS_STEP_FORK = 0,
    PROCESS_STEP_DESCRIPTORS = 1,
    PROCESS_STEP_PARENT = 2,
    PROCESS_STEP_LIMITS = 3,
    PROCESS_STEP_CONFINEMENT = 4,
    PROCESS_STEP_EXECUTE = 5,
};

/// Starts a program in a process group of its own, with every signal as a new program expects it. On Linux it dies with the
/// thread that calls this.
/// @param step set to where it failed.
/// @return its process, or -1 with errno once nothing is left of it.
pid_t process_spawn(const struct process_start *start, enum process_step *step);

/// A pipe that programs started by others do not inherit; its reading end does not block.
/// @return 0, or -1 with errno.
int process_pipe(int *reader, int *writer);

/// Whether a child has ended; it stays to be asked how.
/// @return 1 or 0; -1 with errno, ECHILD if nobody will ever know.
int process_has_ended(pid_t child);

/// A descriptor that poll(2) finds readable once a child has ended; -1 where there is none (Linux before 5.3, and elsewhere).
int process_ending(pid_t child);

/// Kills what is left of a child's group and takes note of how the child ended, waiting for it if need be.
/// @param status as of waitpid(2).
/// @return 0; -1 with errno, ECHILD if nobody will ever know.
int process_finish(pid_t child, int *status);

/// Has the kernel keep how children ended, if who started this process had it forget that (SIGCHLD ignored).
void process_keep_endings(void);

#endif

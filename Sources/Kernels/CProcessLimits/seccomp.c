// A filter of system calls: https://docs.kernel.org/userspace-api/seccomp_filter.html. It holds what Landlock does not, or
// not on every kernel: sockets of all families, other processes, permissions, owners, times and attributes of files, and
// what a kernel offers besides to go wrong. It names what is refused, not what is allowed: a C library that comes to use a
// new call must go on working, and files are Landlock's matter.
//
// What is refused fails with EPERM, as if the user might not do it. Nothing here but system calls: it also runs between
// fork and exec.
#define _GNU_SOURCE
#include "CProcessLimits.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && __has_include(<linux/seccomp.h>)

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __x86_64__
#define OUR_ARCHITECTURE AUDIT_ARCH_X86_64
#else
#define OUR_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// Of kernels before 4.14 it kills one thread, which ends a program as well.
#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000U
#endif

static const int refused[] = {
    // Sockets.
    SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_sendto, SYS_sendmsg,
    SYS_sendmmsg, SYS_recvfrom, SYS_recvmsg, SYS_recvmmsg,
    // Other processes: their signals, memory, limits and priorities; leaving the group that is killed with us.
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kill, SYS_tkill, SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo, SYS_setrlimit, SYS_setpriority, SYS_ioprio_set, SYS_sched_setaffinity, SYS_sched_setscheduler,
    SYS_sched_setparam, SYS_sched_setattr, SYS_setsid, SYS_setpgid, SYS_kcmp, SYS_migrate_pages, SYS_move_pages,
    424 /* pidfd_send_signal */, 438 /* pidfd_getfd */, 440 /* process_madvise */, 448 /* process_mrelease */,
    // What is shared with other processes by number.
    SYS_shmget, SYS_shmat, SYS_shmctl, SYS_msgget, SYS_msgsnd, SYS_msgrcv, SYS_msgctl, SYS_semget, SYS_semop, SYS_semtimedop,
    SYS_semctl, SYS_mq_open, SYS_mq_unlink,
    // Permissions, owners, times and attributes of files; files that are not regular.
    SYS_fchmod, SYS_fchmodat, 452 /* fchmodat2 */, SYS_fchown, SYS_fchownat, SYS_utimensat, SYS_setxattr, SYS_lsetxattr,
    SYS_fsetxattr, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr, 463 /* setxattrat */, 466 /* removexattrat */,
    469 /* file_setattr */, SYS_truncate, SYS_mknodat, SYS_symlinkat, SYS_mkdirat, SYS_open_by_handle_at,
    // Mounts, roots and namespaces.
    SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_setns, SYS_unshare, 428 /* open_tree */, 429 /* move_mount */,
    430 /* fsopen */, 431 /* fsconfig */, 432 /* fsmount */, 433 /* fspick */, 442 /* mount_setattr */,
    467 /* open_tree_attr */,
    // What kernels are attacked by, and what only an administrator asks for.
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_keyctl, SYS_add_key, SYS_request_key, 425 /* io_uring_setup */,
    426 /* io_uring_enter */, 427 /* io_uring_register */, SYS_fanotify_init, SYS_personality, SYS_init_module,
    SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon, SYS_swapoff, SYS_sethostname,
    SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_clock_adjtime, SYS_acct, SYS_quotactl,
    443 /* quotactl_fd */, SYS_syslog, SYS_vhangup,
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef __x86_64__
    // Older forms, which newer architectures do without.
    SYS_fork, SYS_vfork, SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat, SYS_mknod, SYS_symlink,
    SYS_mkdir, SYS_iopl, SYS_ioperm, SYS_modify_ldt,
#endif
};

enum { refused_count = sizeof refused / sizeof *refused };

// Two instructions for each call, and some for the calls that depend on their arguments.
struct filter {
    struct sock_filter code[2 * refused_count + 64];
    unsigned short count;
};

static void add(struct filter *filter, uint16_t code, uint32_t value, uint8_t if_true, uint8_t if_false) {
    filter->code[filter->count++] = (struct sock_filter){.code = code, .jt = if_true, .jf = if_false, .k = value};
}

static void load(struct filter *filter, size_t offset) {
    add(filter, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void answer(struct filter *filter, uint32_t action) { add(filter, BPF_RET | BPF_K, action, 0, 0); }

/// The next instruction but `skipped` unless the value is this one.
static void unless(struct filter *filter, uint32_t value, uint8_t skipped) {
    add(filter, BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped);
}

/// Skips the next instruction if the value is this one.
static void skip_if(struct filter *filter, uint32_t value) { add(filter, BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0); }

static const uint32_t permitted = SECCOMP_RET_ALLOW, forbidden = SECCOMP_RET_ERRNO | EPERM,
                      unknown = SECCOMP_RET_ERRNO | ENOSYS;

static void refuse(struct filter *filter, int call, uint32_t action) {
    unless(filter, (uint32_t)call, 1);
    answer(filter, action);
}

// The lower half of an argument: where it is compared the kernel looks at no more, or both halves are.
static size_t argument(int index) { return offsetof(struct seccomp_data, args) + 8 * (size_t)index; }

/// Opening for reading alone, and cutting the file all the same, which Landlock sees only since its version 3.
static void refuse_cutting_by_reader(struct filter *filter, int call, int flags) {
    unless(filter, (uint32_t)call, 5);
    load(filter, argument(flags));
    add(filter, BPF_ALU | BPF_AND | BPF_K, O_TRUNC | O_ACCMODE, 0, 0);
    unless(filter, O_TRUNC, 1);
    answer(filter, forbidden);
    answer(filter, permitted);
}

static void refuse_by_arguments(struct filter *filter) {
    // New processes, not new threads.
    unless(filter, SYS_clone, 4);
    load(filter, argument(0));
    add(filter, BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0);
    answer(filter, forbidden);
    answer(filter, permitted);

    // Signals to others; abort() sends one to ourselves.
    unless(filter, SYS_tgkill, 4);
    load(filter, argument(0));
    skip_if(filter, (uint32_t)getpid());
    answer(filter, forbidden);
    answer(filter, permitted);

    // Limits of others, and any that are set, which root could raise again; getrlimit() asks for our own.
    unless(filter, SYS_prlimit64, 10);
    load(filter, argument(0));
    skip_if(filter, 0);
    answer(filter, forbidden);
    load(filter, argument(2));
    skip_if(filter, 0);
    answer(filter, forbidden);
    load(filter, argument(2) + 4);
    skip_if(filter, 0);
    answer(filter, forbidden);
    answer(filter, permitted);

    // Living on after the parent.
    unless(filter, SYS_prctl, 4);
    load(filter, argument(0));
    unless(filter, PR_SET_PDEATHSIG, 1);
    answer(filter, forbidden);
    answer(filter, permitted);

    // Typing on a terminal (TIOCSTI, TIOCLINUX) and flags of files (FS_IOC_SETFLAGS, FS_IOC_FSSETXATTR).
    unless(filter, SYS_ioctl, 10);
    load(filter, argument(1));
    refuse(filter, 0x5412, forbidden);
    refuse(filter, 0x541C, forbidden);
    refuse(filter, 0x40086602, forbidden);
    refuse(filter, 0x401C5820, forbidden);
    answer(filter, permitted);

    refuse_cutting_by_reader(filter, SYS_openat, 2);
#ifdef __x86_64__
    refuse_cutting_by_reader(filter, SYS_open, 1);
#endif
}

static void fill(struct filter *filter, enum process_calls calls) {
    filter->count = 0;
    load(filter, offsetof(struct seccomp_data, arch));
    skip_if(filter, OUR_ARCHITECTURE);
    answer(filter, SECCOMP_RET_KILL_PROCESS);
    load(filter, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    // The x32 calls are the same ones by other numbers.
    add(filter, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
    answer(filter, SECCOMP_RET_KILL_PROCESS);
#endif
    for (int i = 0; i < refused_count; i++) refuse(filter, refused[i], forbidden);
    if (calls == PROCESS_CALLS_OF_WORKER) {
        refuse(filter, SYS_execve, forbidden);
        refuse(filter, SYS_execveat, forbidden);
    }
    // Their arguments lie in memory, where a filter cannot look. C libraries fall back on clone and openat.
    refuse(filter, 435 /* clone3 */, unknown);
    refuse(filter, 437 /* openat2 */, unknown);
    refuse_by_arguments(filter);
    answer(filter, permitted);
}

int process_filters_calls(void) {
    // EFAULT says that the filter was looked for.
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL) == -1 && errno == EFAULT;
}

int process_confine_calls(enum process_calls calls) {
    if (calls == PROCESS_CALLS_ALL) return 1;
    if (!process_filters_calls()) return 0;
    struct filter filter;
    fill(&filter, calls);
    struct sock_fprog program = {.len = filter.count, .filter = filter.code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0 ? 1 : -1;
}

#else

int process_filters_calls(void) { return 0; }

int process_confine_calls(enum process_calls calls) {
    (void)calls;
    return 0;
}

#endif

// Programs as child processes. Between fork and exec only system calls are made: another thread may hold any lock of the
// C library or of Swift's.
#define _GNU_SOURCE
#include "CProcessLimits.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

/// What a child tells of its failure.
struct failure {
    int error;
    int step;
};

static int close_on_exec(int descriptor) { return fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

int process_pipe(int *reader, int *writer) {
    int ends[2];
#ifdef __linux__
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
#else
    // A program that another thread starts between the calls inherits it; those that we start do not.
    if (pipe(ends) != 0) return -1;
    close_on_exec(ends[0]);
    close_on_exec(ends[1]);
#endif
    *reader = ends[0];
    *writer = ends[1];
    return fcntl(ends[0], F_SETFL, O_NONBLOCK);
}

// MARK: - In the child

/// A copy of a descriptor, or of /dev/null, above the three that are about to be replaced.
static int copy_above(int descriptor, int mode) {
    int source = descriptor < 0 ? open("/dev/null", mode | O_CLOEXEC) : descriptor;
    return source < 0 ? -1 : fcntl(source, F_DUPFD_CLOEXEC, 3);
}

static void close_others_on_exec(void) {
#if defined(__linux__)
    // close_range (5.9) with CLOSE_RANGE_CLOEXEC (5.11).
    if (syscall(436, 3U, ~0U, 4U) == 0) return;
#endif
    // Who has more open than this has opened them to be closed on exec, as everybody should.
    enum { most = 65536 };
    struct rlimit limit;
    int end = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < most ? (int)limit.rlim_cur : most;
    for (int descriptor = 3; descriptor < end; descriptor++) close_on_exec(descriptor);
}

static int set_descriptors(const struct process_start *start) {
    int input = copy_above(start->input, O_RDONLY);
    int output = copy_above(start->output, O_WRONLY);
    int errors = copy_above(start->errors, O_WRONLY);
    if (input < 0 || output < 0 || errors < 0) return -1;
    if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(errors, 2) < 0) return -1;
    close_others_on_exec();
    return 0;
}

static void set_signals(void) {
    for (int number = 1; number < NSIG; number++) {
        if (number != SIGKILL && number != SIGSTOP) signal(number, SIG_DFL);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

static int confine(const struct process_start *start) {
    if (start->files && process_confine_files(start->files) < 0) return -1;
    return process_confine_calls(start->calls) < 0 ? -1 : 0;
}

/// Becomes the program, or returns where that failed.
static enum process_step become(const struct process_start *start, pid_t parent) {
    if (set_descriptors(start) != 0) return PROCESS_STEP_DESCRIPTORS;
    // A group of its own, so that whatever it starts can be killed with it.
    setpgid(0, 0);
    set_signals();
    if (process_die_with_parent(parent) != 0) return PROCESS_STEP_PARENT;
    if (process_limit_resources(&start->limits) != 0) return PROCESS_STEP_LIMITS;
    if (confine(start) != 0) return PROCESS_STEP_CONFINEMENT;
    execve(start->program, start->arguments, start->environment);
    return PROCESS_STEP_EXECUTE;
}

// Not inlined: where the parent's memory is shared, what it does must leave alone what its caller keeps on the stack.
__attribute__((noinline, noreturn)) static void be_child(const struct process_start *start, pid_t parent, int reports) {
    struct failure failure = {.step = PROCESS_STEP_DESCRIPTORS};
    int report = fcntl(reports, F_DUPFD_CLOEXEC, 3);
    if (report >= 0) failure.step = become(start, parent);
    failure.error = errno;
    // So small a piece arrives whole, and nobody else is left to be told.
    ssize_t told = write(report >= 0 ? report : reports, &failure, sizeof failure);
    _exit(told == sizeof failure ? 127 : 126);
}

// MARK: - In the parent

// On Linux the child has the parent's memory until it becomes the program, and only this thread waits for that. To copy the
// tables of a batch's 250 MB (100,000 captures) for each worker takes some milliseconds, as does breaking up the copy.
#ifdef __linux__
#define FORK vfork
#else
#define FORK fork
#endif

/// Forks with all signals blocked, so that none of our handlers runs in the child.
static pid_t fork_quietly(const struct process_start *start, int reports) {
    pid_t parent = getpid();
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = FORK();
    if (child == 0) be_child(start, parent, reports);
    int saved = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = saved;
    return child;
}

/// Waits for the child's report: nothing once it has become the program.
static int read_failure(int reader, struct failure *failure) {
    fcntl(reader, F_SETFL, 0);
    ssize_t count;
    do count = read(reader, failure, sizeof *failure);
    while (count < 0 && errno == EINTR);
    return count == sizeof *failure;
}

pid_t process_spawn(const struct process_start *start, enum process_step *step) {
    *step = PROCESS_STEP_FORK;
    int reader, writer;
    if (process_pipe(&reader, &writer) != 0) return -1;
    pid_t child = fork_quietly(start, writer);
    int saved = errno;
    close(writer);
    struct failure failure = {0};
    int failed = child > 0 && read_failure(reader, &failure);
    close(reader);
    if (failed) {
        int status;
        process_finish(child, &status);
        *step = (enum process_step)failure.step;
        saved = failure.error;
        child = -1;
    }
    errno = saved;
    return child;
}

int process_has_ended(pid_t child) {
    siginfo_t info;
    int result;
    do {
        info.si_pid = 0;
        result = waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT);
    } while (result != 0 && errno == EINTR);
    return result != 0 ? -1 : info.si_pid == child;
}

int process_ending(pid_t child) {
#ifdef SYS_pidfd_open
    return (int)syscall(SYS_pidfd_open, child, 0);
#else
    (void)child;
    return -1;
#endif
}

int process_finish(pid_t child, int *status) {
    // The child has not been waited for, so no other process can have its number, nor another group.
    kill(-child, SIGKILL);
    pid_t ended;
    do ended = waitpid(child, status, 0);
    while (ended < 0 && errno == EINTR);
    return ended == child ? 0 : -1;
}

void process_keep_endings(void) {
    struct sigaction action;
    if (sigaction(SIGCHLD, NULL, &action) != 0) return;
    if (action.sa_handler != SIG_IGN && !(action.sa_flags & SA_NOCLDWAIT)) return;
    action.sa_flags &= ~SA_NOCLDWAIT;
    if (action.sa_handler == SIG_IGN) action.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &action, NULL);
}

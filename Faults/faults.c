/* Makes the n-th call of one kind fail, in the program that it is loaded into by LD_PRELOAD and in all that this starts.
 *
 * Scripts/check-faults compiles and drives it. Settings are lines of a file beside this library, named like it with ".conf"
 * added (a file, because the workers of a batch get a scrubbed environment):
 *
 *     program PATH        the only program that is disturbed
 *     counts PATH         a file of one `struct page`, shared by all processes: they count together
 *     fail KIND NUMBER    which call fails; KIND may be followed by "-lasting" (that one and all after it). "malloc-site"
 *                         counts only the first allocation from each place in the code
 *     range FIRST LAST    addresses (hexadecimal, as in the program's file) of functions of C in the program
 *
 * Allocations count only if their caller is a C or C++ library or lies in one of the ranges: Swift's own runtime ends the
 * process when memory is refused to it, by design, and so does the C library's loader; neither can be mended here. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind {
    MALLOC, MMAP, OPEN, READ, READ_SHORT, READ_EINTR, WRITE, WRITE_SHORT, WRITE_EINTR, FSYNC, RENAME, LINK, TRUNCATE,
    CLOSE, MKDIR, CHMOD, SPAWN, THREAD, DLOPEN, MALLOC_SITE, KINDS, NONE = -1
};
static const char *const names[KINDS] = {
    "malloc", "mmap", "open", "read", "read-short", "read-eintr", "write", "write-short", "write-eintr", "fsync", "rename",
    "link", "truncate", "close", "mkdir", "chmod", "spawn", "thread", "dlopen", "malloc-site"};

enum { FRAMES = 24, TEXT = 2816 };

/* Read by the script: keep its `PAGE` alike. */
struct page {
    _Atomic uint64_t counts[KINDS];
    _Atomic uint64_t failures, processes;
    int64_t process, descriptor;
    /* The first failure's callers, a line each: file, offset, the nearest exported name. */
    char callers[TEXT];
};

struct range { uintptr_t first, last; };

static struct page *page;
static int failing = NONE, lasting;
static uint64_t number;
/* Where allocations do not count, and where they do all the same. */
static struct range excused[32], counted[256], own, cpp;
static int excused_count, counted_count;
static uintptr_t program_base;
static _Thread_local void *outer __attribute__((tls_model("initial-exec")));
static _Thread_local int busy __attribute__((tls_model("initial-exec")));
static _Thread_local int dlopen_failed __attribute__((tls_model("initial-exec")));

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

/* The next definition of a function, looked up once. */
#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

static int within(struct range range, uintptr_t address) { return address >= range.first && address < range.last; }

static int within_any(const struct range *ranges, int count, uintptr_t address) {
    for (int i = 0; i < count; i++)
        if (within(ranges[i], address)) return 1;
    return 0;
}

/* Whether an allocation asked for from here counts. */
static int counts_as_library(uintptr_t address) {
    if (within_any(counted, counted_count, address)) return 1;
    return !within_any(excused, excused_count, address) && !within(own, address);
}

/* C++'s own library allocates for whoever calls it: the first caller outside it decides. */
static int counts_as_caller(void *caller) {
    uintptr_t address = (uintptr_t)caller;
    if (!within(cpp, address)) return counts_as_library(address);
    void *frames[FRAMES];
    int count = backtrace(frames, FRAMES);
    for (int i = 0; i < count; i++) {
        address = (uintptr_t)frames[i];
        if (!within(cpp, address) && !within(own, address)) return counts_as_library(address);
    }
    return 0;
}

static void note(int descriptor) {
    void *frames[FRAMES];
    page->process = getpid();
    page->descriptor = descriptor;
    int count = backtrace(frames, FRAMES);
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        Dl_info info;
        if (within(own, (uintptr_t)frames[i]) || !dladdr(frames[i], &info)) continue;
        int length = snprintf(
            page->callers + used, TEXT - used, "%s\t%lx\t%s\n", info.dli_fname,
            (unsigned long)((uintptr_t)frames[i] - (uintptr_t)info.dli_fbase), info.dli_sname ? info.dli_sname : "");
        if (length < 0 || (size_t)length >= TEXT - used) break;
        used += (size_t)length;
    }
    page->callers[used] = 0;
}

/* Counts a call; whether it is to fail. */
static int fails_on(enum kind kind, int descriptor) {
    if (!page || busy) return 0;
    uint64_t count = atomic_fetch_add(&page->counts[kind], 1) + 1;
    if ((int)kind != failing || (lasting ? count < number : count != number)) return 0;
    busy = 1;
    int saved = errno;
    if (atomic_fetch_add(&page->failures, 1) == 0) note(descriptor);
    errno = saved;
    busy = 0;
    return 1;
}

static int fails(enum kind kind) { return fails_on(kind, -1); }

/* Settings. */

static void excuse(struct range range) {
    if (excused_count < (int)(sizeof excused / sizeof *excused)) excused[excused_count++] = range;
}

/* Swift's runtime and libraries, where the program does not have them within itself. */
static int is_swift(const char *library) {
    static const char *const names[] = {"/libswift", "/libdispatch.so", "/libBlocksRuntime.so", "/libFoundation", "/lib_Foundation"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strstr(library, names[i])) return 1;
    return 0;
}

static int look(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size, (void)unused;
    struct range range = {UINTPTR_MAX, 0};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, end = start + info->dlpi_phdr[i].p_memsz;
        if (start < range.first) range.first = start;
        if (end > range.last) range.last = end;
    }
    const char *name = info->dlpi_name;
    if (!*name && !program_base) {
        program_base = info->dlpi_addr;
        excuse(range);
    } else if (strstr(name, "/libc.so") || strstr(name, "/ld-linux") || strstr(name, "/libgcc_s") || is_swift(name)) {
        excuse(range);
    } else if (strstr(name, "/libstdc++")) {
        cpp = range;
    }
    if (within(range, (uintptr_t)&look)) own = range;
    return 0;
}

static void choose(const char *kind, unsigned long long which) {
    static const char suffix[] = "-lasting";
    size_t length = strlen(kind), end = sizeof suffix - 1;
    lasting = length > end && strcmp(kind + length - end, suffix) == 0;
    if (lasting) length -= end;
    for (int i = 0; i < KINDS; i++)
        if (strlen(names[i]) == length && strncmp(names[i], kind, length) == 0) failing = i;
    number = which;
}

__attribute__((constructor)) static void prepare(void) {
    Dl_info self;
    char path[4096], line[4352], program[4096] = "", counts[4096] = "", exe[4096];
    busy = 1;
    if (!dladdr((void *)&prepare, &self)) goto done;
    snprintf(path, sizeof path, "%s.conf", self.dli_fname);
    FILE *file = fopen(path, "re");
    if (!file) goto done;
    dl_iterate_phdr(look, NULL);
    while (fgets(line, sizeof line, file)) {
        char word[4096];
        unsigned long long which;
        unsigned long first, last;
        if (sscanf(line, "program %4095[^\n]", program) == 1 || sscanf(line, "counts %4095[^\n]", counts) == 1) continue;
        if (sscanf(line, "fail %4095s %llu", word, &which) == 2) choose(word, which);
        if (sscanf(line, "range %lx %lx", &first, &last) == 2 && counted_count < (int)(sizeof counted / sizeof *counted))
            counted[counted_count++] = (struct range){program_base + first, program_base + last};
    }
    fclose(file);
    ssize_t length = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[length < 0 ? 0 : length] = 0;
    /* Inside a mount namespace the path may differ: its last part decides. */
    const char *wanted = strrchr(program, '/'), *running = strrchr(exe, '/');
    if (!wanted || !running || strcmp(wanted, running) != 0) goto done;
    int descriptor = open(counts, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) goto done;
    void *memory = mmap(NULL, sizeof(struct page), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    close(descriptor);
    /* The unwinder is loaded by its first use, which must not be inside an allocation. */
    void *frames[2];
    backtrace(frames, 2);
    if (memory == MAP_FAILED) goto done;
    page = memory;
    atomic_fetch_add(&page->processes, 1);
done:
    busy = 0;
}

/* Allocation. */

/* Whether nothing was allocated from here before, in this process. */
static int is_new_site(void *caller) {
    static _Atomic uintptr_t sites[1 << 16];
    uintptr_t address = (uintptr_t)caller;
    size_t place = (address * 0x9E3779B97F4A7C15u) >> 48;
    for (int probe = 0; probe < 64; probe++, place = (place + 1) & 0xFFFF) {
        uintptr_t empty = 0;
        if (atomic_compare_exchange_strong(&sites[place], &empty, address)) return 1;
        if (empty == address) return 0;
    }
    return 0;
}

static int refuses(void *caller) {
    if (outer) caller = outer;
    outer = NULL;
    if (!page || busy) return 0;
    busy = 1;
    int counts = counts_as_caller(caller);
    busy = 0;
    if (!counts || (!fails(MALLOC) && !(is_new_site(caller) && fails(MALLOC_SITE)))) return 0;
    errno = ENOMEM;
    return 1;
}
#define CALLER __builtin_return_address(0)

void *malloc(size_t size) { return refuses(CALLER) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return refuses(CALLER) ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return size && refuses(CALLER) ? NULL : __libc_realloc(old, size); }
void *memalign(size_t alignment, size_t size) { return refuses(CALLER) ? NULL : __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { return refuses(CALLER) ? NULL : __libc_memalign(alignment, size); }
int posix_memalign(void **result, size_t alignment, size_t size) {
    void *memory = refuses(CALLER) ? NULL : __libc_memalign(alignment, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}

/* operator new allocates for its caller; what it throws passes through. */
#define NEW(symbol, parameters, ...) \
    void *symbol parameters { \
        static void *(*real) parameters; \
        if (!real) real = (void *(*) parameters)dlsym(RTLD_NEXT, #symbol); \
        outer = CALLER; \
        return real(__VA_ARGS__); \
    }
NEW(_Znwm, (size_t size), size)
NEW(_Znam, (size_t size), size)
NEW(_ZnwmRKSt9nothrow_t, (size_t size, const void *tag), size, tag)
NEW(_ZnamRKSt9nothrow_t, (size_t size, const void *tag), size, tag)
NEW(_ZnwmSt11align_val_t, (size_t size, size_t alignment), size, alignment)
NEW(_ZnamSt11align_val_t, (size_t size, size_t alignment), size, alignment)

#define MAPS(name, offset_type) \
    void *name(void *address, size_t length, int protection, int flags, int descriptor, offset_type offset) { \
        REAL(name); \
        if (!fails_on(MMAP, descriptor)) return real(address, length, protection, flags, descriptor, offset); \
        errno = ENOMEM; \
        return MAP_FAILED; \
    }
MAPS(mmap, off_t)
MAPS(mmap64, off64_t)

/* Opening. */

/* libdispatch reads the state of each of its threads by number, and ends the process if it may not. */
static int is_thread(const char *path) {
    return strncmp(path, "/proc/self/task/", 16) == 0 || (strncmp(path, "/proc/", 6) == 0 && path[6] >= '0' && path[6] <= '9');
}

static int opening_fails(const char *path) { return !is_thread(path) && fails(OPEN) && (errno = EMFILE); }

static mode_t mode_of(int flags, va_list rest) {
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? (mode_t)va_arg(rest, int) : 0;
}

#define OPENS(name) \
    int name(const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = mode_of(flags, rest); \
        va_end(rest); \
        return opening_fails(path) ? -1 : real(path, flags, mode); \
    }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        REAL(name); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = mode_of(flags, rest); \
        va_end(rest); \
        return opening_fails(path) ? -1 : real(folder, path, flags, mode); \
    }
OPENS_AT(openat)
OPENS_AT(openat64)

#define OPENS_OTHERWISE(type, failure, name, parameters, ...) \
    type name parameters { \
        static type(*real) parameters; \
        if (!real) real = (type(*) parameters)dlsym(RTLD_NEXT, #name); \
        return opening_fails(path) ? failure : real(__VA_ARGS__); \
    }
/* What calls of open become in programs that are compiled with checks. */
OPENS_OTHERWISE(int, -1, __open_2, (const char *path, int flags), path, flags)
OPENS_OTHERWISE(int, -1, __open64_2, (const char *path, int flags), path, flags)
OPENS_OTHERWISE(int, -1, __openat_2, (int folder, const char *path, int flags), folder, path, flags)
OPENS_OTHERWISE(int, -1, __openat64_2, (int folder, const char *path, int flags), folder, path, flags)
OPENS_OTHERWISE(int, -1, creat, (const char *path, mode_t mode), path, mode)
OPENS_OTHERWISE(int, -1, creat64, (const char *path, mode_t mode), path, mode)
OPENS_OTHERWISE(FILE *, NULL, fopen, (const char *path, const char *mode), path, mode)
OPENS_OTHERWISE(FILE *, NULL, fopen64, (const char *path, const char *mode), path, mode)
OPENS_OTHERWISE(DIR *, NULL, opendir, (const char *path), path)

void *dlopen(const char *path, int flags) {
    REAL(dlopen);
    /* NULL is the program itself. */
    if (path && fails(DLOPEN)) {
        dlopen_failed = 1;
        return NULL;
    }
    dlopen_failed = 0;
    return real(path, flags);
}

char *dlerror(void) {
    REAL(dlerror);
    static char message[] = "failed to map segment from shared object: Cannot allocate memory";
    if (!dlopen_failed) return real();
    dlopen_failed = 0;
    return message;
}

/* Reading and writing. */

/* 0: as it is asked for, 1: fails, 2: half of it. */
static int disturbed(enum kind failure, enum kind partly, enum kind interrupted, int error, int descriptor, size_t bytes) {
    if (fails_on(failure, descriptor)) {
        errno = error;
        return 1;
    }
    if (fails_on(interrupted, descriptor)) {
        errno = EINTR;
        return 1;
    }
    return bytes > 1 && fails_on(partly, descriptor) ? 2 : 0;
}
#define READS(name, parameters, ...) \
    ssize_t name parameters { \
        REAL(name); \
        int how = disturbed(READ, READ_SHORT, READ_EINTR, EIO, descriptor, size); \
        if (how == 2) size /= 2; \
        return how == 1 ? -1 : real(__VA_ARGS__); \
    }
#define WRITES(name, parameters, ...) \
    ssize_t name parameters { \
        REAL(name); \
        int how = disturbed(WRITE, WRITE_SHORT, WRITE_EINTR, ENOSPC, descriptor, size); \
        if (how == 2) size /= 2; \
        return how == 1 ? -1 : real(__VA_ARGS__); \
    }
READS(read, (int descriptor, void *bytes, size_t size), descriptor, bytes, size)
READS(pread, (int descriptor, void *bytes, size_t size, off_t offset), descriptor, bytes, size, offset)
READS(pread64, (int descriptor, void *bytes, size_t size, off64_t offset), descriptor, bytes, size, offset)
WRITES(write, (int descriptor, const void *bytes, size_t size), descriptor, bytes, size)
WRITES(pwrite, (int descriptor, const void *bytes, size_t size, off_t offset), descriptor, bytes, size, offset)
WRITES(pwrite64, (int descriptor, const void *bytes, size_t size, off64_t offset), descriptor, bytes, size, offset)

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
    REAL(writev);
    int how = disturbed(WRITE, WRITE_SHORT, WRITE_EINTR, ENOSPC, descriptor, (size_t)count);
    return how == 1 ? -1 : real(descriptor, parts, how == 2 ? 1 : count);
}

/* Files as a whole. */

#define FAILS_WITH(kind, error, type, name, parameters, ...) \
    type name parameters { \
        REAL(name); \
        if (!fails(kind)) return real(__VA_ARGS__); \
        errno = error; \
        return -1; \
    }
FAILS_WITH(FSYNC, EIO, int, fsync, (int descriptor), descriptor)
FAILS_WITH(FSYNC, EIO, int, fdatasync, (int descriptor), descriptor)
FAILS_WITH(RENAME, ENOSPC, int, rename, (const char *from, const char *to), from, to)
FAILS_WITH(RENAME, ENOSPC, int, renameat, (int a, const char *from, int b, const char *to), a, from, b, to)
FAILS_WITH(RENAME, ENOSPC, int, renameat2, (int a, const char *from, int b, const char *to, unsigned flags), a, from, b, to, flags)
FAILS_WITH(LINK, ENOSPC, int, link, (const char *from, const char *to), from, to)
FAILS_WITH(LINK, ENOSPC, int, linkat, (int a, const char *from, int b, const char *to, int flags), a, from, b, to, flags)
FAILS_WITH(TRUNCATE, ENOSPC, int, ftruncate, (int descriptor, off_t length), descriptor, length)
FAILS_WITH(TRUNCATE, ENOSPC, int, ftruncate64, (int descriptor, off64_t length), descriptor, length)
FAILS_WITH(MKDIR, ENOSPC, int, mkdir, (const char *path, mode_t mode), path, mode)
FAILS_WITH(MKDIR, ENOSPC, int, mkdirat, (int folder, const char *path, mode_t mode), folder, path, mode)
FAILS_WITH(CHMOD, EIO, int, fchmod, (int descriptor, mode_t mode), descriptor, mode)
FAILS_WITH(CHMOD, EIO, int, chmod, (const char *path, mode_t mode), path, mode)
FAILS_WITH(CHMOD, EIO, int, fchmodat, (int folder, const char *path, mode_t mode, int flags), folder, path, mode, flags)

/* As on a file system that finds only now that it could not write: the descriptor is gone all the same. */
int close(int descriptor) {
    REAL(close);
    int result = real(descriptor);
    if (result != 0 || !fails_on(CLOSE, descriptor)) return result;
    errno = EIO;
    return -1;
}

/* Processes and threads. */

FAILS_WITH(SPAWN, EAGAIN, pid_t, fork, (void))
/* Nothing may come between vfork(2) and who called it. A child with memory of its own does what one with shared memory may. */
pid_t vfork(void) {
    REAL(fork);
    if (!fails(SPAWN)) return real();
    errno = EAGAIN;
    return -1;
}
FAILS_WITH(SPAWN, EMFILE, int, pipe, (int ends[2]), ends)
FAILS_WITH(SPAWN, EMFILE, int, pipe2, (int ends[2], int flags), ends, flags)

#define SPAWNS(name) \
    int name( \
        pid_t *process, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes, \
        char *const words[], char *const variables[]) { \
        REAL(name); \
        return fails(SPAWN) ? EAGAIN : real(process, path, actions, attributes, words, variables); \
    }
SPAWNS(posix_spawn)
SPAWNS(posix_spawnp)

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
    REAL(pthread_create);
    return fails(THREAD) ? EAGAIN : real(thread, attributes, body, argument);
}

// Landlock by raw system calls: https://docs.kernel.org/userspace-api/landlock.html. What the running kernel does not know
// yet is left out, as the kernel's documentation asks. Nothing here but system calls: it also runs between fork and exec.
#define _GNU_SOURCE
#include "CProcessLimits.h"

#if defined(__linux__) && __has_include(<linux/landlock.h>)

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The same numbers on every architecture (system calls since 5.1 are unified); old headers lack the names.
enum { create_ruleset = 444, add_rule = 445, restrict_self = 446 };

// Rights by the version of the interface that brought them; written out, as older headers lack the newer ones.
static const uint64_t right_execute = 1ULL << 0, right_write_file = 1ULL << 1, right_read_file = 1ULL << 2,
                      right_read_folder = 1ULL << 3, right_remove_file = 1ULL << 5, right_make_regular = 1ULL << 8,
                      right_version_1 = (1ULL << 13) - 1, right_refer = 1ULL << 13, right_truncate = 1ULL << 14,
                      right_ioctl_device = 1ULL << 15;
static const uint64_t net_bind_and_connect = 3;
static const uint64_t scope_abstract_sockets_and_signals = 3;

// The whole attribute as of interface 6; older kernels take its beginning.
struct ruleset {
    uint64_t filesystem, network, scopes;
};

int process_landlock_version(void) {
    long version = syscall(create_ruleset, NULL, 0, 1 /* LANDLOCK_CREATE_RULESET_VERSION */);
    return version < 1 ? 0 : (int)version;
}

static int allow(int ruleset, const char *path, int flags, uint64_t rights) {
    int opened = open(path, O_PATH | O_CLOEXEC | flags);
    if (opened < 0) {
        int absent = errno == ENOENT || errno == ENOTDIR || errno == EACCES || errno == ELOOP;
        return absent ? 0 : -1;
    }
    struct stat status;
    int result = fstat(opened, &status);
    // With O_NOFOLLOW a link is opened as itself.
    if (result == 0 && !S_ISLNK(status.st_mode)) {
        // Rights over a folder's entries mean nothing for a file and are refused for one.
        if (!S_ISDIR(status.st_mode)) rights &= right_execute | right_read_file | right_write_file | right_truncate;
        struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = opened};
        result = (int)syscall(add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    int saved = errno;
    close(opened);
    errno = saved;
    return result;
}

static int allow_all(int ruleset, const struct process_files *files, uint64_t known) {
    uint64_t reading = right_read_file | right_read_folder;
    uint64_t system = reading | (files->executes ? right_execute : 0);
    uint64_t writing = reading | right_write_file | right_remove_file | right_make_regular | right_truncate | right_refer;
    for (size_t i = 0; i < files->system_count; i++)
        if (allow(ruleset, files->system[i], 0, system & known) != 0) return -1;
    for (size_t i = 0; i < files->readable_count; i++)
        if (allow(ruleset, files->readable[i], O_NOFOLLOW, reading & known) != 0) return -1;
    if (files->writable && allow(ruleset, files->writable, O_NOFOLLOW, writing & known) != 0) return -1;
    return allow(ruleset, "/dev/null", 0, (right_read_file | right_write_file | right_truncate) & known);
}

int process_confine_files(const struct process_files *files) {
    int version = process_landlock_version();
    // Not known, switched off, or refused to a container: in each case there is none.
    if (version == 0) return errno == ENOSYS || errno == EOPNOTSUPP || errno == EPERM ? 0 : -1;

    struct ruleset all = {.filesystem = right_version_1};
    size_t size = sizeof all.filesystem;
    if (version >= 2) all.filesystem |= right_refer;
    if (version >= 3) all.filesystem |= right_truncate;
    if (version >= 4) {
        all.network = net_bind_and_connect;
        size += sizeof all.network;
    }
    if (version >= 5) all.filesystem |= right_ioctl_device;
    if (version >= 6) {
        all.scopes = scope_abstract_sockets_and_signals;
        size += sizeof all.scopes;
    }
    int ruleset = (int)syscall(create_ruleset, &all, size, 0);
    if (ruleset < 0) return -1;
    int result = allow_all(ruleset, files, all.filesystem);
    if (result == 0) result = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (result == 0) result = (int)syscall(restrict_self, ruleset, 0);
    int saved = errno;
    close(ruleset);
    errno = saved;
    return result == 0 ? 1 : -1;
}

#else

int process_landlock_version(void) { return 0; }

int process_confine_files(const struct process_files *files) {
    (void)files;
    return 0;
}

#endif

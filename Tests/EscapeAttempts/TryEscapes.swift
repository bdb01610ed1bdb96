import BatchProcessing
import Foundation

/// `try-escapes READABLE WRITABLE OTHERS-FILE`: confines itself as a worker does and tries what a worker that is taken over
/// might. Each attempt is a line: its name, and "done" or the error's number.
@main
enum TryEscapes {
    static func main() throws {
        let words = CommandLine.arguments
        let (readable, writable, other) = (words[1], words[2], words[3])
        try WorkerConfinement(
            parent: getppid(), addressSpace: 2 << 30, processorSeconds: 60,
            processes: WorkerProcess.threadLimit,
            readable: [readable], writable: writable
        ).apply()
        // Where no system calls are filtered the last one succeeds, and nothing could be opened after it.
        for (name, attempt) in attempts(on: other) + honestWork(readable: readable, writable: writable) + [
            ("limit", limit)
        ] {
            errno = 0
            print(name, attempt() >= 0 ? "done" : "\(errno)")
        }
    }

    private typealias Attempt = (name: String, attempt: () -> Int32)

    /// What must be refused.
    private static func attempts(on other: String) -> [Attempt] {
        let folder = URL(filePath: other).deletingLastPathComponent().path()
        var times = (timespec(), timespec())
        return [
            ("chmod", { chmod(other, 0o777) }),
            ("chown", { chown(other, getuid(), getgid()) }),
            ("times", { withUnsafePointer(to: &times.0) { utimensat(AT_FDCWD, other, $0, 0) } }),
            ("truncate", { truncate(other, 0) }),
            ("cut", { open(other, O_RDONLY | O_TRUNC) }),
            ("write", { open(other, O_WRONLY) }),
            ("read", { open(other, O_RDONLY) }),
            ("make", { open(folder + "/new", O_WRONLY | O_CREAT, 0o600) }),
            ("remove", { unlink(other) }),
            ("mkdir", { mkdir(folder + "/new-folder", 0o700) }),
            ("symlink", { symlink(other, folder + "/new-link") }),
            ("mkfifo", { mkfifo(folder + "/new-pipe", 0o600) }),
            ("udp", { socket(AF_INET, datagram, 0) }),
            ("tcp", { socket(AF_INET6, stream, 0) }),
            ("unix", { socket(AF_UNIX, stream, 0) }),
            (
                "pair",
                {
                    var ends: (Int32, Int32) = (0, 0)
                    return withUnsafeMutablePointer(to: &ends.0) { socketpair(AF_UNIX, stream, 0, $0) }
                }
            ),
            ("kill", { kill(getppid(), 0) }),
            ("fork", fork),
            ("spawn", spawn),
            (
                "exec",
                {
                    var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
                    return execv("/bin/true", &words)
                }
            ),
            ("priority", { setpriority(priorityOfProcess, id_t(getppid()), 5) }),
            ("session", { setsid() }),
        ]
    }

    /// What must be refused too.
    private static func limit() -> Int32 {
        var limit = rlimit(rlim_cur: 1, rlim_max: 1)
        return setrlimit(openFiles, &limit)
    }

    /// What must go on.
    private static func honestWork(readable: String, writable: String) -> [Attempt] {
        [
            ("read-own", { open(readable, O_RDONLY) }),
            ("write-own", { open(writable + "/a", O_WRONLY | O_CREAT, 0o600) }),
            ("rename-own", { rename(writable + "/a", writable + "/b") }),
            ("remove-own", { unlink(writable + "/b") }),
            (
                "thread",
                {
                    let done = DispatchSemaphore(value: 0)
                    Thread { done.signal() }.start()
                    done.wait()
                    return 0
                }
            ),
            (
                "getrlimit",
                {
                    var limit = rlimit()
                    return getrlimit(openFiles, &limit)
                }
            ),
        ]
    }

    /// fork(2), which Swift hides since little can be done after it; a child ends at once.
    private static func fork() -> Int32 {
        guard let symbol = dlsym(nil, "fork") else { return -1 }
        let child = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)()
        if child == 0 { _exit(0) }
        return child
    }

    private static func spawn() -> Int32 {
        var process: pid_t = 0
        var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
        errno = posix_spawn(&process, "/bin/true", nil, nil, &words, nil)
        return errno == 0 ? 0 : -1
    }

    #if canImport(Glibc)
        private static let (datagram, stream) = (Int32(SOCK_DGRAM.rawValue), Int32(SOCK_STREAM.rawValue))
        private static let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        private static let priorityOfProcess = __priority_which_t(PRIO_PROCESS.rawValue)
    #else
        private static let (datagram, stream) = (SOCK_DGRAM, SOCK_STREAM)
        private static let openFiles = RLIMIT_NOFILE
        private static let priorityOfProcess = PRIO_PROCESS
    #endif
}

import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// A program run to its end.
enum ChildProcess {
    /// Returns the most memory that it held at once, in bytes. What it prints is thrown away.
    static func run(_ path: String, _ arguments: [String]) throws -> Int {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var child = pid_t()
        let failure = posix_spawn(&child, path, &actions, nil, &words, environ)
        try require(failure == 0, "\(path) cannot be run: \(String(cString: strerror(failure)))")
        var status: Int32 = 0
        var usage = rusage()
        try require(wait4(child, &status, 0, &usage) == child, "\(path) was lost")
        try require(status == 0, "\(path) ended with status \(status >> 8 & 0xFF)")
        #if canImport(Darwin)
            return Int(usage.ru_maxrss)
        #else
            return Int(usage.ru_maxrss) * 1024
        #endif
    }
}

/// The most memory held at once.
public enum PeakMemory {
    /// Of this process since it began, in bytes. (`getrusage` also counts what the process held that started it.)
    public static func bytesOfThisProcess() throws -> Double {
        #if os(Linux)
            let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
            let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap {
                Double($0)
            }
            return (kibibytes ?? .nan) * 1024
        #else
            var usage = rusage()
            getrusage(RUSAGE_SELF, &usage)
            return Double(usage.ru_maxrss)
        #endif
    }
}

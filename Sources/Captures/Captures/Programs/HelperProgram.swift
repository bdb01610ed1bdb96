import Diagnostics
import LocalFiles
internal import ChildProcesses
import Platform

/// A program of the system that reads one file in a format that no library of this package decodes.
///
/// The file may come from a stranger. So the program runs with its own limits, without sockets or child processes, can write
/// only to our pipe, and on Linux 5.13 and later can read no file but that one and the system's.
struct HelperProgram: Sendable {
    /// Its file name in the folders of the search path.
    let name: String
    /// The product's name in messages: "ffmpeg".
    let product: String
    /// Its purpose in messages: "reads videos".
    let purpose: String
    /// How to install it.
    let installation: String
    /// The part of the file it reads, as in "the time was used up while it read the video".
    let subject: String
    /// The part it returns at once, as in "the video's frame is too large".
    let portion: String
    /// Advice if it takes too long or too much memory.
    let wayOut: String
    let stage: FlatteningError.Stage
    /// The largest address space, in bytes.
    let maximumAddressSpace: UInt64
    /// The longest processor time, in seconds.
    let maximumProcessorSeconds: UInt64
    /// System files and folders that it may read besides programs and libraries.
    var settings: [String] = []

    /// Runs the program and returns what it writes to its standard output.
    /// - Parameters:
    ///   - limit: the most bytes that it may write.
    ///   - file: the one file besides the system's that it may read; must not be a link.
    ///   - deadline: when the program is ended.
    ///   - searchPath: the folders in which it is looked for, as in `PATH`.
    ///   - isCancelled: checked ten times a second; if true, the program is ended.
    /// - Throws: `.missingDependency` if the program is not installed, `.unsupported` if no program can be started,
    ///   `.timeout`, `.cancelled`, `.limitExceeded`.
    func run(
        _ arguments: [String], limit: Int, reading file: String? = nil,
        deadline: ContinuousClock.Instant? = nil,
        searchPath: String? = ProcessInfo.processInfo.environment["PATH"],
        isCancelled: () -> Bool = { Task.isCancelled }
    ) throws(FlatteningError) -> ChildProcess.Outcome {
        #if os(macOS) || os(Linux)
            let path = try find(in: searchPath)
            var environment = ProcessEnvironment.scrubbed(ProcessInfo.processInfo.environment)
            environment["PATH"] = searchPath
            var child = ChildProcess(
                program: path, arguments: arguments, environment: environment, stage: stage)
            child.limits = ProcessLimits(
                addressSpace: maximumAddressSpace, processorSeconds: maximumProcessorSeconds, fileBytes: 0,
                openFiles: 256)
            child.files = FileAccess(
                system: systemPaths(for: path), readable: [file].compactMap(\.self), executes: true)
            child.isConfined = true
            child.output = .collected(limit: limit)
            let outcome: ChildProcess.Outcome
            do throws(FlatteningError) {
                outcome = try child.run(until: deadline, isCancelled: isCancelled)
            } catch {
                guard error.code == .limitExceeded else { throw error }
                throw FlatteningError(
                    .limitExceeded, "\(portion) is too large", stage: stage, seen: error.seen,
                    allowed: "\(limit) bytes (maximumFileBytes)")
            }
            switch outcome.ending {
            case .overdue:
                throw FlatteningError(
                    .timeout, "the time allowed was used up while \(name) read \(subject)", stage: stage,
                    advice: "Allow more time, or \(Self.lowercasingFirst(wayOut))")
            case .cancelled:
                throw FlatteningError(.cancelled, "cancelled while \(name) read \(subject)", stage: stage)
            case .signalled(SIGXCPU):
                throw FlatteningError(
                    .limitExceeded, "\(name) takes too long for \(portion)", stage: stage,
                    seen: "more than \(maximumProcessorSeconds) s of processor time",
                    allowed: "\(maximumProcessorSeconds) s", advice: wayOut)
            default: return outcome
            }
        #else
            throw FlatteningError(
                .unsupported, "\(subject) is not read on this system", stage: stage, advice: wayOut)
        #endif
    }

    /// Describes an end other than success; nil for success.
    func words(for ending: ChildProcess.Ending) -> String? {
        switch ending {
        case .exited(0): nil
        case .exited(let code): "\(name)'s exit code \(code)"
        case .signalled(let signal): "\(name) ended by signal \(signal)"
        default: nil
        }
    }

    /// Returns the last line of a program's messages.
    static func lastLine(of messages: String) -> String? {
        messages.split(whereSeparator: \.isNewline).last.map { String($0.prefix(300)) }
    }

    private func find(in searchPath: String?) throws(FlatteningError) -> String {
        let candidates = ProcessEnvironment.absoluteFolders(searchPath ?? "/usr/bin:/bin").map {
            $0 + "/" + name
        }
        guard let path = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw FlatteningError(
                .missingDependency, "\(product), which \(purpose), is not installed", stage: stage,
                allowed: "a program in an absolute folder of PATH",
                advice: "Install it: \(installation)")
        }
        return path
    }

    /// Returns the paths that a program must read to start: itself, the shells and libraries it needs, and the libraries
    /// beside it if the system did not install it.
    private func systemPaths(for program: String) -> [String] {
        let real = URL(filePath: program).resolvingSymlinksInPath()
        let libraries = real.deletingLastPathComponent().deletingLastPathComponent().appending(path: "lib")
        let environment = ProcessInfo.processInfo.environment
        return [
            "/usr", "/bin", "/lib", "/lib32", "/lib64", "/opt", "/nix/store", "/gnu/store",
            "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives",
            "/sys/devices/system/cpu", "/dev/urandom", libraries.path(percentEncoded: false), program,
            real.path(percentEncoded: false),
        ] + settings + ProcessEnvironment.absoluteFolders(environment["LD_LIBRARY_PATH"])
    }

    private static func lowercasingFirst(_ sentence: String) -> String {
        sentence.prefix(1).lowercased() + sentence.dropFirst()
    }
}

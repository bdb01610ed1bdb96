import Diagnostics
import LocalFiles
internal import ChildProcesses
import Platform

/// A program of the system that reads one file for us, of a format that no library of this package decodes.
///
/// The file may be a stranger's. So the program has limits of its own, no sockets and no processes, writes nowhere but to us,
/// and on Linux 5.13 and later reads no file but that one and the system's.
struct HelperProgram: Sendable {
    /// What it is called in the folders of the search path.
    let name: String
    /// What messages call what is installed: "ffmpeg".
    let product: String
    /// What it is there for: "reads videos".
    let purpose: String
    /// How it is installed.
    let installation: String
    /// What it reads of the file, as in "the time was used up while it read the video".
    let subject: String
    /// What it hands over at once, as in "the video's frame is too large".
    let portion: String
    /// What to do where it takes too long or too much.
    let wayOut: String
    let stage: FlatteningError.Stage
    /// Most bytes of its address space.
    let maximumAddressSpace: UInt64
    /// Most seconds of its processor time.
    let maximumProcessorSeconds: UInt64
    /// Files and folders of the system that it reads besides programs and libraries.
    var settings: [String] = []

    /// Runs it and takes what it writes to its standard output.
    /// - Parameters:
    ///   - limit: most bytes that it may write.
    ///   - file: the one file besides the system's that it may read; no link.
    ///   - deadline: when it is ended.
    ///   - searchPath: where it is looked for, as `PATH`.
    ///   - isCancelled: asked ten times a second; once true the program is ended.
    /// - Throws: `.missingDependency` where it is not there, `.unsupported` where no program can be started, `.timeout`,
    ///   `.cancelled`, `.limitExceeded`.
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

    /// Words for an end that is not a success; nil for success.
    func words(for ending: ChildProcess.Ending) -> String? {
        switch ending {
        case .exited(0): nil
        case .exited(let code): "\(name)'s exit code \(code)"
        case .signalled(let signal): "\(name) ended by signal \(signal)"
        default: nil
        }
    }

    /// The last line of what a program said.
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

    /// What a program reads to start: itself, what shells and libraries it needs, and the libraries that lie beside it where
    /// it was not installed by the system.
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

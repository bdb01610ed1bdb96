import Foundation
import Synchronization

/// A program that is run for one capture, in a process that it alone may bring down.
struct ChildProgram: Sendable {
    /// How it ended.
    enum End: Equatable {
        case exited(Int32)
        case signalled(Int32)
    }

    /// What is run.
    var program: URL
    /// Its words.
    var arguments: [String]
    /// Its address space in MiB.
    var memoryMiB: Int
    /// Its processor time in seconds.
    var processorSeconds: Int
    /// What it may reach besides the system's libraries; nil for a program that starts others, which it confines itself.
    var confinement: Confinement?

    /// The files that `flatten` reaches where it confines itself. It starts no program, opens no socket, and dies with this server.
    struct Confinement: Sendable {
        /// Files and folders that it reads.
        var readable: [URL]
        /// The folder that it writes to.
        var writable: URL
    }

    /// How long it has to end by itself once it is told to, in seconds.
    static let grace = 3.0

    /// The limits are set by the shell that becomes the program: no core files, no more memory and time than it may have.
    static let limiter = "ulimit -c 0; ulimit -v \"$1\"; ulimit -t \"$2\"; shift 2; exec \"$@\""

    /// What a child sees of the environment: where its data lie, and nothing of this server's.
    static var environment: [String: String] {
        ProcessInfo.processInfo.environment.filter {
            ["PATH", "HOME", "LANG", "TMPDIR", "TESSDATA_PREFIX", "XDG_DATA_HOME", "LD_LIBRARY_PATH"]
                .contains($0.key)
        }
    }

    /// A process that is set up and not yet started.
    static func process(of program: URL, _ arguments: [String], memoryMiB: Int, processorSeconds: Int)
        -> Process
    {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments =
            ["-c", limiter, "sh", "\(memoryMiB << 10)", "\(processorSeconds)", program.path] + arguments
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return process
    }

    /// How `flatten` is called: as a batch calls it, to confine itself before it looks at a stranger's file, or by itself.
    private var words: [String] {
        guard let confinement else { return ["single"] + arguments }
        return [
            "batch-worker", "--parent", "\(getpid())", "--memory-mib", "\(memoryMiB)",
            "--processor-seconds", "\(processorSeconds)", "--write", confinement.writable.path,
        ]
            + confinement.readable.filter { FileManager.default.fileExists(atPath: $0.path) }
            .flatMap { ["--read", $0.path] } + ["--"] + arguments
    }

    /// Where a learned reader of the user's lies.
    static var readerFolder: URL {
        let environment = ProcessInfo.processInfo.environment
        let data =
            environment["XDG_DATA_HOME"].map { URL(filePath: $0) }
            ?? URL(filePath: environment["HOME"] ?? "/").appending(path: ".local/share")
        return data.appending(path: "receipt-flattening/reader").resolvingSymlinksInPath()
    }

    /// Runs to the end. A task that is cancelled ends the program.
    /// - Parameter messages: the file that gets what it says of errors.
    func run(messages: URL) async throws -> End {
        guard
            FileManager.default.createFile(
                atPath: messages.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw Problem(.serviceUnavailable, "there is no room for what is made", retryAfter: 10) }
        let process = Self.process(
            of: program, words, memoryMiB: memoryMiB, processorSeconds: processorSeconds)
        let handle = try FileHandle(forWritingTo: messages)
        defer { try? handle.close() }
        process.standardError = handle
        let running = Running(process)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                StartingThread.shared.run { running.start { continuation.resume(with: $0) } }
            }
        } onCancel: {
            running.end()
        }
    }

    /// A process that may be told to end before it begins.
    private final class Running: Sendable {
        private let state: Mutex<(process: Process, isEnded: Bool)>

        init(_ process: sending Process) { state = Mutex((process, false)) }

        /// - Parameter tell: told how it ended, or why it did not begin.
        func start(_ tell: @escaping @Sendable (Result<End, any Error>) -> Void) {
            state.withLock { state in
                guard !state.isEnded else { return tell(.failure(CancellationError())) }
                state.process.terminationHandler = { ended in
                    tell(
                        .success(
                            ended.terminationReason == .exit
                                ? .exited(ended.terminationStatus) : .signalled(ended.terminationStatus)))
                }
                do {
                    try state.process.run()
                } catch {
                    state.process.terminationHandler = nil
                    tell(.failure(error))
                }
            }
        }

        func end() {
            let isRunning = state.withLock { state in
                state.isEnded = true
                guard state.process.isRunning else { return false }
                state.process.terminate()
                return true
            }
            guard isRunning else { return }
            DispatchQueue.global().asyncAfter(deadline: .now() + ChildProgram.grace) { [self] in
                state.withLock { state in
                    if state.process.isRunning { kill(state.process.processIdentifier, SIGKILL) }
                }
            }
        }
    }
}

/// The one thread that starts children: on Linux they die with the thread that started them, and those of a pool come and go.
private final class StartingThread: Sendable {
    static let shared = StartingThread()

    private let waiting = Mutex<[@Sendable () -> Void]>([])
    private let count = DispatchSemaphore(value: 0)

    private init() {
        let thread = Thread { [self] in
            while true {
                count.wait()
                waiting.withLock { $0.removeFirst() }()
            }
        }
        thread.name = "children"
        thread.start()
    }

    func run(_ work: @escaping @Sendable () -> Void) {
        waiting.withLock { $0.append(work) }
        count.signal()
    }
}

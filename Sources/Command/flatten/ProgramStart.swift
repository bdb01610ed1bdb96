import ChildProcesses
import Diagnostics
import Platform
import ReceiptFlattening
import Synchronization

/// Ends this process by its own decision, with a documented exit code.
enum ProgramEnd {
    /// Whether this program itself decided to end.
    private static let isOurs = Atomic<Bool>(false)
    /// The exit code if a library ends the process.
    private static let codeOfLibraries = Atomic<Int32>(FlatteningError.Code.shortage.exitCode)

    /// Ends the process.
    static func exit(_ code: Int32) -> Never {
        isOurs.store(true, ordering: .relaxed)
        Platform.exit(code)
    }

    /// Ensures that a library that calls exit(3) by itself ends the process with a documented code and a message. libgomp,
    /// libarchive and libgfortran do so if memory is refused. Outputs get their names only when they are complete.
    static func watch() {
        atexit {
            guard !ProgramEnd.isOurs.load(ordering: .relaxed) else { return }
            Console.giveLastWord(
                FlatteningError(
                    .shortage, "a library ended the program, as some do where memory is short",
                    advice: "Allow more (ulimit -v), or run fewer at once"))
            _exit(ProgramEnd.codeOfLibraries.load(ordering: .relaxed))
        }
    }

    /// Sets another exit code for that case from now on.
    static func setCodeOfLibraries(_ code: Int32) { codeOfLibraries.store(code, ordering: .relaxed) }
}

/// Prepares the process before anything else, since its starter may leave it in any state.
enum ProgramStart {
    /// When the program started, for `--timeout`.
    static let instant = ContinuousClock.now

    /// Takes control of the standard descriptors and signals, whatever state the starter left them in.
    static func begin() {
        _ = instant
        occupyStandardDescriptors()
        // If a reader goes away or a file size limit is reached, a write fails with a message and an exit code instead of
        // ending this process.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // Some starters leave it ignored; then the exit codes of child processes would be lost.
        signal(SIGCHLD, SIG_DFL)
        // When loaded, OpenBLAS starts a thread for each further core, which spins for work that never comes. Set before
        // there is a second thread; an existing setting is respected.
        unsafe setenv("OPENBLAS_NUM_THREADS", "1", 0)
        ProcessHeap.shareAmongThreads()
        ProgramEnd.watch()
    }

    /// Opens standard input, output and error if they are closed. Otherwise the next file opened would get such a number,
    /// and with it the data meant for the other. Reading from or writing to a closed one remains an error; messages are
    /// lost.
    private static func occupyStandardDescriptors() {
        for (descriptor, mode) in [
            (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDWR),
        ] where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // The lowest free number is assigned, which is this one. On a system without devices, any file holds the place.
            if unsafe open("/dev/null", mode) < 0 { _ = unsafe open("/", O_RDONLY) }
        }
    }

    /// The arguments after the program's name.
    /// - Throws: `.notUTF8` for an argument that, read as text, would name another file, or none; `.unknown` if the system
    ///   does not provide the arguments.
    static func words() throws(ArgumentError) -> [String] {
        var words: [String] = []
        for index in 0..<Int(CommandLine.argc) {
            guard let pointer = unsafe CommandLine.unsafeArgv[index] else { break }
            let bytes = unsafe UnsafeRawBufferPointer(start: pointer, count: strlen(pointer))
            guard let word = unsafe String(validating: bytes, as: UTF8.self) else {
                throw unsafe .notUTF8(String(showing: bytes).visible)
            }
            words.append(word)
        }
        #if os(Linux)
            // Swift reads them from /proc when the program starts; if that fails it has none, or only the name.
            if words.count <= 1 {
                guard let line = FileManager.default.contents(atPath: "/proc/self/cmdline") else {
                    throw .unknown
                }
                words = []
                for bytes in line.split(separator: 0, omittingEmptySubsequences: false).dropLast() {
                    guard let word = String(validating: bytes, as: UTF8.self) else {
                        throw .notUTF8(String(showing: bytes).visible)
                    }
                    words.append(word)
                }
            }
        #endif
        return Array(words.dropFirst())
    }

    /// Why there are no arguments to work on.
    enum ArgumentError: Error {
        /// An argument, made visible, that is not UTF-8.
        case notUTF8(String)
        /// The system does not provide the arguments.
        case unknown

        var message: String {
            switch self {
            case .notUTF8(let word):
                "the argument \(word) is no UTF-8: give the file a name that is, or name it through a link that has one"
            case .unknown:
                "the arguments cannot be read: /proc/self/cmdline is not there. Mount /proc (mount -t proc proc /proc)"
            }
        }

        /// Wrong usage, or something missing.
        var exitCode: Int32 {
            switch self {
            case .notUTF8: ExitReason.usage.rawValue
            case .unknown: ExitReason.missingLibrary.rawValue
            }
        }
    }
}

import ChildProcesses
import Diagnostics
import Platform
import ReceiptFlattening
import Synchronization

/// How this process ends: by its own decision, with a documented exit code.
enum ProgramEnd {
    /// Whether the end was decided here.
    private static let isOurs = Atomic<Bool>(false)
    /// The exit code where a library ends the process.
    private static let codeOfLibraries = Atomic<Int32>(FlatteningError.Code.shortage.exitCode)

    /// Ends the process.
    static func exit(_ code: Int32) -> Never {
        isOurs.store(true, ordering: .relaxed)
        Platform.exit(code)
    }

    /// Sees to it that a library that calls exit(3) by itself ends the process with a documented code and a message. libgomp,
    /// libarchive and libgfortran do so where memory is refused. Outputs have no name before they are whole.
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

    /// Has another exit code stand for that from now on.
    static func setCodeOfLibraries(_ code: Int32) { codeOfLibraries.store(code, ordering: .relaxed) }
}

/// What is put in order before anything else, since who starts this program may leave it in any state.
enum ProgramStart {
    /// When the program started, for `--timeout`.
    static let instant = ContinuousClock.now

    /// Takes the standard descriptors and signals out of the starter's hands.
    static func begin() {
        _ = instant
        occupyStandardDescriptors()
        // A reader that goes away and a limit of file size are failed writes with a message and an exit code, not the end
        // of this process.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        // Ignored, as some starters leave it, the exit codes of child processes would be lost.
        signal(SIGCHLD, SIG_DFL)
        // OpenBLAS starts a thread for each further core when it is loaded, which spins for work that never comes. Set
        // before there is a second thread; who has set it otherwise is left in charge.
        unsafe setenv("OPENBLAS_NUM_THREADS", "1", 0)
        ProcessHeap.shareAmongThreads()
        ProgramEnd.watch()
    }

    /// Opens what is closed of standard input, output and error: the next file opened would get its number, and with it
    /// what is meant for the other. To read from or write to what was closed stays an error; messages are lost.
    private static func occupyStandardDescriptors() {
        for (descriptor, mode) in [
            (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDWR),
        ] where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
            // The lowest free number is given, which is this one. Where there are no devices any file holds the place.
            if unsafe open("/dev/null", mode) < 0 { _ = unsafe open("/", O_RDONLY) }
        }
    }

    /// The words after the program's name.
    /// - Throws: `.notUTF8` for a word that, read as text, would name another file, or none; `.unknown` where the system
    ///   does not tell the words.
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
            // Swift asks /proc for them as the program starts, and where it could not has none, or the name alone.
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

    /// Why there are no words to work on.
    enum ArgumentError: Error {
        /// A word, made visible, that is no UTF-8.
        case notUTF8(String)
        /// The system does not tell the words.
        case unknown

        var message: String {
            switch self {
            case .notUTF8(let word):
                "the argument \(word) is no UTF-8: give the file a name that is, or name it through a link that has one"
            case .unknown:
                "the arguments cannot be read: /proc/self/cmdline is not there. Mount /proc (mount -t proc proc /proc)"
            }
        }

        /// Wrong usage, or something that is missing.
        var exitCode: Int32 {
            switch self {
            case .notUTF8: ExitReason.usage.rawValue
            case .unknown: ExitReason.missingLibrary.rawValue
            }
        }
    }
}

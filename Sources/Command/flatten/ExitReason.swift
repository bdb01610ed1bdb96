import Diagnostics
import ReceiptFlattening

/// The documented exit codes of `flatten`, with the numbers of sysexits.h where one fits.
enum ExitReason: Int32, CaseIterable {
    case done = 0
    case someFailed = 1
    case belowDemand = 3
    case usage = 64
    case badInput = 65
    case missingLibrary = 69
    case defect = 70
    case limit = 71
    case file = 74
    case timeout = 75

    /// The meaning, as given in the help and the README.
    var meaning: String {
        switch self {
        case .done: "done"
        case .someFailed:
            "some captures of several failed (a batch, or cards or archive add), or archive check found damage"
        case .belowDemand:
            "what --require or --min-confidence asks for was not reached, or what --redact hides was found in an output"
        case .usage: "wrong usage"
        case .badInput: "bad input: a file is broken, contradicts itself or is of a kind that is not read"
        case .missingLibrary: "a library or language data is missing"
        case .defect: "a defect of this program"
        case .limit:
            "a limit of size was passed (options that begin with --max- raise it), or memory, threads or open files are short"
        case .file:
            "a file cannot be read or written, the disk is full, or a file exists and --no-clobber was given"
        case .timeout:
            "the time allowed by --timeout was used up, outputs written before stay; or a batch was asked to end, and goes on with --resume"
        }
    }

    /// All exit codes in one sentence.
    static var page: String { allCases.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: "; ") }
}

extension FlatteningError.Code {
    /// The reason with which `flatten` exits after such an error.
    var exitReason: ExitReason {
        switch self {
        case .badInput, .unsupported: .badInput
        case .missingDependency, .missingLanguageData: .missingLibrary
        case .limitExceeded, .shortage: .limit
        case .fileAccess, .storageFull: .file
        case .timeout: .timeout
        default: .defect
        }
    }

    /// The exit code for an error of this kind.
    var exitCode: Int32 { exitReason.rawValue }
}

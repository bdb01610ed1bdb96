import SQLiteDatabase
import Platform
import ReceiptFlattening

/// The output of `flatten --version --verbose`, one line each: this program, what it was built with, where it runs.
enum VersionPage {
    static var lines: [String] {
        [
            ReceiptFlatteningVersion.current, "Swift \(swift)",
            "system \(ProcessInfo.processInfo.operatingSystemVersionString)",
            LibraryVersions(libraries: [Database.library] + LibraryVersions.current.libraries).description,
        ]
    }

    /// Whether the words request this page.
    static func isAsked(by words: [String]) -> Bool {
        !Set(words).isDisjoint(with: ["--version", "-V"])
            && !Set(words).isDisjoint(with: ["--verbose", "-v"])
    }

    /// The compiler's version; a program can only test whether it is at least a given version.
    private static var swift: String {
        #if compiler(>=6.4)
            "6.4 or later"
        #elseif compiler(>=6.3)
            "6.3"
        #elseif compiler(>=6.2)
            "6.2"
        #else
            "6.1"
        #endif
    }
}

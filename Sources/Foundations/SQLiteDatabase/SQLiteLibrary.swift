internal import CSQLite
import Diagnostics
import RuntimeLibraries

/// SQLite, found at run time.
enum SQLiteLibrary {
    static let shared = unsafe RuntimeLibrary<CSQLiteFunctions, FlatteningError>(
        anyOf: LibraryFiles.named(linux: ["libsqlite3.so.0"], darwin: ["libsqlite3.dylib"]),
        functions: FunctionNames(csqlite_function_names()),
        purpose: "SQLite, which keeps contacts and archives,", stage: .libraries,
        allowed: "3.37 and newer, with FTS5",
        advice: "Install SQLite: apt-get install libsqlite3-0, or brew install sqlite",
        unsuitable: { sqlite in
            // STRICT tables came with 3.37.
            sqlite.sqlite3_libversion_number() >= 3_037_000
                ? nil : unsafe "is version \(text(sqlite.sqlite3_libversion()))"
        })

    /// SQLCipher, a version of SQLite that encrypts files. Debian 12 has 3.4, based on an SQLite of 2016 without FTS5.
    static let cipher = unsafe RuntimeLibrary<CSQLiteFunctions, FlatteningError>(
        anyOf: LibraryFiles.named(
            linux: ["libsqlcipher.so.0", "libsqlcipher.so.1"], darwin: ["libsqlcipher.dylib"]),
        functions: FunctionNames(csqlite_function_names()),
        purpose: "SQLCipher, which encrypts archives,", stage: .libraries, allowed: "3.4 and newer",
        advice: "Install SQLCipher: apt-get install libsqlcipher0, or brew install sqlcipher",
        unsuitable: { sqlite in
            // The SQLite version that SQLCipher 3.4 is based on; some systems give plain SQLite this name.
            sqlite.sqlite3_libversion_number() >= 3_015_000
                ? nil : unsafe "is on SQLite \(text(sqlite.sqlite3_libversion()))"
        })

    /// Converts a C string from SQLite.
    static func text(_ characters: UnsafePointer<CChar>?) -> String {
        unsafe characters.map { unsafe String(cString: $0) } ?? ""
    }
}

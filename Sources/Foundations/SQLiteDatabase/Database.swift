internal import CSQLite
import Diagnostics
import ScalarText
package import RuntimeLibraries

/// A connection to an SQLite database. SQLite accepts one call at a time (`SQLITE_OPEN_FULLMUTEX`); code that shares the
/// connection must hold a lock for the whole transaction.
@safe package final class Database: @unchecked Sendable {
    private let sqlite: CSQLiteFunctions
    private let connection: OpaquePointer
    /// Whether the file is encrypted.
    package let isEncrypted: Bool

    /// Opens a database, or creates it if it is missing.
    /// - Parameters:
    ///   - patience: how long to wait for a locked database, in seconds.
    ///   - passphrase: the passphrase of an existing or new encrypted file; nil for an unencrypted one.
    /// - Throws: `FlatteningError` without the library, `DatabaseError` if SQLite cannot open the file: `SQLITE_NOTADB` with a
    ///   wrong passphrase, or without one if the file is encrypted.
    package init(path: String, patience: Double, passphrase: String? = nil) throws {
        let library = passphrase == nil ? SQLiteLibrary.shared : SQLiteLibrary.cipher
        let sqlite = try library.load()
        self.sqlite = sqlite
        isEncrypted = passphrase != nil
        var opened: OpaquePointer?
        let code = unsafe sqlite.sqlite3_open_v2(
            path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, nil)
        guard code == SQLITE_OK, let opened = unsafe opened else {
            // A database that could not be opened must be closed as well.
            _ = unsafe sqlite.sqlite3_close_v2(opened)
            throw unsafe DatabaseError(code: code, message: SQLiteLibrary.text(sqlite.sqlite3_errstr(code)))
        }
        unsafe connection = unsafe opened
        _ = unsafe sqlite.sqlite3_busy_timeout(connection, Int32(patience * 1000))
        if let passphrase { try unlock(passphrase) }
    }

    /// Sets up encryption with a passphrase. SQLCipher 4 reads and writes the format of version 3 (`cipher_compatibility`):
    /// AES-256 with an HMAC for each page; pages have SQLite's own size, and the key uses SQLCipher 4's default number of PBKDF2
    /// rounds.
    private func unlock(_ passphrase: String) throws {
        try execute(
            """
            PRAGMA key = '\(passphrase.replacingScalars("'", with: "''"))';
            PRAGMA cipher_compatibility = 3;
            PRAGMA cipher_page_size = 4096;
            PRAGMA kdf_iter = 256000;
            PRAGMA cache_size = -\(Self.cipherCache);
            """)
        // Plain SQLite under SQLCipher's name would store everything unencrypted.
        guard try !rows("PRAGMA cipher_version").isEmpty else {
            throw DatabaseError(code: SQLITE_MISUSE, message: "the library for encryption encrypts nothing")
        }
        // The first statement that needs the key.
        _ = try rows("SELECT count(*) FROM sqlite_master")
    }

    /// Cache of decrypted pages, in KiB. With SQLite's 2,000, each search of 20,000 documents decrypts its pages again: a page
    /// from the middle of the list took 51 ms, now 5 (`measure-archive --passphrase`).
    private static let cipherCache = 32_768

    deinit { _ = unsafe sqlite.sqlite3_close_v2(connection) }

    /// The row number of the last insertion.
    package var lastInsertedID: Int { unsafe Int(sqlite.sqlite3_last_insert_rowid(connection)) }

    /// SQLite's version, or why it is missing.
    package static var library: LibraryVersion {
        SQLiteLibrary.shared.version(of: "SQLite") { unsafe SQLiteLibrary.text($0.sqlite3_libversion()) }
    }

    /// The version of the SQLite inside SQLCipher, or why it is missing.
    package static var cipherLibrary: LibraryVersion {
        SQLiteLibrary.cipher.version(of: "SQLCipher") {
            unsafe "on SQLite " + SQLiteLibrary.text($0.sqlite3_libversion())
        }
    }

    /// Copies a consistent snapshot of the whole database into an empty one, while others may use it.
    package func copy(to other: Database) throws {
        guard let backup = unsafe sqlite.sqlite3_backup_init(other.connection, "main", connection, "main")
        else {
            throw unsafe DatabaseError(
                code: SQLITE_MISUSE, message: SQLiteLibrary.text(sqlite.sqlite3_errmsg(other.connection)))
        }
        // Copies all pages at once: between two steps others might change some.
        let code = unsafe sqlite.sqlite3_backup_step(backup, -1)
        _ = unsafe sqlite.sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE else {
            throw unsafe DatabaseError(code: code, message: SQLiteLibrary.text(sqlite.sqlite3_errstr(code)))
        }
    }

    /// Runs statements, separated by semicolons; the values are bound to the first.
    package func execute(_ sql: String, _ values: [DatabaseValue] = []) throws { _ = try run(sql, values) }

    /// Returns the rows of one statement.
    package func rows(_ sql: String, _ values: [DatabaseValue] = []) throws -> [Row] { try run(sql, values) }

    /// Runs work in one transaction, which is rolled back on an error.
    /// - Parameter isWriting: whether others are kept from writing from the start instead of from the first change.
    package func transaction<Value>(isWriting: Bool, _ work: (Database) throws -> Value) throws -> Value {
        try execute(isWriting ? "BEGIN IMMEDIATE" : "BEGIN")
        do {
            let value = try work(self)
            try execute("COMMIT")
            return value
        } catch {
            // Some errors end the transaction by themselves.
            if unsafe sqlite.sqlite3_get_autocommit(connection) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    private func run(_ sql: String, _ values: [DatabaseValue]) throws -> [Row] {
        var rows: [Row] = []
        try unsafe sql.withCString { text in
            var rest: UnsafePointer<CChar>? = unsafe text
            var values = values
            while let start = unsafe rest, unsafe start.pointee != 0 {
                var prepared: OpaquePointer?
                try unsafe check(sqlite.sqlite3_prepare_v2(connection, start, -1, &prepared, &rest))
                // Spaces or a comment may follow the last statement.
                guard let statement = unsafe prepared else { continue }
                defer { _ = unsafe sqlite.sqlite3_finalize(statement) }
                for (place, value) in values.enumerated() {
                    try unsafe bind(value, to: statement, at: Int32(place) + 1)
                }
                values = []
                unsafe rows += try step(statement)
            }
        }
        return rows
    }

    private func bind(_ value: DatabaseValue, to statement: OpaquePointer, at place: Int32) throws {
        switch value {
        case .integer(let number):
            try unsafe check(sqlite.sqlite3_bind_int64(statement, place, Int64(number)))
        case .real(let number): try unsafe check(sqlite.sqlite3_bind_double(statement, place, number))
        case .text(var text):
            let code = text.withUTF8 { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                    unsafe withUnsafePointer(to: sqlite) {
                        // An empty text has no address, and a null pointer would mean NULL.
                        guard let start = characters.baseAddress else {
                            return unsafe csqlite_bind_text($0, statement, place, "", 0)
                        }
                        return unsafe csqlite_bind_text(
                            $0, statement, place, start, Int32(clamping: characters.count))
                    }
                }
            }
            try check(code)
        case .bytes(let bytes):
            let code = unsafe bytes.withUnsafeBytes { bytes in
                unsafe withUnsafePointer(to: sqlite) {
                    // As above: empty bytes are not NULL.
                    guard let start = bytes.baseAddress else {
                        return unsafe csqlite_bind_blob($0, statement, place, "", 0)
                    }
                    return unsafe csqlite_bind_blob($0, statement, place, start, Int32(clamping: bytes.count))
                }
            }
            try check(code)
        }
    }

    private func step(_ statement: OpaquePointer) throws -> [Row] {
        var rows: [Row] = []
        while true {
            let code = unsafe sqlite.sqlite3_step(statement)
            switch code {
            case SQLITE_ROW:
                unsafe rows.append(
                    Row(
                        values: (0..<sqlite.sqlite3_column_count(statement)).map {
                            unsafe value(of: statement, at: $0)
                        }))
            case SQLITE_DONE: return rows
            default: try check(code)
            }
        }
    }

    /// Returns a column's value; nil for NULL, and for text that is not UTF-8.
    private func value(of statement: OpaquePointer, at place: Int32) -> DatabaseValue? {
        switch unsafe sqlite.sqlite3_column_type(statement, place) {
        case SQLITE_INTEGER: return unsafe .integer(Int(sqlite.sqlite3_column_int64(statement, place)))
        case SQLITE_FLOAT: return unsafe .real(sqlite.sqlite3_column_double(statement, place))
        case SQLITE_TEXT:
            guard let start = unsafe sqlite.sqlite3_column_text(statement, place) else { return nil }
            let bytes = unsafe UnsafeBufferPointer(
                start: start, count: Int(sqlite.sqlite3_column_bytes(statement, place)))
            return unsafe String(validating: bytes, as: UTF8.self).map { .text($0) }
        case SQLITE_BLOB:
            // An empty blob has no address.
            return unsafe .bytes(
                Array(
                    UnsafeRawBufferPointer(
                        start: sqlite.sqlite3_column_blob(statement, place),
                        count: Int(sqlite.sqlite3_column_bytes(statement, place)))))
        default: return nil
        }
    }

    private func check(_ code: Int32) throws {
        guard code != SQLITE_OK else { return }
        throw unsafe DatabaseError(code: code, message: SQLiteLibrary.text(sqlite.sqlite3_errmsg(connection)))
    }
}

/// A value of a statement or a row.
package enum DatabaseValue: Equatable, Sendable {
    case integer(Int)
    case real(Double)
    case text(String)
    /// At most 2 GB.
    case bytes([UInt8])
}

/// One row of a statement's result; nil stands for NULL and for broken text.
package struct Row: Equatable, Sendable {
    fileprivate let values: [DatabaseValue?]

    /// Returns a column as an integer.
    /// - Throws: `DamagedDatabase` if it has another type; the same applies below.
    package func integer(_ place: Int) throws -> Int {
        guard values.indices.contains(place), case .integer(let number) = values[place] else {
            throw DamagedDatabase()
        }
        return number
    }

    /// Returns a column as a number.
    package func real(_ place: Int) throws -> Double {
        guard values.indices.contains(place), case .real(let number) = values[place] else {
            return Double(try integer(place))
        }
        return number
    }

    /// Returns a column as text.
    package func text(_ place: Int) throws -> String {
        guard values.indices.contains(place), case .text(let text) = values[place] else {
            throw DamagedDatabase()
        }
        return text
    }

    /// Returns a column as bytes.
    package func bytes(_ place: Int) throws -> [UInt8] {
        guard values.indices.contains(place), case .bytes(let bytes) = values[place] else {
            throw DamagedDatabase()
        }
        return bytes
    }
}

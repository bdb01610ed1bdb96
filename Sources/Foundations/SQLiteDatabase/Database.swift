internal import CSQLite
import Diagnostics
package import RuntimeLibraries

/// A connection to an SQLite database. SQLite takes one call at a time (`SQLITE_OPEN_FULLMUTEX`); who shares the connection
/// holds a lock for as long as a transaction takes.
package final class Database: @unchecked Sendable {
    private let sqlite: CSQLiteFunctions
    private let connection: OpaquePointer

    /// Opens a database that is there, or makes it.
    /// - Parameter patience: how long a locked database is waited for, in seconds.
    /// - Throws: `FlatteningError` without the library, `DatabaseError` if SQLite cannot open the file.
    package init(path: String, patience: Double) throws {
        let sqlite = try SQLiteLibrary.shared.load()
        self.sqlite = sqlite
        var opened: OpaquePointer?
        let code = sqlite.sqlite3_open_v2(
            path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, nil)
        guard code == SQLITE_OK, let opened else {
            // What could not be opened is closed as well.
            _ = sqlite.sqlite3_close_v2(opened)
            throw DatabaseError(code: code, message: SQLiteLibrary.text(sqlite.sqlite3_errstr(code)))
        }
        connection = opened
        _ = sqlite.sqlite3_busy_timeout(connection, Int32(patience * 1000))
    }

    deinit { _ = sqlite.sqlite3_close_v2(connection) }

    /// The number that the last insertion gave.
    package var lastInsertedID: Int { Int(sqlite.sqlite3_last_insert_rowid(connection)) }

    /// SQLite's version, or why there is none.
    package static var library: LibraryVersion {
        SQLiteLibrary.shared.version(of: "SQLite") { SQLiteLibrary.text($0.sqlite3_libversion()) }
    }

    /// Runs statements, separated by semicolons; the values go to the first.
    package func execute(_ sql: String, _ values: [DatabaseValue] = []) throws { _ = try run(sql, values) }

    /// The rows of one statement.
    package func rows(_ sql: String, _ values: [DatabaseValue] = []) throws -> [Row] { try run(sql, values) }

    /// Does work in one transaction: all of it or, after an error, none.
    /// - Parameter isWriting: whether others are kept from writing from the start, not from the first change.
    package func transaction<Value>(isWriting: Bool, _ work: (Database) throws -> Value) throws -> Value {
        try execute(isWriting ? "BEGIN IMMEDIATE" : "BEGIN")
        do {
            let value = try work(self)
            try execute("COMMIT")
            return value
        } catch {
            // Some errors end the transaction by themselves.
            if sqlite.sqlite3_get_autocommit(connection) == 0 { try? execute("ROLLBACK") }
            throw error
        }
    }

    private func run(_ sql: String, _ values: [DatabaseValue]) throws -> [Row] {
        var rows: [Row] = []
        try sql.withCString { text in
            var rest: UnsafePointer<CChar>? = text
            var values = values
            while let start = rest, start.pointee != 0 {
                var prepared: OpaquePointer?
                try check(sqlite.sqlite3_prepare_v2(connection, start, -1, &prepared, &rest))
                // Behind the last statement may stand spaces or a remark.
                guard let statement = prepared else { continue }
                defer { _ = sqlite.sqlite3_finalize(statement) }
                for (place, value) in values.enumerated() {
                    try bind(value, to: statement, at: Int32(place) + 1)
                }
                values = []
                rows += try step(statement)
            }
        }
        return rows
    }

    private func bind(_ value: DatabaseValue, to statement: OpaquePointer, at place: Int32) throws {
        switch value {
        case .integer(let number): try check(sqlite.sqlite3_bind_int64(statement, place, Int64(number)))
        case .real(let number): try check(sqlite.sqlite3_bind_double(statement, place, number))
        case .text(var text):
            let code = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    withUnsafePointer(to: sqlite) {
                        // A text of no byte has no address, and none would be NULL.
                        guard let start = characters.baseAddress else {
                            return csqlite_bind_text($0, statement, place, "", 0)
                        }
                        return csqlite_bind_text(
                            $0, statement, place, start, Int32(clamping: characters.count))
                    }
                }
            }
            try check(code)
        }
    }

    private func step(_ statement: OpaquePointer) throws -> [Row] {
        var rows: [Row] = []
        while true {
            let code = sqlite.sqlite3_step(statement)
            switch code {
            case SQLITE_ROW:
                rows.append(
                    Row(
                        values: (0..<sqlite.sqlite3_column_count(statement)).map {
                            value(of: statement, at: $0)
                        }))
            case SQLITE_DONE: return rows
            default: try check(code)
            }
        }
    }

    /// A column's value; nil for NULL, for bytes, and for what is no text in UTF-8.
    private func value(of statement: OpaquePointer, at place: Int32) -> DatabaseValue? {
        switch sqlite.sqlite3_column_type(statement, place) {
        case SQLITE_INTEGER: return .integer(Int(sqlite.sqlite3_column_int64(statement, place)))
        case SQLITE_FLOAT: return .real(sqlite.sqlite3_column_double(statement, place))
        case SQLITE_TEXT:
            guard let start = sqlite.sqlite3_column_text(statement, place) else { return nil }
            let bytes = UnsafeBufferPointer(
                start: start, count: Int(sqlite.sqlite3_column_bytes(statement, place)))
            return String(validating: bytes, as: UTF8.self).map { .text($0) }
        default: return nil
        }
    }

    private func check(_ code: Int32) throws {
        guard code != SQLITE_OK else { return }
        throw DatabaseError(code: code, message: SQLiteLibrary.text(sqlite.sqlite3_errmsg(connection)))
    }
}

/// A value of a statement or a row.
package enum DatabaseValue: Equatable, Sendable {
    case integer(Int)
    case real(Double)
    case text(String)
}

/// One row of what a statement gives; nil stands for what is neither number nor text.
package struct Row: Equatable, Sendable {
    fileprivate let values: [DatabaseValue?]

    /// A column as a whole number.
    /// - Throws: `DamagedDatabase` where it is of another type; likewise below.
    package func integer(_ place: Int) throws -> Int {
        guard values.indices.contains(place), case .integer(let number) = values[place] else {
            throw DamagedDatabase()
        }
        return number
    }

    /// A column as a number.
    package func real(_ place: Int) throws -> Double {
        guard values.indices.contains(place), case .real(let number) = values[place] else {
            return Double(try integer(place))
        }
        return number
    }

    /// A column as a text.
    package func text(_ place: Int) throws -> String {
        guard values.indices.contains(place), case .text(let text) = values[place] else {
            throw DamagedDatabase()
        }
        return text
    }
}

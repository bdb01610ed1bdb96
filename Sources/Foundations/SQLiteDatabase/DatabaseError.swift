internal import CSQLite
package import Diagnostics

/// An error reported by SQLite.
package struct DatabaseError: Error {
    /// One of SQLite's result codes; its low byte is the primary one.
    package let code: Int32
    /// SQLite's message.
    package let message: String

    /// The primary result code.
    var primaryCode: Int32 { code & 0xFF }

    /// Whether the file is not an SQLite database, or is encrypted differently.
    package var isNoDatabase: Bool { primaryCode == SQLITE_NOTADB }
}

/// Thrown for a table that does not have the expected content.
package struct DamagedDatabase: Error {
    package init() {}
}

extension Database {
    /// Runs work on the database of a store; converts its errors to this package's errors.
    /// - Parameters:
    ///   - name: the store's name in messages: "store", "archive".
    ///   - path: the store as the caller named it.
    ///   - stage: the step that errors name.
    package static func translatingErrors<Value>(
        _ name: String, _ path: String, stage: FlatteningError.Stage, _ work: () throws -> Value
    ) throws(FlatteningError) -> Value {
        do {
            return try work()
        } catch let error as FlatteningError {
            throw error.naming(file: path)
        } catch let error as DatabaseError {
            throw error.translated(name, path, stage)
        } catch {
            // Values of a wrong type, and values that do not decode.
            throw FlatteningError(
                .badInput, "the \(name) is damaged", file: path, stage: stage,
                detail: error is DamagedDatabase ? nil : "\(error)")
        }
    }
}

extension DatabaseError {
    fileprivate func translated(_ name: String, _ path: String, _ stage: FlatteningError.Stage)
        -> FlatteningError
    {
        let (kind, words, advice): (FlatteningError.Code, String, String?) =
            switch primaryCode {
            case SQLITE_BUSY, SQLITE_LOCKED:
                (.fileAccess, "another program keeps the \(name) locked", "Try again when it is done")
            case SQLITE_NOTADB: (.badInput, "this is no \(name) of this program", nil)
            case SQLITE_FULL: (.storageFull, "the disk is full", "Free some space")
            case SQLITE_NOMEM: (.shortage, "memory is short", nil)
            case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
                (
                    .fileAccess, "the \(name) cannot be written",
                    "Check the permissions of the file and its folder"
                )
            case SQLITE_CANTOPEN, SQLITE_IOERR:
                (.fileAccess, "the \(name) cannot be read or written", nil)
            case SQLITE_CORRUPT: (.badInput, "the \(name) is damaged", nil)
            case SQLITE_TOOBIG: (.limitExceeded, "a text is too long for the \(name)", nil)
            // The program's request was wrong: this is no sign of damage, and no reason to give up a store.
            default:
                (
                    .internalInconsistency,
                    "the database does not take what it was asked; the \(name) is as it was", nil
                )
            }
        return FlatteningError(kind, words, file: path, stage: stage, detail: message, advice: advice)
    }
}

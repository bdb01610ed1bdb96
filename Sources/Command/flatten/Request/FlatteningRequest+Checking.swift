import Diagnostics
import LocalFiles

extension FlatteningRequest {
    /// Runs `write`; with `--no-clobber` it replaces no existing file.
    func keepingExisting<Value>(
        _ write: () throws(FlatteningError) -> Value
    ) throws(FlatteningError) -> Value {
        existing == .kept ? try AtomicFile.keepingExisting(write) : try write()
    }

    /// Writes outputs of redacted receipts. They get their names only if no hidden content is found in them, or with `--keep`.
    /// - Parameters:
    ///   - subjects: the hidden content of the receipts.
    ///   - write: writes the outputs; `isVerified` is false if hidden content was found in them.
    /// - Returns: descriptions of the hidden content found; empty if nothing is redacted.
    func checked(
        _ subjects: [RedactionCheck.Subject], write: (_ isVerified: Bool) throws(FlatteningError) -> Void
    ) throws(FlatteningError) -> [String] {
        guard isRedacted else {
            try write(true)
            return []
        }
        let held = try AtomicFile.holding { () throws(FlatteningError) in try write(true) }
        let found = try RedactionCheck(subjects).findings(in: held)
        if found.isEmpty {
            try held.commit()
        } else {
            held.discard()
            if requirements.keep { try write(false) }
        }
        return found
    }
}

import Diagnostics
import LocalFiles

extension FlatteningRequest {
    /// Has `write` replace no file where `--no-clobber` says so.
    func keepingExisting<Value>(
        _ write: () throws(FlatteningError) -> Value
    ) throws(FlatteningError) -> Value {
        existing == .kept ? try AtomicFile.keepingExisting(write) : try write()
    }

    /// Has outputs of redacted receipts get their names only once nothing of what is hidden is found in them, or with `--keep`.
    /// - Parameters:
    ///   - subjects: what is hidden of the receipts.
    ///   - write: writes outputs; told whether nothing that is hidden was found in them.
    /// - Returns: what is found; empty where nothing is redacted.
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

import Diagnostics
import LocalFiles
import Platform
import ReceiptFlattening
import ReceiptOutputs

extension MergedPDF {
    /// Replaces a file by the pages that `body` adds; on any error the old one stays, and without a page.
    /// - Returns: whether there was a page.
    static func replace(
        _ path: String, pageSize: PageSize = .sheet,
        with body: (inout MergedPDF) throws(FlatteningError) -> Void
    ) throws(FlatteningError) -> Bool {
        let file = try AtomicFile(path: path)
        do throws(FlatteningError) {
            var merged = try MergedPDF(date: SourceDate.current, pageSize: pageSize) {
                (bytes) throws(FlatteningError) in
                try file.write(bytes)
            }
            try body(&merged)
            guard merged.count > 0 else {
                file.discard()
                return false
            }
            try merged.finish()
            try file.commit()
            return true
        } catch {
            file.discard()
            throw error.naming(file: path)
        }
    }
}

/// The moment that is written into outputs as theirs: what SOURCE_DATE_EPOCH says (seconds since 1970; see
/// reproducible-builds.org), and otherwise none, so that the same input gives the same bytes.
enum SourceDate {
    /// The end of the year 9999.
    private static let latest = 253_402_300_799

    static var current: Date? {
        guard let words = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"], let seconds = Int(words),
            (0...latest).contains(seconds)
        else { return nil }
        return Date(timeIntervalSince1970: Double(seconds))
    }
}

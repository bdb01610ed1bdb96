import Diagnostics
import LocalFiles
import Platform
import ReceiptFlattening
import ReceiptOutputs

extension MergedPDF {
    /// Replaces a file by the pages that `body` adds. On any error, or if there is no page, the old file stays.
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

import Diagnostics
import LocalFiles
import ImageFiles
import Imaging
import ScalarText

/// A plain text of rows and fields: CSV with commas, or columns separated by spaces. Lines that start with # are ignored.
///
/// None of the formats read here quotes its fields.
struct FieldTable {
    /// The fields of each line that has any, without surrounding spaces; all text from the last of `mostFields` on is one
    /// field.
    let rows: [[Substring]]

    /// The longest lists have one line per frame, or two per image; each row takes many times its bytes in memory.
    static let maximumRows = 1_000_000
    /// The rows with the most fields are a matrix, and an image's name with spaces in it.
    static let mostFields = 256

    /// Reads the rows of a file.
    /// - Throws: `.badInput` for a file that is not UTF-8 text, `.limitExceeded` for too many lines.
    /// - Complexity: O(bytes).
    init(_ file: InputFile, maximumRows: Int = maximumRows) throws(FlatteningError) {
        guard let text = String(validating: file.bytes, as: UTF8.self) else {
            throw FlatteningError(.badInput, "the file is not in UTF-8", file: file.name, stage: .table)
        }
        let lines = text.split(maxSplits: maximumRows, whereSeparator: \.isNewline)
        guard lines.count <= maximumRows else {
            throw FlatteningError(
                .limitExceeded, "the file has too many lines", file: file.name, stage: .table,
                seen: "more than \(maximumRows)", allowed: "\(maximumRows)")
        }
        rows = lines.compactMap { line in
            guard !line.hasScalarPrefix("#") else { return nil }
            let fields =
                line.containsScalar(",")
                ? line.split(atScalar: ",", maxSplits: Self.mostFields, omittingEmptySubsequences: false)
                    .map(Self.trimmed)
                : line.split(maxSplits: Self.mostFields, whereSeparator: \.isWhitespace)
            return fields.isEmpty ? nil : fields
        }
    }

    /// Converts a field to a finite number.
    static func number(_ field: Substring) -> Double? {
        Double(field).flatMap { $0.isFinite ? $0 : nil }
    }

    private static func trimmed(_ field: Substring) -> Substring {
        let start = field.drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? start.prefix(0)
    }
}

import ImageFiles
import Imaging

/// A plain text of rows and fields: CSV with commas, or columns set apart by spaces. Lines that start with # are passed over.
///
/// No format read here quotes its fields.
struct FieldTable {
    /// The fields of each line that has any, without the spaces around them.
    let rows: [[Substring]]

    /// The rows of a file.
    /// - Throws: `.badInput` for what is not UTF-8 text.
    init(_ file: InputFile) throws(FlatteningError) {
        guard let text = String(validating: file.bytes, as: UTF8.self) else {
            throw FlatteningError(.badInput, "the file is not in UTF-8", file: file.name, stage: "table")
        }
        rows = text.split(whereSeparator: \.isNewline).compactMap { line in
            guard !line.hasPrefix("#") else { return nil }
            let fields =
                line.contains(",")
                ? line.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimmed)
                : line.split(whereSeparator: \.isWhitespace)
            return fields.isEmpty ? nil : fields
        }
    }

    /// A field as a finite number.
    static func number(_ field: Substring) -> Double? {
        Double(field).flatMap { $0.isFinite ? $0 : nil }
    }

    private static func trimmed(_ field: Substring) -> Substring {
        let start = field.drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? start.prefix(0)
    }
}

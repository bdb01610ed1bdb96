import Diagnostics
import Platform

/// Values as the subcommands of `cards` and `archive` show them: JSON with times in ISO 8601.
enum ShownJSON {
    /// Returns the text, with a line feed at its end.
    /// - Parameter isOneLine: whether to write no other line feed.
    static func text(
        of value: some Encodable, stage: FlatteningError.Stage, isOneLine: Bool = false
    ) throws(FlatteningError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if !isOneLine { encoder.outputFormatting.insert(.prettyPrinted) }
        encoder.dateEncodingStrategy = .iso8601
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
        } catch {
            throw FlatteningError(
                .internalInconsistency, "the result cannot be written as JSON", stage: stage,
                detail: "\(error)")
        }
    }
}

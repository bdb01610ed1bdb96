import Platform

/// A line of `--progress` about a run: `progress: ` and a JSON object.
struct ProgressRecord: Encodable, Equatable {
    /// The current stage: `read`, a stage of `ReceiptFlattener`, `write`.
    var stage: String
    /// The share of the stage that is done, 0 to 1, in hundredths; nil if unknown.
    var share: Double?
    /// The page of the document and the number of pages; nil for a single page.
    var page: Int?
    var pages: Int?

    /// The line; empty if it cannot be encoded.
    var line: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let json = try? encoder.encode(self) else { return "" }
        return "progress: " + String(decoding: json, as: UTF8.self) + "\n"
    }
}

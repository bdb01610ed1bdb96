import Platform

/// What `--progress` tells of a run: a line `progress: ` and an object of JSON.
struct ProgressRecord: Encodable, Equatable {
    /// What is being done: `read`, a stage of `ReceiptFlattener`, `write`.
    var stage: String
    /// How much of the stage is done, 0 to 1, in hundredths; nil where that is not known.
    var share: Double?
    /// The page of the document and how many there are; nil where there is one.
    var page: Int?
    var pages: Int?

    /// Nothing if it cannot be said.
    var line: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        guard let json = try? encoder.encode(self) else { return "" }
        return "progress: " + String(decoding: json, as: UTF8.self) + "\n"
    }
}

import Documents

extension FlatteningReport {
    /// What kind of document the sheet is taken for.
    package struct DocumentSummary: Codable, Equatable, Sendable {
        /// The kind; "unknown" where none is likely enough.
        package var kind: String
        /// Estimated probability that the likeliest kind is right, 0 to 1.
        package var confidence: Double
        /// What speaks most for it, the strongest first; at most three.
        package var reasons: [String]

        init(_ document: DocumentClassification) {
            kind = document.kind.rawValue
            confidence = document.confidence
            reasons = document.reasons
        }
    }
}

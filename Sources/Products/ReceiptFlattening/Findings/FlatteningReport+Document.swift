import Documents

extension FlatteningReport {
    /// What kind of document the sheet is taken for.
    package struct DocumentSummary: Codable, Equatable, Sendable {
        /// The kind; "unknown" if none is likely enough.
        package var kind: String
        /// Estimated probability that the likeliest kind is right, 0 to 1.
        package var confidence: Double
        /// The strongest reasons for this kind, the strongest first; at most three.
        package var reasons: [String]

        init(_ document: DocumentClassification) {
            kind = document.kind.rawValue
            confidence = document.confidence
            reasons = document.reasons
        }
    }
}

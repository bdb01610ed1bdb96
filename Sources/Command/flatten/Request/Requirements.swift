import ReceiptFlattening

/// What a result must have to count as a success.
struct Requirements: Codable, Sendable {
    /// What can be required.
    enum Requirement: String, CaseIterable, Codable {
        /// The sheet was flattened using its depth.
        case depth
        /// The sheet was found in the image, or its corners were given, and it was flattened.
        case sheet
        /// Text was read, not merely guessed.
        case text
    }

    var required: [Requirement] = []
    /// The least confidence that the report must have, 0 to 1.
    var minConfidence: Double?
    /// Whether outputs are written even if a requirement is not met.
    var keep = false

    /// Whether anything is required.
    var asksForSomething: Bool { !required.isEmpty || minConfidence != nil }

    /// The requirements that a result does not meet, one sentence each.
    func unmet(by report: FlatteningReport) -> [String] {
        var reasons = required.filter { !$0.isMet(by: report) }
            .map { "--require \($0.rawValue): \($0.lack(in: report))" }
        if let minConfidence, !(report.confidence >= minConfidence) {
            reasons.append(
                "--min-confidence: the confidence is too low (seen: \(report.confidence); allowed: \(minConfidence) or more)"
            )
        }
        return reasons
    }
}

extension Requirements.Requirement {
    func isMet(by report: FlatteningReport) -> Bool {
        switch self {
        case .depth: report.usedDepth
        case .sheet: report.foundSheet
        case .text: report.hasText
        }
    }

    /// What was found instead, with the reason from the report's refused steps if there is one.
    func lack(in report: FlatteningReport) -> String {
        func reason(_ step: String) -> String {
            report.refused.first { $0.step == step }.map { "; \($0.reason)" } ?? ""
        }
        return switch self {
        case .depth: "depth was not used (seen: method \(report.method.rawValue)\(reason("depth")))"
        case .sheet:
            "no sheet was found and made flat (seen: method \(report.method.rawValue)\(reason("corners")))"
        case .text:
            "no text was read, or only guessed (seen: \(report.text?.lines ?? 0) lines, confidence "
                + "\(report.text?.confidence ?? 0); allowed: 1 and more, 0.5 and more)"
        }
    }
}

import ReceiptFlattening

/// What a result must have to count as one.
struct Requirements: Codable, Sendable {
    /// What can be asked for.
    enum Requirement: String, CaseIterable, Codable {
        /// The sheet became flat by its depth.
        case depth
        /// The sheet was found in the picture, or its corners given, and made flat.
        case sheet
        /// Text was read, and not only guessed.
        case text
    }

    var required: [Requirement] = []
    /// Of the report, 0 to 1.
    var minConfidence: Double?
    /// Whether outputs are written although something is lacking.
    var keep = false

    /// Whether there is any demand.
    var asksForSomething: Bool { !required.isEmpty || minConfidence != nil }

    /// What a result lacks, a sentence each.
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

    /// What was seen instead, with the step of the report that says why where there is one.
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

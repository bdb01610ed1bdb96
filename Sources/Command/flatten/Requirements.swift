import ArgumentParser
import ReceiptFlattening

/// `--require`, `--min-confidence` and `--keep`: what a result must have to count as one.
struct RequirementArguments: ParsableArguments {
    /// What can be asked for.
    enum Requirement: String, CaseIterable {
        /// The sheet became flat by its depth.
        case depth
        /// The sheet was found in the picture, or its corners given, and made flat.
        case sheet
        /// Text was read, and not only guessed.
        case text
    }

    @Option(
        help: ArgumentHelp(
            """
            Fail (exit code \(ExitReason.belowDemand.rawValue)) unless all of a list are reached: depth (used), sheet \
            (found), text (read).
            """,
            valueName: "list"), completion: .list(Requirement.allCases.map(\.rawValue)))
    var require: [String] = []

    @Option(
        help: "Fail likewise if the report's confidence is less than this (0 to 1).")
    var minConfidence: Double?

    @Flag(
        help:
            "Write the outputs even if --require or --min-confidence is not met, or --redact left something; the exit code stays."
    )
    var keep = false

    mutating func validate() throws {
        _ = try requirements()
        if let minConfidence, !(0...1).contains(minConfidence) {
            throw ValidationError("--min-confidence lies between 0 and 1")
        }
    }

    /// Whether something is asked for.
    func includes(_ requirement: Requirement) -> Bool {
        (try? requirements())?.contains(requirement) ?? false
    }

    /// Whether there is any demand.
    var asksForSomething: Bool { !require.isEmpty || minConfidence != nil }

    private func requirements() throws(ValidationError) -> Set<Requirement> {
        var all: Set<Requirement> = []
        for word in require.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            let name = word.filter { !$0.isWhitespace }.lowercased()
            guard let requirement = Requirement(rawValue: name) else {
                let allowed = Requirement.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--require: \"\(word)\" cannot be required (allowed: \(allowed))")
            }
            all.insert(requirement)
        }
        return all
    }

    /// What a result lacks, a sentence each.
    func unmet(by report: FlatteningReport) -> [String] {
        var reasons = Requirement.allCases.filter { includes($0) && !$0.isMet(by: report) }
            .map { "--require \($0.rawValue): \($0.lack(in: report))" }
        if let minConfidence, !(report.confidence >= minConfidence) {
            reasons.append(
                "--min-confidence: the confidence is too low (seen: \(report.confidence); allowed: \(minConfidence) or more)"
            )
        }
        return reasons
    }
}

extension RequirementArguments.Requirement {
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
            "no sheet was found and made flat (seen: method \(report.method.rawValue)\(reason("outline")))"
        case .text:
            "no text was read, or only guessed (seen: \(report.text?.lines ?? 0) lines, confidence "
                + "\(report.text?.confidence ?? 0); allowed: 1 and more, 0.5 and more)"
        }
    }
}

import ArgumentParser

/// `--require`, `--min-confidence` and `--keep`: what a result must have to count as a success.
struct RequirementArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Fail (exit code \(ExitReason.belowDemand.rawValue)) unless all of a list are reached: depth (used), sheet \
            (found), text (read).
            """,
            valueName: "list"), completion: .list(Requirements.Requirement.allCases.map(\.rawValue)))
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
        _ = try required()
        if let minConfidence, !(0...1).contains(minConfidence) {
            throw ValidationError("--min-confidence lies between 0 and 1")
        }
    }

    /// The requirements as a plain value; the words were checked when they were parsed.
    var requirements: Requirements {
        let all = (try? required()) ?? []
        return Requirements(
            required: Requirements.Requirement.allCases.filter(all.contains), minConfidence: minConfidence,
            keep: keep)
    }

    private func required() throws(ValidationError) -> Set<Requirements.Requirement> {
        var all: Set<Requirements.Requirement> = []
        for word in require.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            let name = word.filter { !$0.isWhitespace }.lowercased()
            guard let requirement = Requirements.Requirement(rawValue: name) else {
                let allowed = Requirements.Requirement.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--require: \"\(word)\" cannot be required (allowed: \(allowed))")
            }
            all.insert(requirement)
        }
        return all
    }
}

/// How much of a text was read wrongly.
public enum CharacterErrors {
    /// Insertions, deletions and exchanges that lead from `truth` to `text`, as a share of `truth`, at most 1. Runs of blanks
    /// count as one, empty lines and drawn rules do not count. O(characters of both).
    public static func rate(of text: String, against truth: String) -> Double {
        let (read, printed) = (normal(text), normal(truth))
        guard !printed.isEmpty else { return read.isEmpty ? 0 : 1 }
        var previous = Array(0...printed.count)
        for (i, character) in read.enumerated() {
            var current = [i + 1]
            current.reserveCapacity(previous.count)
            for (j, other) in printed.enumerated() {
                current.append(
                    min(previous[j] + (character == other ? 0 : 1), previous[j + 1] + 1, current[j] + 1))
            }
            previous = current
        }
        return min(1, Double(previous[printed.count]) / Double(printed.count))
    }

    private static func normal(_ text: String) -> [Character] {
        let lines = text.split(whereSeparator: \.isNewline).map { line in
            line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        let rules = Set("-=_.~—– ")
        return Array(lines.filter { !$0.allSatisfy(rules.contains) }.joined(separator: "\n"))
    }
}

import TextRecognition

/// Numbers of payment cards in rows of text: 13 to 19 digits that pass Luhn's check (ISO/IEC 7812-1). Four groups of four
/// digits, as cards print them, count even without the check, so that one misread digit does not expose the others. A number may
/// continue in the next row.
struct CardNumbers {
    /// The indices of their words, by row.
    private(set) var places: [Int: Set<Int>] = [:]
    /// Their digits.
    private(set) var numbers: [String] = []

    /// Finds the numbers. O(words).
    init(in lines: [RecognizedLine]) {
        let runs = lines.enumerated().map { Self.runs(of: $1, row: $0) }
        for run in runs.joined() { search(run) }
        for (row, next) in zip(runs, runs.dropFirst()) {
            guard let end = row.last, let start = next.first else { continue }
            let upper = Array(end.reversed().prefix(while: \.isPlain).reversed())
            let lower = Array(start.prefix(while: \.isPlain))
            guard !upper.isEmpty, !lower.isEmpty else { continue }
            search(upper + lower, acrossRows: true)
        }
    }

    /// Allowed number of digits.
    private static let lengths = 13...19
    /// Minimum number of digits in each row of a number split over two rows: a single digit is a count.
    private static let fewestInRow = 2

    /// A group of digits, and where it is.
    private struct DigitGroup {
        var row: Int
        var word: Int
        var digits: [Int]
        /// Whether its word is only digits with spaces or hyphens: no amount, date or time.
        var isPlain: Bool
    }

    private mutating func search(_ run: [DigitGroup], acrossRows: Bool = false) {
        for first in run.indices {
            var digits: [Int] = []
            for last in first..<run.count {
                digits += run[last].digits
                guard digits.count <= Self.lengths.upperBound else { break }
                let groups = run[first...last]
                if acrossRows {
                    let above = groups.filter { $0.row == run[0].row }.reduce(0) { $0 + $1.digits.count }
                    guard min(above, digits.count - above) >= Self.fewestInRow else { continue }
                }
                if digits.count >= Self.lengths.lowerBound && Self.passesLuhn(digits)
                    || groups.count == 4 && groups.allSatisfy({ $0.digits.count == 4 })
                {
                    for group in groups { places[group.row, default: []].insert(group.word) }
                    numbers.append(digits.map(String.init).joined())
                }
            }
        }
    }

    /// Returns the runs of digit groups in a row that have only punctuation between them.
    private static func runs(of line: RecognizedLine, row: Int) -> [[DigitGroup]] {
        var runs: [[DigitGroup]] = [[]]
        for (index, word) in line.words.enumerated() {
            let isPlain = !word.text.contains(#/\d[.,:\/]\d/#)
            for piece in word.text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
                if let digits = digits(of: piece) {
                    runs[runs.count - 1].append(
                        DigitGroup(row: row, word: index, digits: digits, isPlain: isPlain))
                } else {
                    runs.append([])
                }
            }
        }
        return runs.filter { !$0.isEmpty }
    }

    /// Returns the digits of a piece, including letters easily misread for digits, if most are digits; nil for anything else.
    private static func digits(of piece: Substring) -> [Int]? {
        let lookalikes: [Character: Int] = [
            "O": 0, "o": 0, "D": 0, "Q": 0, "I": 1, "l": 1, "i": 1, "Z": 2, "z": 2, "S": 5, "s": 5, "G": 6,
            "B": 8,
        ]
        guard 2 * piece.count(where: \.isWholeNumber) >= piece.count else { return nil }
        var digits: [Int] = []
        for character in piece {
            guard let digit = character.wholeNumberValue ?? lookalikes[character], digit < 10 else {
                return nil
            }
            digits.append(digit)
        }
        return digits
    }

    /// Luhn's check: every second digit from the right counts double, with the digits of the product added up; the sum must end
    /// in 0.
    private static func passesLuhn(_ digits: [Int]) -> Bool {
        let sum = digits.reversed().enumerated().reduce(0) { sum, entry in
            let value = entry.offset.isMultiple(of: 2) ? entry.element : 2 * entry.element
            return sum + (value > 9 ? value - 9 : value)
        }
        // All zeros would pass too, but no card has such a number.
        return sum > 0 && sum.isMultiple(of: 10)
    }
}

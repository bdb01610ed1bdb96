import TextRecognition

/// Numbers of payment cards in rows of text: 13 to 19 digits that pass Luhn's check (ISO/IEC 7812-1), or four groups of four,
/// which is how cards print them, so that one misread digit does not give the others away. A number may go on in the next row.
struct CardNumbers {
    /// The words that they stand in, by row.
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

    /// Digits of the shortest and the longest number.
    private static let lengths = 13...19
    /// Digits that a row must have of a number that is parted: a single one is a count.
    private static let fewestInRow = 2

    /// Digits that stand together, and where.
    private struct DigitGroup {
        var row: Int
        var word: Int
        var digits: [Int]
        /// Whether its word is digits with blanks or hyphens: no amount, date or time.
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

    /// The groups of digits in a row that nothing but marks stands between.
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

    /// Digits, and letters that are easily read for digits, if most are digits; nil for anything else.
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

    /// Luhn's check: from the right every second digit counts double, its own digits added up; the sum ends in 0.
    private static func passesLuhn(_ digits: [Int]) -> Bool {
        let sum = digits.reversed().enumerated().reduce(0) { sum, entry in
            let value = entry.offset.isMultiple(of: 2) ? entry.element : 2 * entry.element
            return sum + (value > 9 ? value - 9 : value)
        }
        // Zeros pass too, but no card has them alone.
        return sum > 0 && sum.isMultiple(of: 10)
    }
}

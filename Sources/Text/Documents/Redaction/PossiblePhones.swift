import TextRecognition
import Platform

/// Digits that may be a telephone number: it is better to hide one too many than one too few.
///
/// Every group of 7 to 15 digits is taken that has only `+ - . / ( )` and spaces between the digits, and at least two digits in
/// each part but the first. Exceptions are dates, times, amounts, card numbers, the receipt or invoice number, and rows that
/// name a tax or registration number. Digits joined to a letter are part of some code.
struct PossiblePhones {
    /// The indices of their words, by row.
    private(set) var places: [Int: Set<Int>] = [:]
    /// Their digits.
    private(set) var numbers: [String] = []

    /// Allowed number of digits: local numbers have seven; E.164 allows up to fifteen.
    private static let lengths = 7...15
    /// Minimum number of digits in each part but the first, which may be a country code or a trunk prefix.
    private static let shortestPart = 2

    /// Finds the numbers. O(words).
    init(in text: RecognizedText) {
        let fields = ReceiptFields(of: text)
        let known = [fields.receiptNumber, fields.invoiceNumber, fields.taxNumber, fields.registrationNumber]
            .compactMap { $0.map { Self.digits(of: $0.printed) } }
        let style = NumberStyle(words: text.words.map(\.text))
        let lines = text.lines
        let cards = CardNumbers(in: lines)
        for (row, line) in lines.enumerated() where !Self.namesTaxNumber(line.text) {
            let printed = RowText(line.words)
            guard printed.text.count <= RowText.longest else { continue }
            let dates = PrintedDate.all(in: printed.text, order: .init(monthFirst: false))
            var others = Set(dates.flatMap { printed.places(of: $0.range) })
            others.formUnion(PrintedPrice.all(in: line.words, style: style) { _ in true }.flatMap(\.words))
            others.formUnion(cards.places[row] ?? [])
            for run in Self.runs(of: line, besides: others) {
                let digits = run.map(\.digits).joined()
                guard Self.lengths.contains(digits.count), !Self.isMoment(digits),
                    !known.contains(where: { $0.contains(digits) })
                else { continue }
                places[row, default: []].formUnion(run.map(\.word))
                numbers.append(digits)
            }
        }
    }

    private struct Part {
        var word: Int
        var digits: String
    }

    private static let connectors: Set<Character> = ["+", "-", ".", "/", "(", ")", "–"]

    /// Returns the runs of digit parts that belong together, each as long as possible.
    private static func runs(of line: RecognizedLine, besides others: Set<Int>) -> [[Part]] {
        var runs: [[Part]] = [[]]
        for (index, word) in line.words.enumerated() {
            guard !others.contains(index) else {
                runs.append([])
                continue
            }
            let pieces = word.text.split(omittingEmptySubsequences: false) {
                !$0.isLetter && !isDigit($0) && !connectors.contains($0)
            }
            for (place, piece) in pieces.enumerated() {
                if place > 0 { runs.append([]) }
                let hasLetters = piece.contains { $0.isLetter }
                let parts = piece.split { !isDigit($0) }
                guard !hasLetters, !parts.isEmpty else {
                    if hasLetters { runs.append([]) }
                    continue
                }
                for part in parts {
                    let isFirst = runs.last?.isEmpty ?? true
                    if !isFirst, part.count < shortestPart { runs.append([]) }
                    runs[runs.count - 1].append(Part(word: index, digits: String(part)))
                }
            }
        }
        return runs.filter { !$0.isEmpty }
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }

    private static func digits(of text: String) -> String { text.filter(isDigit) }

    private static func namesTaxNumber(_ text: String) -> Bool {
        let meanings = Meanings(
            Vocabulary.shared.findings(in: Vocabulary.shared.tokens(of: text), text: text).map(
                \.phrase.meaning))
        return meanings.contains(anyOf: [.taxNumber, .registration])
            && !meanings.contains(anyOf: [.phone, .fax])
    }

    /// Whether digits without marks are a day, or a day with its time: 20250213, 13022025, 20250213094431.
    private static func isMoment(_ digits: String) -> Bool {
        let numbers = digits.compactMap(\.wholeNumberValue)
        func number(_ range: Range<Int>) -> Int { numbers[range].reduce(0) { 10 * $0 + $1 } }
        func isDay(year: Range<Int>, month: Range<Int>, day: Range<Int>) -> Bool {
            (1990...2099).contains(number(year)) && (1...12).contains(number(month))
                && (1...31).contains(number(day))
        }
        guard [8, 12, 14].contains(numbers.count) else { return false }
        return isDay(year: 0..<4, month: 4..<6, day: 6..<8)
            || numbers.count == 8 && isDay(year: 4..<8, month: 2..<4, day: 0..<2)
    }
}

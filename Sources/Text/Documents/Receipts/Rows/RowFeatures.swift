import Imaging
import TextRecognition
import Platform

/// The row model's input: for each row what it holds, how its amount fits the others, and where it stands.
///
/// Training reads these numbers from this very code (`receipt-rows features`), so that what is learned is what is used. A change
/// here requires new training: `RowModel` refuses weights for another number of features.
struct RowFeatures {
    /// One vector per row.
    private(set) var vectors: [[Float]] = []

    /// Numbers in each vector.
    static let count = Meaning.allCases.count + 50 + 14 + 17 + 14

    init(of rows: [ReceiptRow]) {
        let metrics = PageMetrics(rows.map(\.box))
        let sums = AmountRelations(rows.map { $0.amount.map { AmountRelations.cents($0.value) } ?? nil })
        var page = Page(rows)
        for index in rows.indices {
            var vector = Meaning.allCases.map { rows[index].meanings.contains($0) ? Float(1) : 0 }
            vector += Self.content(of: rows[index])
            vector += sums.features(at: index)
            vector += Self.place(of: index, in: rows, metrics: metrics)
            vector += page.features(at: index, of: rows)
            vectors.append(vector)
        }
    }

    /// Amounts below this are roundings rather than prices, in units of the currency.
    private static let smallAmount = 0.1
    /// Height above which words are set in type of double height or width, in the page's usual height of words.
    private static let tallType = 1.35
    /// Height of the tallest titles, in the page's usual height of words.
    private static let greatestHeight = 3.0

    private static func flag(_ value: Bool) -> Float { value ? 1 : 0 }
    /// Limits a share or a ratio, so that one odd row does not drown the rest.
    private static func bounded(_ value: Double, _ most: Double = 1) -> Float {
        value.isFinite ? Float(min(max(value, -most), most)) : 0
    }

    // MARK: - What the row holds

    private static func content(of row: ReceiptRow) -> [Float] {
        let text = row.text
        let characters = text.filter { !$0.isWhitespace }
        let count = Double(max(characters.count, 1))
        let letters = Double(characters.count(where: \.isLetter))
        let digits = Double(characters.count(where: \.isNumber))
        let capitals = Double(characters.count(where: \.isUppercase))
        let longest = text.split { !$0.isLetter }.map(\.count).max() ?? 0
        let longestDigits = text.split { !$0.isNumber }.map(\.count).max() ?? 0
        let vowels = Double(Vocabulary.folded(text).count { "aeiouy".contains($0) })
        let words = row.words.count
        let amounts = row.words.count { PrintedAmount.looksCertain($0.text) }
        let integers = row.words.count { $0.text.allSatisfy(\.isNumber) }
        let capitalised = row.words.count { $0.text.first?.isUppercase == true }
        let value = row.amount.map { $0.value.double } ?? 0
        let last = characters.last
        let first = characters.first
        return [
            flag(row.amount != nil), flag(row.amount?.isCertain == true), flag(amounts == 1),
            flag(amounts == 2), flag(amounts > 2), bounded(Double(integers) / 3),
            flag(row.amount != nil && row.label.isEmpty), flag(row.amount != nil && value < 0),
            flag(row.amount != nil && value == 0),
            flag(row.amount != nil && abs(value) < smallAmount && value != 0),
            flag(row.amount?.currency != nil), flag(digits > 0 && RowShapes.holdsPercentage(text)),
            flag(row.holdsDate),
            flag(row.holdsTime),
            flag(digits > 0 && RowShapes.holdsPhone(text)), flag(RowShapes.holdsMail(text)),
            flag(RowShapes.holdsWeb(text)),
            flag(digits > 0 && RowShapes.holdsRegistration(text)),
            flag(digits > 0 && RowShapes.isRegistration(text)),
            flag(digits > 0 && RowShapes.holdsTaxNumber(text)),
            flag(digits > 0 && RowShapes.holdsPostcode(text)),
            flag(digits > 0 && RowShapes.holdsHouseNumber(text)),
            flag(digits > 0 && RowShapes.holdsQuantity(text)),
            flag(words > 0 && RowShapes.holdsStars(text)), bounded(letters / count), bounded(digits / count),
            bounded((count - letters - digits) / count), bounded(letters > 0 ? capitals / letters : 0),
            bounded(vowels / max(letters, 1)), flag(letters == 0), flag(letters > 0 && capitals == letters),
            bounded(Double(capitalised) / Double(max(words, 1))), bounded(Double(longest) / 12),
            flag(longest < 3), bounded(Double(longestDigits) / 12), flag(longestDigits >= 8),
            bounded(Double(words) / 8), flag(words == 1), flag(words == 2),
            bounded(count / Double(max(words, 1)) / 10), bounded(count / 40),
            flag(last == "," || last == "."),
            flag(last == ":"), flag(last == ")" && first == "("), flag(first?.isNumber == true),
            flag(text.contains(":")), flag(text.contains(",")), flag(text.contains("-")),
            flag(text.contains("#") || text.contains("/")),
            bounded(RecognizedText.meanConfidence(of: row.words)),
        ]
    }

    // MARK: - Where the row stands

    private static func place(of index: Int, in rows: [ReceiptRow], metrics: PageMetrics) -> [Float] {
        let box = rows[index].box
        let width = max(metrics.bounds.width, 1)
        let height = max(metrics.bounds.height, 1)
        func gap(_ a: Int, _ b: Int) -> Double {
            guard rows.indices.contains(a), rows.indices.contains(b) else { return 3 }
            return (rows[b].box.centerY - rows[a].box.centerY) / metrics.usualPitch
        }
        let wordHeight = rows[index].words.map(\.box.height).max() ?? 0
        let fromEnd = rows.count - 1 - index
        return [
            bounded((box.centerY - metrics.bounds.top) / height),
            bounded(Double(index) / Double(max(rows.count, 1))),
            flag(index == 0), flag(index == 1), flag(index == 2), flag(index < 5), flag(index < 9),
            flag(fromEnd == 0), flag(fromEnd < 4), bounded((box.left - metrics.bounds.left) / width),
            bounded((metrics.bounds.right - box.right) / width),
            bounded((box.centerX - metrics.bounds.centerX) / width), bounded(box.width / width),
            bounded(wordHeight / metrics.usualHeight / greatestHeight),
            flag(wordHeight > tallType * metrics.usualHeight),
            bounded(gap(index - 1, index) / 4), bounded(gap(index, index + 1) / 4),
        ]
    }

    // MARK: - Where the row stands among the others

    /// Tracks what stands above a row on the whole page; fed row by row from the top.
    private struct Page {
        private let firstAmount: Int
        private let firstColumns: Int
        private let lastAmount: Int
        private var totals = 0
        private var isPastTax = false
        private var isPastPayment = false
        private var isPastChange = false
        private var isPastDate = false

        init(_ rows: [ReceiptRow]) {
            firstAmount = rows.firstIndex { $0.amount != nil } ?? rows.count
            lastAmount = rows.lastIndex { $0.amount != nil } ?? -1
            firstColumns =
                rows.firstIndex { row in
                    Set(row.findings.filter { $0.phrase.meaning == .columns }.map(\.tokens)).count >= 3
                } ?? rows.count
        }

        mutating func features(at index: Int, of rows: [ReceiptRow]) -> [Float] {
            let row = rows[index]
            let captions = Set(row.findings.filter { $0.phrase.meaning == .columns }.map(\.tokens)).count
            let taken = Set(row.findings.flatMap { Array($0.tokens) }).count
            let features: [Float] = [
                flag(index < firstAmount), bounded(Double(index - firstAmount) / 10),
                flag(index < firstColumns),
                flag(index == firstColumns), flag(index > lastAmount), flag(totals > 0), flag(totals > 1),
                flag(isPastTax), flag(isPastPayment), flag(isPastChange), flag(isPastDate),
                bounded(Double(captions) / 4), bounded(Double(taken) / Double(max(row.tokens.count, 1))),
                bounded(Double(rows.count) / 60),
            ]
            let meanings = row.meanings
            if meanings.contains(.total) || meanings.contains(.payable), row.amount != nil { totals += 1 }
            if meanings.contains(.tax), row.amount != nil { isPastTax = true }
            if meanings.contains(anyOf: Meaning.payments), row.amount != nil { isPastPayment = true }
            if meanings.contains(.change), row.amount != nil { isPastChange = true }
            if row.holdsDate { isPastDate = true }
            return features
        }
    }
}

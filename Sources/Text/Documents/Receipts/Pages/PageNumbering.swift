import TextRecognition

/// What one page tells about its place among other pages.
struct PageNumbering {
    /// "Page 2 of 3".
    struct Number: Equatable {
        let number: Int
        /// How many pages there are; nil where that is not printed.
        let count: Int?
    }

    /// The page's number; nil where none is printed.
    let number: Number?
    /// Whether the page says that it goes on.
    let goesOn: Bool
    /// Whether the page says that it continues another.
    let isContinuation: Bool
    /// Indices of the rows that carry a sum to or from another page.
    let carriedRows: Set<Int>

    /// Whether a row is a page's number and nothing else: "Page 2 of 3".
    static func isNumberAlone(_ row: ReceiptRow) -> Bool {
        let words = Vocabulary.words(of: row.text)
        return words.count <= mostWordsBesideNumber + 1 && number(in: words) != nil
    }

    /// Highest page number of a receipt: a higher number means something else.
    private static let mostPages = 999

    /// The marks of a text that is a complete receipt.
    static let none = PageNumbering([])

    /// Whether the receipt is on other pages too.
    var isPart: Bool { goesOn || isContinuation }

    init(_ rows: [ReceiptRow]) {
        let words = rows.map { Vocabulary.words(of: $0.text) }
        let amounts = rows.indices.filter { rows[$0].amount != nil }
        let labels = rows.map { Vocabulary.words(of: $0.labelText) }
        let carried = rows.indices.filter { index in
            PageWords.shared.carries(
                rows[index].amount == nil ? words[index] : labels[index], isAtEnd: false)
        }
        carriedRows = Set(carried)
        // "Übertrag von Seite 1" gives another page's number.
        let numbers = rows.indices.filter { !carried.contains($0) }.compactMap { Self.number(in: words[$0]) }
        number = numbers.last { $0.count != nil } ?? numbers.last
        // A sum carried in stands above all other amounts, a sum carried out below them.
        let (first, last) = (amounts.first ?? 0, amounts.last ?? 0)
        let isLast = number.map { $0.number == $0.count } ?? false
        goesOn =
            number.map { $0.number < ($0.count ?? 0) } ?? false
            || !isLast && carried.contains { $0 >= last && $0 > first }
        isContinuation = (number?.number ?? 1) > 1 || carried.contains { $0 <= first && $0 < last }
    }

    /// Finds a page's number in a row's words, before or behind a word for page, and the number of pages.
    static func number(in words: [String]) -> Number? {
        func value(_ index: Int) -> Int? {
            guard words.indices.contains(index), let number = Int(words[index]),
                (1...mostPages).contains(number)
            else { return nil }
            return number
        }
        for (index, word) in words.enumerated() where PageWords.shared.page.contains(word) {
            if let number = value(index + 1) {
                // "2/3", "2 of 3", "2 von 3".
                let isLinked =
                    words.indices.contains(index + 2) && words[index + 2].count <= longestLink
                    && words[index + 2].allSatisfy(\.isLetter)
                let count = value(index + 2) ?? (isLinked ? value(index + 3) : nil)
                if let count, count >= number { return Number(number: number, count: count) }
                // Some words for a page mean other things too, "Str. 12", so the row must say nothing else.
                if words.count <= mostWordsBesideNumber { return Number(number: number, count: nil) }
            }
            // "2/3 oldal", "2. strana".
            if words.count <= mostWordsBesideNumber, let last = value(index - 1) {
                guard let number = value(index - 2), number <= last else {
                    return Number(number: last, count: nil)
                }
                return Number(number: number, count: last)
            }
        }
        return nil
    }

    /// Most words of a row that is a page's number and nothing else: "- Page 2 -", "2/3 oldal".
    private static let mostWordsBesideNumber = 3
    /// Most letters of a word between a page's number and the number of pages: "of", "von", "sur".
    private static let longestLink = 3
}

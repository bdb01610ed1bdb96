import Platform
import TextRecognition

/// An amount of money in a row, with the currency beside it.
struct PrintedPrice {
    let amount: PrintedAmount
    /// The indices of its words.
    let words: Range<Int>

    /// Finds the amounts in a row that have two digits after the decimal mark, or a currency. O(words).
    /// - Parameter isFree: whether a word is not yet taken by another item.
    static func all(in words: [RecognizedWord], style: NumberStyle, isFree: (Int) -> Bool) -> [PrintedPrice] {
        var found: [PrintedPrice] = []
        for index in words.indices where isFree(index) {
            let text = words[index].text
            guard text.contains(where: \.isNumber), !text.contains("%") else { continue }
            let next = index + 1 < words.count ? words[index + 1].text : ""
            guard !next.hasPrefix("%"), !isUnit(next) else { continue }
            // Thousands separated by a space: "1 234,50".
            let joined =
                index > 0 && isFree(index - 1) && style.decimalMark == ","
                ? ReceiptRow.joinedThousands(words[index - 1], words[index], style: style) : nil
            for amount in joined.map({ [$0] }) ?? amounts(in: text, style: style) {
                var amount = amount
                var range = (joined == nil ? index : index - 1)..<index + 1
                let first = range.lowerBound
                // The currency sign is before or after the amount.
                if amount.currency == nil {
                    if first > 0, isFree(first - 1),
                        let code = PrintedAmount.currency(named: trimmed(words[first - 1].text))
                    {
                        amount.currency = code
                        range = first - 1..<index + 1
                    } else if let code = PrintedAmount.currency(named: trimmed(next)), index + 1 < words.count
                    {
                        let follows =
                            index + 2 < words.count
                            && PrintedAmount(words[index + 2].text, style: style) != nil
                        // A sign between two amounts belongs to the second.
                        if !follows {
                            amount.currency = code
                            range = first..<index + 2
                        }
                    }
                }
                if amount.isCertain || amount.currency != nil {
                    found.append(PrintedPrice(amount: amount, words: range))
                }
            }
        }
        return found
    }

    /// Returns the amounts in one word; some are joined by separators: "@15.90", "13.90*1", "2x3.50".
    private static func amounts(in word: String, style: NumberStyle) -> [PrintedAmount] {
        if let amount = PrintedAmount(word, style: style) { return [amount] }
        return word.split(whereSeparator: { "@*xX×=:;()[]/".contains($0) })
            .compactMap { PrintedAmount(String($0), style: style) }
            .filter(\.isCertain)
    }

    private static func trimmed(_ word: String) -> String {
        word.trimming("():,=*")
    }

    /// Units of at least two letters; a single letter may be a tax class.
    private static let units: Set<String> = Set(
        Vocabulary.shared.phrases(of: .unit).filter { $0.count == 1 }.joined().filter { $0.count > 1 }
    ).union(["uhr", "mm", "cm", "km", "ml", "cl", "dl", "kwh", "gb", "mb"])

    private static func isUnit(_ word: String) -> Bool { units.contains(Vocabulary.folded(word)) }
}

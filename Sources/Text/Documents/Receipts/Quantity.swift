import TextRecognition
import Platform

/// The count or weight of an item: "2x", "3 x 1.49", "0.482 kg @ 2.99".
struct Quantity: Equatable {
    var count: Decimal
    var unitPrice: Decimal? = nil
    /// The unit as printed, "kg"; nil where none is.
    var unit: String? = nil

    /// A quantity that is all that the words say, such as "2 x 1,49", "0,482 kg x 2,99 EUR/kg", "3 STK"; nil if
    /// they say more.
    static func alone(in words: [RecognizedWord], style: NumberStyle) -> Quantity? {
        let text = words.map(\.text).joined(separator: " ")
        if let match = text.wholeMatch(of: counted.regex), let count = number(match.1),
            match.2.map({ ItemColumns.isUnit(String($0)) }) ?? true
        {
            return Quantity(
                count: count,
                unitPrice: match.3.flatMap { PrintedAmount($0.filter { $0 != " " }, style: style)?.value },
                unit: match.2.map(String.init))
        }
        // "Qty 2 $1.99 ea"
        if let match = text.wholeMatch(
            of: Self.countedEach.regex),
            let count = number(match.1), let price = PrintedAmount(String(match.2), style: style)
        {
            return Quantity(count: count, unitPrice: price.value)
        }
        // A count and its unit, without a cross.
        guard words.count == 2, let match = words[0].text.wholeMatch(of: Self.fraction.regex),
            ItemColumns.isUnit(words[1].text), let count = number(match.1)
        else { return nil }
        return Quantity(count: count, unit: words[1].text)
    }

    /// A count with a word that is no known unit, a cross and a unit price: "2 Rolle x 4,85", "1,44 K6x 1,65 TL". It may also be
    /// an item and its price.
    static func withOwnUnit(in words: [RecognizedWord], style: NumberStyle) -> Quantity? {
        let text = words.map(\.text).joined(separator: " ")
        guard let match = text.wholeMatch(of: ownUnit.regex), let count = number(match.1),
            let price = PrintedAmount(match.3.filter { $0 != " " }, style: style)
        else { return nil }
        // "2.00 X @9.00" has two crosses.
        return Quantity(
            count: count, unitPrice: price.value, unit: match.2.lowercased() == "x" ? nil : String(match.2))
    }

    /// The quantity at the front of an item's words, and the words without it.
    ///
    /// "2x Tea", "2 x Tea" and "2 * Tea" are recognised by their cross. A bare number, "2 Tea", counts as a quantity only if the
    /// row also has a unit price, and the two make the amount ("7 UP" is a lemonade).
    static func leading(
        in words: [RecognizedWord], style: NumberStyle, amount: Decimal
    ) -> (quantity: Quantity?, description: [RecognizedWord]) {
        guard let first = words.first else { return (nil, words) }
        // A unit price at the end of the description: "Tea 2 1.50" or "2 Tea 1.50".
        var rest = words[...]
        var unitPrice: Decimal?
        if words.count >= 3, let last = rest.last, let price = PrintedAmount(last.text, style: style),
            price.isCertain
        {
            unitPrice = price.value
            rest = rest.dropLast()
            if let cross = rest.last, ["x", "×", "@", "*", "à"].contains(cross.text.lowercased()),
                rest.count > 2
            {
                rest = rest.dropLast()
            }
        }
        if let match = first.text.wholeMatch(of: Self.countWithCross.regex), let count = number(match.1),
            rest.count > 1
        {
            return (Quantity(count: count, unitPrice: unitPrice), Array(rest.dropFirst()))
        }
        // The cross is a word of its own; "2xTea" is not split, because it may be a name.
        if rest.count > 2, let count = whole(first.text),
            ["x", "×", "*"].contains(rest[rest.startIndex + 1].text.lowercased())
        {
            return (Quantity(count: count, unitPrice: unitPrice), Array(rest.dropFirst(2)))
        }
        if let unitPrice {
            if rest.count > 1, let count = whole(first.text), count * unitPrice == amount {
                return (Quantity(count: count, unitPrice: unitPrice), Array(rest.dropFirst()))
            }
            if rest.count > 1, let last = rest.last, let count = whole(last.text), count * unitPrice == amount
            {
                return (Quantity(count: count, unitPrice: unitPrice), Array(rest.dropLast()))
            }
            if rest.count > 1, let last = rest.last,
                let match = last.text.wholeMatch(of: Self.countWithSign.regex), let count = number(match.1)
            {
                return (Quantity(count: count, unitPrice: unitPrice), Array(rest.dropLast()))
            }
            if unitPrice == amount { return (nil, Array(rest)) }
            return (nil, words)
        }
        return (nil, words)
    }

    /// "2 x 1,49", "0,482 kg x 2,99 EUR/kg".
    private static let counted = Pattern(
        #/\s*(?i)(?:(?:qty|wt|weight|menge|peso|poids):?\s*)?(\d{1,4}(?:[.,]\d{1,3})?)\s?(\p{L}{1,8}?)?\.?\s?[xX×*@à]\s?(?:@\s?)?[$€£¥₹₺]?\s?(\d+[.,]\s\d\d|\d[\d.,]*)?\s?(?:EUR|USD|CHF|GBP|TL|RON|lei|kr|zł|Kč|Ft|[$€£¥₹₺])?(?:\s?\/\s?\p{L}{1,4}|\s?(?:ea|each))?\.?\s*/#
    )
    /// "Qty 2 $1.99 ea".
    private static let countedEach = Pattern(
        #/(?i)(?:qty|qnty):?\s?(\d{1,4})\s[$€£]?(\d[\d.,]*)\s?(?:ea|each)\.?/#)
    private static let fraction = Pattern(#/(\d{1,4}(?:[.,]\d{1,3})?)/#)
    /// "2 Rolle x 4,85", "1,44 K6x 1,65 TL".
    private static let ownUnit = Pattern(
        #/\W?(\d{1,4}(?:[.,]\d{1,3})?) ?[_.]?(\p{L}[\p{L}\d]{0,9}?)\.? ?[xX×@*] ?(?:\p{L}{2,3} )?[$€£]?(\d+[.,]\s\d\d|\d[\d.,]*) ?(?:\p{L}{1,3}|[$€£₺])?(?:\/\p{L}{1,4})?/#
    )
    private static let countWithCross = Pattern(#/(?i)(\d{1,3})[x×*]/#)
    private static let countWithSign = Pattern(#/(?i)(\d{1,3})[x×@*]/#)
    private static func whole(_ word: String) -> Decimal? {
        word.count <= 3 && word.allSatisfy { $0.isASCII && $0.isNumber } ? number(Substring(word)) : nil
    }

    /// A count may have a fraction ("0,482 kg"), whichever mark it is written with.
    private static func number(_ text: Substring) -> Decimal? {
        Decimal(string: String(text).replacing(",", with: "."))
    }
}

import Platform
import TextRecognition

/// The columns before an item's amount: code, name, count and unit price, in any order that receipts use.
struct ItemColumns {
    /// Count and unit price, which make the amount.
    var quantity: Quantity?
    /// The seller's code.
    var code: String?
    /// The words of the name; empty where it stands in another row.
    var name: [RecognizedWord]
    /// Whether count and price were found by their product.
    var isProven = false

    /// The fewest letters of a name.
    static let leastLetters = 2

    /// Whether the row has columns but no name.
    var isBare: Bool { Self.letters(name) < Self.leastLetters }

    /// Splits the words before an amount into columns.
    init(_ label: [RecognizedWord], amount: Decimal, style: NumberStyle) {
        var words = label[...]
        if let weighed = Self.weighed(label, style: style), weighed.makes(amount) {
            (quantity, name, isProven) = (weighed, [], true)
            return
        }
        // "001 1415344 QA LEITE": the item's place in the list, then its code.
        if words.count > 2, let place = words.first?.text, place.count == Self.digitsOfPlace,
            place.hasPrefix("0"),
            place.allSatisfy({ $0.isASCII && $0.isNumber }), Self.isCode(words[words.startIndex + 1].text)
        {
            words = words.dropFirst()
        }
        if let first = words.first, words.count > 1, Self.isCode(first.text) {
            code = first.text
            words = words.dropFirst()
        }
        let start = Self.startOfNumbers(words)
        if let pair = Self.pair(in: words[start...], amount: amount, style: style) {
            let named = words[..<start]
            let rest = words[start..<pair.start]
            quantity = pair.quantity
            isProven = true
            if Self.isName(named) {
                // A number right behind the name is part of it: "7UP 330".
                name = Array(named + rest)
            } else {
                name = []
                code =
                    code
                    ?? rest.map(\.text).filter {
                        $0.count >= Self.shortestCode && $0.allSatisfy(\.isWholeNumber)
                    }
                    .max { $0.count < $1.count }
            }
            return
        }
        words = Self.withoutRepeat(words, amount: amount, style: style)
        if code == nil, let article = Self.article(behind: words) {
            (code, name) = article
            return
        }
        name = Array(words)
        guard !Self.isName(words) else {
            // "French Fries x 2".
            if words.count > 2, Self.isCross(words[words.endIndex - 2].text),
                let count = Self.whole(words[words.endIndex - 1].text),
                words[words.endIndex - 1].text.allSatisfy(\.isWholeNumber), count > 0,
                Self.isName(words.dropLast(2))
            {
                quantity = Quantity(count: count)
                name.removeLast(2)
            }
            return
        }
        // No name: the number before a unit is the count, "1.000 STK", or the first whole one.
        name = []
        for index in words.indices.dropLast() where Self.isUnit(words[index + 1].text) {
            guard let count = Self.count(words[index].text), count.value > 0 else { continue }
            quantity = Quantity(count: count.value, unit: words[index + 1].text)
            return
        }
        if let count = words.lazy.compactMap({ Self.whole($0.text) }).first, count > 0 {
            quantity = Quantity(count: count)
        }
    }

    /// Reads a count or weight with a unit price that is written out in full: "1.75 lb @ 1 lb /0.54", "4 AT 1 FOR 0.44", "1.035
    /// kg @ $3.62/kg". In "lb" and "kg" either letter may be misread as a digit.
    private static func weighed(_ words: [RecognizedWord], style: NumberStyle) -> Quantity? {
        let text = words.map(\.text).joined(separator: " ")
        guard let match = text.wholeMatch(of: weight.regex), let count = count(String(match.1))?.value,
            let price = PrintedAmount(String(match.3), style: style)?.value
        else { return nil }
        return Quantity(
            count: count, unitPrice: price, unit: match.2.map { $0.lowercased().hasPrefix("k") ? "kg" : "lb" }
        )
    }

    /// The article number behind a name, and the name without it and the letters behind it: "GV BBQ 007874207775 F".
    static func article(
        behind words: some BidirectionalCollection<RecognizedWord>
    ) -> (code: String, name: [RecognizedWord])? {
        guard
            let place = words.lastIndex(where: { word in
                word.text.wholeMatch(of: Self.articleWithLetters.regex) != nil
            }),
            words[words.index(after: place)...].allSatisfy({ $0.text.count == 1 }), isName(words[..<place])
        else { return nil }
        return (words[place].text.filter(\.isNumber), Array(words[..<place]))
    }

    /// Drops the amount where it is printed once more behind a name: "PFAND 0,25 EUR".
    private static func withoutRepeat(
        _ words: ArraySlice<RecognizedWord>, amount: Decimal, style: NumberStyle
    ) -> ArraySlice<RecognizedWord> {
        var rest = words
        if let last = rest.last, PrintedAmount.currency(named: last.text) != nil { rest = rest.dropLast() }
        guard let last = rest.last, let price = PrintedAmount(last.text, style: style), price.isCertain,
            price.value == amount, isName(rest.dropLast())
        else { return words }
        return rest.dropLast()
    }

    // MARK: - Numbers

    /// The count and the unit price whose product is the amount, and where they begin.
    private static func pair(
        in words: ArraySlice<RecognizedWord>, amount: Decimal, style: NumberStyle
    ) -> (quantity: Quantity, start: Int)? {
        for place in words.indices.reversed() {
            if let quantity = glued(words[place].text, style: style),
                makes(quantity.count, quantity.unitPrice ?? 0, amount: amount)
            {
                return (quantity, place)
            }
            for price in prices(words[place].text, style: style) {
                let others = words.indices.filter { $0 != place }.sorted {
                    (abs($0 - place), $1) < (abs($1 - place), $0)
                }
                for other in others {
                    guard let count = count(words[other].text), count.value != 0,
                        makes(count.value, price, amount: amount)
                    else { continue }
                    let next = other + 1 < words.endIndex ? words[other + 1].text : ""
                    let unit = count.unit ?? (isUnit(next) ? next : nil)
                    return (
                        Quantity(count: abs(count.value), unitPrice: price, unit: unit), min(place, other)
                    )
                }
            }
        }
        return nil
    }

    /// Count and price in one word: "2*12,90", "0,655kg*24,90kr/kg".
    private static func glued(_ word: String, style: NumberStyle) -> Quantity? {
        guard
            let match = word.wholeMatch(
                of:
                    Self.gluedPrice.regex
            ),
            let count = count(String(match.1))?.value, count != 0,
            let price = prices(String(match.3), style: style).first
        else { return nil }
        return Quantity(count: count, unitPrice: price, unit: match.2.map(String.init))
    }

    /// Whether count and price make an amount: exactly for whole counts, within a cent for weights, which are rounded.
    static func makes(_ count: Decimal, _ price: Decimal, amount: Decimal) -> Bool {
        let isWhole = count.fractionDigitCount == 0
        return abs(abs(count * price) - abs(amount)) <= (isWhole ? halfCent : cent)
    }

    private static let cent = Decimal(1) / 100
    private static let halfCent = Decimal(5) / 1000

    /// The first word of the numbers, crosses and units that end a row.
    private static func startOfNumbers(_ words: ArraySlice<RecognizedWord>) -> Int {
        var start = words.endIndex
        while start > words.startIndex {
            let word = words[start - 1].text
            let left = start - 1 > words.startIndex ? words[start - 2].text : ""
            let right = start < words.endIndex ? words[start].text : ""
            let belongs =
                isNumber(word) || isCross(word)
                || (word.contains(where: \.isLetter)
                    && (isUnit(word) || isCross(right) || isPricePerUnit(word)) && isNumber(left))
                || isPricePerUnit(word)
            guard belongs else { break }
            start -= 1
        }
        return start
    }

    private static func isNumber(_ word: String) -> Bool {
        guard word.contains(where: \.isNumber) else { return false }
        // In brackets stands the tax that the amount holds: "1 UN X 6,69 (2,37)".
        let isBracketed = word.hasPrefix("(") && word.hasSuffix(")")
        return (isBracketed ? String(word.dropFirst().dropLast()) : word).wholeMatch(of: Self.number.regex)
            != nil
    }

    private static func isCross(_ word: String) -> Bool {
        ["x", "X", "×", "*", "@", "à", "-", "=", "mal"].contains(word)
    }

    /// "EUR/kg", "€/Stk".
    static func isPricePerUnit(_ word: String) -> Bool {
        word.wholeMatch(of: Self.pricePerUnit.regex) != nil
            || PrintedAmount.currency(named: word) != nil
    }

    static func isUnit(_ word: String) -> Bool {
        Vocabulary.shared.findings(in: Vocabulary.words(of: word), text: word).contains {
            $0.phrase.meaning == .unit
        }
    }

    /// A count with or without its unit or cross: "2", "2x", "x2", "0,482", "0,482kg", "03".
    private static func count(_ word: String) -> (value: Decimal, unit: String?)? {
        guard
            let match = word.wholeMatch(
                of: Self.countAndUnit.regex),
            let value = Decimal(string: String(match.1).replacing(",", with: "."))
        else { return nil }
        return (value, match.2.map(String.init))
    }

    /// The unit prices that a word may mean; fuel prices have three digits after the mark, prices before tax four.
    private static func prices(_ word: String, style: NumberStyle) -> [Decimal] {
        let bare = String(word.prefix { $0 != "/" }).trimming("@xX×*.")
        var prices: [Decimal] = []
        if let amount = PrintedAmount(bare, style: style),
            amount.isCertain || style.decimalMark == nil || bare.count > 1
        {
            prices.append(amount.value)
        }
        if let mark = style.decimalMark, let match = bare.wholeMatch(of: Self.finePrice.regex),
            Character(String(match.2)) == mark, let value = Decimal(string: "\(match.1).\(match.3)")
        {
            prices.append(value)
        }
        return prices
    }

    /// "1.75 lb @ 1 lb /0.54", "4 AT 1 FOR 0.44".
    private static let weight = Pattern(
        #/(?i)\W?(\d{1,3}(?:[.,]\d{1,3})?) ?([l1i]b|k[g9])?\.? ?(?:@|AT) ?(?:1 ?(?:[l1i]b|k[g9])? ?(?:\/|FOR) ?)?\$?(\d+[.,]\d\d)\b.*/#
    )
    private static let articleWithLetters = Pattern(#/\d{8,14}\p{Lu}{0,2}/#)
    /// "0,655kg*24,90kr/kg".
    private static let gluedPrice = Pattern(
        #/(\d{1,4}(?:[.,]\d{1,3})?)(\p{L}{1,3}?)?[x×*@](\d[\d.,]*)(?:\p{L}{1,3}|[€£$])?(?:\/\p{L}{1,4})?/#)
    private static let number = Pattern(
        #/(?i)[-@x×*$€£]?\d[\d.,]*(?:[x×*@]|kg|g|l|lb|st|stk|€|%)?(?:[x×*@]\d[\d.,]*(?:\p{L}{1,3}|[€£$])?)?(?:\/\p{L}{1,4}\.?)?/#
    )
    private static let pricePerUnit = Pattern(#/(?i)(?:\p{L}{2,4}|[€$£])?\/\s?\p{L}{1,4}\.?/#)
    private static let countAndUnit = Pattern(
        #/(?i)[x×*]?(-?\d{1,4}(?:[.,]\d{1,3})?)(?:[x×*@]|(\p{L}{1,3}))?/#)
    private static let finePrice = Pattern(#/(\d{1,3})([.,])(\d{3,4})/#)
    private static func whole(_ word: String) -> Decimal? {
        let digits = word.trimming("xX×*")
        guard (1...3).contains(digits.count), digits.allSatisfy(\.isWholeNumber) else { return nil }
        return Decimal(string: digits)
    }

    // MARK: - Names and codes

    private static let shortestCode = 3
    /// Digits of an item's place in the list: "001".
    private static let digitsOfPlace = 3

    /// Whether a word is a product code: four or more digits, which counts do not have.
    static func isCode(_ word: String) -> Bool {
        word.count >= 4 && word.allSatisfy { $0.isASCII && $0.isNumber }
    }

    /// Whether a word can only be a product code: an EAN article number has 8 or 13 digits, a GTIN 14.
    static func isArticleNumber(_ word: String) -> Bool { (8...14).contains(word.count) && isCode(word) }

    /// Whether words are a name: letters that are more than a unit.
    private static func isName(_ words: some Collection<RecognizedWord>) -> Bool {
        letters(
            words.filter { !isUnit($0.text) && !isCross($0.text) && !captions.contains($0.text.lowercased()) }
        )
            >= leastLetters
    }

    /// Words before a count: "Qty 2 @ $7.50 each 15.00".
    private static let captions: Set<String> = [
        "qty", "qty:", "qnty", "quantity", "menge", "cant", "cant.", "qtd",
    ]

    static func letters(_ words: some Collection<RecognizedWord>) -> Int {
        words.reduce(0) { $0 + $1.text.count(where: \.isLetter) }
    }
}

import Imaging
import TextRecognition
import Platform

/// One row of a receipt, split into its label and the amount at its right end.
struct ReceiptRow {
    let words: [RecognizedWord]
    /// The words before the amount.
    let label: [RecognizedWord]
    private(set) var amount: PrintedAmount?
    let amountWords: [RecognizedWord]
    /// The tax class printed behind the amount, or its rate: "A", "SR", "19"; nil if there is none.
    let taxClass: String?
    /// The words joined by single spaces.
    let text: String
    let box: Box
    /// The words as the vocabulary writes them, see `Vocabulary.tokens(of:)`.
    let tokens: [String]
    /// The phrases that the row holds.
    let findings: [Vocabulary.Finding]
    /// What these phrases mean.
    let meanings: Meanings
    /// Whether a date stands in the row, in either order.
    let holdsDate: Bool
    /// Whether a time of day stands in the row.
    let holdsTime: Bool
    /// The probability of each class, in the order of `RowClass`; empty until the row model has seen the page.
    var probabilities: [Double] = []
    /// The row's class, chosen together with those of the rows around it.
    var rowClass = RowClass.other

    private init(
        words: [RecognizedWord], label: [RecognizedWord], amount: PrintedAmount? = nil,
        amountWords: [RecognizedWord] = [], taxClass: String? = nil
    ) {
        self.words = words
        self.taxClass = taxClass
        self.label = label
        self.amount = amount
        self.amountWords = amountWords
        text = words.map(\.text).joined(separator: " ")
        box = Box.enclosing(words.lazy.map(\.box)) ?? Box(left: 0, top: 0, right: 0, bottom: 0)
        tokens = Vocabulary.shared.tokens(of: text)
        findings = Vocabulary.shared.findings(in: tokens, text: text)
        let hasDigits = text.contains(where: \.isNumber)
        holdsDate = hasDigits && PrintedDate.find(in: text, order: .init(monthFirst: false)) != nil
        holdsTime = hasDigits && PrintedDate.findTime(in: text) != nil
        meanings = Meanings(findings.lazy.map(\.phrase.meaning))
    }

    /// Marks the row as irrelevant, class `other`, whatever it looks like.
    mutating func setAside() {
        rowClass = .other
        probabilities = RowClass.allCases.map { $0 == .other ? 1 : 0 }
    }

    /// Treats a whole number as an amount that lost its mark if another row holds that amount with its mark: "TOTAL 5823" beside
    /// "SUBTOTAL 58.23".
    mutating func restoreMark(by rows: [ReceiptRow]) {
        guard let whole = amount, !whole.isCertain else { return }
        let amounts = rows.compactMap(\.amount).filter(\.isCertain).map(\.value)
        if amounts.contains(whole.value / 100) { amount?.value /= 100 }
    }

    /// Reclassifies a row that the model takes for service as tax if its words say only tax, "6% Gov Service Tax"; and a row that
    /// it takes for tax as service if they say only service: "CNY SVC (10%)".
    mutating func tellServiceFromTax() {
        let said = Set(wholeFindings.map(\.phrase.meaning)).intersection([.tax, .service])
        let meant: RowClass? = said == [.tax] ? .tax : said == [.service] ? .service : nil
        guard let meant, [.tax, .service].contains(rowClass), meant != rowClass else { return }
        rowClass = meant
        if !probabilities.isEmpty {
            probabilities.swapAt(RowClass.tax.rawValue, RowClass.service.rawValue)
        }
    }

    /// The probability that the row is of a class.
    func probability(_ rowClass: RowClass) -> Double {
        probabilities.isEmpty ? 0 : probabilities[rowClass.rawValue]
    }

    /// The findings that are not part of a longer phrase: "suma ptu" is a tax, not a sum.
    var wholeFindings: [Vocabulary.Finding] {
        findings.filter { finding in
            !findings.contains {
                $0.tokens.count > finding.tokens.count && $0.tokens.lowerBound <= finding.tokens.lowerBound
                    && finding.tokens.upperBound <= $0.tokens.upperBound
            }
        }
    }

    /// Whether the row has a word for a total that is not part of a longer phrase.
    var saysTotal: Bool {
        wholeFindings.contains { [.total, .payable].contains($0.phrase.meaning) }
    }

    /// Whether the row holds only words for a total, an amount, and at most a count: "Total Amount 3 599.99".
    var saysTotalAlone: Bool { amount != nil && isWordsForTotal }

    /// Whether only words for a total, and at most a count, stand before the amount, if there is one.
    var isWordsForTotal: Bool {
        let labelled = Vocabulary.shared.tokens(of: labelText)
        let said = Set(
            wholeFindings.filter { [.total, .payable].contains($0.phrase.meaning) }.flatMap {
                Array($0.tokens)
            })
        let others = labelled.indices.filter { !said.contains($0) }
        let isCounted =
            others.count == 1
            && label.last.map { $0.text.count <= Self.digitsOfCount && $0.text.allSatisfy(\.isNumber) }
                == true
        return !said.isEmpty && (others.isEmpty || isCounted)
    }

    /// Most digits of a count of items.
    private static let digitsOfCount = 3

    var labelText: String { label.map(\.text).joined(separator: " ") }
    /// Letters in the label.
    var letterCount: Int { label.reduce(0) { $0 + $1.text.count(where: \.isLetter) } }
}

extension ReceiptRow {
    /// Splits a row at the amount at its right end.
    init(splitting printed: [RecognizedWord], style: NumberStyle, acceptsBare: Bool) {
        let words = Self.partingAmount(printed, style: style)
        let behind = Self.printBehindAmount(words, style: style)
        var (end, currency) = (behind.start, behind.currency)
        let taxClass = behind.taxClass
        var isOpen = false
        if end > 1, let code = PrintedAmount.currency(named: words[end - 1].text) {
            currency = code
            isOpen = PrintedAmount.isOpenSign(words[end - 1].text)
            end -= 1
        }
        guard end > 0 else {
            self.init(words: words, label: words)
            return
        }
        var start = end - 1
        var amount = PrintedAmount(words[start].text, style: style)
        // Thousands are separated by a space: "1 234,50".
        if start > 0, amount?.isCertain == true || currency != nil || style.hasSpacedGroups,
            // Amounts in forints have no fraction, though a unit price may: "599.00 Ft" beside "3 924 Ft".
            style.decimalMark != "." || currency == "HUF",
            let groups = Self.joinedThousands(words[start - 1], words[start], style: style)
        {
            amount = groups
            if style.hasSpacedGroups { amount?.isCertain = true }
            start -= 1
        }
        if start > 0, let group = Self.joinedGroup(words[start - 1], words[start], style: style) {
            amount = group
            start -= 1
        }
        // The mark was lost: "029 C".
        if start > 0, taxClass != nil, amount?.isCertain != true,
            let cents = Self.bareCents(words[start].text, style: style)
        {
            amount = cents
        }
        if start > 0, taxClass == nil, let proven = Self.amountByPrice(words[...start], style: style) {
            amount = proven
        }
        if amount?.isCertain == false, Self.isProduct(words[...start]) { amount?.isCertain = true }
        // The mark was lost, or a blank was read behind it: "$53 56", "13, 49".
        if start > 0, let parted = Self.joinedCents(words[start - 1], words[start], style: style) {
            amount = parted
            start -= 1
        }
        // "MONTO :Bs. 740,00"
        if start > 0, amount != nil, let sign = Optional(words[start - 1].text.trimming(":")),
            let code = PrintedAmount.currency(named: sign)
        {
            currency = code
            isOpen = PrintedAmount.isOpenSign(sign)
            start -= 1
        }
        if start > 0, amount != nil, ["-", "−", "–"].contains(words[start - 1].text) {
            amount?.value.negate()
            start -= 1
        }
        if let code = currency {
            amount?.currency = code
            amount?.isOpen = isOpen
            amount?.isCertain = !Self.hasLostMark(words[start..<end], style: style)
        }
        guard let amount,
            amount.isCertain || (acceptsBare && start > 0 && Self.isGrouped(words[start].text))
        else {
            if let total = Self.totalBeforeOthers(words, style: style) {
                self.init(
                    words: words, label: Array(words[..<total.place]), amount: total.amount,
                    amountWords: [words[total.place]])
            } else {
                self.init(words: words, label: words)
            }
            return
        }
        self.init(
            words: words, label: Array(words[..<start]), amount: amount,
            amountWords: Array(words[start..<end]),
            taxClass: taxClass ?? words[..<end].last.flatMap { PrintedAmount.taxClass(behind: $0.text) })
    }

    /// What stands behind the amount at a row's right end, save a currency: specks, and the tax class or its rate. A class may
    /// tell the currency.
    private static func printBehindAmount(
        _ words: [RecognizedWord], style: NumberStyle
    ) -> (start: Int, taxClass: String?, currency: String?) {
        var end = words.count
        // Specks and rules that were misread as marks may stand behind the amount.
        while end > 1,
            !words[end - 1].text.contains(where: { $0.isLetter || $0.isNumber || "*#%-)".contains($0) }),
            PrintedAmount.currency(named: words[end - 1].text) == nil
        {
            end -= 1
        }
        if end > 2, words[end - 1].text.lowercased() == "sale",
            PrintedAmount.looksCertain(words[end - 2].text)
        {
            end -= 1
        }
        var currency: String?
        // Behind the amount stand tax classes ("A", "T1", "A *") and a currency.
        var taxClass: String?
        for count in [1, 2] where end > count + 1 || (end == count + 1 && words[1].text.count <= 2) {
            let last = words[(end - count)..<end]
            let before = words[end - count - 1].text
            guard last.allSatisfy({ isTaxClass($0.text) }),
                PrintedAmount(before, style: style)?.isCertain == true
                    || PrintedAmount.currency(named: before) != nil
                    || bareCents(before, style: style) != nil
                    || end > count + 1
                        && joinedCents(words[end - count - 2], words[end - count - 1], style: style)
                            != nil
            else { continue }
            let letters = last.map(\.text).filter { $0.contains(where: { $0.isLetter || $0.isNumber }) }
            taxClass = letters.isEmpty ? nil : letters.joined(separator: " ")
            end -= count
            break
        }
        // A single digit behind the amount is a tax class, or a speck: "TOTAL: 92.22 1". A longer number is a tax class only
        // where the receipt prints it as a rate: "49.99 19".
        if end > 2, style.decimalMark != nil, let last = words[..<end].last?.text,
            last.count == 1 && last.first?.isNumber == true || style.taxRates.contains(last),
            PrintedAmount.looksCertain(words[end - 2].text)
        {
            taxClass = last
            end -= 1
        }
        // A rate behind the currency: "2,47 € 11".
        if end > 3, style.decimalMark != nil, let last = words[..<end].last?.text, last.count <= 2,
            last.allSatisfy({ $0.isASCII && $0.isNumber }),
            PrintedAmount.currency(named: words[end - 2].text) != nil,
            PrintedAmount.looksCertain(words[end - 3].text)
        {
            taxClass = last
            end -= 1
        }
        // Hungary's tills print their classes as "C00" behind whole forints.
        if end > 2, isHungarianClass(words[end - 1].text),
            words[end - 2].text.allSatisfy({ $0.isASCII && $0.isNumber })
        {
            taxClass = words[end - 1].text.prefix(1) + "00"
            currency = "HUF"
            end -= 1
        }
        return (end, taxClass, currency)
    }

    /// Finds the amount with a currency sign right behind words for a total, where the words after it are from another sheet:
    /// "TOTAL £9.99 25 May".
    private static func totalBeforeOthers(
        _ words: [RecognizedWord], style: NumberStyle
    ) -> (place: Int, amount: PrintedAmount)? {
        guard words.count > 2,
            let place = words.indices.dropFirst().first(where: { words[$0].text.contains(where: \.isNumber) }
            ),
            let amount = PrintedAmount(words[place].text, style: style), amount.isCertain,
            amount.currency != nil,
            ReceiptRow(words: Array(words[...place]), label: Array(words[..<place])).isWordsForTotal
        else { return nil }
        return (place, amount)
    }

    /// Splits the amount from what was read without a space before it: "2£18.00", "Coffee£2.70", "Parm21.75".
    private static func partingAmount(_ words: [RecognizedWord], style: NumberStyle) -> [RecognizedWord] {
        for index in words.indices.suffix(2) {
            let word = words[index].text
            guard word.count > 3, word.last?.isNumber == true || word.last == "S",
                PrintedAmount(word, style: style)?.isCertain != true,
                let match = word.wholeMatch(
                    of: Self.closeAmount.regex)
            else { continue }
            let before = match.1
            let amount = match.2 ?? match.3 ?? ""
            let isNamed = match.3 == nil || before.suffix(2).allSatisfy(\.isLetter) && before.count > 1
            guard isNamed, before.last.map({ "xX×".contains($0) }) == false,
                PrintedAmount(String(amount), style: style)?.isCertain == true
            else { continue }
            let box = words[index].box
            let middle = box.left + box.width * Double(before.count) / Double(word.count)
            var (left, right) = (words[index], words[index])
            (left.text, left.box.right) = (String(before), middle)
            (right.text, right.box.left) = (String(amount), middle)
            return words[..<index] + [left, right] + words[(index + 1)...]
        }
        return words
    }

    /// "2£18.00", "Parm21.7S".
    private static let closeAmount = Pattern(#/(.*?[\p{L}\d])(?:([$€£¥₹₺]\d.*)|(\d[\dS]{0,2}[.,][\dS]{2}))/#)
    private static let countAndPrice = Pattern(#/(\d{1,4}(?:[.,]\d{1,3})?) ?[xX×*@] ?\$?(\d+[.,]\d{2})$/#)
    private static let priceAndCount = Pattern(#/\$(\d+[.,]\d{2}) ?[xX×*@] ?(\d{1,3})$/#)

    /// Whether whole numbers behind a name are a count, a unit price and their product: "Dal Makhni 2 136 272".
    private static func isProduct(_ words: ArraySlice<RecognizedWord>) -> Bool {
        let numbers = words.suffix(3).compactMap { word in
            word.text.count <= 6 && word.text.first != "0"
                && word.text.allSatisfy { $0.isASCII && $0.isNumber }
                ? Int(word.text) : nil
        }
        return numbers.count == 3 && numbers[2] >= Self.leastProduct && numbers[0] * numbers[1] == numbers[2]
            && ItemColumns.letters(words.dropLast(3)) >= ItemColumns.leastLetters
    }

    /// Least product that counts as proof: smaller numbers fit by chance, "Table 1 5 5".
    private static let leastProduct = 10

    /// Whether a word behind an amount may be a tax class, or a sign for one: "A", "T1", "8F", "*".
    private static func isTaxClass(_ word: String) -> Bool {
        guard word.count <= 3, PrintedAmount.currency(named: word) == nil, let first = word.first else {
            return false
        }
        return first.isLetter || "*#%".contains(first)
            || (word.count == 2 && first.isNumber && word.last?.isUppercase == true)
    }

    /// Whether a word is a tax class as Hungarian tills print it, whose zeros may be read as letters: "C00", "CO0".
    private static func isHungarianClass(_ word: String) -> Bool {
        word.count == 3 && word.first.map { ("A"..."E").contains($0) } == true
            && word.dropFirst().allSatisfy { "0O".contains($0) }
    }

    /// Whether a sum has so many digits that it must have lost the mark that other amounts have: "$ 45695" among "$ 29.05".
    private static func hasLostMark(_ words: ArraySlice<RecognizedWord>, style: NumberStyle) -> Bool {
        style.decimalMark != nil
            && words.contains { word in
                word.text.count >= digitsWithoutMark && word.text.allSatisfy { $0.isASCII && $0.isNumber }
            }
    }

    /// Fewest digits of a sum that must have lost its mark: sums from 10,000 are hardly printed without cents where others have
    /// them.
    private static let digitsWithoutMark = 5

    /// An amount below 1 that lost its mark; no other amount begins with a zero.
    private static func bareCents(_ word: String, style: NumberStyle) -> PrintedAmount? {
        guard let mark = style.decimalMark, word.count == 3, word.first == "0",
            word.allSatisfy({ $0.isASCII && $0.isNumber })
        else { return nil }
        return PrintedAmount("0" + String(mark) + word.dropFirst(), style: style)
    }

    /// Removes a digit too many from an amount where count and price before it prove which: it is the tax class behind the
    /// amount, "1 x36,00 36,008", or the dollar sign before it, "$6.70 x 1 56.70".
    private static func amountByPrice(
        _ words: ArraySlice<RecognizedWord>, style: NumberStyle
    ) -> PrintedAmount? {
        guard let last = words.last?.text else { return nil }
        var readings: [Substring] = []
        if let end = last.last, "08".contains(end) { readings.append(last.dropLast()) }
        if style.hasDollars, last.first == "5" { readings.append(last.dropFirst()) }
        guard !readings.isEmpty else { return nil }
        let before = words.dropLast().suffix(wordsOfQuantity).map(\.text).joined(separator: " ")
        let parts: (count: Substring, price: Substring)
        if let match = before.firstMatch(of: Self.countAndPrice.regex) {
            parts = (match.1, match.2)
        } else if let match = before.firstMatch(of: Self.priceAndCount.regex) {
            parts = (match.2, match.1)
        } else {
            return nil
        }
        guard let count = Decimal(string: String(parts.count).replacing(",", with: ".")),
            let price = PrintedAmount(String(parts.price), style: style)?.value
        else { return nil }
        return readings.lazy.compactMap { PrintedAmount(String($0), style: style) }.first {
            $0.isCertain && abs(count * price - $0.value) <= halfACent
        }
    }

    /// Words of count, cross and price: "1,000 x 2.99".
    private static let wordsOfQuantity = 3
    private static let halfACent = Decimal(5) / 1000

    /// Whether a bare number is written like a sum: two digits at least, no leading zero.
    private static func isGrouped(_ word: String) -> Bool {
        word.count >= 2 && word.first != "0" && !word.contains(where: \.isLetter)
    }

    /// Widest blank between thousands, in digit widths; columns are further apart.
    private static let widestGap = 1.5

    static func joinedThousands(
        _ left: RecognizedWord, _ right: RecognizedWord, style: NumberStyle
    ) -> PrintedAmount? {
        let digit = right.box.width / Double(max(right.text.count, 1))
        guard left.text.count <= 3, left.text.allSatisfy({ $0.isASCII && $0.isNumber }),
            right.text.prefix(while: \.isNumber).count == 3, left.text != "0",
            right.box.left - left.box.right < widestGap * digit
        else { return nil }
        return PrintedAmount(left.text + right.text, style: style)
    }

    /// Joins thousands where a blank was read behind their mark, if amounts have no fraction: "175, 000".
    private static func joinedGroup(
        _ left: RecognizedWord, _ right: RecognizedWord, style: NumberStyle
    ) -> PrintedAmount? {
        let digit = right.box.width / Double(max(right.text.count, 1))
        guard style.decimalMark == nil, let mark = left.text.last, ",.".contains(mark),
            left.text.dropLast().last?.isNumber == true, right.text.count == 3,
            right.text.allSatisfy({ $0.isASCII && $0.isNumber }),
            right.box.left - left.box.right < widestGap * digit
        else { return nil }
        return PrintedAmount(left.text + right.text, style: style)
    }

    /// Joins units, with a currency sign or a mark, and two digits right behind them: an amount whose mark was not read, or was
    /// read with a blank.
    private static func joinedCents(
        _ left: RecognizedWord, _ right: RecognizedWord, style: NumberStyle
    ) -> PrintedAmount? {
        let digit = right.box.width / Double(max(right.text.count, 1))
        guard let mark = style.decimalMark, right.text.count == 2,
            right.text.allSatisfy({ $0.isASCII && $0.isNumber }),
            right.box.left - left.box.right < widestGap * digit
        else { return nil }
        if left.text.last == mark, left.text.count > 1, left.text.dropLast().allSatisfy(\.isWholeNumber) {
            return PrintedAmount(left.text + right.text, style: style)
        }
        guard
            let units = PrintedAmount(left.text, style: style), units.currency != nil,
            left.text.last?.isNumber == true, !left.text.contains(mark)
        else { return nil }
        return PrintedAmount(left.text + String(mark) + right.text, style: style)
    }

    /// Finds the words that spell a printed string.
    func words(spelling printed: String) -> [RecognizedWord] {
        let wanted = printed.filter { !$0.isWhitespace }
        for start in words.indices {
            var joined = ""
            for end in start..<words.count {
                joined += words[end].text.filter { !$0.isWhitespace }
                if joined.contains(wanted) { return Array(words[start...end]).trimmed(toSpell: wanted) }
            }
        }
        return words
    }
}

extension [RecognizedWord] {
    /// Drops leading words that the spelling does not need.
    fileprivate func trimmed(toSpell wanted: String) -> [RecognizedWord] {
        var rest = self[...]
        while rest.count > 1,
            rest.dropFirst().map({ $0.text.filter { !$0.isWhitespace } }).joined().contains(wanted)
        {
            rest = rest.dropFirst()
        }
        return Array(rest)
    }
}

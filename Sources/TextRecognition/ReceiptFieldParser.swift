import Foundation

/// Picks the fields out of a receipt's rows. From the top a receipt has a head (seller, address, telephone), items, sums,
/// and payment; dates and numbers stand anywhere.
struct ReceiptFieldParser {
    /// One row, split into what it says and the amount at its right end.
    struct Row {
        var words: [RecognizedWord]
        /// The words before the amount.
        var label: [RecognizedWord]
        var amount: PrintedAmount?
        var amountWords: [RecognizedWord]
        var kind: ReceiptVocabulary.Label?

        var text: String { words.map(\.text).joined(separator: " ") }
        var labelText: String { label.map(\.text).joined(separator: " ") }
        /// Letters in the label.
        var letterCount: Int { label.reduce(0) { $0 + $1.text.count(where: \.isLetter) } }
    }

    private let style: NumberStyle
    private var rows: [Row]
    private var fields = ReceiptFields()

    init(text: RecognizedText) {
        let style = NumberStyle(words: text.words.map(\.text))
        self.style = style
        // Without any fraction on the receipt a bare number may be an amount, but only where most rows end in one.
        let plain = text.lines.map { Self.split($0.words, style: style, acceptsBare: false) }
        let certain = plain.count { $0.amount != nil }
        rows =
            certain == 0 && style.decimalMark == nil
            ? text.lines.map { Self.split($0.words, style: style, acceptsBare: true) } : plain
    }

    mutating func parse() -> ReceiptFields {
        findDateAndTime()
        findCurrency()
        findSums()
        findItems()
        findHead()
        findPayment()
        findReceiptNumber()
        compareSums()
        return fields
    }

    // MARK: Rows

    /// Splits a row at the amount at its right end.
    private static func split(_ words: [RecognizedWord], style: NumberStyle, acceptsBare: Bool) -> Row {
        var end = words.count
        var currency: String?
        // Behind the amount: a tax class ("A", "T1", "*") and a currency.
        if end > 2 || (end == 2 && words[1].text.count <= 2) {
            let last = words[end - 1].text
            let isClass =
                last.count <= 2 && PrintedAmount.currency(named: last) == nil
                && (last.first.map { $0.isLetter || "*#%".contains($0) } ?? false)
            if isClass,
                PrintedAmount(words[end - 2].text, style: style)?.isCertain == true
                    || PrintedAmount.currency(named: words[end - 2].text) != nil
            {
                end -= 1
            }
        }
        if end > 1, let code = PrintedAmount.currency(named: words[end - 1].text) {
            currency = code
            end -= 1
        }
        guard end > 0 else {
            return Row(words: words, label: words, amount: nil, amountWords: [], kind: nil)
        }
        var start = end - 1
        var amount = PrintedAmount(words[start].text, style: style)
        // Thousands set apart by a space: "1 234,50".
        if start > 0, amount?.isCertain == true, style.decimalMark == ",",
            let groups = joinedThousands(words[start - 1], words[start], style: style)
        {
            amount = groups
            start -= 1
        }
        if start > 0, amount != nil, let code = PrintedAmount.currency(named: words[start - 1].text) {
            currency = code
            start -= 1
        }
        if start > 0, amount != nil, ["-", "−", "–"].contains(words[start - 1].text) {
            amount?.value.negate()
            start -= 1
        }
        if let code = currency {
            amount?.currency = code
            amount?.isCertain = true
        }
        let text = words.map(\.text).joined(separator: " ")
        guard let amount, amount.isCertain || (acceptsBare && start > 0 && isGrouped(words[start].text))
        else {
            return Row(
                words: words, label: words, amount: nil, amountWords: [],
                kind: ReceiptVocabulary.label(of: text))
        }
        let label = Array(words[..<start])
        return Row(
            words: words, label: label, amount: amount, amountWords: Array(words[start..<end]),
            kind: ReceiptVocabulary.label(of: label.map(\.text).joined(separator: " ")))
    }

    /// A bare number that is set as sums are: two digits at least, no leading zero.
    private static func isGrouped(_ word: String) -> Bool {
        word.count >= 2 && word.first != "0" && !word.contains(where: \.isLetter)
    }

    private static func joinedThousands(
        _ left: RecognizedWord, _ right: RecognizedWord, style: NumberStyle
    ) -> PrintedAmount? {
        let digit = right.box.width / Double(max(right.text.count, 1))
        guard left.text.count <= 3, left.text.allSatisfy({ $0.isASCII && $0.isNumber }),
            right.text.prefix(while: \.isNumber).count == 3, right.box.left - left.box.right < 1.5 * digit
        else { return nil }
        return PrintedAmount(left.text + right.text, style: style)
    }

    private static func field<Value>(
        _ value: Value, _ words: [RecognizedWord], certainty: Double = 1
    ) -> ReceiptFields.Field<Value> {
        let box = TextBox.enclosing(words.lazy.map(\.box)) ?? TextBox(left: 0, top: 0, right: 0, bottom: 0)
        return .init(
            value: value, confidence: RecognizedText.meanConfidence(of: words) * certainty,
            printed: words.map(\.text).joined(separator: " "), box: box)
    }

    /// The words of a row that a printed string came from.
    private static func words(of row: Row, spelling printed: String) -> [RecognizedWord] {
        let wanted = printed.filter { !$0.isWhitespace }
        for start in row.words.indices {
            var joined = ""
            for end in start..<row.words.count {
                joined += row.words[end].text.filter { !$0.isWhitespace }
                if joined.contains(wanted) { return Array(row.words[start...end]).trimmed(toSpell: wanted) }
            }
        }
        return row.words
    }

    // MARK: Date, time, currency

    private mutating func findDateAndTime() {
        let times = rows.compactMap { row in PrintedDate.findTime(in: row.text).map { (row, $0) } }
        if let (row, time) = times.first {
            fields.time = Self.field(time.time, Self.words(of: row, spelling: time.printed))
        }
        let monthFirst = isMonthFirst(hasTwelveHours: times.first.map { $0.1.isTwelveHours })
        // A date with "date" or a time beside it is the receipt's; others may be of a card or an offer.
        let dated = rows.compactMap { row in
            PrintedDate.find(in: row.text, monthFirst: monthFirst).map { (row, $0.date, $0.printed) }
        }
        let chosen =
            dated.first { row, _, _ in
                let words = ReceiptVocabulary.words(of: row.text)
                return words.contains { ["date", "datum", "data", "fecha", "日付"].contains($0) }
                    || PrintedDate.findTime(in: row.text) != nil
            } ?? dated.first
        if let (row, date, printed) = chosen {
            fields.date = Self.field(
                date.iso, Self.words(of: row, spelling: printed), certainty: date.isAmbiguous ? 0.6 : 1)
        }
    }

    /// How 03/04/2024 is meant: as in the United States if the receipt looks like one from there.
    private func isMonthFirst(hasTwelveHours: Bool?) -> Bool {
        let text = rows.map(\.text).joined(separator: "\n")
        let words = Set(ReceiptVocabulary.words(of: text))
        var score = 0
        switch hasTwelveHours {
        case true?: score += 2
        case false?: score -= 2
        case nil: break
        }
        if text.contains("$") { score += 1 }
        if text.contains(#/\b[A-Z]{2},? \d{5}(-\d{4})?\b/#) { score += 2 }
        if text.contains(#/[Ss]ales [Tt]ax|SALES TAX/#) { score += 1 }
        if text.contains("€") || text.contains("£") { score -= 3 }
        if !words.isDisjoint(with: ["vat", "gst", "tva", "mwst", "iva", "btw"]) { score -= 2 }
        return score > 0
    }

    private mutating func findCurrency() {
        var counts: [String: (count: Int, word: RecognizedWord)] = [:]
        for row in rows {
            for word in row.words {
                let code =
                    PrintedAmount.currency(named: word.text)
                    ?? (PrintedAmount(word.text, style: style) != nil
                        ? PrintedAmount.bare(word.text).currency : nil)
                guard let code else { continue }
                counts[code] = ((counts[code]?.count ?? 0) + 1, counts[code]?.word ?? word)
            }
        }
        guard let best = counts.max(by: { ($0.value.count, $1.key) < ($1.value.count, $0.key) }) else {
            return
        }
        let isDollar = best.key == "USD" && !rows.contains { $0.text.contains("US") }
        fields.currency = Self.field(best.key, [best.value.word], certainty: isDollar ? 0.7 : 1)
    }

    // MARK: Sums

    private mutating func findSums() {
        fields.subtotal = labelled(.subtotal).first.map { Self.field($0.amount.value, $0.words) }
        let taxes = rows.filter { $0.kind == .tax && $0.amount != nil }
        let amounts = taxes.compactMap { row in taxAmount(of: row).map { ($0, row.amountWords) } }
        if !amounts.isEmpty {
            fields.tax = Self.field(amounts.reduce(0) { $0 + $1.0 }, amounts.flatMap(\.1))
        }
        fields.tip = labelled(.tip).first.map { Self.field($0.amount.value, $0.words) }

        // The last of several totals is what is paid (after rounding or a tip), unless sums say otherwise.
        let totals = labelled(.total)
        let fitting = totals.filter { candidate in
            guard let subtotal = fields.subtotal?.value else { return false }
            let tax = fields.tax?.value ?? 0
            let tip = fields.tip?.value ?? 0
            return [subtotal + tax + tip, subtotal + tax, subtotal + tip, subtotal]
                .contains { $0 == candidate.amount.value } && candidate.amount.value >= subtotal
        }
        let grand = totals.filter { candidate in
            let words = ReceiptVocabulary.words(of: candidate.label)
            return words.contains {
                ["grand", "due", "pay", "ttc", "payer", "zahlen", "pagar", "betalen"].contains($0)
            }
        }
        if let total = fitting.last ?? grand.first ?? totals.first {
            fields.total = Self.field(total.amount.value, total.words)
        }
    }

    /// The amounts that a label names: in its row, or alone in the next.
    private func labelled(
        _ kind: ReceiptVocabulary.Label
    ) -> [(label: String, amount: PrintedAmount, words: [RecognizedWord])] {
        rows.indices.compactMap { index in
            let row = rows[index]
            guard row.kind == kind else { return nil }
            if let amount = row.amount { return (row.labelText, amount, row.amountWords) }
            guard index + 1 < rows.count, rows[index + 1].label.isEmpty, let amount = rows[index + 1].amount
            else { return nil }
            return (row.text, amount, rows[index + 1].amountWords)
        }
    }

    /// A tax row may list rate, base and tax: the tax is the amount that is the rate's share of another, else the last.
    private func taxAmount(of row: Row) -> Decimal? {
        guard let last = row.amount?.value else { return nil }
        let others = row.label.filter { !$0.text.hasSuffix("%") }
            .compactMap { PrintedAmount($0.text, style: style) }.filter(\.isCertain).map(\.value)
        guard !others.isEmpty, let rate = row.label.lazy.compactMap({ Self.percentage($0.text) }).first else {
            return last
        }
        let all = others + [last]
        let cent = Decimal(1) / 100
        for tax in all {
            for base in all where base > tax {
                let difference = base * rate / 100 - tax
                if abs(difference) <= cent { return tax }
            }
        }
        return last
    }

    private static func percentage(_ word: String) -> Decimal? {
        guard word.hasSuffix("%") else { return nil }
        return Decimal(
            string: String(word.dropLast()).replacing(",", with: "."),
            locale: Locale(identifier: "en_US_POSIX"))
    }

    // MARK: Items

    private mutating func findItems() {
        // Items end where sums begin.
        let end =
            rows.firstIndex {
                [.subtotal, .total].contains($0.kind) && ($0.amount != nil || $0.kind == .total)
            } ?? rows.count
        var items: [ReceiptFields.LineItem] = []
        var pending: (quantity: Quantity, words: [RecognizedWord])?
        var descriptionAbove: Row?
        for row in rows[..<end] {
            let quantityOnly = Quantity.alone(in: row.label.isEmpty ? row.words : row.label, style: style)
            guard let amount = row.amount else {
                // "2 x 1,49" above its item, or a description above its quantity and amount.
                if let quantityOnly {
                    pending = (quantityOnly, row.words)
                } else if row.kind == nil {
                    descriptionAbove = row
                }
                continue
            }
            guard row.kind == nil || row.kind == .discount else { continue }
            if let quantity = quantityOnly, quantity.unitPrice != nil || row.letterCount <= 1 {
                // "2 @ 1.50   3.00": belongs to the description above it.
                if let above = descriptionAbove, above.letterCount >= 2 {
                    items.append(item(description: above.words, quantity: quantity, row: row, amount: amount))
                    descriptionAbove = nil
                } else if var last = items.last, last.quantity == nil, let unit = quantity.unitPrice,
                    last.amount == amount.value || unit * quantity.count == last.amount
                {
                    (last.quantity, last.unitPrice) = (quantity.count, unit)
                    items[items.count - 1] = last
                } else if row.letterCount <= 1 {
                    pending = (quantity, row.words)
                }
                continue
            }
            guard row.letterCount >= 2, PrintedDate.find(in: row.text, monthFirst: false) == nil else {
                continue
            }
            let (quantity, description) = Quantity.leading(in: row.label, style: style, amount: amount.value)
            items.append(
                item(
                    description: description, quantity: quantity ?? pending?.quantity, row: row,
                    amount: amount))
            pending = nil
            descriptionAbove = nil
        }
        fields.items = items
    }

    private func item(
        description: [RecognizedWord], quantity: Quantity?, row: Row, amount: PrintedAmount
    ) -> ReceiptFields.LineItem {
        let field = Self.field(amount.value, row.words)
        return .init(
            quantity: quantity?.count, unitPrice: quantity?.unitPrice,
            description: description.map(\.text).joined(separator: " "),
            amount: row.kind == .discount && amount.value > 0 ? -amount.value : amount.value,
            confidence: field.confidence, printed: row.label.map(\.text).joined(separator: " "),
            box: field.box)
    }

    // MARK: Head

    private mutating func findHead() {
        let firstItem = rows.firstIndex { $0.amount != nil } ?? rows.count
        let head = rows[..<min(firstItem, 12)]
        var lines: [Row] = []
        for row in head {
            let words = Set(ReceiptVocabulary.words(of: row.text))
            if let phone = Self.phone(in: row.text) {
                if fields.phone == nil {
                    fields.phone = Self.field(phone, Self.words(of: row, spelling: phone))
                }
                if fields.merchant != nil { break }
                continue
            }
            let isOther =
                PrintedDate.find(in: row.text, monthFirst: false) != nil
                || PrintedDate.findTime(in: row.text) != nil
                || !words.isDisjoint(with: Self.headEnds)
            if fields.merchant == nil {
                guard row.text.count(where: \.isLetter) >= 2, !isOther,
                    words.isDisjoint(with: ["receipt", "invoice", "welcome", "copy", "kopie", "rechnung"])
                        || words.count > 3
                else { continue }
                fields.merchant = Self.field(row.text, row.words, certainty: lines.isEmpty ? 0.9 : 0.7)
                continue
            }
            if isOther { break }
            lines.append(row)
            if lines.count == 5 { break }
        }
        // An address has numbers: of the house, of the town. What follows the last of them does not belong to it.
        if let last = lines.lastIndex(where: { $0.text.contains(where: \.isNumber) }) {
            let address = lines[...last]
            let words = address.flatMap(\.words)
            fields.address = Self.field(address.map(\.text).joined(separator: ", "), words, certainty: 0.8)
        }
    }

    private static let headEnds: Set<String> = [
        "receipt", "invoice", "rechnung", "beleg", "bon", "ticket", "facture", "cashier", "kasse", "caisse",
        "till",
        "table", "tisch", "order", "server", "clerk", "date", "datum", "bedient", "register", "www", "http",
        "https",
        "qty", "menge", "vat", "ustid", "siret", "steuernummer",
    ]

    private static func phone(in text: String) -> String? {
        if let match = text.firstMatch(
            of:
                #/(?i)\b(?:tel|phone|ph|fon|telefon|tél|telephone|téléphone|tlf|電話|TEL)\b\.?\s?:?\s?(\+?[\d()][\d\s()\/.\-]{5,}\d)/#
        ) {
            return String(match.1)
        }
        // Without a label only what can be nothing else.
        let whole = text.wholeMatch(
            of: #/\s*(\+\d[\d\s()\/.\-]{7,}\d|\(\d{3}\)\s?\d{3}-\d{4}|\d{3}-\d{3}-\d{4})\s*/#)
        return whole.map { String($0.1) }
    }

    // MARK: Payment and number

    private mutating func findPayment() {
        let paying = rows.filter { $0.kind == .payment }
        guard let row = paying.first(where: { $0.amount != nil }) ?? paying.last,
            let kind = ReceiptVocabulary.payment(in: row.labelText)
        else { return }
        fields.payment = Self.field(kind, row.label.isEmpty ? row.words : row.label)
    }

    private mutating func findReceiptNumber() {
        let label =
            #/(?i)\b(?:receipt|invoice|rechnung|rechnungs-?nr|beleg|beleg-?nr|bon|bon-?nr|ticket|facture|scontrino|factura|レシート|transaction|trans|order|check|chk)\b/#
        for row in rows where row.text.contains(label) && row.kind == nil {
            guard let start = row.words.firstIndex(where: { $0.text.contains(label) }) else { continue }
            // The label's own word may hold the number ("Receipt#1234"); else it is among the next three.
            for word in row.words[start...].prefix(4) {
                let value = word.text.split { ":#".contains($0) }.last.map(String.init) ?? ""
                let digits = value.count { $0.isNumber }
                guard digits >= 2, 2 * digits >= value.count,
                    PrintedDate.find(in: value, monthFirst: false) == nil,
                    PrintedAmount(value, style: style)?.isCertain != true
                else { continue }
                fields.receiptNumber = Self.field(value, [word])
                return
            }
        }
    }

    // MARK: Sums that agree

    /// Holds the items against the subtotal and the parts against the total. Tax may come on top or be included.
    private mutating func compareSums() {
        let items = fields.items.reduce(Decimal(0)) { $0 + $1.amount }
        let tax = fields.tax?.value ?? 0
        let tip = fields.tip?.value ?? 0
        if !fields.items.isEmpty, let subtotal = fields.subtotal?.value {
            if items == subtotal {
                fields.subtotal?.raise()
                for index in fields.items.indices { fields.items[index].raise() }
            } else {
                fields.subtotal?.lower()
                fields.contradictions.append(
                    "The items add up to \(items), but the subtotal says \(subtotal)")
            }
        }
        guard let total = fields.total?.value else { return }
        if let subtotal = fields.subtotal?.value {
            if [subtotal + tax + tip, subtotal + tip, subtotal + tax, subtotal].contains(total) {
                fields.total?.raise()
                if total != subtotal { fields.tax?.raise() }
            } else {
                fields.total?.lower()
                fields.contradictions.append(
                    "The subtotal \(subtotal) with tax \(tax) and tip \(tip) makes \(subtotal + tax + tip), but the total says \(total)"
                )
            }
        } else if !fields.items.isEmpty {
            if [items, items + tax, items + tip, items + tax + tip].contains(total) {
                fields.total?.raise()
                for index in fields.items.indices { fields.items[index].raise() }
            } else {
                fields.total?.lower()
                fields.contradictions.append("The items add up to \(items), but the total says \(total)")
            }
        }
    }
}

extension ReceiptFields.Field {
    /// Two independent readings agree: what doubt there was mostly goes.
    fileprivate mutating func raise() { confidence = 1 - (1 - confidence) * 0.3 }
    /// Two readings disagree, and either may be wrong.
    fileprivate mutating func lower() { confidence *= 0.6 }
}

extension ReceiptFields.LineItem {
    fileprivate mutating func raise() { confidence = 1 - (1 - confidence) * 0.3 }
}

extension [RecognizedWord] {
    /// Without the words at the front that the spelling does not need.
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

import TextRecognition
import Platform

/// Finds the seller's telephone, mail, web and numbers, the numbers of the receipt, and how it was paid.
extension ReceiptFieldParser {
    /// Lowest probability of a class at which a row is searched although another class is likelier; the shape of a number or a
    /// word for cash then decides.
    private static let leastLookedAt = 0.2
    /// Least likelihood of a telephone number, wherever it stands.
    private static let leastOfLabelled = 0.05

    mutating func findContact() {
        // Telephone: labelled first, then one that can be nothing else.
        let phones = rows.compactMap { row in Self.phone(in: row).map { (row, $0.number, $0.isLabelled) } }
        if let (row, number, isLabelled) = phones.first(where: \.2) ?? phones.first {
            fields.phone = field(
                .phone, number,
                Evidence(
                    likelihood: max(row.probability(.contact), Self.leastOfLabelled),
                    words: row.words(spelling: number),
                    support: isLabelled ? 1 : 0))
        }
        for row in rows {
            if fields.email == nil, row.text.contains("@"),
                let match = row.text.firstMatch(
                    of: #/[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}/#)
            {
                let mail = String(match.0).lowercased()
                fields.email = field(
                    .email, mail,
                    Evidence(
                        likelihood: GrammarLikelihood.shaped, words: row.words(spelling: String(match.0))))
            }
            if fields.web == nil, row.text.contains("."),
                let match = row.text.firstMatch(
                    of: #/(?i)(?:https?:\/\/)?www\.[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?:\/\S*)?/#)
            {
                let site = String(match.0).lowercased()
                fields.web = field(
                    .web, site,
                    Evidence(
                        likelihood: GrammarLikelihood.shaped, words: row.words(spelling: String(match.0))))
            }
        }
        findSellerNumbers()
    }

    /// Finds a telephone number, and tells whether it has a label.
    static func phone(in row: ReceiptRow) -> (number: String, isLabelled: Bool)? {
        let text = row.text
        if row.meanings.contains(.phone),
            let match = text.firstMatch(
                of:
                    #/(?i)(?:\b(?:tel|phone|ph|fon|telefon|tél|telephone|téléphone|tlf|tfno|telf|teléfono|telefono|telefone|telef|telefoon|hotline|mobile?|h\/p|t)\b|電話)(?:\s?(?:no|n°|nr)\b)?[.\s]{0,2}[:=]?\s?(\+?[\d(][\d\s()\/.\-]{5,}\d)/#
            )
        {
            return (String(match.1), true)
        }
        guard row.rowClass == .contact || row.probability(.contact) > leastLookedAt else { return nil }
        // Without a label, accepts only what can be nothing else.
        let whole = text.wholeMatch(
            of:
                #/\s*(\+\d[\d\s()\/.\-]{7,}\d|\(\d{2,4}\)\s?[\d\s-]{6,10}\d|0\d{1,4}[\s\/-][\d\s-]{4,10}\d|\d{3}-\d{3}-\d{4}|0[\d\s]{8,12}\d)\s*/#
        )
        return whole.map { (String($0.1), false) }
    }

    /// Finds registration and tax numbers by their label or their shape.
    private mutating func findSellerNumbers() {
        for row in rows
        where row.rowClass == .registration || row.rowClass == .name || row.rowClass == .contact
            || (row.rowClass == .heading && row.meanings.contains(anyOf: [.taxNumber, .registration]))
        {
            let likelihood = row.probability(.registration) + row.probability(.name)
            let isTax = row.meanings.contains(.taxNumber)
            if isTax, fields.taxNumber == nil, let found = Self.number(in: row, after: .taxNumber) {
                fields.taxNumber = field(
                    .taxNumber, found.value, Evidence(likelihood: likelihood, words: found.words, support: 1))
            } else if fields.registrationNumber == nil,
                let found = row.meanings.contains(.registration) && !isTax
                    ? Self.number(in: row, after: .registration) : Self.bracketed(in: row)
            {
                fields.registrationNumber = field(
                    .registrationNumber, found.value, Evidence(likelihood: likelihood, words: found.words))
            }
        }
    }

    /// The letters and digits behind a label, up to the next word without a digit.
    private static func number(in row: ReceiptRow, after meaning: Meaning) -> (
        value: String, words: [RecognizedWord]
    )? {
        // The last phrase of this meaning ends the label: tokens are pieces of words, so its last word is looked up by text.
        guard let label = row.findings.filter({ $0.phrase.meaning == meaning }).map(\.tokens.upperBound).max()
        else { return nil }
        var token = 0
        var start = 0
        for (index, word) in row.words.enumerated() {
            if token >= label { break }
            token += Vocabulary.shared.tokens(of: word.text).count
            start = index + 1
        }
        // "(GST ID NO :001092886528)" and "GST ID=001817907200": the label's own word may hold the number.
        if start > 0, row.words[start - 1].text.count(where: \.isNumber) >= 5 { start -= 1 }
        var words: [RecognizedWord] = []
        for word in row.words[start...] {
            let hasDigit = word.text.contains(where: \.isNumber)
            if words.isEmpty, !hasDigit { continue }
            guard hasDigit || word.text.count <= 3, !(word.text.contains(":") && !words.isEmpty) else {
                break
            }
            words.append(word)
        }
        while let last = words.last, !last.text.contains(where: \.isNumber) { words.removeLast() }
        let text = words.map(\.text).joined(separator: " ")
        let value = text.split(whereSeparator: { ":=#".contains($0) }).last.map(String.init) ?? text
        let trimmed = value.trimming(" ()[].,;:*")
        guard trimmed.count(where: \.isNumber) >= 5 else { return nil }
        return (trimmed, words)
    }

    /// A registration number by its shape: "(126926-H)".
    private static func bracketed(in row: ReceiptRow) -> (value: String, words: [RecognizedWord])? {
        guard
            let match = row.text.firstMatch(
                of: #/[\(\[]?\s?([A-Z]{0,3}\d{5,12}\s?-?\s?[A-Z]{1,2})\s?[\)\]]?$/#)
        else { return nil }
        let value = String(match.1).filter { $0 != " " }
        return (value, row.words(spelling: String(match.1)))
    }

    mutating func findReceiptNumber() {
        let invoice = number(labelled: .invoice)
        if let invoice { fields.invoiceNumber = field(.invoiceNumber, invoice.value, invoice.evidence) }
        // A receipt has one number; what it is called does not matter to a reader who searches for it.
        if let number = number(labelled: .receipt) ?? invoice {
            fields.receiptNumber = field(.receiptNumber, number.value, number.evidence)
        }
    }

    /// Fewest digits of a number that is a receipt's rather than a table's or a cashier's.
    private static let usualDigits = 3

    private func number(labelled meaning: Meaning) -> (value: String, evidence: Evidence)? {
        let others: Set<RowClass> = [.name, .address, .registration, .contact, .item]
        let found = rows.indices.compactMap { index -> (value: String, evidence: Evidence)? in
            let row = rows[index]
            let isLabelled =
                isLetter && row.rowClass != .item
                && row.findings.contains { $0.phrase.meaning == meaning && $0.tokens.lowerBound == 0 }
            guard row.meanings.contains(meaning), row.amount == nil || row.rowClass == .heading,
                isLabelled || !others.contains(row.rowClass),
                let found = value(after: meaning, in: row) ?? numberOfLetter(below: index, meaning)
            else { return nil }
            let likelihood =
                isLabelled
                ? 1 : row.probability(.heading) + row.probability(.card) / 2
            let isNumbered = row.meanings.contains(.number) || row.text.contains("#")
            return (
                found.value,
                Evidence(likelihood: likelihood, words: [found.word], support: isNumbered ? 1 : 0)
            )
        }
        return found.first { $0.value.count(where: \.isNumber) >= Self.usualDigits } ?? found.first
    }

    /// The number that a label names: in the label's own word ("Receipt#1234") or in the next four.
    private func value(after meaning: Meaning, in row: ReceiptRow) -> (value: String, word: RecognizedWord)? {
        for finding in row.findings where finding.phrase.meaning == meaning {
            var token = 0
            for (index, word) in row.words.enumerated() {
                let count = Vocabulary.shared.tokens(of: word.text).count
                defer { token += count }
                guard token + count > finding.tokens.lowerBound else { continue }
                for word in row.words[index...].prefix(5) where !(isLetter && word.text.hasPrefix("(")) {
                    let value =
                        word.text.split { ":#=".contains($0) }.last.map {
                            $0.trimming("().,;*")
                        } ?? ""
                    let digits = value.count { $0.isNumber }
                    guard digits >= 2, 2 * digits >= value.count, value.last != "%",
                        PrintedDate.find(in: value, order: .init(monthFirst: false)) == nil,
                        PrintedDate.findTime(in: value) == nil,
                        PrintedAmount(value, style: style)?.isCertain != true
                    else { continue }
                    return (value, word)
                }
                break
            }
        }
        return nil
    }

    mutating func findPayment() {
        let paying =
            rows(.payment).map(\.row)
            + rows.filter { $0.rowClass != .payment && $0.probability(.payment) > Self.leastLookedAt }
        let kinds = paying.compactMap { row in Self.payment(in: row).map { (row, $0) } }
        if let (row, kind) = kinds.first(where: { $0.0.amount != nil }) ?? kinds.last {
            fields.payment = field(
                .payment, kind,
                Evidence(
                    likelihood: row.probability(.payment), words: row.label.isEmpty ? row.words : row.label))
        }
        findPayments()
        let cards = rows.filter { [.payment, .card, .other, .closing].contains($0.rowClass) }
        for row in cards where fields.cardNumber == nil {
            guard let match = row.text.firstMatch(of: #/[*Xx#•.]{2,}[\s-]?(\d{4})\b/#) else { continue }
            let last = String(match.1)
            fields.cardNumber = field(
                .cardNumber, last,
                Evidence(
                    likelihood: row.probability(.payment) + row.probability(.card),
                    words: row.words(spelling: last)))
        }
        for row in cards where fields.cardKind == nil {
            guard
                let kind = Self.cardKinds.first(where: { kind in
                    kind.words.contains(where: row.tokens.contains)
                })
            else { continue }
            fields.cardKind = field(
                .cardKind, kind.name,
                Evidence(
                    likelihood: row.probability(.payment) + row.probability(.card),
                    words: row.label.isEmpty ? row.words : row.label))
        }
    }

    /// Finds the payments part by part; a slip below that repeats one is skipped.
    private mutating func findPayments() {
        for (_, row) in rows(.payment) {
            guard let amount = row.amount, amount.value != 0, let kind = Self.payment(in: row),
                !fields.payments.contains(where: { $0.amount == abs(amount.value) && $0.kind == kind })
            else { continue }
            fields.payments.append(
                .init(
                    kind: kind, amount: abs(amount.value),
                    confidence: row.probability(.payment) * RecognizedText.meanConfidence(of: row.words),
                    box: row.box))
        }
    }

    /// The kinds of cards, whose names are the same in all languages.
    private static let cardKinds: [(name: String, words: [String])] = [
        ("visa", ["visa"]), ("mastercard", ["mastercard", "master"]), ("maestro", ["maestro"]),
        ("american express", ["amex", "american"]), ("girocard", ["girocard"]),
        ("bancontact", ["bancontact"]),
        ("discover", ["discover"]), ("diners", ["diners"]), ("jcb", ["jcb"]), ("unionpay", ["unionpay"]),
        ("multibanco", ["multibanco"]), ("bancomat", ["bancomat", "pagobancomat"]), ("interac", ["interac"]),
        ("rupay", ["rupay"]),
    ]

    /// The kind of payment for the fields, from the words in a row.
    private static func payment(in row: ReceiptRow) -> String? {
        // "Gift Card" is a voucher, "Cash Card" a card: the longest phrase says what it is.
        let found = row.findings.filter { Meaning.payments.contains($0.phrase.meaning) }
        guard let best = found.max(by: { $0.phrase.words.count < $1.phrase.words.count }) else { return nil }
        switch best.phrase.meaning {
        case .wallet: return best.phrase.words.joined(separator: " ")
        default: return best.phrase.meaning.rawValue
        }
    }
}

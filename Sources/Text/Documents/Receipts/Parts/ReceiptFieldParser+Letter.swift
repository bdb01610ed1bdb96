import TextRecognition

/// Finds fields by the words that letters, such as invoices, use.
extension ReceiptFieldParser {
    /// Likelihood of a name that is labelled as the seller's. On nine invoices of two makers with such a label all are right.
    private static let likelihoodOfLabelled = 0.9
    /// Points for a date beside the word for an invoice, and for one beside a word for an order, delivery or payment. The second
    /// outweighs the word "date", which counts 1.
    private static let (pointsOfInvoice, pointsOfOther) = (0.5, -1.5)

    /// The name that a letter labels as the seller's: behind the label, "Sold by: WS Retail", or in the rows below it.
    func labelledSeller() -> (name: String, evidence: Evidence)? {
        guard isLetter else { return nil }
        for index in rows.indices
        where rows[index].names(LetterWords.shared.seller) && !buyerRows.contains(index)
            && !rows[index].holdsDate
        {
            let row = rows[index]
            var words = Self.behindColon(row.words)
            // "Verkäufer: Frau Müller" is a salesperson, "From: Berlin" the start of a journey.
            if !words.isEmpty, !namesCompany(row), buyerRows.isEmpty || row.meanings.contains(.staff) {
                continue
            }
            if words.isEmpty {
                let below = ((index + 1)..<rows.count).prefix(Self.rowsOfSeller).prefix {
                    !rows[$0].names(LetterWords.shared.buyer)
                }
                .filter {
                    mayBeName(rows[$0]) && !rows[$0].text.contains(where: \.isNumber)
                        && !rows[$0].meanings.contains(.customer)
                        && !rows[$0].text.hasSuffix(":")
                        && !($0 + 1 < rows.count && rows[$0 + 1].text.hasPrefix(":"))
                }
                let named = below.first { namesCompany(rows[$0]) } ?? below.first
                words = named.map { Self.withoutLabel(rows[$0].words) } ?? []
            }
            words = Self.withoutStreet(words)
            guard words.contains(where: { $0.text.contains(where: \.isLetter) }) else { continue }
            return (
                Self.name(words), Evidence(likelihood: Self.likelihoodOfLabelled, words: words, support: 1)
            )
        }
        return nil
    }

    /// Number of rows below a label in which the name is searched: in electronic invoices two numbers stand before it.
    private static let rowsOfSeller = 5

    /// Words behind a label: "Name: Lieferant GmbH".
    private static func withoutLabel(_ words: [RecognizedWord]) -> [RecognizedWord] {
        let rest = behindColon(words)
        return rest.isEmpty ? words : rest
    }

    /// The words behind the first colon, which may be inside a word: "Vendor:Oak & Ash".
    private static func behindColon(_ words: [RecognizedWord]) -> [RecognizedWord] {
        guard let place = words.firstIndex(where: { $0.text.contains(":") }) else { return [] }
        var first = words[place]
        first.text = first.text.firstIndex(of: ":").map { String(first.text[$0...].dropFirst()) } ?? ""
        return (first.text.isEmpty ? [] : [first]) + words[(place + 1)...]
    }

    /// Whether a row names a legal form. On a letter also one such as "GmbH", which is not searched for in a till's rows.
    func namesCompany(_ row: ReceiptRow) -> Bool {
        row.meanings.contains(.company)
            || isLetter
                && Vocabulary.shared.phrases(ofName: row.text).findings.contains {
                    $0.phrase.meaning == .company
                }
    }

    private static func name(_ words: [RecognizedWord]) -> String {
        words.map(\.text).joined(separator: " ").trimmingSuffix { ",;:".contains($0) }
    }

    /// Returns the words before a street with a number that follows a legal form, a comma or another mark: "QualityHosting AG -
    /// Uferweg 40".
    private static func withoutStreet(_ words: [RecognizedWord]) -> [RecognizedWord] {
        let mark = words.indices.dropFirst().first {
            words[$0].text.allSatisfy(Self.marks.contains) || words[$0 - 1].text.last == ","
        }
        // A bar is enough, because the street's number may have been cut off already.
        if let mark, Self.bars.contains(words[mark].text) { return Array(words[..<mark]) }
        guard let end = LegalForm.end(in: words.map(\.text)) ?? mark,
            words[end...].contains(where: { $0.text.contains(where: \.isNumber) })
        else { return words }
        return Array(words[..<end])
    }

    private static let bars: Set<String> = ["|", "·", "•", "●"]
    private static let marks: Set<Character> = ["-", "–", "—", "·", "•", "●", "|", "*", "/"]

    /// The name in a letter's head that the rest of the letter shows to be the seller's: it is the only company that is not the
    /// buyer, a website or mail address has this name, or it is repeated and set as a logo.
    func sellerOfLetter(among candidates: [MerchantCandidate]) -> MerchantCandidate? {
        guard isLetter, firstAmount < rows.count else { return nil }
        let head = candidates.filter { $0.rows.count == 1 && $0.rows[0] < firstAmount && !$0.isSite }
        // A single word is not a name with a legal form: "U.S.A".
        let companies = head.filter { namesCompany(rows[$0.rows[0]]) && $0.words.count > 1 }
        let seller =
            companies.first(where: \.isNamedByLink)
            ?? (Set(companies.map(\.name)).count == 1 ? companies.first : nil)
            ?? head.first { $0.isNamedByLink }
            ?? head.first { $0.isRepeated && isLogo($0.words) }
        guard var found = seller else { return nil }
        let words = Self.withoutStreet(found.words)
        if words.count < found.words.count {
            (found.words, found.name) = (words, Self.name(words))
        }
        found.likelihood = Self.likelihoodOfLetter
        return found
    }

    /// Likelihood of such a seller, high enough to be given. Of 147 invoices whose seller is also known by other means, page by
    /// page, 126 are right with all of these rules and 41 without.
    private static let likelihoodOfLetter = 0.8

    /// The value that a letter calls a total and that sums make, if no sum makes the likeliest one and that is lower: "Net total"
    /// above "Due payable".
    func provenOfLetter(
        among candidates: [TotalCandidate], besides best: TotalCandidate
    ) -> TotalCandidate? {
        guard isLetter, best.proofs == 0,
            var proven = candidates.filter({ $0.saysTotal && $0.proofs > 0 && $0.value > best.value })
                .max(by: { $0.likelihood < $1.likelihood })
        else { return nil }
        proven.likelihood = max(proven.likelihood, Self.likelihoodOfLetter)
        return proven
    }

    /// The number that stands below its label, where a letter sets both in a column: "Invoice No." above "BI-20-0042".
    func numberOfLetter(below index: Int, _ meaning: Meaning) -> (value: String, word: RecognizedWord)? {
        guard isLetter, index + 1 < rows.count, rows[index].tokens.count <= Self.mostWordsOfNumberLabel,
            rows[index].findings.contains(where: { $0.phrase.meaning == meaning && $0.tokens.lowerBound == 0 }
            ),
            rows[index + 1].words.count == 1, !rows[index + 1].holdsDate,
            rows[index + 1].box.left < rows[index].box.right,
            rows[index].box.left < rows[index + 1].box.right,
            let word = rows[index + 1].words.first,
            word.text.count(where: \.isNumber) >= Self.fewestDigits,
            !word.text.contains(where: { $0.isLowercase || $0 == "%" })
        else { return nil }
        return (word.text.trimming("#.,;:"), word)
    }

    /// Most words of a number's label: "Invoice No. (original)".
    private static let mostWordsOfNumberLabel = 3
    /// Fewest digits of an invoice's number: fewer are a page's, or a count.
    private static let fewestDigits = 3

    /// Returns the points for a date as a letter's own, by the words before it or, where there are none, those in the row above.
    /// Of several phrases the last counts; "Invoice date / Delivery date" counts 0.
    func pointsOfLetter(_ printed: String, in index: Int) -> Double {
        guard isLetter else { return 0 }
        let text = rows[index].text
        var label = text.firstRange(of: printed).map { String(text[..<$0.lowerBound]) } ?? ""
        if !label.contains(where: \.isLetter), index > 0 { label = rows[index - 1].text }
        let words = Vocabulary.words(of: label)
        let invoices = Vocabulary.shared.findings(in: words, text: label).filter {
            $0.phrase.meaning == .invoice
        }
        .map(\.tokens)
        let own = [LetterWords.last(in: words, of: LetterWords.shared.own)].compactMap(\.self) + invoices
        let lastOwn = own.max { $0.upperBound < $1.upperBound }
        guard let other = LetterWords.last(in: words, of: LetterWords.shared.other) else {
            return lastOwn == nil ? 0 : Self.pointsOfInvoice
        }
        guard let lastOwn else { return Self.pointsOfOther }
        if lastOwn.upperBound > other.upperBound { return Self.pointsOfInvoice }
        return lastOwn.upperBound == other.lowerBound ? 0 : Self.pointsOfOther
    }

    /// Whether all dates on a letter's page are those of orders, deliveries and payments.
    var tellsOtherDaysAlone: Bool {
        isLetter
            && rows.indices.filter { rows[$0].holdsDate }.allSatisfy { index in
                PrintedDate.find(in: rows[index].text, order: .init(monthFirst: false)).map {
                    pointsOfLetter($0.printed, in: index) == Self.pointsOfOther
                } ?? true
            }
    }
}

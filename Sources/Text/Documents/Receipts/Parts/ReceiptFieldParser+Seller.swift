import TextRecognition
import Platform

/// Finds the seller's name.
extension ReceiptFieldParser {
    mutating func findSeller() {
        // Where most of the print was not read, what looks like a name is none, unless it names a company or was read surely.
        let candidates = merchantCandidates().filter { candidate in
            !isMostlyUnread || candidate.rows.contains { rows[$0].meanings.contains(.company) }
                || RecognizedText.meanConfidence(of: candidate.words) >= Self.surelyRead
        }
        if let seller = labelledSeller() {
            fields.merchant = field(.merchant, seller.name, seller.evidence)
        } else if var best = candidates.max(by: { $0.likelihood < $1.likelihood }) {
            if let seller = sellerOfLetter(among: candidates),
                best.likelihood < Self.clearly || best.isSite && seller.isNamedByLink
            {
                best = seller
            }
            if let company = company(below: best, among: candidates) { best = company }
            if let whole = withNameAbove(best, among: candidates) { best = whole }
            if isOnlyCompany(best) || isChainsCompany(best) {
                best.likelihood = max(best.likelihood, Self.likelihoodOfOnlyCompany)
            }
            if isLetter { best.name = best.name.trimmingSuffix { ",;:".contains($0) } }
            fields.merchant = field(
                .merchant, best.name,
                Evidence(
                    likelihood: best.likelihood, words: best.words, support: support(of: best.rows)))
        }
    }

    /// The name together with the sheet's first row, if the best candidate stands right below that row and only says what the
    /// seller is: "ANJAPPAR" above "AUTHENTIC CHETTINAAD RESTAURANT".
    private func withNameAbove(
        _ best: MerchantCandidate, among candidates: [MerchantCandidate]
    ) -> MerchantCandidate? {
        guard best.rows == [1], rows[1].meanings.contains(.trade), !rows[1].meanings.contains(.company),
            rows[0].rowClass == .brand, var whole = candidates.first(where: { $0.rows == [0, 1] }),
            RecognizedText.meanConfidence(of: rows[0].words) >= Self.surelyRead
        else { return nil }
        whole.likelihood = best.likelihood
        return whole
    }

    /// The company that a website is named after, if the best candidate is a slogan: "Live well for less" above "Sainsbury's
    /// Supermarkets Ltd".
    private func company(
        below best: MerchantCandidate, among candidates: [MerchantCandidate]
    ) -> MerchantCandidate? {
        guard best.likelihood > Self.clearly, best.rows.count == 1, hasSmallWords(rows[best.rows[0]]),
            !best.isNamedByLink,
            var company = candidates.first(where: {
                $0.isNamedByLink && $0.rows.count == 1 && rows[$0.rows[0]].meanings.contains(.company)
            })
        else { return nil }
        company.likelihood = max(company.likelihood, Self.likelihoodOfOnlyCompany)
        return company
    }

    /// Mean confidence from which the letters of words count as read correctly.
    static let surelyRead = 0.9

    /// Whether a candidate is the only row above the amounts that has a legal form, behind a name of two or more words.
    private func isOnlyCompany(_ candidate: MerchantCandidate) -> Bool {
        let head = rows.prefix { $0.amount?.isCertain != true }.prefix(Self.headRows)
        let companies = head.indices.filter { head[$0].meanings.contains(.company) && mayBeName(head[$0]) }
        return companies == candidate.rows && candidate.words.count > 3
            && !isRestOfName(rows[candidate.rows[0]])
            && RecognizedText.meanConfidence(of: candidate.words) >= Self.surelyRead
    }

    /// Whether a candidate is a company that begins with a chain's name, in a country where the chain is: "BIM BIRLESIK MAGAZALAR
    /// A.S."
    private func isChainsCompany(_ candidate: MerchantCandidate) -> Bool {
        guard candidate.rows.count == 1, rows[candidate.rows[0]].meanings.contains(.company),
            let first = candidate.words.first, let country = fields.country?.value,
            let brand = chain(first.text)
        else { return false }
        return brand.countries.contains(country)
    }

    /// Likelihood that such a company is the seller, high enough to be given. On 261 photographs it gives four more sellers, all
    /// right.
    private static let likelihoodOfOnlyCompany = 0.7

    /// Rows of one class that belong together.
    struct Run {
        var rows: [Int]
        /// How likely all of them are of the class, and the rows around are not.
        var likelihood: Double
    }

    /// Most rows of other classes that may interrupt an address: a telephone number within it.
    private static let widestBridge = 1

    /// The run of rows of a class whose probabilities have the highest sum.
    func bestRun(of rowClass: RowClass, bridging: Set<RowClass>) -> Run? {
        var runs: [[Int]] = []
        for index in rows.indices where rows[index].rowClass == rowClass {
            if let last = runs.last?.last {
                let between = rows[(last + 1)..<index]
                if between.isEmpty
                    || (between.count <= Self.widestBridge
                        && between.allSatisfy { bridging.contains($0.rowClass) })
                {
                    runs[runs.count - 1].append(index)
                    continue
                }
            }
            runs.append([index])
        }
        if runs.isEmpty {
            // No row has this as its likeliest class: take the row where it is most likely.
            guard
                let best = rows.indices.max(by: {
                    rows[$0].probability(rowClass) < rows[$1].probability(rowClass)
                }),
                rows[best].probability(rowClass) > 0
            else { return nil }
            runs = [[best]]
        }
        func sum(_ run: [Int]) -> Double { run.reduce(0) { $0 + rows[$1].probability(rowClass) } }
        guard let best = runs.max(by: { sum($0) < sum($1) }), let first = best.first, let last = best.last
        else { return nil }
        var likelihood = best.map { rows[$0].probability(rowClass) }.min() ?? 0
        for next in [first - 1, last + 1] where rows.indices.contains(next) {
            likelihood = min(likelihood, 1 - rows[next].probability(rowClass))
        }
        return Run(rows: best, likelihood: likelihood)
    }

    /// The rows of the name according to the row model alone.
    func modelledNames() -> [[Int]] {
        bestRun(of: .name, bridging: []).map { [completed($0).rows] }?
            .filter { $0.allSatisfy { !isAddress(rows[$0]) || rows[$0].meanings.contains(.company) } } ?? []
    }

    /// Adds the row above to a name's run if the run is only the end of a name, "CO. (M) SDN BHD", or begins inside a bracket,
    /// and updates the likelihood. A row that the next one needs belongs to the name whatever it looks like.
    private func completed(_ run: Run) -> Run {
        var run = run
        let others: Set<RowClass> = [.brand, .name, .other, .closing]
        if let first = run.rows.first, first > 0, needsRowAbove(rows[first]),
            others.contains(rows[first - 1].rowClass), Self.mayBeOfName(rows[first - 1])
        {
            run.rows.insert(first - 1, at: 0)
        }
        guard let first = run.rows.first, let last = run.rows.last else { return run }
        let judged = run.rows.filter { $0 == last || !needsRowAbove(rows[$0 + 1]) }
        run.likelihood = judged.map { rows[$0].probability(.name) }.min() ?? run.likelihood
        for next in [first - 1, last + 1]
        where rows.indices.contains(next) && Self.mayBeOfName(rows[next]) {
            run.likelihood = min(run.likelihood, 1 - rows[next].probability(.name))
        }
        return run
    }

    /// Fewest letters of a name's row: fewer are specks, or a number.
    private static let fewestLetters = 3

    static func mayBeOfName(_ row: ReceiptRow) -> Bool { row.letterCount >= fewestLetters }

    /// Whether a row cannot begin a name.
    private func needsRowAbove(_ row: ReceiptRow) -> Bool { isRestOfName(row) || Self.closesBracket(row) }

    /// Whether a row closes a bracket that it does not open: "ALAM) SDN BHD".
    private static func closesBracket(_ row: ReceiptRow) -> Bool {
        guard let close = row.text.firstIndex(of: ")") else { return false }
        return !row.text[..<close].contains("(")
    }

    /// Whether a row says only legal form and trade, so that it cannot be a name by itself.
    private func isRestOfName(_ row: ReceiptRow) -> Bool {
        guard row.meanings.contains(.company) else { return false }
        let known = Set(
            row.findings.filter { [.company, .trade].contains($0.phrase.meaning) }.flatMap {
                Array($0.tokens)
            })
        return row.tokens.indices.allSatisfy {
            known.contains($0) || row.tokens[$0].count == 1 || row.tokens[$0].contains(where: \.isNumber)
        }
    }

    /// Counts the kinds of words that support a run: legal form and trade for a name, streets and towns for an address.
    func support(of run: [Int]) -> Double {
        let meanings = run.map { rows[$0].meanings }
        let kinds: [Meaning] = [.company, .trade, .street, .town]
        return Double(kinds.count { kind in meanings.contains { $0.contains(kind) } })
    }

    /// A name's row without the registration number behind it and the specks around it.
    static func nameWords(_ row: ReceiptRow) -> [RecognizedWord] {
        var words = row.words
        // Cuts from the bracket or word that holds a number of four or more digits, at the end of the row.
        if let start = words.firstIndex(where: { holdsNumber($0.text) }), start > 0,
            !isNumberedChain(words[...start])
        {
            words = Array(words[..<start])
            // Also cuts the words that announce the number: "(Co. Reg No. 123456-A)".
            while words.count > 1, let last = words.last, announcesNumber(last.text) { words.removeLast() }
        }
        // The bracket follows the name without a space: "BHD(728384-M)".
        if let last = row.words.indices.first(where: { $0 == words.count - 1 || $0 == words.count }),
            let cut = cutRegistration(row.words[last].text), last <= words.count
        {
            words = Array(row.words[..<last])
            var word = row.words[last]
            word.text = cut
            words.append(word)
        }
        // Cuts a quoted slogan: 'BIEDRONKA "CODZIENNIE NISKIE CENY"'. Behind a legal form, the quoted words are the name: 'UAB
        // "Alauša"'.
        if let start = words.firstIndex(where: { $0.text.first.map("\"„“”«".contains) == true }), start > 0,
            !isLegalForm(words[..<start])
        {
            words = Array(words[..<start])
        }
        // Cuts the number of a shop: "#199", "(030)".
        if let start = words.firstIndex(where: { $0.text.wholeMatch(of: shopNumber.regex) != nil }), start > 0
        {
            words = Array(words[..<start])
        }
        return words.trimmingSpecks()
    }

    /// Whether words are a legal form and nothing else, also with digits in place of letters that look like them: "000", "3АО".
    private static func isLegalForm(_ words: ArraySlice<RecognizedWord>) -> Bool {
        let text = words.map { word in
            String(
                word.text.map { sign -> Character in
                    switch sign {
                    case "0": "О"
                    case "3": "З"
                    default: sign
                    }
                })
        }.joined(separator: " ")
        return legalForms.contains(Vocabulary.words(of: text))
            || legalForms.contains(Vocabulary.words(of: words.map(\.text).joined(separator: " ")))
    }

    private static let legalForms = Set(Vocabulary.shared.phrases(of: .company))

    /// Whether words are a chain's name with a number in it: "REMA 1000".
    static func isNumberedChain(_ words: ArraySlice<RecognizedWord>) -> Bool {
        words.count > 1 && BrandTable.brand(words.map(\.text).joined())?.isOwnName == true
    }

    private static let shopNumber = Pattern(#/#\s?\d+|\(\d{1,4}\)/#)

    /// Words of labels like "Co. Reg. No.", "Check" and "Tel.", with or without a bracket before them.
    private static let announcing = Set(Vocabulary.shared.phrases(of: .registration).joined()).union(["no"])
        .union(Vocabulary.shared.phrases(of: .receipt).filter { $0.count == 1 }.joined())
        .union(Vocabulary.shared.phrases(of: .taxNumber).filter { $0.count == 1 }.joined())
        // Numbers of Morocco and the United States that are words of names: "PURE ICE".
        .subtracting(["ice", "ein"])
        .union(
            Vocabulary.shared.phrases(of: .phone).filter { $0.count == 1 }.joined().filter { $0.count < 4 }
        )
        .subtracting(Vocabulary.shared.phrases(of: .company).filter { $0.count == 1 }.joined())

    private static func announcesNumber(_ word: String) -> Bool {
        let isBracket = word.hasPrefix("(")
        let tokens = Vocabulary.words(of: word)
        return tokens.isEmpty || tokens.allSatisfy { announcing.contains($0) || (isBracket && $0 == "co") }
    }

    private static func holdsNumber(_ word: String) -> Bool {
        word.contains(#/^\(?(?:[A-Za-z.]{1,4}:)?[A-Za-z]{0,3}[\dOoIlSB]{4,}(?:-?[A-Z0-9]{1,2})?\)?[\W]?$/#)
            && word.count(where: \.isNumber) >= 3
            // "CNPJ-61.412.110/0855-50"
            || word.contains(dividedNumber.regex) && word.count(where: \.isNumber) >= digitsOfDivided
    }

    private static let dividedNumber = Pattern(#/^\p{L}{0,5}[:.-]?\d{1,3}(?:[.,\/-]\d{1,4})+$/#)
    /// Fewest digits of a seller's number with marks between them: a date has eight.
    private static let digitsOfDivided = 9

    /// "BHD(728384-M)" to "BHD".
    private static func cutRegistration(_ word: String) -> String? {
        guard let match = word.wholeMatch(of: #/([\p{L}.&]{2,})[\(\[{]\s?[A-Z]{0,3}\d{3,}.*/#) else {
            return nil
        }
        return String(match.1)
    }
}

extension [RecognizedWord] {
    /// Drops words without a letter or digit at either end: they are specks, rules or brackets that were misread.
    func trimmingSpecks() -> [RecognizedWord] {
        func isSpeck(_ word: RecognizedWord) -> Bool {
            !word.text.contains { $0.isLetter || $0.isNumber || $0 == "&" }
        }
        var rest = self[...]
        // The rings of a logo before the name are read as zeros.
        while let first = rest.first,
            isSpeck(first) || (rest.count > 1 && first.text.allSatisfy({ $0 == "0" }))
        {
            rest = rest.dropFirst()
        }
        while let last = rest.last, isSpeck(last) { rest = rest.dropLast() }
        return Array(rest)
    }
}

extension String {
    /// Drops the characters at the end that satisfy `drops`.
    func trimmingSuffix(while drops: (Character) -> Bool) -> String {
        var rest = self[...]
        while let last = rest.last, drops(last) { rest = rest.dropLast() }
        return String(rest)
    }
}

import TextRecognition
import Platform

/// A candidate for the seller's name: one row or several consecutive ones, with the evidence for it.
///
/// The row model knows a name by its neighbours. Where a shop's sheet is unlike all that the model has learned, a name is still
/// the first print that is no greeting, heading, street or number, or the largest print, or what website and closing words
/// repeat. Where only a logo names the shop, its website still gives the name. A logistic function weighs all of this
/// (`Training/Fields/calibrate.py`, "merchants") and gives the likelihood of the name.
struct MerchantCandidate {
    let rows: [Int]
    var words: [RecognizedWord]
    var name: String
    /// Whether a website or mail address has this name.
    let isNamedByLink: Bool
    /// Whether another row repeats it.
    let isRepeated: Bool
    /// Whether it was taken from a website's address.
    let isSite: Bool
    /// The numbers that the calibration weighs.
    var numbers: [Double]
    var likelihood: Double
}

extension ReceiptFieldParser {
    /// Number of top rows that are tried as a name whatever the row model takes them for.
    static let headRows = 10
    /// Lowest probability of a name at which a row further below is tried.
    private static let leastTriedName = 0.3
    /// Least likeness of two prints of one name, 0 to 1; some letters may be wrong.
    private static let leastLikeness = 0.8
    /// Fewest letters of a name that is compared with other words: fewer match by chance.
    static let fewestRepeated = 4
    /// Largest lead of one row over the others that counts, in log odds.
    private static let greatestLeadOfName = 5.0

    /// Finds all candidates for the seller's name, with the evidence for each.
    func merchantCandidates() -> [MerchantCandidate] {
        let head = rows.indices.prefix(Self.headRows).filter { mayBeName(rows[$0]) && !isNotice(rows[$0]) }
        let page = NamePage(self, head: head)
        let modelled = modelledNames().map(withoutRepeat).map(upToForm).map { run in
            // A heading above the name is no part of it: "CASH MEMO" above "GANESH AUTOMOBILES".
            let named = run.drop { isNoName($0, on: page) }
            return named.isEmpty ? run : Array(named)
        }
        var runs = modelled
        for index in head { runs.append([index]) }
        for (first, second) in zip(head, head.dropFirst()) where second == first + 1 && belong(first, second)
        {
            runs.append(upToForm([first, second]))
        }
        for index in rows.indices.dropFirst(Self.headRows)
        where rows[index].probability(.name) >= Self.leastTriedName && mayBeName(rows[index]) {
            runs.append([index])
        }
        var found: [MerchantCandidate] = []
        for run in runs
        where !found.contains(where: { $0.rows == run }) && !run.contains(where: { isNoName($0, on: page) })
            && !(run.count == 1 && isTradeAlone(rows[run[0]]))
        {
            let words = nameWords(of: run)
            if let candidate = candidate(run, words, isGreeted: false, modelled: modelled, page: page) {
                found.append(candidate)
            }
        }
        for index in rows.indices {
            let words = greetedWords(rows[index])
            if !words.isEmpty,
                let candidate = candidate([index], words, isGreeted: true, modelled: modelled, page: page)
            {
                found.append(candidate)
            }
        }
        for site in page.sites {
            let words = rows[site.row].words
            if let candidate = candidate(
                [site.row], words, site: site.name, isGreeted: false, modelled: modelled, page: page)
            {
                found.append(candidate)
            }
        }
        for index in found.indices {
            let others = found.indices.filter { Set(found[$0].rows).isDisjoint(with: found[index].rows) }
                .map { found[$0].numbers[1] }
            found[index].numbers.append(
                max(
                    -Self.greatestLeadOfName,
                    min(
                        Self.greatestLeadOfName,
                        found[index].numbers[1] - (others.max() ?? -Self.greatestLeadOfName))))
            found[index].likelihood =
                calibration.likelihood(ofMerchant: found[index].numbers) ?? found[index].likelihood
        }
        return found
    }

    /// Index of the first row with an amount of items or sums; "to win $1000" above the name does not count.
    var firstAmount: Int {
        rows.firstIndex { $0.amount?.isCertain == true && !Self.classesOfHead.contains($0.rowClass) }
            ?? rows.count
    }

    /// Classes of rows that stand above what was bought.
    private static let classesOfHead: Set<RowClass> = [
        .brand, .name, .address, .contact, .registration, .heading, .other, .closing,
    ]

    // MARK: - Rows that make one name

    /// Whether two rows of the head may be one name: their type is of one size.
    private func belong(_ first: Int, _ second: Int) -> Bool {
        let heights = [first, second].map { rows[$0].words.map(\.box.height).max() ?? 0 }
        guard let low = heights.min(), let high = heights.max(), low > 0 else { return false }
        return high < Self.oneType * low
    }

    /// Largest ratio of the heights of capitals in rows of one type.
    private static let oneType = 1.3

    /// Returns a name's rows up to the first that ends in a legal form, if none below it has one: what follows is a town or a
    /// trade.
    private func upToForm(_ run: [Int]) -> [Int] {
        func endsInForm(_ row: ReceiptRow) -> Bool {
            row.findings.contains {
                $0.phrase.meaning == .company && $0.tokens.upperBound == row.tokens.count
                    && $0.tokens.lowerBound > 0
            }
        }
        guard let end = run.firstIndex(where: { endsInForm(rows[$0]) }),
            !run[(end + 1)...].contains(where: { rows[$0].meanings.contains(.company) })
        else { return run }
        return Array(run[...end])
    }

    /// Returns a name's rows without a second print of it: a logo, and the name again in type.
    private func withoutRepeat(_ run: [Int]) -> [Int] {
        for cut in run.indices.dropFirst() {
            let parts = [run[..<cut], run[cut...]].map(Array.init)
            let letters = parts.map { part in
                Vocabulary.folded(part.map { rows[$0].text }.joined()).filter { $0.isLetter || $0.isNumber }
            }
            let isRepeat =
                Self.areAlike(Array(letters[0]), Array(letters[1]))
                || (letters[0].count >= Self.fewestRepeated && letters[1].hasPrefix(letters[0]))
            guard isRepeat else { continue }
            let sure = parts.map { part in
                RecognizedText.meanConfidence(of: part.flatMap { rows[$0].words })
            }
            return sure[0] > sure[1] ? parts[0] : parts[1]
        }
        return run
    }

    /// The words of a name's rows, without numbers and specks.
    private func nameWords(of run: [Int]) -> [RecognizedWord] { run.flatMap { Self.nameWords(rows[$0]) } }

    /// The hosts of websites and mail addresses, split into labels, with their rows; without mail providers.
    var hosts: [(row: Int, labels: [Substring])] {
        rows.indices.flatMap { row -> [(row: Int, labels: [Substring])] in
            let text = rows[row].text
            guard text.contains(".") || text.contains(",") else { return [] }
            let urls =
                PrintedLink.all(in: text, besides: []).map(\.url)
                + PrintedMail.all(in: text).map { String($0.address.split(separator: "@").last ?? "") }
            return urls.filter { !DomainName.isOfMail($0) }.map { url in
                let host = url.split(separator: "/").dropFirst(url.contains("://") ? 1 : 0).first ?? ""
                return (row, host.split(separator: "."))
            }
        }
    }

    /// The words behind a greeting that leads to a name: "Welcome to", "Thank you for shopping at".
    func greetedWords(_ row: ReceiptRow) -> [RecognizedWord] {
        guard row.words.count >= 3, let match = row.text.firstMatch(of: Self.greeting.regex) else {
            return []
        }
        let rest = row.words(spelling: String(match.1))
        return rest.count < row.words.count && rest.contains(where: { $0.text.contains(where: \.isLetter) })
            ? Array(rest) : []
    }

    private static let greeting = Pattern(
        #/(?i)(?:e ?lcome to|for (?:shopping|dining|eating|visiting|stopping|choosing|lunching)(?: at| by| with| in)?|(?:shopping|dining|eating|visiting|stopping|lunching) (?:at|by|with|in)|kommen (?:bei|im|zu)|nvenue (?:chez|à|a|au)|venid[oa]s? a|venut[io] (?:da|al|a)|elkom bij|kommen till|kommen til|indkøb i|indkob i|handlet hos|handler hos|Einkauf bei|visite chez)\s+(\p{L}.*?)[\s!:;()]*$/#
    )

    /// - Parameter site: the name taken from a website in the row, where that is the candidate.
    private func candidate(
        _ run: [Int], _ words: [RecognizedWord], site: String? = nil, isGreeted: Bool, modelled: [[Int]],
        page: NamePage
    ) -> MerchantCandidate? {
        var words = words
        // "Company: PEPCO d.o.o.", whatever the label's letters were read as.
        if let first = words.first, first.text.hasSuffix(":"), words.count > 2,
            run.contains(where: { rows[$0].meanings.contains(.company) })
        {
            words.removeFirst()
        }
        let spelled = site.map { [$0] } ?? LegalForm.repaired(words.map(\.text))
        // A date, a number or what follows a dash behind the legal form is not part of the name.
        let end = LegalForm.end(in: spelled).flatMap { end in
            let isOther =
                spelled[end...].contains { $0.contains(where: \.isNumber) }
                || ["-", "–", "—"].contains(spelled[end])
            return isOther ? end : nil
        }
        if site == nil { words = Array(words.prefix(end ?? words.count)) }
        var name = Self.closedUp(spelled.prefix(end ?? spelled.count))
        // "THANK YOU FOR SHOPPING AT OLMA!! :)": the marks belong to the sentence.
        if isGreeted { name = name.trimmingSuffix { !$0.isLetter && !$0.isNumber && !".)".contains($0) } }
        let letters = name.filter { $0.isLetter || $0.isNumber }
        // A branch may be named after its town, but no shop is: "SUNNYVALE #423" above "Sunnyvale, CA".
        guard Self.hasLettersOfName(name), let first = run.first,
            !page.towns.contains(Vocabulary.folded(letters))
        else { return nil }
        let own = run.map { rows[$0] }
        func flag(_ value: Bool) -> Double { value ? 1 : 0 }
        let likelihood = own.map { $0.probability(.name) }.min() ?? 0
        let brand = own.map { min($0.probability(.name) + $0.probability(.brand), 1) }.min() ?? 0
        let address = own.map { $0.probability(.address) }.max() ?? 0
        let height = words.map(\.box.height).max() ?? 0
        let meanings = own.map(\.meanings)
        let place = page.head.count { $0 < first }
        let confidences = words.map(\.confidence)
        let isNamedByLink = page.isNamedByLink(letters)
        let isRepeated = page.isRepeated(letters, besides: Set(run))
        let forms = own.flatMap(\.findings).filter { $0.phrase.meaning == .company }.map(\.phrase.language)
        let numbers: [Double] = [
            1, Evidence.logit(likelihood), Evidence.logit(brand), address,
            flag(place == 0), Double(min(place, 6)) / 6,
            log(min(max(height / page.usualHeight, 0.4), 4)), flag(height >= page.greatestHeight),
            RecognizedText.meanConfidence(of: words), confidences.min() ?? 0,
            flag(letters.count < 4), Double(letters.count) / Double(max(name.count { !$0.isWhitespace }, 1)),
            flag(forms.contains { $0 != "ms" }), flag(forms.contains("ms")),
            flag(meanings.contains { $0.contains(.trade) }),
            flag(own.contains { isAddress($0) || RowShapes.holdsStreet($0.text) }),
            flag(isNamedByLink),
            flag(isRepeated),
            flag(isGreeted), own.map { namelessShare($0) }.max() ?? 0, flag(run.count > 1),
            flag(modelled.contains(run)), flag(first > page.firstAmount),
            Double(letters.count { $0.isNumber }) / Double(max(letters.count, 1)), flag(site != nil),
        ]
        return MerchantCandidate(
            rows: run, words: words, name: name, isNamedByLink: isNamedByLink, isRepeated: isRepeated,
            isSite: site != nil,
            numbers: numbers, likelihood: likelihood)
    }

    /// Joins letters that are printed with spaces: "A L D I" is "ALDI".
    private static func closedUp(_ words: some Collection<String>) -> String {
        let letters = words.reduce(0) { $0 + $1.count }
        let isSpaced =
            words.count > 1 && letters >= 3 && words.allSatisfy { $0.count <= 2 && $0.allSatisfy(\.isLetter) }
            && words.contains { $0.count == 1 }
        return words.joined(separator: isSpaced ? "" : " ")
    }

    static func areAlike(_ one: [Character], _ other: [Character]) -> Bool {
        let longest = max(one.count, other.count)
        guard longest > 0, abs(one.count - other.count) * 5 <= longest else { return false }
        let mistakes = SpelledWords.mistakes(in: one, for: other)
        return 1 - Double(mistakes) / Double(longest) >= leastLikeness
    }
}

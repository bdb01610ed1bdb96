import Platform
import TextRecognition

/// Finds the chain that the print names.
extension ReceiptFieldParser {
    /// A chain named in the print, and the words that name it.
    struct Mention {
        let brand: Brand
        let words: [RecognizedWord]
        /// The name as printed, or as the chain writes it where the words contain more than the name.
        let name: String

        init(_ brand: Brand, printedAs words: [RecognizedWord]) {
            (self.brand, self.words) = (brand, words)
            name = words.map(\.text).joined(separator: " ").trimmingSuffix { ":;,".contains($0) }
        }

        init(_ brand: Brand, in words: [RecognizedWord], name: String? = nil) {
            (self.brand, self.words) = (brand, words)
            self.name = name ?? brand.name
        }
    }

    /// The chain named in a row above the first amount: by the whole row, where the chain is in the receipt's known country; by
    /// the row's first word, where that is surely the chain; or by a name that continues in the next row: "AMERICAN EAGLE" above
    /// "OUTFITTERS".
    func brandInHead() -> Mention? {
        for (index, row) in headAboveAmounts.enumerated() where mayBeName(row) || isNumbered(row) {
            // A slogan below the chain's name is not another name: "Sainsbury's" above "Good food for all of us".
            if let name = fields.merchant?.box, name.bottom < row.box.centerY, !isNumbered(row) { continue }
            // Numbers beside a logo are not part of the name.
            let words = Array(Self.nameWords(row).drop { !$0.text.contains(where: \.isLetter) })
            if let begun = brandBegun(by: words.map(\.text), isName: true), begun.brand.isOwnName,
                let country = fields.country?.value,
                begun.brand.countries.contains(country)
                    || begun.brand.countries.isEmpty && begun.place.count == words.count && isLogo(words),
                begun.brand.name.count >= Self.fewestLettersOfChain
            {
                return Mention(begun.brand, printedAs: Array(words[begun.place]))
            }
            if let first = words.drop(while: { isTrade($0.text) }).first, let brand = chain(first.text),
                isSure(brand),
                isAboveCompany(index) || isNumbered(row)
                    || index < Self.rowsOfLogo && brand.name.count >= Self.unmistakable
            {
                return Mention(brand, printedAs: [first])
            }
            if let both = brandOverRows(index), both.words.count > row.words.count { return both }
        }
        return nil
    }

    /// Whether the spelling is the chain's own, and the chain is everywhere or known to be in the receipt's country. Where only
    /// the currency is known, an unmistakable name is enough.
    private func isSure(_ brand: Brand) -> Bool {
        guard brand.isOwnName, brand.name.count >= Self.fewestLettersOfChain else { return false }
        guard !brand.countries.isEmpty else { return true }
        guard let country = fields.country?.value else {
            return fields.currency != nil && brand.name.count >= Self.unmistakable
        }
        return brand.countries.contains(country)
    }

    /// Whether a company stands right below a row, and no other row was taken for the seller: "JOKER KIRKEVEIEN" above "SINSEN
    /// KOLONIAL AS".
    private func isAboveCompany(_ index: Int) -> Bool {
        guard index + 1 < rows.count, rows[index + 1].meanings.contains(.company) else { return false }
        let below = rows[index + 1].box
        return fields.merchant.map { (below.top...below.bottom).contains($0.box.centerY) } ?? true
    }

    /// Whether a shop's number or a dash follows a row's first word; a word for what is sold may stand before that: "Sklep Żabka
    /// 21452".
    private func isNumbered(_ row: ReceiptRow) -> Bool {
        row.words.map(\.text).drop(while: isTrade).joined(separator: " ").contains(Self.shopAndNumber.regex)
    }

    /// "KIWI 026", "IHOP Store # 9005"; or a chain's slogan behind a dash: "Lidl - 10 Years in Ireland".
    private static let shopAndNumber = Pattern(
        #/^\S+ (?:(?i:(?:store|shop|restaurant) ?)(?:(?i:no)\.? ?)?#? ?|#)?\d{2,5}(?: |$)|^\p{L}+ - \S/#)

    /// Number of top rows in which a chain's name may stand.
    private static let rowsOfLogo = 5
    /// Fewest letters of a name that no street or article shares: "McDonald's", "Sainsbury's".
    private static let unmistakable = 9

    /// Confidence from which a logo counts as read correctly: "OP&SHOP", cut off by the sheet's edge, is no misread "BP Shop".
    static let plainlyRead = 0.95

    /// The chain in the receipt's country whose name differs from a logo by one misread letter: "Weamans". A logo read with high
    /// confidence counts only if print elsewhere names the chain: "RSSMANN" above "Rossmann App".
    func misreadLogo() -> Mention? {
        let chains = fields.merchant == nil ? chainsOfSites : []
        for row in chains.isEmpty ? [] : headAboveAmounts.prefix(Self.rowsOfLogo) {
            if let (brand, count) = Self.misread(row.words.map(\.text), of: chains) {
                return Mention(brand, in: Array(row.words.prefix(count)))
            }
        }
        guard let country = fields.country?.value else { return nil }
        for row in headAboveAmounts.prefix(Self.rowsOfLogo) {
            guard let word = row.words.first, isLogo([word]), !row.meanings.contains(.company),
                let brand = BrandTable.misread(word.text, in: country), !brand.name.contains(" "),
                word.confidence < Self.plainlyRead || isPrinted(brand)
            else { continue }
            return Mention(brand, in: [word])
        }
        return nil
    }

    private func isPrinted(_ brand: Brand) -> Bool {
        let names = Set(Vocabulary.words(of: brand.name))
        return rows.contains { !names.isDisjoint(with: Vocabulary.words(of: $0.text)) }
    }

    /// The rows of the head above the first amount.
    var headAboveAmounts: ArraySlice<ReceiptRow> {
        rows.prefix(min(firstAmount, Self.headRows))
    }

    /// The chain with a name of several words that begins in a row and may continue in the next.
    private func brandOverRows(_ index: Int) -> Mention? {
        let isBelow = index + 1 < rows.count && rows[index + 1].amount?.isCertain != true
        let words = rows[index].words + (isBelow ? rows[index + 1].words : [])
        return brandBegun(by: words.map(\.text), isName: false).map {
            Mention($0.brand, printedAs: Array(words[$0.place]))
        }
    }

    /// The chain with the longest name that the words begin with, and the range of words that it takes.
    /// - Parameter isName: whether the words are a seller's name. Then one word is enough for a chain if the others say no more
    ///   than its form, trade or place.
    func brandBegun(by words: [String], isName: Bool) -> (brand: Brand, place: Range<Int>)? {
        // "HIPERMARKET AUCHAN"
        let start = isName ? words.prefix(while: isTrade).count : 0
        let spelled = words.dropFirst(start).prefix(BrandTable.mostWords)
        for count in stride(from: spelled.count, through: 1, by: -1) {
            let parts = spelled.prefix(count)
            // A punctuation mark behind a word is not a second word.
            let ofWords = parts.count { $0.contains { $0.isLetter || $0.isNumber } }
            guard let last = parts.last, last.contains(where: { $0.isLetter || $0.isNumber }),
                let brand = chain(parts.joined())
            else { continue }
            let rest = Array(words.dropFirst(start + count))
            // "PicknPay" is as sure as "Pick n Pay".
            // "K : K" is not K+K.
            let isOfWords =
                (ofWords > 1 || isSpelledAsOne(parts.joined(), brand))
                && parts.joined().count(where: \.isLetter) > Self.lettersOfPiece
            guard !(isName && isOfOtherTrade(rest, than: brand)), hasSigns(of: brand, parts.joined()) else {
                continue
            }
            if isOfWords && brand.isOwnName || isName && saysNoMore(rest, behind: brand) {
                return (brand, start..<start + count)
            }
        }
        return nil
    }

    /// Whether words behind a chain's name tell another trade than the chain's: "CASTRO PIZZA" is no shop of Castro, which sells
    /// clothes. Where the country is known, such a chain may be the seller.
    private func isOfOtherTrade(_ rest: [String], than brand: Brand) -> Bool {
        guard fields.country == nil, !brand.countries.isEmpty, !Self.withDepartments.contains(brand.category)
        else { return false }
        let trade = CategoryWords.shared.category(ofName: rest.flatMap(Vocabulary.words(of:)))
        return trade.map { $0 != brand.category } ?? false
    }

    /// Sellers that have pharmacies, restaurants and pumps of their own.
    private static let withDepartments: Set<ReceiptCategory> = [.groceries, .general, .home, .fuel]

    /// Whether a spelling has the sign that a chain's name begins with, where its letters alone say what is sold: "Pizza" is not
    /// &pizza.
    private func hasSigns(of brand: Brand, _ spelling: String) -> Bool {
        guard let sign = brand.name.first, !sign.isLetter, !sign.isNumber else { return true }
        return spelling.first == sign || !Self.trades.contains(Vocabulary.words(of: brand.name).joined())
    }

    /// Whether a word, which the table has as a chain's spelling, writes a name of several words without their blanks. "Points" and
    /// "POINTS" are not Point S.
    private func isSpelledAsOne(_ word: String, _ brand: Brand) -> Bool {
        let names = brand.name.split(separator: " ").joined()
        return brand.name.contains(" ") && [names, names.uppercased(), names.lowercased()].contains(word)
            && Vocabulary.shared.phrases(ofName: word).findings.isEmpty
    }

    /// Whether a word says what is sold and is not a chain's name.
    private func isTrade(_ word: String) -> Bool {
        let tokens = Vocabulary.words(of: word)
        return tokens.count == 1 && Self.trades.contains(tokens[0]) && chain(word) == nil
    }

    static let trades = Set(
        Vocabulary.shared.phrases(of: .trade).filter { $0.count == 1 }.joined())

    /// The chain with this spelling, if it exists in the receipt's country or currency.
    func chain(_ spelling: some StringProtocol) -> Brand? {
        let brand = BrandTable.brand(spelling)
        // Where nothing else tells, a country that is not sure enough to be given rules out chains of other countries.
        let place = fields.country?.value ?? (fields.currency == nil ? country?.country.code : nil)
        let isFound = brand?.isFound(in: place, payingIn: fields.currency?.value) ?? false
        return isFound ? brand : nil
    }

    /// Whether words behind a chain's name say no more than its form, its trade and where the shop is.
    private func saysNoMore(_ words: [String], behind brand: Brand) -> Bool {
        let address = Set(Vocabulary.words(of: fields.address?.value ?? ""))
        return brand.restOfName(words.joined(separator: " ")).allSatisfy {
            address.contains($0) || country?.country.isNamed(atEndOf: $0) == true
                || Self.towns.contains($0)
        }
    }

    private static let towns = Set(Vocabulary.shared.phrases(of: .town).filter { $0.count == 1 }.joined())

    /// The chain that a name begins with, if another row names its company or a website names it: "CARREFOUR * CH" above
    /// "CARREFOUR Polska Sp. z o.o.".
    func namedCompany(_ words: [String]) -> Brand? {
        guard let first = words.first(where: { $0.contains(where: \.isLetter) }), let brand = chain(first)
        else { return nil }
        let isNamed =
            rows.contains { company(in: $0)?.brand == brand }
            || hosts.contains { chain(ofHost: $0.labels) == brand }
        return isNamed ? brand : nil
    }

    /// The chain of a website that was read as the name: "countdown.co.nz", "marksandspencer".
    func site(_ name: String) -> Brand? {
        let name = name.lowercased()
        return hosts.first { host in
            host.labels.joined(separator: ".") == name
                || label(ofHost: host.labels).map(String.init) == name
        }
        .flatMap { chain(ofHost: $0.labels) }
    }

    func chain(ofHost labels: [Substring]) -> Brand? {
        label(ofHost: labels).flatMap { chain(ofLabel: $0) }
    }

    /// The chain of a website's label: "marksandspencer" is Marks & Spencer.
    private func chain(ofLabel label: Substring) -> Brand? {
        if let brand = chain(label) { return brand }
        for and in label.ranges(of: "and") {
            guard let brand = chain(label[..<and.lowerBound] + label[and.upperBound...]),
                brand.name.contains("&")
            else { continue }
            return brand
        }
        return nil
    }

    /// The label of a host that is a chain's name.
    func label(ofHost labels: [Substring]) -> Substring? {
        labels.dropLast().first { $0.count >= Self.fewestLettersOfChain && chain(ofLabel: $0) != nil }
    }

    /// The chain that a row names by its company, whatever stands around it: "Lidl sp. z o.o. sp.k." behind an address, "LONDON
    /// DRUGS LIMITED GST #R103378972".
    private func company(in row: ReceiptRow) -> Mention? {
        guard row.meanings.contains(.company) else { return nil }
        for start in row.words.indices.dropLast() {
            let words = row.words[start...].map(\.text)
            for count in stride(from: min(words.count - 1, BrandTable.mostWords), through: 1, by: -1) {
                guard let brand = chain(words.prefix(count).joined()), brand.isOwnName else { continue }
                let rest = Array(words.dropFirst(count))
                let said = Vocabulary.shared.phrases(ofName: rest.joined(separator: " "))
                guard let form = said.findings.first(where: { $0.phrase.meaning == .company }) else {
                    continue
                }
                let between = said.tokens[..<form.tokens.lowerBound].joined(separator: " ")
                if saysNoMore([between], behind: brand) {
                    return Mention(brand, in: Array(row.words[start..<start + count]))
                }
            }
        }
        return nil
    }

    /// The words in front of a phrase of thanks: "LIDL vous remercie pour vos achats". They may be a chain, or "La direction".
    private func thankingWords(_ row: ReceiptRow) -> [RecognizedWord] {
        row.text.firstMatch(of: Self.thanking.regex).map { Array(row.words(spelling: String($0.1))) } ?? []
    }

    private static let thanking = Pattern(
        #/(?i)^(\p{L}[\p{L}'& -]{1,23}?)\s(?:vous remercie|thanks you|dankt|ti ringrazia|le agradece|agradece|tackar|takker|kiittää|dzi[eę]kuje)\b/#
    )

    /// The name of a chain found by a website's label: as the chain writes it, or the label itself where that is a former name.
    static func name(of brand: Brand, called label: Substring) -> String {
        let isPart = Vocabulary.words(of: brand.name).joined().contains(Vocabulary.folded(String(label)))
        return brand.isOwnName || isPart ? brand.name : String(label)
    }

    /// A chain that the receipt names outside its items: in a row above the first amount, behind a greeting, or by its website.
    func brandMentioned() -> Mention? {
        guard fields.merchant == nil || isPoorlyRead else { return nil }
        for (index, row) in rows[..<firstAmount].enumerated() {
            if let mention = brandOverRows(index) ?? company(in: row) { return mention }
        }
        // "McDonald's Restaurant #31278" below a request to guests.
        for row in rows where row.text.contains("#") && isNumbered(row) {
            if let first = row.words.first, let brand = chain(first.text), isSure(brand) {
                return Mention(brand, printedAs: [first])
            }
        }
        for row in rows {
            let greeted = greetedWords(row).isEmpty ? thankingWords(row) : greetedWords(row)
            if let begun = brandBegun(by: greeted.map(\.text), isName: false)
                ?? greeted.first.flatMap({ word in chain(word.text).map { ($0, 0..<1) } })
            {
                return Mention(begun.brand, in: Array(greeted[begun.place]))
            }
        }
        for (index, row) in rows.enumerated() where index >= firstAmount && row.rowClass != .item {
            if let mention = company(in: row), isSure(mention.brand) { return mention }
        }
        for (index, labels) in hosts {
            guard let label = label(ofHost: labels), let brand = chain(ofLabel: label) else { continue }
            return Mention(brand, in: rows[index].words, name: Self.name(of: brand, called: label))
        }
        return nil
    }
}

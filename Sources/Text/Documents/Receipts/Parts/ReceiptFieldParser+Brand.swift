import TextRecognition

/// Which chain sold it, and what is sold there.
extension ReceiptFieldParser {
    /// How likely the chain that a receipt names is its seller where nothing else is sure enough to be: of 232 receipts
    /// 18 whose sellers are known had none, and of these a chain is found on six, all of them right.
    private static let likelihoodOfMention = 0.85
    /// Letters of a chain's name that is found by its website alone.
    private static let fewestLetters = 4
    /// Different words of a category that must be printed below the head to speak for it.
    private static let fewestPrinted = 2

    /// Finds the seller's chain, and takes it for the seller where none is sure; then what is sold.
    mutating func findBrand() {
        var brand = fields.merchant.flatMap { merchant in
            let words = merchant.value.split(separator: " ").map(String.init)
            if let begun = brandBegun(by: words, isName: true) {
                spell(words, begun.place, as: begun.brand)
                return begun.brand
            }
            return namedCompany(words) ?? site(merchant.value) ?? misreadSeller(words)
        }
        // A website's label is nobody's name: "homedepot".
        if let brand, let name = fields.merchant?.value,
            hosts.contains(where: { label(ofHost: $0.labels).map(String.init) == name })
        {
            fields.merchant?.value = Self.name(of: brand, called: name[...])
        }
        if brand == nil, let mention = brandInHead() ?? misreadLogo() ?? brandMentioned(),
            let merchant = field(
                .merchant, mention.name,
                Evidence(likelihood: Self.likelihoodOfMention, words: mention.words))
        {
            (fields.merchant, brand) = (merchant, mention.brand)
        }
        if fields.merchant == nil, let words = nameSaidAgain() {
            fields.merchant = field(
                .merchant, words.map(\.text).joined(separator: " "),
                Evidence(likelihood: Self.likelihoodOfMention, words: words))
        }
        if let brand, let merchant = fields.merchant {
            fields.brand = derived(brand.name, from: merchant)
            takePlace(of: brand, from: merchant)
        }
        findCategory(of: brand)
    }

    /// Takes country and currency from the chain where print says neither: it is in one country, or in one of the receipt's language.
    private mutating func takePlace(of brand: Brand, from merchant: ReceiptFields.Field<String>) {
        let known = Country.all.filter { brand.countries.contains($0.code) }
        guard brand.isOwnName, brand.name.count >= Self.lettersOfPlacedName,
            known.count == brand.countries.count
        else { return }
        // A language that is another country's speaks against this one.
        let likely = known.filter { $0.language == nil || $0.language == fields.language?.value }
        let confidence = merchant.confidence * Self.likelihoodOfMention
        if fields.country == nil, country == nil, likely.count == 1 {
            fields.country = derived(likely[0].code, from: merchant)
            fields.country?.confidence = confidence
        }
        let currencies = Set(likely.map { $0.currency(on: fields.date?.value) })
        guard fields.currency == nil, signs.closed.isEmpty, currencies.count == 1,
            let currency = currencies.first,
            signs.open.keys.allSatisfy({ PrintedAmount.openSigns[$0]?.contains(currency) == true })
        else { return }
        fields.currency = derived(currency, from: merchant)
        fields.currency?.confidence = confidence
    }

    /// Letters of a chain's name from which on it says where the receipt is from: "KIWI" and "STAR" are names of others too.
    private static let lettersOfPlacedName = 6

    /// Has the seller's name its blanks where its chain's has them, if they were misread: "Tac oBell", "toom Ba um ar kt GmbH".
    /// - Parameter place: the words that are the chain's.
    private mutating func spell(_ words: [String], _ place: Range<Int>, as brand: Brand) {
        let (names, read) = (brand.name.split(separator: " "), words[place])
        // "99 SPEED MART" is printed so, though the chain writes "99 Speedmart".
        let isTorn =
            names.count < read.count
            && read.contains { piece in
                piece.count <= Self.lettersOfPiece
                    && !names.contains { $0.lowercased() == piece.lowercased() }
            }
        var letters = Substring(read.joined())
        guard brand.isOwnName, isTorn || names.count == read.count, names.joined().count == letters.count
        else { return }
        let spelled = names.map { name in
            defer { letters = letters.dropFirst(name.count) }
            return String(letters.prefix(name.count))
        }
        fields.merchant?.value =
            (words[..<place.lowerBound] + spelled + words[place.upperBound...]).joined(separator: " ")
    }

    /// Letters of a piece of a word that is no word of its own, at most.
    private static let lettersOfPiece = 2

    /// Letters of a chain's name from which on a seller whose name differs from it by one letter is that chain, wherever it is.
    private static let lettersOfMisreadSeller = 8

    /// The chain that the seller is but for a misread letter; its name becomes the chain's: "Buca di Bepo".
    private mutating func misreadSeller(_ words: [String]) -> Brand? {
        guard let merchant = fields.merchant else { return nil }
        let read = rows.flatMap(\.words).filter { word in
            (merchant.box.left...merchant.box.right).contains(word.box.centerX)
                && (merchant.box.top...merchant.box.bottom).contains(word.box.centerY)
        }
        guard read.contains(where: { $0.confidence < Self.plainlyRead }),
            words.joined().count(where: \.isLetter) >= Self.lettersOfMisreadSeller,
            let brand = BrandTable.misread(words.joined(), in: fields.country?.value)
        else { return nil }
        fields.merchant?.value = brand.name
        return brand
    }

    /// Rows from the top in which a name stands that print below says again.
    private static let rowsOfNameSaidAgain = 2

    /// The name in the first rows that a website of the page bears, or that a row without an amount says below them:
    /// "roadchef" above "Roadchef.com", "coop" above "COOP GENOSSENSCHAFT".
    func nameSaidAgain() -> [RecognizedWord]? {
        for row in headAboveAmounts.prefix(Self.rowsOfNameSaidAgain) where mayBeName(row) {
            let words = Self.nameWords(row)
            let name = Vocabulary.words(of: words.map(\.text).joined(separator: " "))
            let letters = name.joined()
            guard letters.count >= Self.fewestLetters, letters.allSatisfy(\.isLetter) else { continue }
            let isOfSite = hosts.contains { $0.labels.dropLast().contains { $0.lowercased() == letters } }
            let isSaidAgain = rows.dropFirst(firstAmount).contains { other in
                other.tokens.starts(with: name) && other.amount == nil
                    && (other.tokens.count == name.count || other.meanings.contains(.company))
            }
            if isOfSite || isSaidAgain { return words }
        }
        return nil
    }

    /// A value that follows from another.
    private func derived(
        _ value: String, from field: ReceiptFields.Field<String>
    ) -> ReceiptFields.Field<String> {
        .init(value: value, confidence: field.confidence, printed: field.printed, box: field.box)
    }

    // MARK: - The chain

    /// A chain that print names, and the words that do.
    private struct Mention {
        let brand: Brand
        let words: [RecognizedWord]
        /// As printed, or as the chain writes it where the words say more.
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

    /// The chain that is all of a row's name above the first amount, where the country is known and the chain's; or that begins in
    /// one row and goes on in the next: "AMERICAN EAGLE" above "OUTFITTERS".
    private func brandInHead() -> Mention? {
        for (index, row) in headAboveAmounts.enumerated() where mayBeName(row) || isNumbered(row) {
            // A slogan below the chain's name is no other: "Sainsbury's" above "Good food for all of us".
            if let name = fields.merchant?.box, name.bottom < row.box.centerY, !isNumbered(row) { continue }
            // Numbers beside a logo are of something else.
            let words = Array(Self.nameWords(row).drop { !$0.text.contains(where: \.isLetter) })
            if let begun = brandBegun(by: words.map(\.text), isName: true), begun.brand.isOwnName,
                let country = fields.country?.value,
                begun.brand.countries.contains(country)
                    || begun.brand.countries.isEmpty && begun.place.count == words.count && isLogo(words),
                begun.brand.name.count >= Self.fewestLetters
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

    /// Whether the spelling is the chain's own, and it is everywhere or known to be in the receipt's country; where only the currency is
    /// known, an unmistakable name will do.
    private func isSure(_ brand: Brand) -> Bool {
        guard brand.isOwnName, brand.name.count >= Self.fewestLetters else { return false }
        guard !brand.countries.isEmpty else { return true }
        guard let country = fields.country?.value else {
            return fields.currency != nil && brand.name.count >= Self.unmistakable
        }
        return brand.countries.contains(country)
    }

    /// Whether the company that the seller was taken to be stands right below a row: "JOKER KIRKEVEIEN" above "SINSEN KOLONIAL AS".
    private func isAboveCompany(_ index: Int) -> Bool {
        guard index + 1 < rows.count, let name = fields.merchant?.box else { return false }
        let below = rows[index + 1]
        return below.meanings.contains(.company) && (below.box.top...below.box.bottom).contains(name.centerY)
    }

    /// Whether a shop's number stands behind a row's first word, or a dash does; what is sold may stand before: "Sklep Żabka 21452".
    private func isNumbered(_ row: ReceiptRow) -> Bool {
        row.words.map(\.text).drop(while: isTrade).joined(separator: " ").contains(Self.shopAndNumber.regex)
    }

    /// "KIWI 026", "IHOP Store # 9005"; or what a chain says of itself behind a dash: "Lidl - 10 Years in Ireland".
    private static let shopAndNumber = Pattern(
        #/^\S+ (?:(?i:(?:store|shop|restaurant) ?)(?:(?i:no)\.? ?)?#? ?|#)?\d{2,5}(?: |$)|^\p{L}+ - \S/#)

    /// Rows from the top among which a chain's name stands.
    private static let rowsOfLogo = 5
    /// Letters of names that no street or thing has: "McDonald's", "Sainsbury's".
    private static let unmistakable = 9

    /// How surely a logo is read that is no misread one: "OP&SHOP", of which the rim cuts the rest, is no "BP Shop".
    private static let plainlyRead = 0.95

    /// The chain of the country that a logo is read as but for a letter: "Weamans". What is read plainly is one where print elsewhere
    /// names the chain: "RSSMANN" above "Rossmann App".
    private func misreadLogo() -> Mention? {
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
    private var headAboveAmounts: ArraySlice<ReceiptRow> {
        rows.prefix(min(firstAmount, Self.headRows))
    }

    /// The chain of several words that begins in a row, and may go on in the next.
    private func brandOverRows(_ index: Int) -> Mention? {
        let isBelow = index + 1 < rows.count && rows[index + 1].amount?.isCertain != true
        let words = rows[index].words + (isBelow ? rows[index + 1].words : [])
        return brandBegun(by: words.map(\.text), isName: false).map {
            Mention($0.brand, printedAs: Array(words[$0.place]))
        }
    }

    /// The chain that words begin with, the longest, and which of the words it takes.
    /// - Parameter isName: whether the words are a seller's name, of which one word may be a chain's where the others say no more than
    ///   its form, trade or place.
    private func brandBegun(by words: [String], isName: Bool) -> (brand: Brand, place: Range<Int>)? {
        // "HIPERMARKET AUCHAN"
        let start = isName ? words.prefix(while: isTrade).count : 0
        let spelled = words.dropFirst(start).prefix(BrandTable.mostWords)
        for count in stride(from: spelled.count, through: 1, by: -1) {
            let parts = spelled.prefix(count)
            // A mark behind a word makes no second one.
            let ofWords = parts.count { $0.contains { $0.isLetter || $0.isNumber } }
            guard let last = parts.last, last.contains(where: { $0.isLetter || $0.isNumber }),
                let brand = chain(parts.joined())
            else { continue }
            let rest = Array(words.dropFirst(start + count))
            // "PicknPay" is as sure as "Pick n Pay".
            // "K : K" is no K+K.
            let isOfWords =
                max(ofWords, brand.name.split(separator: " ").count) > 1
                && parts.joined().count(where: \.isLetter) > Self.lettersOfPiece
            if isOfWords && brand.isOwnName || isName && saysNoMore(rest, behind: brand) {
                return (brand, start..<start + count)
            }
        }
        return nil
    }

    /// Whether a word says what is sold, and no chain's name.
    private func isTrade(_ word: String) -> Bool {
        let tokens = Vocabulary.words(of: word)
        return tokens.count == 1 && Self.trades.contains(tokens[0]) && chain(word) == nil
    }

    static let trades = Set(
        Vocabulary.shared.phrases(of: .trade).filter { $0.count == 1 }.joined())

    /// The chain of a spelling, where the receipt may be of it.
    func chain(_ spelling: some StringProtocol) -> Brand? {
        let brand = BrandTable.brand(spelling)
        let isFound = brand?.isFound(in: fields.country?.value, payingIn: fields.currency?.value) ?? false
        return isFound ? brand : nil
    }

    /// Whether words behind a chain's name say no more than where the shop is.
    private func saysNoMore(_ words: [String], behind brand: Brand) -> Bool {
        let address = Set(Vocabulary.words(of: fields.address?.value ?? ""))
        return brand.restOfName(words.joined(separator: " ")).allSatisfy {
            address.contains($0) || country?.country.isNamed(atEndOf: $0) == true
                || Self.towns.contains($0)
        }
    }

    private static let towns = Set(Vocabulary.shared.phrases(of: .town).filter { $0.count == 1 }.joined())

    /// The chain that a name begins with where another row says its company, or a website names it: "CARREFOUR * CH" above
    /// "CARREFOUR Polska Sp. z o.o.".
    private func namedCompany(_ words: [String]) -> Brand? {
        guard let first = words.first(where: { $0.contains(where: \.isLetter) }), let brand = chain(first)
        else { return nil }
        let isNamed =
            rows.contains { company(in: $0)?.brand == brand }
            || hosts.contains { chain(ofHost: $0.labels) == brand }
        return isNamed ? brand : nil
    }

    /// The chain of a website that stands for the name: "countdown.co.nz", "marksandspencer".
    private func site(_ name: String) -> Brand? {
        let name = name.lowercased()
        return hosts.first { host in
            host.labels.joined(separator: ".") == name
                || label(ofHost: host.labels).map(String.init) == name
        }
        .flatMap { chain(ofHost: $0.labels) }
    }

    private func chain(ofHost labels: [Substring]) -> Brand? {
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

    /// The label of a host that a chain is called by.
    private func label(ofHost labels: [Substring]) -> Substring? {
        labels.dropLast().first { $0.count >= Self.fewestLetters && chain(ofLabel: $0) != nil }
    }

    /// The chain that a row names by its company: "Lidl sp. z o.o. sp.k." behind an address.
    private func company(in row: ReceiptRow) -> Mention? {
        guard row.meanings.contains(.company) else { return nil }
        for start in row.words.indices.dropLast() {
            let words = row.words[start...]
            guard let first = words.first?.text, let brand = chain(first), brand.isOwnName else { continue }
            let rest = words.dropFirst().map(\.text)
            let isCompany = Vocabulary.shared.phrases(ofName: rest.joined(separator: " ")).findings
                .contains { $0.phrase.meaning == .company }
            if isCompany, saysNoMore(rest, behind: brand) { return Mention(brand, in: [row.words[start]]) }
        }
        return nil
    }

    /// The words before their thanks: "LIDL vous remercie pour vos achats". They may be a chain, or "La direction".
    private func thankingWords(_ row: ReceiptRow) -> [RecognizedWord] {
        row.text.firstMatch(of: Self.thanking.regex).map { Array(row.words(spelling: String($0.1))) } ?? []
    }

    private static let thanking = Pattern(
        #/(?i)^(\p{L}[\p{L}'& -]{1,23}?)\s(?:vous remercie|thanks you|dankt|ti ringrazia|le agradece|agradece|tackar|takker|kiittää|dzi[eę]kuje)\b/#
    )

    /// What a chain is called whose website has a label: as it writes its name; a name that it has no more is the one that stands there.
    private static func name(of brand: Brand, called label: Substring) -> String {
        let isPart = Vocabulary.words(of: brand.name).joined().contains(Vocabulary.folded(String(label)))
        return brand.isOwnName || isPart ? brand.name : String(label)
    }

    /// A chain that the receipt names outside its items: in a row above the first amount, behind a greeting, or by its website.
    private func brandMentioned() -> Mention? {
        guard fields.merchant == nil else { return nil }
        for (index, row) in rows[..<firstAmount].enumerated() {
            if let mention = brandOverRows(index) ?? company(in: row) { return mention }
        }
        // "McDonald's Restaurant #31278" below what guests are asked for.
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
        for (index, labels) in hosts {
            guard let label = label(ofHost: labels), let brand = chain(ofLabel: label) else { continue }
            return Mention(brand, in: rows[index].words, name: Self.name(of: brand, called: label))
        }
        return nil
    }

    // MARK: - What is sold

    /// What is sold: by the chain, else by words of the seller's name, else by print that only such sellers have.
    private mutating func findCategory(of brand: Brand?) {
        let words = CategoryWords.shared
        if let brand, let merchant = fields.merchant {
            fields.category = derived(brand.category.rawValue, from: merchant)
            return
        }
        if let merchant = fields.merchant,
            let category = words.category(ofName: Vocabulary.words(of: merchant.value))
        {
            fields.category = derived(category.rawValue, from: merchant)
            return
        }
        let counts = words.printedCounts(rows.map { Vocabulary.words(of: $0.text) })
            .filter { $0.value >= Self.fewestPrinted }
        guard let most = counts.values.max(), let only = counts.first(where: { $0.value == most })?.key,
            counts.count(where: { $0.value == most }) == 1, let total = fields.total
        else { return }
        fields.category = .init(
            value: only.rawValue, confidence: total.confidence, printed: "",
            box: Self.box(of: rows.flatMap(\.words)))
    }
}

import TextRecognition

/// Takes the chain that the print names for the seller, and mends the seller's name by it.
extension ReceiptFieldParser {
    /// Likelihood that the chain named on a receipt is its seller, where no other candidate is sure enough. Of 232 receipts, 18
    /// with a known seller had none found; a chain is found on six of these, all right.
    private static let likelihoodOfMention = 0.85
    /// Fewest letters of a chain's name that is found by its website alone.
    static let fewestLettersOfChain = 4

    /// Finds the seller's chain, takes it for the seller where no seller is sure, and then finds what is sold.
    mutating func findBrand() {
        var brand = fields.merchant.flatMap { merchant in
            let words = merchant.value.split(separator: " ").map(String.init)
            if let begun = brandBegun(by: words, isName: true) {
                spell(words, begun.place, as: begun.brand)
                return begun.brand
            }
            return namedCompany(words) ?? site(merchant.value) ?? misreadSeller(words)
                ?? misreadBesideSite(words)
        }
        // A website's label is not how the seller writes its name: "homedepot".
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

    /// Takes country and currency from the chain where the print gives neither: the chain is in one country, or in one that fits
    /// the receipt's language.
    private mutating func takePlace(of brand: Brand, from merchant: ReceiptFields.Field<String>) {
        let known = Country.all.filter { brand.countries.contains($0.code) }
        guard brand.isOwnName, brand.name.count >= Self.lettersOfPlacedName,
            known.count == brand.countries.count
        else { return }
        // A country with another language than the receipt's is ruled out.
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

    /// Fewest letters of a chain's name that tells where the receipt is from: others have names such as "KIWI" and "STAR" too.
    private static let lettersOfPlacedName = 6

    /// Moves misread blanks in the seller's name to where the chain's name has them, "Tac oBell", "toom Ba um ar kt GmbH", and
    /// gives it the chain's accents: "ALDI SUD".
    /// - Parameter place: the words that are the chain's.
    private mutating func spell(_ words: [String], _ place: Range<Int>, as brand: Brand) {
        let (names, read) = (brand.name.split(separator: " "), words[place])
        // "99 SPEED MART" stays as printed, though the chain writes "99 Speedmart".
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
            return zip(name, letters).map(Self.accented).joined()
        }
        fields.merchant?.value =
            (words[..<place.lowerBound] + spelled + words[place.upperBound...]).joined(separator: " ")
    }

    /// The letter as read, with the accent that the chain's name has there.
    private static func accented(_ own: Character, _ read: Character) -> String {
        guard read.isASCII, !own.isASCII, Vocabulary.folded(String(own)) == Vocabulary.folded(String(read))
        else {
            return String(read)
        }
        return read.isUppercase ? own.uppercased() : own.lowercased()
    }

    /// Most letters of a piece of a torn word; longer pieces may be words of their own.
    static let lettersOfPiece = 2

    /// Fewest letters of a seller's name that is taken for a chain's name that differs by one letter, even outside a logo.
    private static let lettersOfMisreadSeller = 8

    /// The chain whose name differs from the seller's by one misread letter; the seller's name becomes the chain's: "Buca di
    /// Bepo".
    private mutating func misreadSeller(_ words: [String]) -> Brand? {
        guard wordsOfSeller.contains(where: { $0.confidence < Self.plainlyRead }),
            words.joined().count(where: \.isLetter) >= Self.lettersOfMisreadSeller,
            let brand = BrandTable.misread(words.joined(), in: fields.country?.value)
        else { return nil }
        fields.merchant?.value = brand.name
        return brand
    }

    /// The chain of a website that the seller's first words name but for one misread letter, "Smart&Fingl." above
    /// "smartandfinal.com". The seller's name becomes the chain's.
    private mutating func misreadBesideSite(_ words: [String]) -> Brand? {
        guard wordsOfSeller.contains(where: { $0.confidence < Self.plainlyRead }),
            let brand = Self.misread(words, of: chainsOfSites)?.brand
        else { return nil }
        fields.merchant?.value = brand.name
        return brand
    }

    /// The chains that websites on the page name.
    var chainsOfSites: [Brand] { hosts.compactMap { chain(ofHost: $0.labels) } }

    /// The chain that words begin with but for one letter, and how many words that takes.
    static func misread(_ words: [String], of chains: [Brand]) -> (brand: Brand, count: Int)? {
        for count in stride(from: min(words.count, BrandTable.mostWords), through: 1, by: -1) {
            let spelling = words.prefix(count).joined()
            if let brand = chains.first(where: { BrandTable.isMisread(spelling, of: $0) }) {
                return (brand, count)
            }
        }
        return nil
    }

    /// Mean confidence of a seller's words below which a chain that the print names elsewhere is surer: "TLSCC" above
    /// "www.tesco.com".
    private static let poorlyRead = 0.6

    var isPoorlyRead: Bool { RecognizedText.meanConfidence(of: wordsOfSeller) < Self.poorlyRead }

    /// The words of the page that were taken for the seller's name.
    private var wordsOfSeller: [RecognizedWord] {
        guard let merchant = fields.merchant else { return [] }
        return rows.flatMap(\.words).filter { word in
            (merchant.box.left...merchant.box.right).contains(word.box.centerX)
                && (merchant.box.top...merchant.box.bottom).contains(word.box.centerY)
        }
    }

    /// Number of top rows whose name may be repeated in the print below.
    private static let rowsOfNameSaidAgain = 2

    /// The name in the first rows that is also in a website on the page, or that a row without an amount repeats below them:
    /// "roadchef" above "Roadchef.com", "coop" above "COOP GENOSSENSCHAFT".
    func nameSaidAgain() -> [RecognizedWord]? {
        for row in headAboveAmounts.prefix(Self.rowsOfNameSaidAgain) where mayBeName(row) {
            let words = Self.nameWords(row)
            let name = Vocabulary.words(of: words.map(\.text).joined(separator: " "))
            let letters = name.joined()
            guard letters.count >= Self.fewestLettersOfChain, letters.allSatisfy(\.isLetter) else { continue }
            let isOfSite = hosts.contains { $0.labels.dropLast().contains { $0.lowercased() == letters } }
            let isSaidAgain = rows.dropFirst(firstAmount).contains { other in
                other.tokens.starts(with: name) && other.amount == nil
                    && (other.tokens.count == name.count || other.meanings.contains(.company))
            }
            if isOfSite || isSaidAgain { return words }
        }
        return nil
    }

    /// Makes a field whose value is derived from another field.
    func derived(
        _ value: String, from field: ReceiptFields.Field<String>
    ) -> ReceiptFields.Field<String> {
        .init(value: value, confidence: field.confidence, printed: field.printed, box: field.box)
    }
}

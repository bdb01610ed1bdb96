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
            brandBegun(by: merchant.value.split(separator: " ").map(String.init), isName: true)?.brand
        }
        if fields.merchant == nil, let mention = brandMentioned() {
            fields.merchant = field(
                .merchant, mention.name,
                Evidence(likelihood: Self.likelihoodOfMention, words: mention.words))
            if fields.merchant != nil { brand = mention.brand }
        }
        if let brand, let merchant = fields.merchant {
            fields.brand = derived(brand.name, from: merchant)
        }
        findCategory(of: brand)
    }

    /// A value that follows from another.
    private func derived(
        _ value: String, from field: ReceiptFields.Field<String>
    ) -> ReceiptFields.Field<String> {
        .init(value: value, confidence: field.confidence, printed: field.printed, box: field.box)
    }

    // MARK: - The chain

    /// The chain that words begin with, the longest, and how many of the words it takes.
    /// - Parameter isName: whether the words are a seller's name, of which one word may be a chain's where the others say no more than
    ///   its form, trade or place.
    private func brandBegun(by words: [String], isName: Bool) -> (brand: Brand, count: Int)? {
        let spelled = words.prefix(BrandTable.mostWords)
        for count in stride(from: spelled.count, through: 1, by: -1) {
            let parts = spelled.prefix(count)
            // A mark behind a word makes no second one.
            let ofWords = parts.count { $0.contains { $0.isLetter || $0.isNumber } }
            guard let last = parts.last, last.contains(where: { $0.isLetter || $0.isNumber }),
                let brand = chain(parts.joined())
            else { continue }
            let rest = Array(words.dropFirst(count))
            if ofWords > 1 && brand.isOwnName || isName && saysNoMore(rest, behind: brand) {
                return (brand, count)
            }
        }
        return nil
    }

    /// The chain of a spelling, where the receipt may be of it.
    private func chain(_ spelling: some StringProtocol) -> Brand? {
        let brand = BrandTable.brand(spelling)
        let isFound = brand?.isFound(in: fields.country?.value, payingIn: fields.currency?.value) ?? false
        return isFound ? brand : nil
    }

    /// Whether words behind a chain's name say no more than where the shop is.
    private func saysNoMore(_ words: [String], behind brand: Brand) -> Bool {
        let address = Set(Vocabulary.words(of: fields.address?.value ?? ""))
        return brand.restOfName(words.joined(separator: " ")).allSatisfy {
            address.contains($0) || country?.country.isNamed(atEndOf: $0) == true
        }
    }

    /// A chain that the receipt names outside its items: in a row above the first amount, behind a greeting, or by its website.
    private func brandMentioned() -> (brand: Brand, name: String, words: [RecognizedWord])? {
        let firstAmount = rows.firstIndex { $0.amount?.isCertain == true } ?? rows.count
        for row in rows[..<firstAmount] {
            if let begun = brandBegun(by: row.words.map(\.text), isName: false) {
                let words = Array(row.words.prefix(begun.count))
                return (begun.brand, words.map(\.text).joined(separator: " "), words)
            }
        }
        for row in rows {
            let greeted = greetedWords(row)
            if let begun = brandBegun(by: greeted.map(\.text), isName: false)
                ?? greeted.first.flatMap({ word in chain(word.text).map { ($0, 1) } })
            {
                return (begun.brand, begun.brand.name, Array(greeted.prefix(begun.count)))
            }
        }
        for (index, labels) in hosts {
            for label in labels.dropLast() where label.count >= Self.fewestLetters {
                if let brand = chain(label) {
                    return (brand, brand.name, rows[index].words)
                }
            }
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

import TextRecognition

/// Finds what is sold.
extension ReceiptFieldParser {
    /// Fewest different words of a category that the receipt must print to belong to it.
    private static let fewestPrinted = 2

    /// Finds what is sold: from the chain, else from words of the seller's name, else from words that only such sellers print.
    mutating func findCategory(of brand: Brand?) {
        let words = CategoryWords.shared
        let printed = words.printedCounts(rows.map { Vocabulary.words(of: $0.text) })
        // Many chains of filling stations have shops that sell no fuel.
        if let brand, let merchant = fields.merchant, brand.category != .fuel || (printed[.fuel] ?? 0) > 0 {
            fields.category = derived(brand.category.rawValue, from: merchant)
            return
        }
        if let merchant = fields.merchant,
            let category = words.category(ofName: Vocabulary.words(of: merchant.value))
        {
            fields.category = derived(category.rawValue, from: merchant)
            return
        }
        let counts = printed.filter { $0.value >= Self.fewestPrinted }
        guard let most = counts.values.max(), let only = counts.first(where: { $0.value == most })?.key,
            counts.count(where: { $0.value == most }) == 1, let total = fields.total
        else { return }
        fields.category = .init(
            value: only.rawValue, confidence: total.confidence, printed: "",
            box: Self.box(of: rows.flatMap(\.words)))
    }
}

import CReceiptTables

/// A chain of shops, restaurants or filling stations.
struct Brand: Equatable {
    /// As the chain writes it.
    let name: String
    /// What it sells.
    let category: ReceiptCategory
    /// Where it is, ISO 3166-1; empty where it is everywhere.
    let countries: Set<String>

    /// Whether the spelling that it was found by is its name, and no other that it is also known by.
    let isOwnName: Bool

    /// Whether the chain is in a country, or, where that is not known, in one of a currency; all that is not known may be.
    func isFound(in country: String?, payingIn currency: String?) -> Bool {
        guard !countries.isEmpty else { return true }
        if let country { return countries.contains(country) }
        guard let currency else { return true }
        return countries.contains { code in
            Country.all.first { $0.code == code }.map { $0.currency == currency } ?? true
        }
    }
}

/// The chains of the name-suggestion-index, by their spellings: see `Training/Brands/draw_brands.py`.
enum BrandTable {
    /// The chain of a spelling; nil if there is none. O(log of the spellings).
    static func brand(_ spelling: some StringProtocol) -> Brand? {
        let key = Array(key(of: spelling).utf8)
        guard !key.isEmpty else { return nil }
        let table = UnsafeBufferPointer(start: creceipttables_brands(), count: creceipttables_brands_size())
        // Between these two a row of the key begins, if there is one.
        var (low, high) = (table.startIndex, table.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            let start = table[..<middle].lastIndex(of: lineFeed).map { $0 + 1 } ?? 0
            let end = table[start...].firstIndex(of: lineFeed) ?? table.endIndex
            let row = table[start..<end]
            let own = row.prefix { $0 != tab }
            if own.elementsEqual(key) { return brand(row: row) }
            if own.lexicographicallyPrecedes(key) { low = end + 1 } else { high = start }
        }
        return nil
    }

    /// Small letters and digits without accents, signs and spaces.
    private static func key(of spelling: some StringProtocol) -> String {
        Vocabulary.folded(String(spelling)).filter { $0.isLetter || $0.isNumber }
    }

    private static func brand(row: Slice<UnsafeBufferPointer<UInt8>>) -> Brand? {
        let columns = String(decoding: row, as: UTF8.self)
            .split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard columns.count == 4, let category = ReceiptCategory(rawValue: columns[2]) else { return nil }
        return Brand(
            name: columns[1], category: category,
            countries: Set(columns[3].split(separator: ",").map(String.init)),
            isOwnName: key(of: columns[1]) == columns[0])
    }

    private static let lineFeed = UInt8(ascii: "\n")
    private static let tab = UInt8(ascii: "\t")
}

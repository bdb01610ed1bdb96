import CReceiptTables

/// A chain of shops, restaurants or filling stations.
struct Brand: Equatable {
    /// As the chain writes it.
    let name: String
    /// What it sells.
    let category: ReceiptCategory
    /// The countries where it is, ISO 3166-1; empty where it is everywhere.
    let countries: Set<String>

    /// Whether it was found by its own name, and not by another that it is also known by.
    let isOwnName: Bool

    /// Returns the words behind the chain's name, as the vocabulary writes them, that say more than its legal form, its trade and
    /// that it has shops. Such words may make it another seller's name.
    func restOfName(_ text: String) -> [String] {
        let (tokens, findings) = Vocabulary.shared.phrases(ofName: text)
        // "Columbus Restaurant" does not belong to the chain that "Columbus" is short for.
        let known =
            findings.filter { $0.phrase.meaning == .company || isOwnName && $0.phrase.meaning == .trade }
            .flatMap { Array($0.tokens) }
        return tokens.indices.filter { !known.contains($0) }.map { tokens[$0] }.filter { word in
            word.count > Self.lettersOfPlace && !word.contains(where: \.isNumber)
                && !CategoryWords.shared.isShop(word, of: category)
        }
    }

    /// Most letters of codes of countries and states, which do not make another name: "Tesco Stores ČR".
    private static let lettersOfPlace = 2

    /// Whether the chain is in a country or, where that is not known, in a country with a currency. Anything unknown is accepted.
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
package enum BrandTable {
    /// The chain of a spelling; nil if there is none. O(log of the spellings).
    static func brand(_ spelling: some StringProtocol) -> Brand? {
        let key = Array(key(of: spelling).utf8)
        guard !key.isEmpty else { return nil }
        let table = UnsafeBufferPointer(start: creceipttables_brands(), count: creceipttables_brands_size())
        // A row with the key, if there is one, begins between these two.
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

    /// The name of the chain that a seller belongs to, as the chain writes it; nil where the seller's name is no chain's, or says
    /// more than the chain's form and trade. O(log of the spellings).
    package static func chain(ofSeller name: String) -> String? {
        let words = name.split { $0 == " " || $0 == "-" }.map(String.init)
        for count in stride(from: min(words.count, mostWords), through: 1, by: -1) {
            guard let brand = brand(words.prefix(count).joined()) else { continue }
            let rest = words.dropFirst(count).joined(separator: " ")
            if brand.restOfName(rest).isEmpty { return brand.name }
        }
        return nil
    }

    /// The one chain of a country, or of any where no country is known, whose own name differs from a spelling by one misread
    /// letter; nil where there are several, or the name is too short to be recognised by its other letters. O(spellings).
    static func misread(_ spelling: some StringProtocol, in country: String?) -> Brand? {
        let key = Array(key(of: spelling).utf8)
        guard key.count >= fewestLettersOfMisread else { return nil }
        let table = UnsafeBufferPointer(start: creceipttables_brands(), count: creceipttables_brands_size())
        var found: Brand?
        for row in table.split(separator: lineFeed) {
            let own = row.prefix { $0 != tab }
            guard abs(own.count - key.count) <= 1, mistakes(in: key, for: Array(own)) <= 1,
                let brand = brand(row: row), brand.isOwnName,
                brand.countries.isEmpty || country.map(brand.countries.contains) ?? true
            else { continue }
            guard found == nil || found == brand else { return nil }
            found = brand
        }
        return found
    }

    /// Whether a spelling is a chain's own name with one misread letter. O(letters²).
    static func isMisread(_ spelling: some StringProtocol, of brand: Brand) -> Bool {
        let (read, name) = (Array(key(of: spelling).utf8), Array(key(of: brand.name).utf8))
        return read.count >= fewestLettersOfMisread && abs(read.count - name.count) <= 1
            && mistakes(in: read, for: name) <= 1
    }

    /// Fewest letters of a name that may have one misread.
    private static let fewestLettersOfMisread = 6

    /// Number of letters in which two spellings differ, where letters that look alike count half: edit distance.
    private static func mistakes(in read: [UInt8], for name: [UInt8]) -> Double {
        var row = (0...name.count).map(Double.init)
        for (index, letter) in read.enumerated() {
            var diagonal = row[0]
            row[0] = Double(index + 1)
            for (place, other) in name.enumerated() {
                let isAlike = strokes.contains(letter) && strokes.contains(other)
                let replaced = diagonal + (letter == other ? 0 : isAlike ? 0.5 : 1)
                diagonal = row[place + 1]
                row[place + 1] = min(replaced, row[place] + 1, diagonal + 1)
            }
        }
        return row[name.count]
    }

    /// Letters that are a stroke, or little more.
    private static let strokes = Set("iljtf1r".utf8)

    /// Words of the longest name of a chain that is looked for.
    static let mostWords = 6

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

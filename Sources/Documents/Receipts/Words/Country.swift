import CReceiptTables
import Platform

/// A country as its receipts show it: `CReceiptTables/words/countries.words`.
struct Country {
    enum DateOrder: String { case dmy, mdy, ymd }

    /// ISO 3166-1, two letters.
    let code: String
    /// ISO 4217.
    let currency: String
    let dateOrder: DateOrder
    private let marks: [[String]]
    private let signs: [String]

    /// The countries that are known.
    static let all: [Country] = Vocabulary.embeddedText(
        creceipttables_countries(), creceipttables_countries_size()
    ).split(whereSeparator: \.isNewline).compactMap(Country.init)

    private init?(line: Substring) {
        let parts = line.split(separator: ":", maxSplits: 1)
        let head = parts.first?.split(separator: " ") ?? []
        guard !line.hasPrefix("#"), parts.count == 2, head.count == 3,
            let order = DateOrder(rawValue: String(head[2]))
        else { return nil }
        code = String(head[0])
        currency = String(head[1])
        dateOrder = order
        let values = parts[1].split(separator: ",").map { $0.trimmingSpaces }
        func isSign(_ value: String) -> Bool { !value.allSatisfy { $0.isLetter || $0.isNumber || $0 == " " } }
        signs = values.filter(isSign)
        marks = values.filter { !isSign($0) }.map { $0.split(separator: " ").map(String.init) }
    }

    /// Whether a text ends with the country's name, in English or in a language of the vocabulary.
    func isNamed(atEndOf text: String) -> Bool {
        let words = Vocabulary.words(of: text)
        return (RegionNames.all[code] ?? []).contains { name in
            let wanted = Vocabulary.words(of: name)
            return !wanted.isEmpty && words.suffix(wanted.count).elementsEqual(wanted)
        }
    }

    /// How many of the country's marks stand on a page.
    private func evidence(_ rows: [ReceiptRow], currencies: Set<String>) -> Int {
        var found = Set<Int>()
        for row in rows {
            for (index, mark) in marks.enumerated() where !found.contains(index) {
                guard let first = mark.first else { continue }
                let stands = row.tokens.indices.contains { start in
                    row.tokens[start] == first && row.tokens[start...].starts(with: mark)
                }
                if stands { found.insert(index) }
            }
        }
        let signCount = signs.count { sign in rows.contains { Vocabulary.folded($0.text).contains(sign) } }
        return found.count + signCount + (currencies.contains(currency) ? 2 : 0)
    }

    /// Marks of a country that must stand on a page for it to be that country's, and by how many it must lead.
    private static let leastEvidence = 2

    /// The country that a page is from, and how many more marks it has than the next; nil if none is clear.
    static func find(in rows: [ReceiptRow], currencies: Set<String>) -> (country: Country, lead: Int)? {
        let counts = all.map { ($0, $0.evidence(rows, currencies: currencies)) }.sorted { $0.1 > $1.1 }
        guard let best = counts.first, best.1 >= leastEvidence else { return nil }
        let lead = best.1 - (counts.dropFirst().first?.1 ?? 0)
        return lead > 0 ? (best.0, lead) : nil
    }
}

import Platform
import TextRecognition

/// Finds a postal address in the rows of a card by its postal code.
enum PrintedAddress {
    /// Patterns of a postal code before the town.
    private static let codes: [Pattern<(Substring, Substring, Substring)>] = [
        // Portugal and Brazil, then the Netherlands, then codes of four or five digits.
        Pattern(#/(?:^|[^\d.\-\/+])(\d{4}-\d{3}|\d{5}-\d{3})[\s,\-–]+(\p{Lu}[\p{L}.'’\-\s\/]+)/#),
        Pattern(#/(?:^|[^\d.\-\/+])(\d{4}\s?[A-Z]{2})\s+(\p{Lu}[\p{L}.'’\-\s]+)/#),
        Pattern(
            #/(?:^|[^\d.\-\/+])((?:[A-Z]{1,3}\s?[\-–]\s?)?\d{4,5})[\s,]+(?:[\-–]\s)?(\p{Lu}[\p{L}.'’\-\s\/()]{1,40}\d{0,2})/#
        ),
    ]
    /// Patterns with the town first: the United States, the United Kingdom, Canada, Australia, Brazil.
    private static let codesBehind: [Pattern<(Substring, Substring, Substring)>] = [
        Pattern(#/(\p{Lu}[\p{L}.'’\-\s]+),?\s([A-Z]{2}\s\d{5}(?:-\d{4})?)(?!\d)/#),
        Pattern(#/(\p{Lu}[\p{L}.'’\-\s]+),?\s([A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2})(?![\p{L}\d])/#),
        Pattern(#/(\p{Lu}[\p{L}.'’\-\s]+),?\s((?:[A-Z]{2}\s)?[A-Z]\d[A-Z]\s?\d[A-Z]\d)(?![\p{L}\d])/#),
        Pattern(#/(\p{Lu}[\p{L}.'’\-\s]+),?\s((?:NSW|VIC|QLD|TAS|ACT|SA|WA|NT)\s\d{4})(?!\d)/#),
        Pattern(#/(\p{Lu}[\p{L}.'’\-\s]+)[,\s\-–]+(?:CEP:?\s)?(\d{5}-\d{3})(?!\d)/#),
    ]

    /// The parts of the town's row.
    private struct Town {
        var code: String
        var name: String
        /// The text before code and town in the same row.
        var street: String
        /// The text after them.
        var rest: String
    }

    private static func town(in text: String) -> Town? {
        func trimmed(_ part: Substring) -> String { String(part).trimmingMarks(keepingPoint: true) }
        for pattern in codes {
            if let match = text.firstMatch(of: pattern.regex) {
                let name = match.2.prefix { $0 != "|" }
                return Town(
                    code: trimmed(match.1), name: trimmed(name),
                    street: trimmed(text[..<match.1.startIndex]),
                    rest: trimmed(text[name.endIndex...]))
            }
        }
        for pattern in codesBehind {
            if let match = text.firstMatch(of: pattern.regex) {
                return Town(
                    code: trimmed(match.2), name: trimmed(match.1),
                    street: trimmed(text[..<match.1.startIndex]),
                    rest: trimmed(text[match.range.upperBound...]))
            }
        }
        return nil
    }

    /// Largest gap between rows of an address, in letter heights.
    private static let rowGap = 1.6
    /// Largest number of address rows above the town's row: building, floor, street.
    private static let mostAbove = 2

    /// Returns the address and the indices of its rows.
    static func find(in rows: [CardRow]) -> (address: Contact.Address, rows: [Int])? {
        for (index, row) in rows.enumerated() where !row.holdsReach {
            guard let town = town(in: row.text), town.name.count >= 2, !isAmount(row.text) else { continue }
            var found = [index]
            var street = town.street
            if street.isEmpty {
                var below = row
                for _ in 0..<mostAbove {
                    guard
                        let above = rows.indices.filter({
                            rows[$0].isAbove(below, within: rowGap) && !rows[$0].holdsReach
                        })
                        .max(by: { rows[$0].box.bottom < rows[$1].box.bottom }),
                        isStreet(rows[above])
                    else { break }
                    found.insert(above, at: 0)
                    street =
                        street.isEmpty
                        ? rows[above].text.trimmingMarks(keepingPoint: true)
                        : rows[above].text.trimmingMarks(keepingPoint: true) + ", " + street
                    below = rows[above]
                }
            }
            // A town without a street is no address.
            guard !street.isEmpty,
                street.contains(where: \.isNumber)
                    || CardWords.shared.count(.address, in: Vocabulary.words(of: street)) > 0
            else { continue }
            var country = town.rest
            if country.isEmpty,
                let next = rows.indices.first(where: {
                    row.isAbove(rows[$0], within: rowGap) && CountryNames.contains(rows[$0].text)
                })
            {
                country = rows[next].text.trimmingMarks
                found.append(next)
            }
            if !CountryNames.contains(country) { country = "" }
            let full = found.map { rows[$0].text.trimmingMarks(keepingPoint: true) }.joined(separator: ", ")
            return (
                Contact.Address(
                    full: full, street: street, locality: town.name, postalCode: town.code, country: country),
                found
            )
        }
        return nil
    }

    private static func isAmount(_ text: String) -> Bool { text.contains("€") || text.contains("$") }

    /// Whether a row has a house number with a name, or a word for streets.
    private static func isStreet(_ row: CardRow) -> Bool {
        let hasNumber = row.text.contains(
            #/(?:^|[\s,.])\d{1,5}\s?[a-zA-Z]?(?:\s?[\-–\/]\s?\d{1,4}[a-zA-Z]?)?(?:$|[\s,])/#)
        let hasWord =
            row.count(.address) > 0
            || row.folded.contains { word in streetEnds.contains(where: word.hasSuffix) }
        return row.text.contains(where: \.isLetter) && (hasNumber || hasWord)
            && row.text.count(where: \.isNumber) <= 10
    }

    /// Word endings of street names: "Hauptstrasse", "Keizersgracht".
    static let streetEnds = [
        "strasse", "str", "weg", "platz", "gasse", "allee", "ring", "damm", "ufer", "chaussee", "straat",
        "laan", "plein",
        "kade", "gracht", "singel", "steenweg", "dreef",
    ]
}

/// Names of countries in the languages of the vocabulary.
enum CountryNames {
    /// The region of each name, in folded words.
    private static let names: [String: String] = {
        var names = ["usa": "US", "uk": "GB", "england": "GB", "scotland": "GB", "wales": "GB"]
        for code in NumberingPlan.shared.regionCodes {
            for name in RegionNames.all[code] ?? [] {
                names[Vocabulary.words(of: name).joined(separator: " ")] = code
            }
        }
        return names
    }()

    static func contains(_ text: String) -> Bool {
        let words = Vocabulary.words(of: text)
        return names[words.joined(separator: " ")] != nil
    }

    /// Returns the region whose name is the whole row or its part after the last comma.
    static func region(namedIn row: String) -> String? {
        let end = row.split(separator: ",").last.map(String.init) ?? row
        return names[Vocabulary.words(of: end).joined(separator: " ")]
    }
}

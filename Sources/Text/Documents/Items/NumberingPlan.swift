import CContactTables

/// Which telephone numbers each region has: `CContactTables/numbers.table`.
struct NumberingPlan {
    /// What a number is for, as far as its digits say.
    enum Use: Character, CaseIterable {
        case fixed = "f"
        case mobile = "m"
        /// Free of charge, shared costs, of a company.
        case other = "o"
    }

    /// The numbers of a region.
    struct Region {
        /// ISO 3166-1, two letters.
        let code: String
        /// Without "+".
        let callingCode: String
        /// The digits that are dialled before a national number within the region; "" for none.
        let trunkPrefix: String
        /// For each use, by the first two digits of a number: bit n is set where n digits make a number.
        fileprivate var lengths: [Use: [UInt32]] = [:]

        /// What a national number, without its trunk prefix, is for; nil if it is none.
        func use(of number: Substring) -> Use? {
            guard let prefix = Int(number.prefix(2)), number.count > 2, number.count <= longestNumber else {
                return nil
            }
            return Use.allCases.first { use in
                lengths[use].map { $0[prefix] & (1 << UInt32(number.count)) != 0 } ?? false
            }
        }
    }

    /// The plan that ships.
    static let shared = NumberingPlan(
        file: Vocabulary.embeddedText(ccontacttables_numbers(), ccontacttables_numbers_size()))

    /// Digits of the longest number with its country code (ITU-T E.164); some national numbers within Japan have more.
    static let longestNumber = 17

    private var regions: [String: Region] = [:]
    private var codes: [String: [String]] = [:]

    /// Reads lines of "DE 49 0 f:30,40/5-15;20-29/6-15 m:15/11"; "#" begins a remark. Lines of any other form are left out.
    init(file: String) {
        for line in file.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            let parts = line.split(separator: " ")
            guard parts.count >= 3 else { continue }
            var region = Region(
                code: String(parts[0]), callingCode: String(parts[1]),
                trunkPrefix: parts[2] == "-" ? "" : String(parts[2]))
            for part in parts.dropFirst(3) {
                guard let letter = part.first, let use = Use(rawValue: letter) else { continue }
                var lengths = [UInt32](repeating: 0, count: 100)
                for group in part.dropFirst(2).split(separator: ";") {
                    let halves = group.split(separator: "/")
                    guard halves.count == 2 else { continue }
                    let bits = Self.numbers(in: halves[1]).reduce(UInt32(0)) { $0 | 1 << UInt32(min($1, 31)) }
                    for prefix in Self.numbers(in: halves[0]) where prefix < 100 { lengths[prefix] |= bits }
                }
                region.lengths[use] = lengths
            }
            regions[region.code] = region
            codes[region.callingCode, default: []].append(region.code)
        }
    }

    /// The numbers of "15-17,30".
    private static func numbers(in runs: Substring) -> [Int] {
        runs.split(separator: ",").flatMap { run -> [Int] in
            let ends = run.split(separator: "-").compactMap { Int($0) }
            guard let first = ends.first, let last = ends.last, first <= last else { return [] }
            return Array(first...last)
        }
    }

    /// The region of a two-letter code.
    func region(_ code: String) -> Region? { regions[code] }

    /// All two-letter codes.
    var regionCodes: some Sequence<String> { regions.keys }

    /// The regions that a number in international form may be of, the largest first, and the digits behind the country code.
    func split(international digits: Substring) -> (regions: [Region], national: Substring)? {
        for count in 1...3 {
            if let found = codes[String(digits.prefix(count))] {
                return (found.compactMap { regions[$0] }, digits.dropFirst(count))
            }
        }
        return nil
    }
}

private let longestNumber = NumberingPlan.longestNumber

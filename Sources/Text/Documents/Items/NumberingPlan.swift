import CContactTables

/// The telephone numbers that each region uses: `CContactTables/numbers.table`.
struct NumberingPlan {
    /// The use of a number, as far as its digits tell.
    enum Use: Character, CaseIterable {
        case fixed = "f"
        case mobile = "m"
        /// Free, shared-cost or company numbers.
        case other = "o"
    }

    /// The numbers of a region.
    struct Region {
        /// ISO 3166-1, two letters.
        let code: String
        /// Without "+".
        let callingCode: String
        /// The prefix dialled before a national number within the region; "" for none.
        let trunkPrefix: String
        /// Valid lengths for each use, indexed by a number's first two digits: bit n is set if numbers of n digits exist.
        fileprivate var lengths: [Use: [UInt32]] = [:]

        /// Returns the use of a national number without its trunk prefix; nil if no such number exists.
        func use(of number: Substring) -> Use? {
            guard let prefix = Int(number.prefix(2)), number.count > 2, number.count <= longestNumber else {
                return nil
            }
            return Use.allCases.first { use in
                lengths[use].map { $0[prefix] & (1 << UInt32(number.count)) != 0 } ?? false
            }
        }
    }

    /// The built-in plan.
    static let shared = NumberingPlan(
        file: Vocabulary.embeddedText(ccontacttables_numbers(), ccontacttables_numbers_size()))

    /// Largest number of digits, with country code. ITU-T E.164 allows fewer, but some national numbers within Japan have more.
    static let longestNumber = 17

    private var regions: [String: Region] = [:]
    private var codes: [String: [String]] = [:]

    /// Reads lines of "DE 49 0 f:30,40/5-15;20-29/6-15 m:15/11"; "#" begins a comment. Lines of any other form are ignored.
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

    /// Expands "15-17,30" to a list of numbers.
    private static func numbers(in runs: Substring) -> [Int] {
        runs.split(separator: ",").flatMap { run -> [Int] in
            let ends = run.split(separator: "-").compactMap { Int($0) }
            guard let first = ends.first, let last = ends.last, first <= last else { return [] }
            return Array(first...last)
        }
    }

    /// Returns the region with a two-letter code.
    func region(_ code: String) -> Region? { regions[code] }

    /// All two-letter codes.
    var regionCodes: some Sequence<String> { regions.keys }

    /// Splits a number in international form into its possible regions, the largest first, and the digits after the country
    /// code.
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

/// A telephone number of a known country.
struct PhoneNumber: Equatable {
    /// The number in E.164: "+493012345678".
    let e164: String
    /// The two-letter code of the largest region that shares the country code and has such numbers.
    let region: String
    /// What it is for.
    let use: NumberingPlan.Use

    /// Parses a number with anything printed between its digits; nil if no region, or not the given one, has such a number.
    /// - Parameters:
    ///   - region: two letters: the country for a number without country code; nil if unknown.
    ///   - isSure: whether a label or its form marks it as a telephone number; its trunk prefix may then be missing.
    init?(printed: some StringProtocol, region: String?, isSure: Bool) {
        let printed = String(printed)
        let digits = printed.filter { $0.isASCII && $0.isNumber }
        let isInternational = printed.first { !$0.isWhitespace && $0 != "(" } == "+"
        // "+49 (0)30": the zero in brackets is dialled only within the country. In Italy it is part of the number, see below.
        let bracket = printed.firstRange(of: "(0)")
        let bare = bracket.map { range in
            var text = printed
            text.removeSubrange(range)
            return text.filter { $0.isASCII && $0.isNumber }
        }
        if isInternational || digits.hasPrefix("00") {
            let drop = isInternational ? 0 : 2
            for candidate in [bare, digits].compactMap(\.self) {
                if let found = Self.international(candidate.dropFirst(drop)) {
                    self = found
                    return
                }
            }
            return nil
        }
        guard let region = region.flatMap(NumberingPlan.shared.region),
            let found = Self.national(digits[...], in: region, isSure: isSure)
        else { return nil }
        self = found
    }

    private init(_ region: NumberingPlan.Region, _ national: Substring, _ use: NumberingPlan.Use) {
        e164 = "+" + region.callingCode + national
        self.region = region.code
        self.use = use
    }

    private static func international(_ digits: Substring) -> PhoneNumber? {
        guard let (regions, national) = NumberingPlan.shared.split(international: digits) else { return nil }
        for region in regions {
            if let use = region.use(of: national) { return PhoneNumber(region, national, use) }
        }
        for region in regions where !region.trunkPrefix.isEmpty && national.hasPrefix(region.trunkPrefix) {
            let rest = national.dropFirst(region.trunkPrefix.count)
            if let use = region.use(of: rest) { return PhoneNumber(region, rest, use) }
        }
        return nil
    }

    private static func national(
        _ digits: Substring, in region: NumberingPlan.Region, isSure: Bool
    ) -> PhoneNumber? {
        let trunk = region.trunkPrefix
        if !trunk.isEmpty, digits.hasPrefix(trunk) {
            let rest = digits.dropFirst(trunk.count)
            if let use = region.use(of: rest) { return PhoneNumber(region, rest, use) }
        }
        // Every number printed for use within the country begins with "0", unless it is a company number; the prefixes "1" and
        // "8" are seldom printed.
        if let use = region.use(of: digits), trunk != "0" || use == .other || isSure {
            return PhoneNumber(region, digits, use)
        }
        // "603-3271 9872": the country code without its "+".
        if isSure, digits.hasPrefix(region.callingCode) { return international(digits) }
        return nil
    }
}

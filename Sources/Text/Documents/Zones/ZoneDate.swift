import Platform

/// A date of a zone, which prints only two digits of the year.
public struct ZoneDate: Codable, Hashable, Sendable, CustomStringConvertible {
    /// The year, with its century.
    public let year: Int
    /// 1 to 12; nil if fillers replace it.
    public let month: Int?
    /// 1 to 31; nil if fillers replace it.
    public let day: Int?

    /// The known parts: "1974-08-12", "1974-08" or "1974".
    public var description: String {
        func padded(_ number: Int, _ count: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(count - digits.count, 0)) + digits
        }
        var text = padded(year, 4)
        guard let month else { return text }
        text += "-" + padded(month, 2)
        guard let day else { return text }
        return text + "-" + padded(day, 2)
    }

    /// Selects among the years that end in the printed digits.
    enum Kind {
        /// The latest year that is not after today.
        case past
        /// The latest year at most 20 years ahead: no document is valid for longer.
        case expiry

        fileprivate var yearsAhead: Int { self == .past ? 0 : 20 }
    }

    /// Parses six printed characters; nil if they are no date.
    /// - Parameter today: year, month and day.
    init?(_ printed: Substring, _ kind: Kind, today: (year: Int, month: Int, day: Int)) {
        let characters = Array(printed)
        guard characters.count == 6 else { return nil }
        var numbers: [Int?] = []
        for start in [0, 2, 4] {
            let pair = String(characters[start..<start + 2])
            if pair == "<<" {
                numbers.append(nil)
            } else {
                guard pair.allSatisfy({ "0"..."9" ~= $0 }), let number = Int(pair) else { return nil }
                numbers.append(number)
            }
        }
        // A day without its month is meaningless.
        guard let two = numbers[0], numbers[1] != nil || numbers[2] == nil else { return nil }
        let last = today.year + kind.yearsAhead
        var year = last - last % 100 + two
        if year > last { year -= 100 }
        let (month, day) = (numbers[1], numbers[2])
        if kind == .past, year == today.year, (month ?? 0, day ?? 0) > (today.month, today.day) {
            year -= 100
        }
        if let month {
            guard (1...12).contains(month) else { return nil }
            if let day { guard day >= 1, day <= Self.days(of: month, year) else { return nil } }
        }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Whole years from this day to another; nil where month or day is not known.
    func years(until today: (year: Int, month: Int, day: Int)) -> Int? {
        guard let month, let day else { return nil }
        return today.year - year - ((today.month, today.day) < (month, day) ? 1 : 0)
    }

    /// Whether it is before another day; nil where month or day is not known.
    func isBefore(_ today: (year: Int, month: Int, day: Int)) -> Bool? {
        guard let month, let day else { return nil }
        return (year, month, day) < today
    }

    private static func days(of month: Int, _ year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}

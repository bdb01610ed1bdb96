import Platform

/// A calendar date as printed, in the Gregorian calendar.
struct PrintedDate: Equatable {
    var year: Int
    var month: Int
    var day: Int
    /// The dates that the print may mean, this one first; empty if it can mean no other.
    var readings: [String] = []
    /// Whether the print may also mean another date.
    var isAmbiguous: Bool { !readings.isEmpty }

    /// "2025-02-13".
    var iso: String { "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))" }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(width - digits.count, 0)) + digits
    }

    /// How a page's dates are read where their print leaves a choice.
    struct Order {
        /// How to read 03/04/2024.
        var monthFirst: Bool
        /// Whether a year of two digits may stand first: "26/02/11".
        var yearFirst = false
        /// The latest date that a receipt may have; nil where it does not matter which of several dates is meant.
        var today: PrintedDate?
    }

    /// Finds a date in a line of text.
    static func find(in text: String, order: Order) -> (date: PrintedDate, printed: String)? {
        for match in text.matches(of: Self.yearFirst.regex) {
            if let date = PrintedDate(
                year: Int(match.1) ?? 0, month: Int(match.2) ?? 0, day: Int(match.3) ?? 0)
            {
                return (date, String(match.0))
            }
        }
        for match in text.matches(of: Self.closeBeforeTime.regex)
        where !isNumbered(match.range, in: text) {
            if let date = PrintedDate(
                year: Int(match.1) ?? 0, month: Int(match.2) ?? 0, day: Int(match.3) ?? 0)
            {
                return (date, "\(match.1)\(match.2)\(match.3)")
            }
        }
        for match in text.matches(of: Self.slashesAsSevens.regex)
        where [match.2, match.4].contains("7") && !isNumbered(match.range, in: text) {
            if let (date, _) = find(in: "\(match.1)/\(match.3)/\(match.5)", order: order) {
                return (date, String(match.0))
            }
        }
        for match in text.matches(of: Self.inDigits.regex) + text.matches(of: Self.beforeTime.regex)
            + text.matches(of: Self.commaForPoint.regex)
        {
            guard !isNumbered(match.range, in: text), let first = Int(match.1), let second = Int(match.3),
                let year = fullYear(match.4, today: order.today)
            else { continue }
            // Points separate day, month and year in that order wherever they are used.
            let isPoint = match.2 == "." || match.2 == ","
            let dayFirst = PrintedDate(year: year, month: second, day: first)
            let monthFirst = isPoint ? nil : PrintedDate(year: year, month: first, day: second)
            var readings = order.monthFirst ? [monthFirst, dayFirst] : [dayFirst, monthFirst]
            let mayBeginWithYear = order.yearFirst && match.1.count == 2 && match.4.count == 2
            if mayBeginWithYear {
                readings.insert(
                    PrintedDate(year: 2000 + first, month: second, day: Int(match.4) ?? 0), at: 0)
            }
            let possible = readings.compactMap(\.self)
            let past = possible.filter { date in order.today.map { date.iso <= $0.iso } ?? true }
            // Where the year may stand first, the reading nearest to today; else the country's.
            let best = mayBeginWithYear ? past.max { $0.iso < $1.iso } : past.first
            if var date = best ?? possible.first {
                var others = past.map(\.iso).filter { $0 != date.iso }
                if Set(others).count < others.count { others = Array(Set(others)).sorted() }
                if !others.isEmpty { date.readings = [date.iso] + others }
                return (date, String(match.0))
            }
        }
        for match in text.matches(of: Self.nameDayYear.regex) {
            if let month = Vocabulary.shared.month(named: String(match.1)), let year = fullYear(match.3),
                let date = PrintedDate(year: year, month: month, day: Int(match.2) ?? 0)
            {
                return (date, String(match.0))
            }
        }
        var rest = text[...]
        while let match = rest.firstMatch(of: Self.dayAndName.regex) {
            if !isNumbered(match.range, in: text),
                let month = Vocabulary.shared.month(named: String(match.2)), let year = fullYear(match.3),
                let date = PrintedDate(year: year, month: month, day: Int(match.1) ?? 0)
            {
                return (date, String(match.0))
            }
            // A number that is no year may be the day of the next date: "13:35:22 Ven., 28 Avril 2017".
            rest = text[match.1.endIndex...]
        }
        for match in text.matches(of: Self.nameAndDay.regex) {
            if let month = Vocabulary.shared.month(named: String(match.1)), let year = Int(match.3),
                let date = PrintedDate(year: year, month: month, day: Int(match.2) ?? 0)
            {
                return (date, String(match.0))
            }
        }
        for match in text.matches(of: Self.japanese.regex) {
            let era = match.1.map(String.init) ?? ""
            if let year = Int(match.2),
                let date = PrintedDate(
                    year: year + (firstYears[era] ?? 2000), month: Int(match.3) ?? 0, day: Int(match.4) ?? 0)
            {
                return (date, String(match.0))
            }
        }
        return nil
    }

    /// Whether a number is that of a till or a table: "#04 MAR.19'17".
    private static func isNumbered(_ range: Range<String.Index>, in text: String) -> Bool {
        text[..<range.lowerBound].last { !$0.isWhitespace } == "#"
    }

    /// Finds a time of day in a line of text: "14:35", "2:35 PM", "14h35", "14.35 Uhr".
    /// - Returns: the time as HH:MM, or HH:MM:SS where seconds are printed; and whether it bears AM or PM.
    static func findTime(in text: String) -> (time: String, printed: String, isTwelveHours: Bool)? {
        var found:
            [(printed: Substring, hour: Substring, minute: Substring, second: Substring?, half: Substring?)] =
                []
        for match in text.matches(
            of: Self.clock.regex)
        {
            found.append((match.1, match.2, match.3, match.4, match.5))
        }
        for match in text.matches(of: Self.germanClock.regex) {
            found.append((match.1, match.2, match.3, nil, nil))
        }
        for (whole, hours, minutes, seconds, half) in found {
            guard var hour = Int(hours), let minute = Int(minutes), minute < 60 else { continue }
            if let half {
                guard (1...12).contains(hour) else { continue }
                hour = hour % 12 + (half.lowercased().hasPrefix("p") ? 12 : 0)
            }
            guard hour < 24 else { continue }
            var time = "\(padded(hour, 2)):\(padded(minute, 2))"
            if let seconds, let value = Int(seconds), value < 60 { time += ":\(padded(value, 2))" }
            return (time, String(whole), half != nil)
        }
        return nil
    }

    /// Makes a date; nil if the calendar does not have it or no receipt could have it.
    init?(year: Int, month: Int, day: Int) {
        guard (1970...2100).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= days[month - 1] else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Returns the year that two or four digits mean. Thailand counts from the Buddha's death: 2568 is 2025, and so is 68 where
    /// 2068 is in the future.
    private static func fullYear(_ digits: Substring, today: PrintedDate? = nil) -> Int? {
        Int(digits).map { year in
            guard digits.count == 2 else { return year > 2400 ? year - buddhist : year }
            let thai = 2500 + year - buddhist
            guard let today, 2000 + year > today.year,
                (today.year - Self.yearsBack...today.year).contains(thai)
            else { return 2000 + year }
            return thai
        }
    }

    /// Number of years that the Thai calendar is ahead.
    private static let buddhist = 543
    /// Greatest age of a receipt, in years.
    private static let yearsBack = 20

    // MARK: - Patterns

    private static let yearFirst = Pattern(#/\b(\d{4})\s?[-\/.年]\s?(\d{1,2})\s?[-\/.月]\s?(\d{1,2})日?/#)
    /// Without marks where a time follows: "20220813(土) 12:50".
    private static let closeBeforeTime = Pattern(
        #/\b(20\d{2})([01]\d)([0-3]\d)(?:\s?\([^)]{1,3}\))?\s+\d{1,2}:\d{2}\b/#)
    /// Slashes in dot-matrix print may be read as sevens where a time follows: "2070372013 14:28:20".
    private static let slashesAsSevens = Pattern(
        #/\b([0-3]\d)([7\/])([01]\d)([7\/])(20\d{2})(?=\s\d{1,2}:\s?\d{2})/#)
    /// A time may stand close behind: "14/02/201814:22".
    private static let inDigits = Pattern(
        #/\b(\d{1,2})\s?([-\/.])\s?(\d{1,2})\s?\2\s?((?:19|20|25)\d{2}|\d{2}(?!\d))/#)
    /// A mark may be faint where a time follows: "07.09 2025 15:00".
    private static let beforeTime = Pattern(
        #/\b(\d{1,2})([-\/.])(\d{1,2}) ((?:19|20)\d{2})(?= \d{1,2}:\d{2}\b)/#)
    /// A point may be read as a comma where a time follows: "11,12.2025 17:37".
    private static let commaForPoint = Pattern(
        #/\b(\d{1,2})([.,])(\d{1,2})[.,]((?:19|20)\d{2})(?=\s\d{1,2}:\d{2}\b)/#)
    /// "Feb23'19", "MAR.19'17", "Jun 26, 15", "MAR 29/13"; but "Disc. 2,35" is an amount.
    private static let nameDayYear = Pattern(
        #/\b(\p{L}{3,9})[.\s]{0,2}(\d{1,2})(?:st|nd|rd|th)?\s?(?:['’`´\/]|,(?=\s|\d{4}))\s?((?:19|20)\d{2}|\d{2})(?![\d:]|[.,]\d)/#
    )
    /// Letters of the month may be read as digits: "260ct 16", "12 Apr11 2018".
    private static let dayAndName = Pattern(
        #/\b(\d{1,2})(?:st|nd|rd|th)?\.?[\s\/-]{0,2}([0\p{L}][01\p{L}]{2,8})\.?,?[\s\/'-]{0,2}((?:19|20)\d{2}|\d{2}(?![\d:]|[.,]\d))/#
    )
    private static let nameAndDay = Pattern(
        #/\b(\p{L}{3,9})\.?[\s\/-]?(\d{1,2})(?:st|nd|rd|th)?[,.\/-]?\s?((?:19|20)\d{2})(?!\d)/#)
    private static let japanese = Pattern(#/(令和|平成)?\s?(\d{1,2})\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日/#)
    /// The year before an era's first.
    private static let firstYears = ["令和": 2018, "平成": 1988]
    private static let clock = Pattern(
        #/(?:^|[^\d.,:])((\d{1,2})[:h](\d{2})(?::(\d{2}))?\s?([AaPp]\.?[Mm]\b)?)(?!\d)/#)
    private static let germanClock = Pattern(#/(?:^|\D)((\d{1,2})\.(\d{2})\s?Uhr)/#)
}

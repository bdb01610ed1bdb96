import Platform

/// Days of the Gregorian calendar.
enum CalendarDay {
    /// Year, month and day of a moment in universal time.
    static func parts(of date: Date) -> (year: Int, month: Int, day: Int) {
        // Days since 1 March of the year 0, in eras of 400 years; dates far outside the calendar's range are clamped.
        let days =
            Int(min(max((date.timeIntervalSince1970 / 86_400).rounded(.down), -700_000), 2_900_000)) + 719_468
        let era = days / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}

import Platform

/// The date written into outputs: the value of SOURCE_DATE_EPOCH (seconds since 1970; see reproducible-builds.org),
/// otherwise none, so that the same input gives the same bytes.
enum SourceDate {
    /// The end of the year 9999.
    private static let latest = 253_402_300_799

    static var current: Date? {
        guard let words = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"], let seconds = Int(words),
            (0...latest).contains(seconds)
        else { return nil }
        return Date(timeIntervalSince1970: Double(seconds))
    }
}

import Testing

@testable import flatten

/// Lengths of time as options take them.
@Suite struct TimeSpanTests {
    @Test(arguments: [
        ("90", 90), ("0", 0), ("0.5", 0.5), ("90s", 90), ("1.5m", 90), ("2h", 7200), ("1h30m", 5400),
        ("1m1s", 61),
        ("1m1", 61), ("24h", 86400),
    ])
    func aNumberWithOrWithoutUnits(word: String, seconds: Double) {
        #expect(TimeSpan(argument: word)?.seconds == seconds)
    }

    @Test(arguments: [
        "", "m", "-1", "nan", "inf", "1e3", "1d", "1m2h", "1m2m", "1s1", "1 m", "25h", "1.2.3", "0x10", "１",
    ])
    func whatIsNoTimeIsRefused(word: String) {
        #expect(TimeSpan(argument: word) == nil)
    }
}

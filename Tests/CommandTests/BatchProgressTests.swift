import Foundation
import Testing

@testable import flatten

/// The figures of a batch's line are written as Foundation writes them in English.
@Suite struct BatchProgressTests {
    @Test(arguments: [0, 0.4, 59.4, 59.6, 60, 3599.9, 3600, 36_061, 400_000])
    func timesAreHoursMinutesAndSeconds(seconds: Double) {
        #expect(
            BatchProgress.clockTime(.seconds(seconds))
                == Duration.seconds(seconds).formatted(
                    .time(pattern: .hourMinuteSecond).locale(Locale(identifier: "en_US_POSIX"))))
    }

    @Test(arguments: [0.012, 0.5, 0.996, 1, 1.25, 9.4, 9.96, 12, 99.4, 99.6, 120, 456])
    func ratesHaveTwoDigits(rate: Double) {
        let english = Locale(identifier: "en_US_POSIX")
        #expect(
            BatchProgress.rate(rate)
                == rate.formatted(.number.precision(.significantDigits(2)).locale(english)))
    }
}

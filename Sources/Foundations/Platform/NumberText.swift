/// Formats numbers as C does, with a decimal point, whatever the locale of the process.
package enum NumberText {
    /// Formats a number with this many digits after the point, rounded: "0.50".
    package static func fixed(_ value: Double, _ places: Int) -> String { text("%.*f", places, value) }

    /// Formats a number with at most this many significant digits, without trailing zeros: "0.5", "1.2e-05".
    package static func significant(_ value: Double, _ digits: Int) -> String { text("%.*g", digits, value) }

    /// Formats a byte as two hexadecimal digits: "0F".
    package static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.utf8.count < 2 ? "0" + digits : digits
    }

    private static func text(_ format: String, _ digits: Int, _ value: Double) -> String {
        inNeutralLocale {
            unsafe withVaList([Int32(digits), value]) { arguments in
                // The largest number has 309 digits before its point.
                unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 320 + digits) { buffer in
                    guard let start = buffer.baseAddress else { return "" }
                    unsafe vsnprintf(start, buffer.count, format, arguments)
                    return unsafe String(cString: start)
                }
            }
        }
    }

    #if canImport(Darwin)
        private static let numbers = LC_NUMERIC_MASK
    #else
        private static let numbers = Int32(1) << Int32(LC_NUMERIC)
    #endif

    /// The C locale, created once.
    private static let neutral = unsafe NeutralLocale(locale: newlocale(numbers, "C", nil))

    /// A locale object, which is never changed.
    @safe private struct NeutralLocale: @unchecked Sendable {
        let locale: locale_t?
    }

    /// Runs work while this thread formats numbers as C does.
    private static func inNeutralLocale(_ work: () -> String) -> String {
        guard let locale = unsafe neutral.locale else { return work() }
        let former = unsafe uselocale(locale)
        defer { unsafe uselocale(former) }
        return work()
    }
}

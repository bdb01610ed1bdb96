import Foundation
import Platform
import Testing

/// What is printed is what Foundation's formats would print.
@Suite struct NumberTextTests {
    private static let seed: UInt64 = 22
    private static let numbers: [Double] = {
        var state = seed
        func next() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) * 0x1p-53
        }
        let drawn = (0..<2000).map { _ in (next() - 0.5) * pow(10, next() * 24 - 12) }
        return drawn + [
            0, -0.0, 0.5, 1.5, 2.5, 0.05, 0.25, 999.5, 9.995, 1e-5, 123_456, 1e300, -1e300,
            .greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity, -.infinity, .nan,
        ]
    }()

    @Test(arguments: 0...6)
    func fixedPlacesAreThoseOfFoundation(places: Int) {
        for number in Self.numbers {
            #expect(
                NumberText.fixed(number, places) == String(format: "%.\(places)f", number),
                "\(number), seed \(Self.seed)")
        }
    }

    @Test(arguments: 1...6)
    func significantDigitsAreThoseOfFoundation(digits: Int) {
        for number in Self.numbers {
            #expect(
                NumberText.significant(number, digits) == String(format: "%.\(digits)g", number),
                "\(number), seed \(Self.seed)")
        }
    }

    @Test func bytesHaveTwoDigits() {
        for byte in UInt8.min...UInt8.max { #expect(NumberText.hex(byte) == String(format: "%02X", byte)) }
    }

    @Test func amountsAreTheNearestNumbers() throws {
        for cents in stride(from: -100_000, through: 100_000, by: 7) {
            #expect((Decimal(cents) / 100).double == Double(cents) / 100)
        }
    }
}

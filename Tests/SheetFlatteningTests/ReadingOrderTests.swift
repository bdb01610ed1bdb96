import Foundation
import Imaging
import RobustStatistics
import Testing

@testable import SheetFlattening

@Suite("Sheets are put in reading order")
struct ReadingOrderTests {
    private static let size = PixelSize(width: 400, height: 400)

    /// A sheet around a middle, turned by degrees.
    private struct Place: CustomStringConvertible {
        var x, y, width, height: Double
        var degrees = 0.0

        var description: String { "\(width) x \(height) at (\(x), \(y)) turned by \(degrees)" }

        func outline() throws -> SheetOutline {
            let angle = degrees * .pi / 180
            let (cosine, sine) = (SIMD2(cos(angle), sin(angle)), SIMD2(-sin(angle), cos(angle)))
            let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map { u, v in
                SIMD2(x, y) + u * width / 2 * cosine + v * height / 2 * sine
            }
            return try #require(SheetOutline(corners: corners, imageSize: ReadingOrderTests.size))
        }
    }

    /// Places in reading order, as a person reads them.
    private static let scenes: [String: [Place]] = [
        "one": [Place(x: 200, y: 200, width: 100, height: 200)],
        "side by side": [
            Place(x: 100, y: 210, width: 80, height: 200), Place(x: 300, y: 190, width: 80, height: 200),
        ],
        "one above the other": [
            Place(x: 220, y: 100, width: 200, height: 80), Place(x: 180, y: 300, width: 200, height: 80),
        ],
        "two rows of two, askew": [
            Place(x: 100, y: 105, width: 90, height: 150, degrees: 12),
            Place(x: 300, y: 95, width: 90, height: 150, degrees: -9),
            Place(x: 110, y: 295, width: 90, height: 150, degrees: -14),
            Place(x: 290, y: 305, width: 90, height: 150, degrees: 7),
        ],
        "a long one beside two short ones": [
            Place(x: 100, y: 200, width: 80, height: 360), Place(x: 300, y: 80, width: 150, height: 70),
            Place(x: 290, y: 330, width: 150, height: 70),
        ],
        "two short ones beside a long one": [
            Place(x: 110, y: 80, width: 150, height: 70), Place(x: 100, y: 330, width: 150, height: 70),
            Place(x: 300, y: 200, width: 80, height: 360),
        ],
        "a staircase of three in one row": [
            Place(x: 80, y: 120, width: 80, height: 160), Place(x: 200, y: 180, width: 80, height: 160),
            Place(x: 320, y: 240, width: 80, height: 160),
        ],
        "one upon the other": [
            Place(x: 200, y: 180, width: 200, height: 200), Place(x: 210, y: 220, width: 200, height: 200),
        ],
    ]

    @Test("From above, and from the left in a row", arguments: scenes.keys.sorted())
    func order(name: String) throws {
        let ordered = try #require(Self.scenes[name]).map { try $0.outline() }
        var generator = SplitMix64(seed: 4)
        for _ in 0..<8 {
            let search = SheetSearch.found(ordered.shuffled(using: &generator))
            #expect(search.inReadingOrder == ordered, "\(name), found in another order (seed 4)")
            #expect(search.eachInReadingOrder == ordered.map { .found([$0]) })
        }
    }

    @Test("Where none was found there is one search, the same")
    func none() {
        let search = SheetSearch.notFound(.nothingStandsOut)
        #expect(search.inReadingOrder.isEmpty)
        #expect(search.eachInReadingOrder == [search])
    }
}

import Imaging
import RobustStatistics
import Testing

@testable import SheetStitching

/// Seams between parts whose every pixel is given, against all the paths that there are.
@Suite struct SeamTests {
    private static let columns = 9
    /// Rows of pixels that both parts show: the last of the map's nodes, four pixels apart, is then the last
    /// row.
    private static let rows = 9
    /// Rows of pixels that only one part shows.
    private static let own = 11
    /// Two pixels a unit, as the seam takes them, so that its pixels are the pictures' own.
    private static let density = 2.0
    /// The height at which the overlap begins, in units.
    private static let top = Double(own) / density
    /// What a photograph shows around the part, in pixels: no part ends at its photograph's rim.
    private static let rim = 8

    private typealias Shade = (_ x: Int, _ y: Int) -> UInt8

    /// A part of so many rows of pixels, each as its photograph shows it.
    private static func part(
        rows: Int, isOnSheet: (@Sendable (SIMD2<Double>) -> Bool)? = nil, color: (Int, Int) -> RGB
    ) -> FlatPart {
        let size = PixelSize(width: columns, height: rows)
        var photograph = RGBImage(
            width: size.width + 2 * rim, height: size.height + 2 * rim, filledWith: .white)
        for y in 0..<size.height {
            for x in 0..<size.width { photograph[x: x + rim, y: y + rim] = color(x, y) }
        }
        return FlatPart(
            photograph: photograph, map: SamplingMap(outputSize: size, spacing: 1) { $0 + Double(rim) },
            unitsPerPixel: 1 / density, sides: nil, isOnSheet: isOnSheet, certainty: 1, uprightness: 1)
    }

    private static func gray(_ shade: UInt8) -> RGB { RGB(red: shade, green: shade, blue: shade) }

    /// The seam between two parts that show these shades of the overlap, and white of all else.
    private static func seam(
        _ upper: Shade, _ lower: Shade, isOnSheet: (@Sendable (SIMD2<Double>) -> Bool)? = nil
    ) -> Seam? {
        let above = part(rows: own + rows) { x, y in gray(y < own ? 255 : upper(x, y - own)) }
        let below = part(rows: rows + own, isOnSheet: isOnSheet) { x, y in
            gray(y < rows ? lower(x, y) : 255)
        }
        return Seam(
            between: PlacedPart(above, at: Similarity()),
            and: PlacedPart(below, at: Similarity(shift: SIMD2(0, top))), left: 0,
            width: Double(columns) / density)
    }

    /// The row of the overlap that the seam runs through at each column.
    private static func path(_ seam: Seam) -> [Double] {
        (0..<columns).map { x in
            (seam.height(at: (Double(x) + 0.5) / density) - top) * density - 0.5
        }
    }

    /// How much darker than its paper, the shade that three tenths of the overlap reach, a part is.
    private static func ink(_ shades: [[UInt8]]) -> [[Double]] {
        let sorted = shades.joined().sorted()
        let paper = Double(sorted[Int(Double(sorted.count) * 0.7)])
        return shades.map { $0.map { max(0, 1 - Double($0) / paper) } }
    }

    /// The least sum of costs over all paths from left to right, each of them followed to its end.
    private static func leastCost(_ costs: [[Double]]) -> Double {
        func least(_ x: Int, _ y: Int) -> Double {
            guard x + 1 < columns else { return costs[y][x] }
            var rest = Double.infinity
            for next in max(y - 1, 0)...min(y + 1, rows - 1) {
                rest = min(rest, least(x + 1, next) + (next == y ? 0 : 0.01))
            }
            return costs[y][x] + rest
        }
        return (0..<rows).reduce(.infinity) { min($0, least(0, $1)) }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func noPathAtAllIsCheaper(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let shades = (0..<2).map { _ in
            (0..<Self.rows).map { _ in
                (0..<Self.columns).map { _ in UInt8.random(in: 40...255, using: &generator) }
            }
        }
        let found = Self.seam({ shades[0][$1][$0] }, { shades[1][$1][$0] })
        let seam = try #require(found)
        let (upper, lower) = (Self.ink(shades[0]), Self.ink(shades[1]))
        let costs = (0..<Self.rows).map { y in
            (0..<Self.columns).map { x in
                let aside = 2 * Double(y) / Double(Self.rows - 1) - 1
                return 0.02 * aside * aside + upper[y][x] * upper[y][x] + lower[y][x] * lower[y][x]
            }
        }
        let places = Self.path(seam)
        let path = places.map { Int($0.rounded()) }
        try #require(path.allSatisfy { (0..<Self.rows).contains($0) }, "seed \(seed): \(places)")
        // Heights are halves and quarters of units: exact.
        #expect(zip(places, path).allSatisfy { abs($0 - Double($1)) < 1e-9 }, "seed \(seed): \(places)")
        #expect(zip(path, path.dropFirst()).allSatisfy { abs($0 - $1) <= 1 }, "seed \(seed): \(path)")
        let steps = zip(path, path.dropFirst()).count { $0 != $1 }
        let cost = path.indices.reduce(0.01 * Double(steps)) { $0 + costs[path[$1]][$1] }
        // Nine costs of at most 2 in single precision.
        #expect(abs(cost - Self.leastCost(costs)) < 1e-5, "seed \(seed): \(path)")
    }

    @Test(arguments: [true, false])
    func aSlantingGapBetweenRowsIsFollowedWhicheverPartShowsThem(isAbove: Bool) throws {
        // A gap of three rows that sinks by four over the width; it is blank in three tenths of the overlap,
        // which is paper.
        let middle = [2, 2, 3, 3, 4, 4, 5, 5, 6]
        let print: Shade = { x, y in abs(y - middle[x]) <= 1 ? 255 : 30 }
        let blank: Shade = { _, _ in 255 }
        let seam = try #require(isAbove ? Self.seam(print, blank) : Self.seam(blank, print))
        #expect(seam.crossing == 0)
        let path = Self.path(seam)
        #expect(zip(path, middle).allSatisfy { abs($0 - Double($1)) <= 1 }, "\(path)")
        #expect(seam.range.lowerBound < seam.range.upperBound)
    }

    @Test func whatCannotBeGoneAroundIsCrossedAndCounted() throws {
        // Three columns of black on one part; two columns on the other that are a tenth darker than paper,
        // which is no print.
        let found = Self.seam({ x, _ in (3..<6).contains(x) ? 20 : 255 }, { x, _ in x < 2 ? 230 : 255 })
        let seam = try #require(found)
        #expect(seam.crossing == 3.0 / 9)
        // On paper that is the same all the way down it runs where both parts are farthest from their ends.
        #expect(Self.path(seam).allSatisfy { $0 == 4 }, "\(Self.path(seam))")
        // Rather through black than where a part shows nothing.
        // The lower part shows the sheet from the fifth row of the overlap on, where the upper one is black.
        let first = Double(Self.rim + 4)
        let below = Self.seam({ _, y in y < 4 ? 255 : 0 }, { _, _ in 255 }, isOnSheet: { $0.y >= first })
        let hidden = try #require(below)
        #expect(Self.path(hidden).allSatisfy { $0 >= 4 }, "\(Self.path(hidden))")
        #expect(hidden.crossing == 1)
    }

    @Test func theGainIsTheRatioOfThePapersAndPrintHasNoPartInIt() throws {
        func striped(_ paper: RGB) -> (Int, Int) -> RGB {
            { x, _ in x < 3 ? RGB(red: 9, green: 9, blue: 9) : paper }
        }
        let above = Self.part(rows: 20, color: striped(RGB(red: 200, green: 210, blue: 220)))
        let below = Self.part(rows: 20, color: striped(RGB(red: 100, green: 140, blue: 200)))
        let seam = try #require(
            Seam(
                between: PlacedPart(above, at: Similarity()),
                and: PlacedPart(below, at: Similarity(shift: SIMD2(0, Self.top))), left: 0, width: 4.5))
        #expect(seam.gain == SIMD3(2, 1.5, 1.1))
    }

    @Test func partsThatShareLessThanARowHaveNoSeam() {
        let part = Self.part(rows: 20) { _, _ in .white }
        func seam(sharing height: Double, width: Double) -> Seam? {
            Seam(
                between: PlacedPart(part, at: Similarity()),
                and: PlacedPart(part, at: Similarity(shift: SIMD2(0, 10 - height))), left: 0, width: width)
        }
        #expect(seam(sharing: 4, width: 4.5) != nil)
        #expect(seam(sharing: 3.5, width: 4.5) == nil)
        #expect(seam(sharing: -20, width: 4.5) == nil)
        #expect(seam(sharing: 4, width: 0) == nil)
    }
}

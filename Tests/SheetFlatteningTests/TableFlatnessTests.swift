import Foundation
import Imaging
import Testing

@testable import SheetFlattening

@Suite("How far from flat a table looks")
struct TableFlatnessTests {
    let outline: [SIMD2<Double>] = [SIMD2(72, 32), SIMD2(120, 32), SIMD2(120, 112), SIMD2(72, 112)]

    /// A map of inverse depth in 1/metres.
    func map(_ inverse: (Double, Double) -> Double) -> DepthMap {
        DepthMap(readings: Raster<Float>(width: 192, height: 144, filledWith: 1))
            .mapReadings { x, y, _ in Float(1 / inverse(Double(x), Double(y))) }
    }

    func table(_ x: Double, _ y: Double) -> Double { 4 + 0.002 * x - 0.003 * y }

    @Test("A flat table seen at a slant is flat, whatever lies in the outline")
    func flat() throws {
        let depth = map { x, y in
            table(x, y) + ((72...120).contains(x) && (32...112).contains(y) ? 0.5 * sin(x / 5) : 0)
        }
        // Single precision of 0.25 m, averaged over cells of 16 readings.
        let deviation = try #require(TableFlatness.deviation(in: depth, around: outline))
        #expect(deviation < 1e-6)
    }

    @Test("Waves show with their own deviation", arguments: [0.005, 0.02])
    func waves(amplitude: Double) throws {
        let depth = map { x, y in table(x, y) + amplitude * sin(x / 6) * (y > 72 ? 1 : -1) }
        let deviation = try #require(TableFlatness.deviation(in: depth, around: outline))
        // Half of |sin| lies below the root of 1/2. Cells of four pixels take a fiftieth off, and nine of them to a wave leave
        // the median a tenth.
        #expect(abs(deviation / (1.4826 * 0.5.squareRoot() * amplitude) - 1) < 0.15, "\(deviation)")
    }

    @Test("Things on an eighth of the table do not count")
    func things() throws {
        let depth = map { x, y in table(x, y) + (x < 24 ? 0.4 : 0) }
        let deviation = TableFlatness.deviation(in: depth, around: outline)
        // Cauchy's weights leave such things a thousandth of a reading's.
        #expect(try #require(deviation) < 5e-3)
    }

    @Test("Where no table is seen, or what is seen is none, nothing is said")
    func nothing() {
        let whole = [SIMD2(-1.0, -1), SIMD2(192, -1), SIMD2(192, 144), SIMD2(-1, 144)]
        #expect(TableFlatness.deviation(in: map(table), around: whole) == nil)
        #expect(TableFlatness.deviation(in: map(table), around: []) == nil)
        // 5 % of the distance is a landscape.
        let rough = map { x, y in table(x, y) + 0.2 * sin(x / 6) * sin(y / 7) }
        #expect(TableFlatness.deviation(in: rough, around: outline) == nil)
        let empty = DepthMap(readings: Raster<Float>(width: 192, height: 144, filledWith: .nan))
        #expect(TableFlatness.deviation(in: empty, around: outline) == nil)
        let tiny = DepthMap(readings: Raster<Float>(width: 12, height: 9, filledWith: 1))
        #expect(TableFlatness.deviation(in: tiny, around: outline) == nil)
    }
}

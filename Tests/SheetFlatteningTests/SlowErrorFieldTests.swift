import DepthGeometry
import Foundation
import Imaging
import RobustStatistics
import Testing

@testable import SheetFlattening

@Suite("A sensor's slow error, told from the table")
struct SlowErrorFieldTests {
    let outline: [SIMD2<Double>] = [SIMD2(36, 16), SIMD2(60, 16), SIMD2(60, 56), SIMD2(36, 56)]

    /// Inverse depth of a table seen at a slant.
    func table(_ x: Int, _ y: Int) -> Double { 4 + 0.004 * Double(x) - 0.006 * Double(y) }

    /// A slow error of 0.7 % of the distance with waves of 50 to 70 pixels.
    func error(_ x: Int, _ y: Int) -> Double {
        let (x, y) = (Double(x), Double(y))
        return 0.028 * (sin(0.12 * x + 0.03 * y + 0.4) + cos(0.02 * x - 0.1 * y))
    }

    func map(_ inverse: (Int, Int) -> Double) -> DepthMap {
        DepthMap(readings: Raster<Float>(width: 96, height: 72, filledWith: 1))
            .mapReadings { x, y, _ in Float(1 / inverse(x, y)) }
    }

    func deviation(_ values: [Double]) -> Double {
        let mean = values.reduce(0, +) / Double(values.count)
        return (values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)).squareRoot()
    }

    @Test("A smooth error on the table is taken from the sheet, and no shape of the sheet with it")
    func smooth() throws {
        // The sheet itself is bent by 1 % of the distance: that is its own and has to stay.
        func sheet(_ x: Int, _ y: Int) -> Double {
            (36...60).contains(x) && (16...56).contains(y) ? 0.04 * sin(Double(y) / 8) : 0
        }
        let depth = map { x, y in table(x, y) + error(x, y) + sheet(x, y) }
        let field = try #require(SlowErrorField(in: depth, around: outline))
        var (before, after): ([Double], [Double]) = ([], [])
        for y in 18...54 {
            for x in 38...58 {
                before.append(error(x, y))
                after.append(error(x, y) - field.error(x: x, y: y))
            }
        }
        // A plane is left to the table, and a plane over the sheet is no shape: what is left of two waves after a fifth.
        #expect(deviation(after) < deviation(before) / 3, "\(deviation(before)), \(deviation(after))")
        let readings = SurfaceReadings(
            depth: depth,
            intrinsics: CameraIntrinsics(
                fx: 90, fy: 90, cx: 47.5, cy: 35.5, imageSize: PixelSize(width: 96, height: 72)),
            outline: outline
        ).correctingSlowError(in: depth, around: outline)
        for (cell, z) in zip(readings.cells, readings.depths) {
            let (x, y) = (Int(cell.x), Int(cell.y))
            let wanted = table(x, y) + error(x, y) + sheet(x, y) - field.error(x: x, y: y)
            // Float readings of 0.25 m: parts in ten million.
            #expect(abs(1 / z - wanted) < 1e-5)
        }
        #expect(readings.slowError == field.remaining)
    }

    @Test("A rough table, a crumpled one and none give no field")
    func nothing() {
        var generator = SplitMix64(seed: 5)
        let noise = (0..<24 * 18).map { _ in Double.random(in: -0.05...0.05, using: &generator) }
        // Bumps of a cell each, none like its neighbours.
        let rough = map { x, y in table(x, y) + noise[(y / 4) * 24 + x / 4] }
        #expect(SlowErrorField(in: rough, around: outline) == nil)
        let whole: [SIMD2<Double>] = [SIMD2(0, 0), SIMD2(96, 0), SIMD2(96, 72), SIMD2(0, 72)]
        #expect(SlowErrorField(in: map { error($0, $1) + 4 }, around: whole) == nil)
        #expect(SlowErrorField(in: map { error($0, $1) + 4 }, around: []) == nil)
        #expect(
            SlowErrorField(in: map { error($0, $1) + 4 }, around: [SIMD2(.nan, 1)] + whole.prefix(2)) == nil)
        // As uneven as a crumpled cloth: 5 % of the distance.
        #expect(SlowErrorField(in: map { 5 * error($0, $1) + 4 }, around: outline) == nil)
    }
}

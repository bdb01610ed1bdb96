import Foundation
import Imaging
import RobustStatistics
import Testing

@testable import SheetFlattening

@Suite("Contours, masks and table heights")
struct OutlineGeometryTests {
    private let square = Contour([SIMD2(0, 0), SIMD2(10, 0), SIMD2(10, 10), SIMD2(0, 10)])

    @Test("Area is positive clockwise as seen, and normals point outward")
    func orientation() {
        #expect(square.signedArea == 100)
        #expect(Contour(square.points.reversed()).signedArea == -100)
        #expect(square.perimeter == 40)
        let fine = square.resampled(count: 400)
        for (point, normal) in zip(fine.points, fine.normals(reach: 1)) {
            #expect(!square.contains(point + normal))
        }
    }

    @Test("The hull of a dented square is the square, clockwise as seen")
    func hull() {
        let dented = Contour([SIMD2(0, 0), SIMD2(5, 3), SIMD2(10, 0), SIMD2(10, 10), SIMD2(0, 10)])
        #expect(dented.hull.signedArea == 100)
        #expect(dented.hull.count == 4)
    }

    @Test("Simplifying keeps within the tolerance and keeps the points that it must")
    func simplify() {
        let circle = Contour(
            (0..<360).map { SIMD2(cos(Double($0) * .pi / 180), sin(Double($0) * .pi / 180)) * 100 })
        let simple = circle.simplified(tolerance: 0.5, keeping: [17])
        #expect(simple.points.contains(circle.points[17]))
        #expect(simple.count < 60)
        // A chord that stays within 0.5 of a circle of 100 cuts off less than 1 % of it.
        #expect(abs(simple.signedArea / circle.signedArea - 1) < 0.01)
    }

    @Test("The boundary traced around a region encloses its pixels, holes filled")
    func trace() {
        var bits = [UInt8](repeating: 0, count: 12 * 9)
        for y in 2..<7 { for x in 3..<9 { bits[y * 12 + x] = 1 } }
        bits[4 * 12 + 5] = 0
        let mask = BinaryMask(width: 12, height: 9, bits: bits)
        let contour = mask.outerContour(from: 2 * 12 + 3)
        // 5 rows of 6 pixels; a line through the middles of the sides cuts an eighth of a pixel off each corner.
        #expect(contour.signedArea == 30 - 4 * 0.125)
        #expect(mask.components().list.map(\.area) == [29])
    }

    @Test("Chamfer distances are near Euclid's")
    func distances() {
        var bits = [UInt8](repeating: 0, count: 41 * 41)
        bits[20 * 41 + 20] = 1
        let far = BinaryMask(width: 41, height: 41, bits: bits).distances(to: 1)
        for y in 0..<41 {
            for x in 0..<41 {
                let true3 = 3 * hypot(Double(x - 20), Double(y - 20))
                // The 3-4 chamfer is off by at most 8 % (Borgefors 1986).
                #expect(abs(Double(far[y * 41 + x].thirds) - true3) <= 0.081 * true3 + 1e-9)
            }
        }
    }

    @Test("Block means are the blocks' means, the cut-off ones too")
    func blockMeans() {
        var generator = SplitMix64(seed: 4)
        let image = RGBImage(
            width: 23, height: 14,
            elements: (0..<(23 * 14)).map { _ in
                RGB(
                    red: UInt8.random(in: 0...255, using: &generator),
                    green: UInt8.random(in: 0...255, using: &generator),
                    blue: UInt8.random(in: 0...255, using: &generator))
            })
        let small = ReducedPicture(reducing: ReducedPicture(image), toLongestSide: 5)
        #expect(small.factor == 5)
        #expect(small.image.size == PixelSize(width: 5, height: 3))
        for y in 0..<3 {
            for x in 0..<5 {
                var sum = 0.0
                var count = 0.0
                for v in (y * 5)..<min(14, y * 5 + 5) {
                    for u in (x * 5)..<min(23, x * 5 + 5) {
                        sum += Double(image[x: u, y: v].green)
                        count += 1
                    }
                }
                #expect(abs(Double(small.image[x: x, y: y].green) - sum / count) <= 0.5)
            }
        }
        // The first block of 5 x 5 has its centre at pixel (2, 2).
        #expect(small.photographPoint(.zero) == SIMD2(2, 2))
        #expect(small.reducedPoint(SIMD2(2, 2)) == .zero)
    }

    @Test("What stands off a tilted table rises above the noise, the table does not")
    func tableHeight() throws {
        var generator = SplitMix64(seed: 9)
        let depth = DepthMap(
            readings: Raster(
                width: 128, height: 96,
                elements: (0..<(128 * 96)).map { index in
                    let x = Double(index % 128)
                    let y = Double(index / 128)
                    // A plane is affine in 1 / z; a box of 80 x 40 readings stands 20 mm nearer; 1 mm of noise.
                    let table = 1 / (2.5 + 0.002 * x - 0.003 * y)
                    let isBox = x >= 30 && x < 110 && y >= 30 && y < 70
                    return Float(table - (isBox ? 0.02 : 0) + 0.001 * generator.twelveUniform())
                }))
        let height = try #require(TableHeight(depth, size: PixelSize(width: 64, height: 48)))
        for y in 0..<48 {
            for x in 0..<64 {
                let value = height.values[y * 64 + x]
                let isBox = x > 15 && x < 54 && y > 15 && y < 34
                let isTable = x < 14 || x > 56 || y < 14 || y > 36
                // 20 mm are 20 spreads of noise; among 2000 readings of noise none lies beyond 5.
                if isBox { #expect(value > 10, "seed 9, (\(x), \(y))") }
                if isTable { #expect(abs(value) < 6, "seed 9, (\(x), \(y))") }
            }
        }
        // The box takes 80 x 40 of 128 x 96 readings.
        #expect(abs(height.planeShare - (1 - 3200.0 / 12288)) < 0.02)
    }
}

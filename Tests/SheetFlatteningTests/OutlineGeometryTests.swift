import Foundation
import Imaging
import RobustStatistics
import Testing

@testable import SheetFlattening

@Suite("Contours and masks")
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
        var mask = Raster(width: 12, height: 9, filledWith: false)
        for y in 2..<7 { for x in 3..<9 { mask[x: x, y: y] = true } }
        mask[x: 5, y: 4] = false
        let contour = mask.boundary(ofPartAt: 2 * 12 + 3)
        // 5 rows of 6 pixels; a line through the middles of the sides cuts an eighth of a pixel off each corner.
        #expect(contour.signedArea == 30 - 4 * 0.125)
        #expect(mask.parts().list.map(\.area) == [29])
    }

    @Test("Pixels that touch by their corners only are parts of their own")
    func cornersDoNotJoin() {
        var mask = Raster(width: 4, height: 4, filledWith: false)
        mask[x: 0, y: 0] = true
        mask[x: 1, y: 1] = true
        mask[x: 2, y: 1] = true
        let parts = mask.parts()
        #expect(parts.list.map(\.area) == [1, 2])
        #expect(mask.boundary(ofPartAt: parts.list[0].first).signedArea == 1 - 4 * 0.125)
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
}

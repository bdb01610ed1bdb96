import Imaging
import SheetFlattening
import Testing

@Suite("Polygons")
struct PolygonTests {
    /// 4 wide and 3 high, clockwise as seen.
    private static let rectangle = Polygon([SIMD2(1, 1), SIMD2(5, 1), SIMD2(5, 4), SIMD2(1, 4)])

    @Test("Area is positive clockwise as seen and negative the other way round")
    func area() {
        #expect(Self.rectangle.signedArea == 12)
        #expect(Polygon(Self.rectangle.vertices.reversed()).signedArea == -12)
        #expect(Polygon([]).signedArea == 0)
    }

    @Test("The hull leaves out what is inside or on an edge, and has fewer than three points on a line")
    func hull() {
        var vertices = Self.rectangle.vertices
        vertices.insert(SIMD2(3, 1), at: 1)
        vertices.insert(SIMD2(3, 2), at: 3)
        let hull = Polygon(vertices).hull
        #expect(hull.vertices.count == 4)
        #expect(hull.signedArea == 12)
        #expect(Polygon([SIMD2(0, 0), SIMD2(1, 1), SIMD2(2, 2)]).hull.vertices.count == 2)
    }

    @Test func clippingKeepsWhereTheDistanceIsNotNegative() {
        let square = Polygon([SIMD2(0, 0), SIMD2(4, 0), SIMD2(4, 4), SIMD2(0, 4)])
        let half = square.clipped { $0.x + $0.y - 4 }
        // The line runs through two corners, neither of which is doubled.
        #expect(half.vertices.count == 3 && half.signedArea == 8)
        #expect(half.contains(SIMD2(3, 3)) && !half.contains(SIMD2(1, 1)))
        #expect(square.clipped { _ in 1 } == square)
        #expect(square.clipped { _ in -1 }.vertices.isEmpty)
    }

    @Test("The mask holds the pixels whose centres the polygon contains")
    func mask() {
        let slanted = Polygon([SIMD2(0.2, 0.3), SIMD2(8.7, 2.1), SIMD2(6.4, 7.9), SIMD2(2.6, 5.5)])
        let mask = slanted.mask(size: PixelSize(width: 10, height: 9))
        for y in 0..<9 {
            for x in 0..<10 {
                #expect(mask[x: x, y: y] == slanted.contains(SIMD2(Double(x), Double(y))), "(\(x), \(y))")
            }
        }
    }

    @Test("A polygon past the picture's rim is cut off there, and an empty one has no pixel")
    func rim() {
        let large = Polygon([SIMD2(-9, -9), SIMD2(99, -9), SIMD2(99, 99), SIMD2(-9, 99)])
        #expect(large.mask(size: PixelSize(width: 4, height: 3)).elements.allSatisfy { $0 })
        #expect(!Polygon([]).mask(size: PixelSize(width: 4, height: 3)).elements.contains(true))
    }
}

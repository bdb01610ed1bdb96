import Imaging
import Testing

@Suite("Reading between pixels")
struct BilinearCellTests {
    /// 3 + 2x - y + xy on a grid of 5 x 4: bilinear, so every reading is exact but for rounding.
    private static let columns = 5
    private static let rows = 4
    private static func plane(_ p: SIMD2<Double>) -> Double { 3 + 2 * p.x - p.y + p.x * p.y }
    private static func element(_ index: Int) -> Double {
        plane(SIMD2(Double(index % columns), Double(index / columns)))
    }

    @Test("A bilinear function is read back everywhere, by both formulas", arguments: 0..<40)
    func exact(step: Int) {
        let p = SIMD2(Double(step % 8) * 0.57, Double(step / 8) * 0.74)
        let cell = BilinearCell(continuing: p, columns: Self.columns, rows: Self.rows)
        // Values are at most 24; four roundings of half a unit in the last place each.
        #expect(abs(cell.weighted(Self.element) - Self.plane(p)) < 4 * 24 * 0x1p-52)
        #expect(abs(cell.stepped(Self.element) - Self.plane(p)) < 4 * 24 * 0x1p-52)
    }

    @Test("On an element both formulas give the element itself")
    func onElements() {
        for index in 0..<Self.columns * Self.rows {
            let p = SIMD2(Double(index % Self.columns), Double(index / Self.columns))
            let cell = BilinearCell(holding: p, columns: Self.columns, rows: Self.rows)
            #expect(cell.weighted(Self.element) == Self.element(index))
            #expect(cell.stepped(Self.element) == Self.element(index))
        }
    }

    @Test("Beyond the rim: held, continued, or nothing")
    func beyondTheRim() {
        let p = SIMD2(-1.0, 5.0)
        let held = BilinearCell(holding: p, columns: Self.columns, rows: Self.rows)
        #expect(held.weighted(Self.element) == Self.plane(SIMD2(0, 3)))
        let continued = BilinearCell(continuing: p, columns: Self.columns, rows: Self.rows)
        // Halves and whole numbers: no rounding.
        #expect(continued.stepped(Self.element) == Self.plane(p))
        #expect(BilinearCell(inside: p, columns: Self.columns, rows: Self.rows).map(\.index) == nil)
        #expect(BilinearCell(inside: SIMD2(4, 3), columns: Self.columns, rows: Self.rows).map(\.index) == 13)
        #expect(
            BilinearCell(inside: SIMD2(.nan, 0), columns: Self.columns, rows: Self.rows).map(\.index) == nil)
    }

    @Test("A picture of one pixel, one row or one column is read without neighbours")
    func thin() {
        #expect(GrayImage(width: 1, height: 1, elements: [9]).bilinear(at: SIMD2(0.3, -2)) == 9)
        #expect(GrayImage(width: 2, height: 1, elements: [10, 20]).bilinear(at: SIMD2(0.5, 7)) == 15)
        #expect(GrayImage(width: 1, height: 2, elements: [10, 20]).bilinear(at: SIMD2(7, 0.5)) == 15)
    }
}

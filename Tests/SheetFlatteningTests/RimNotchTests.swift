import Imaging
import Testing

@testable import SheetFlattening

@Suite struct RimNotchTests {
    private let size = PixelSize(width: 400, height: 600)

    /// A sheet cut off by the image's upper border, 300 pixels wide; `top` are its points along that border, from left to right.
    private func sheet(top: [(x: Double, y: Double)]) -> Contour {
        Contour(
            top.map { SIMD2($0.x, $0.y) } + [SIMD2(350, 0), SIMD2(350, 500), SIMD2(50, 500), SIMD2(50, 0)])
    }

    @Test("Print that touches the border is no gap in the paper") func notch() {
        let contour = sheet(top: [(100, 0), (150, 0), (150, 40), (200, 40), (200, 0), (260, 0)])
        let closed = contour.closingRimNotches(of: size)
        #expect(!closed.points.contains { $0.y == 40 })
        #expect(closed.signedArea == 300 * 500)
    }

    @Test("A torn end that touches the border in places keeps its gaps") func tornEnd() {
        let contour = sheet(top: [(100, 0), (105, 0), (150, 40), (200, 0), (205, 0), (250, 40), (300, 0)])
        #expect(contour.closingRimNotches(of: size) == contour)
    }

    @Test("A hand, a wobble of the line and the sheet itself are no notches") func others() {
        let hand = sheet(top: [(60, 0), (150, 0), (150, 300), (200, 300), (200, 0), (260, 0)])
        #expect(hand.closingRimNotches(of: size) == hand)
        let wobble = sheet(top: [(60, 0), (150, 0), (150, 4), (200, 4), (200, 0), (260, 0)])
        #expect(wobble.closingRimNotches(of: size) == wobble)
        let plain = sheet(top: [])
        #expect(plain.closingRimNotches(of: size) == plain)
    }

    @Test("Notches at all four borders are closed") func allBorders() {
        let contour = Contour(
            [
                (0, 0), (150, 0), (150, 30), (200, 30), (200, 0), (399, 0),
                (399, 200), (370, 200), (370, 250), (399, 250), (399, 599),
                (250, 599), (250, 570), (200, 570), (200, 599), (0, 599),
                (0, 400), (30, 400), (30, 350), (0, 350),
            ].map { SIMD2(Double($0.0), Double($0.1)) })
        #expect(contour.closingRimNotches(of: size).signedArea == 399 * 599)
    }
}

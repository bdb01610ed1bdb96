import Foundation
import Testing

@testable import SheetFlattening

/// The rectangle that encloses a flat sheet.
@Suite struct PageFrameTests {
    /// The corners of a rectangle, turned about the origin.
    private func rectangle(width: Double, height: Double, turnedBy angle: Double) -> [SIMD2<Double>] {
        [(0.0, 0.0), (width, 0), (width, height), (0, height)].map { x, y in
            SIMD2(x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle))
        }
    }

    @Test("A turned rectangle is enclosed exactly", arguments: [-1.2, -0.4, 0.0, 0.1, 0.7, 2.5])
    func turned(angle: Double) throws {
        let corners = rectangle(width: 0.08, height: 0.2, turnedBy: angle)
        let frame = try #require(PageFrame(enclosing: corners, margin: 0.002))
        let sides = [frame.size.x, frame.size.y].sorted()
        #expect(abs(sides[0] - 0.084) < 1e-9 && abs(sides[1] - 0.204) < 1e-9)
        for corner in corners {
            let offset = frame.offset(of: corner)
            #expect(offset.x > 0.0019 && offset.y > 0.0019)
            #expect(offset.x < frame.size.x - 0.0019 && offset.y < frame.size.y - 0.0019)
        }
    }

    @Test func aTornEndDoesNotTurnTheFrame() throws {
        // The upper end is torn in a zigzag that rises by 6 mm from left to right; the sides are straight.
        var outline = [SIMD2(0.08, 0.2), SIMD2(0.0, 0.2), SIMD2(0.0, 0.0)]
        for step in 1..<16 {
            let x = 0.005 * Double(step)
            outline.append(SIMD2(x, -0.006 * x / 0.08 + (step % 2 == 0 ? 0.001 : -0.001)))
        }
        outline.append(SIMD2(0.08, -0.006))
        let frame = try #require(PageFrame(enclosing: outline, margin: 0))
        let axis = abs(frame.xAxis.x) > abs(frame.xAxis.y) ? frame.xAxis : frame.yAxis
        let turn = atan2(abs(axis.y), abs(axis.x)) * 180 / .pi
        // The torn end is inclined by 4.3 degrees; 0.08 m of it weigh little against 0.48 m of straight edges.
        #expect(turn < 0.7)
    }

    @Test func fourTurnsLeaveTheFrameAsItWas() throws {
        let frame = PageFrame(origin: SIMD2(0.01, 0.02), xAxis: SIMD2(0.6, 0.8), size: SIMD2(0.08, 0.2))
        var turned = frame
        for _ in 0..<4 { turned = turned.turned(clockwiseQuarters: 1) }
        #expect(
            abs(turned.origin.x - frame.origin.x) < 1e-12 && abs(turned.origin.y - frame.origin.y) < 1e-12)
        #expect(frame.turned(clockwiseQuarters: 4) == frame)
    }

    @Test func aClockwiseTurnTakesTheLowerLeftCornerToTheUpperLeft() {
        let frame = PageFrame(origin: SIMD2(0, 0), size: SIMD2(0.08, 0.2))
        let turned = frame.turned(clockwiseQuarters: 1)
        #expect(turned.origin == SIMD2(0, 0.2))
        #expect(turned.size == SIMD2(0.2, 0.08))
        #expect(turned.xAxis == SIMD2(0, -1), "what was up is now right")
        #expect(turned.yAxis == SIMD2(1, 0), "what was right is now down")
    }

    @Test func aLineHasNoFrame() {
        #expect(PageFrame(enclosing: [SIMD2(0, 0), SIMD2(1, 1), SIMD2(2, 2)], margin: 0) == nil)
    }
}

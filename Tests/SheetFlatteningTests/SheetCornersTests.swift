import Foundation
import Imaging
import Testing

@testable import SheetFlattening

@Suite("Corners of a contour")
struct SheetCornersTests {
    @Test(
        "Corners that tracking rounded are where the sides meet, on a sheet of thirty points a side or of five hundred",
        arguments: [90.0, 1500])
    func rounded(width: Double) throws {
        // Rounded by 5 pixels the line passes 2.1 pixels inside each corner; its points lie 3 apart, as in guidance.
        let (radius, height) = (5.0, 1.6 * width)
        let corners = [
            SIMD2(20.0, 30), SIMD2(20 + width, 30), SIMD2(20 + width, 30 + height), SIMD2(20, 30 + height),
        ]
        let middles = [
            SIMD2(radius, radius), SIMD2(-radius, radius), SIMD2(-radius, -radius), SIMD2(radius, -radius),
        ]
        let points = (0..<4).flatMap { corner in
            (0...20).map { step in
                let angle = (Double(corner) + Double(step) / 20) * .pi / 2 + .pi
                return corners[corner] + middles[corner] + radius * SIMD2(cos(angle), sin(angle))
            }
        }
        let line = Contour(points)
        let (sharp, found) = SheetCorners(
            contour: line.resampled(count: Int(line.perimeter / 3)),
            imageSize: PixelSize(width: 2000, height: 3000)
        ).refined()
        let indices = try #require(found)
        for corner in corners {
            let error = indices.map { distance(sharp.points[$0], corner) }.min() ?? .infinity
            // The sides are straight but for their points: what is left is rounding.
            #expect(error < 0.01, "\(corner) of \(indices.map { sharp.points[$0] })")
        }
    }
}

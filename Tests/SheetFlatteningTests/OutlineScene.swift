import Foundation
import Imaging
import RobustStatistics

/// A sheet on a table, drawn for a test: everything about it is known.
struct OutlineScene {
    var width = 480
    var height = 360
    /// The sheet's corners in pixel-centre coordinates, clockwise as seen.
    var corners: [SIMD2<Double>] = [
        SIMD2(150.3, 60.2), SIMD2(300.7, 80.9), SIMD2(280.1, 300.4), SIMD2(120.6, 270.8),
    ]
    var paper = SIMD3<Double>(225, 224, 220)
    var table = SIMD3<Double>(95, 90, 92)
    /// Lines of text, dark dashes between the second and the last eighth of the sheet.
    var hasText = true
    /// How much of the sheet's first corner is cut off: the cut runs straight between its two sides, this share along each.
    var cut = 0.0
    /// Standard deviation of the noise on each channel, in levels.
    var noise = 3.0
    /// What the table looks like at a place, beside `table`.
    var tablePattern: @Sendable (SIMD2<Double>) -> Double = { _ in 0 }
    /// A factor on all light at a place.
    var light: @Sendable (SIMD2<Double>) -> Double = { _ in 1 }
    var seed: UInt64 = 1

    /// The picture, each pixel the mean of 4 x 4 samples, so that edges have their true place to a fraction of a pixel.
    func image() -> RGBImage {
        var generator = SplitMix64(seed: seed)
        let homography = unitSquare()
        return Raster(width: width, height: height) { pixels in
            for y in 0..<height {
                for x in 0..<width {
                    var sum = SIMD3<Double>()
                    for subY in 0..<4 {
                        for subX in 0..<4 {
                            let p = SIMD2(
                                Double(x) + (Double(subX) - 1.5) / 4, Double(y) + (Double(subY) - 1.5) / 4)
                            sum += color(at: p, homography) * light(p)
                        }
                    }
                    sum /= 16
                    sum +=
                        noise
                        * SIMD3(
                            generator.twelveUniform(), generator.twelveUniform(), generator.twelveUniform())
                    func byte(_ value: Double) -> UInt8 { UInt8(min(max(value.rounded(), 0), 255)) }
                    pixels.initializeElement(
                        at: y * width + x, to: RGB(red: byte(sum.x), green: byte(sum.y), blue: byte(sum.z)))
                }
            }
        }
    }

    /// The sheet's area in the picture, nothing cut off, by the shoelace formula.
    var area: Double {
        var sum = 0.0
        for i in 0..<4 {
            let a = corners[i]
            let b = corners[(i + 1) % 4]
            sum += a.x * b.y - b.x * a.y
        }
        return sum / 2
    }

    private func color(at p: SIMD2<Double>, _ h: [Double]) -> SIMD3<Double> {
        let w = h[6] * p.x + h[7] * p.y + h[8]
        let u = (h[0] * p.x + h[1] * p.y + h[2]) / w
        let v = (h[3] * p.x + h[4] * p.y + h[5]) / w
        guard u >= 0, u <= 1, v >= 0, v <= 1, u + v >= cut else {
            return table + SIMD3(repeating: tablePattern(p))
        }
        if hasText, v > 0.125, v < 0.875, u > 0.1, u < 0.9 {
            let line = v * 20
            let letter = u * 30 + line.rounded(.down) * 0.37
            if line - line.rounded(.down) < 0.4, letter - letter.rounded(.down) < 0.6 {
                return SIMD3(60, 60, 60)
            }
        }
        return paper
    }

    /// The projective map from the picture to the unit square (Heckbert 1989, inverted by the adjugate).
    private func unitSquare() -> [Double] {
        let p = corners
        let s = p[0] - p[1] + p[2] - p[3]
        let a = p[1] - p[2]
        let b = p[3] - p[2]
        let determinant = a.x * b.y - b.x * a.y
        let g = (s.x * b.y - b.x * s.y) / determinant
        let h = (a.x * s.y - s.x * a.y) / determinant
        let m = [
            p[1].x - p[0].x + g * p[1].x, p[3].x - p[0].x + h * p[3].x, p[0].x,
            p[1].y - p[0].y + g * p[1].y, p[3].y - p[0].y + h * p[3].y, p[0].y,
            g, h, 1,
        ]
        return [
            m[4] * m[8] - m[5] * m[7], m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
            m[5] * m[6] - m[3] * m[8], m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
            m[3] * m[7] - m[4] * m[6], m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3],
        ]
    }
}

extension SplitMix64 {
    /// Nearly a number of the standard normal distribution: the sum of twelve uniform ones, less six. The scenes' tolerances
    /// were measured with this noise.
    mutating func twelveUniform() -> Double {
        var sum = -6.0
        for _ in 0..<12 { sum += Double(next() >> 11) * 0x1p-53 }
        return sum
    }
}

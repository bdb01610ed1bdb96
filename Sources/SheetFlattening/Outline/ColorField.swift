import Imaging

/// The three colour channels of a small picture as floating-point numbers, sampled between pixels.
struct ColorField: Sendable {
    let width: Int
    let height: Int
    let colors: [SIMD4<Float>]

    /// A field from a picture, averaged over 3 x 3 pixels when `smoothing` so that grain counts less. O(pixels).
    init(_ image: RGBImage, smoothing: Bool) {
        let width = image.width
        let height = image.height
        self.width = width
        self.height = height
        let plain = image.elements.map { SIMD4<Float>(Float($0.red), Float($0.green), Float($0.blue), 0) }
        guard smoothing, width > 2, height > 2 else {
            colors = plain
            return
        }
        colors = Self.averaged(plain, width: width, height: height)
    }

    /// Means over 3 x 3 pixels, held at the rim. O(pixels).
    static func averaged(_ plain: [SIMD4<Float>], width: Int, height: Int) -> [SIMD4<Float>] {
        var rows = plain
        for y in 0..<height {
            for x in 0..<width {
                let i = y * width + x
                rows[i] = (plain[x > 0 ? i - 1 : i] + plain[i] + plain[x + 1 < width ? i + 1 : i]) / 3
            }
        }
        var result = rows
        for y in 0..<height {
            let above = y > 0 ? -width : 0
            let below = y + 1 < height ? width : 0
            for x in 0..<width {
                let i = y * width + x
                result[i] = (rows[i + above] + rows[i] + rows[i + below]) / 3
            }
        }
        return result
    }

    /// Whether a position lies between pixel centres of the picture.
    @inline(__always)
    func holds(_ p: SIMD2<Double>) -> Bool {
        p.x >= 0 && p.y >= 0 && p.x <= Double(width - 1) && p.y <= Double(height - 1)
    }

    /// The colour at a position, bilinear, held at the rim.
    func color(at p: SIMD2<Double>) -> SIMD4<Float> {
        let x = min(max(p.x, 0), Double(width - 1))
        let y = min(max(p.y, 0), Double(height - 1))
        let i = min(Int(x), max(width - 2, 0))
        let j = min(Int(y), max(height - 2, 0))
        let s = Float(x - Double(i))
        let t = Float(y - Double(j))
        let right = width > 1 ? 1 : 0
        let down = height > 1 ? width : 0
        let base = j * width + i
        let top = colors[base] * (1 - s) + colors[base + right] * s
        let bottom = colors[base + down] * (1 - s) + colors[base + down + right] * s
        return top * (1 - t) + bottom * t
    }
}

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
        Raster(width: width, height: height, elements: plain).smoothed { ($0 + $1 + $2) / 3 }.elements
    }

    /// Whether a position lies between pixel centres of the picture.
    @inline(__always)
    func holds(_ p: SIMD2<Double>) -> Bool {
        p.x >= 0 && p.y >= 0 && p.x <= Double(width - 1) && p.y <= Double(height - 1)
    }

    /// The colour at a position, bilinear, held at the rim.
    func color(at p: SIMD2<Double>) -> SIMD4<Float> {
        BilinearCell(holding: p, columns: width, rows: height).weighted { colors[$0] }
    }
}

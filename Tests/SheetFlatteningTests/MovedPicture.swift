import Imaging

extension Raster where Element == RGB {
    /// The picture with pixels from other places of it, each the nearest; what lies beyond has the colour of its first pixel.
    /// - Parameter source: where a pixel of the result comes from.
    func moved(_ source: (SIMD2<Double>) -> SIMD2<Double>) -> RGBImage {
        var result = self
        for y in 0..<height {
            for x in 0..<width {
                let from = source(SIMD2(Double(x), Double(y)))
                let (i, j) = (Int(from.x.rounded()), Int(from.y.rounded()))
                let isInside = (0..<width).contains(i) && (0..<height).contains(j)
                result[x: x, y: y] = isInside ? self[x: i, y: j] : self[x: 0, y: 0]
            }
        }
        return result
    }
}

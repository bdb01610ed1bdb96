import Imaging
import RobustStatistics

extension Raster where Element == RGB {
    /// Every channel of every pixel drawn on its own.
    static func noise(width: Int, height: Int, seed: UInt64) -> RGBImage {
        var generator = SplitMix64(seed: seed)
        return RGBImage(
            width: width, height: height,
            elements: (0..<width * height).map { _ in
                let bits = generator.next()
                return RGB(
                    red: UInt8(truncatingIfNeeded: bits), green: UInt8(truncatingIfNeeded: bits >> 8),
                    blue: UInt8(truncatingIfNeeded: bits >> 16))
            })
    }
}

extension Raster {
    /// Each element from its column and row.
    init(width: Int, height: Int, at element: (Int, Int) -> Element) {
        var elements: [Element] = []
        for y in 0..<height {
            for x in 0..<width { elements.append(element(x, y)) }
        }
        self.init(width: width, height: height, elements: elements)
    }
}

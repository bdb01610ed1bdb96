import Imaging

/// Numbers that look random and are the same in every run (SplitMix64, Steele et al. 2014).
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension Raster where Element == RGB {
    /// Every channel of every pixel drawn on its own.
    static func noise(width: Int, height: Int, seed: UInt64) -> RGBImage {
        var generator = SeededGenerator(seed: seed)
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

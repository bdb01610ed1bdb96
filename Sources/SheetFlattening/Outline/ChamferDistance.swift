/// A distance along a raster in straight steps, which count 3, and diagonal ones, which count 4: off by at most 8 %
/// (Borgefors 1986).
struct ChamferDistance: Comparable, Sendable {
    /// The distance in thirds of a pixel.
    var thirds: UInt16

    /// No distance.
    static let zero = ChamferDistance(thirds: 0)

    /// A whole number of pixels, 0 to 20,000.
    static func pixels(_ count: Int) -> ChamferDistance { ChamferDistance(thirds: UInt16(3 * count)) }

    /// A number of pixels, 0 to 20,000, rounded down to thirds.
    static func pixels(_ count: Double) -> ChamferDistance { ChamferDistance(thirds: UInt16(count * 3)) }

    /// The distance in pixels.
    var pixels: Double { Double(thirds) / 3 }

    static func < (one: ChamferDistance, other: ChamferDistance) -> Bool { one.thirds < other.thirds }
}

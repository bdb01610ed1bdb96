/// Depth as a camera measured it: for each pixel the distance along the optical axis, with NaN where there is no reading.
///
/// Readings are z-depth (planar), not ray length; `DepthGeometry` converts radial readings once the intrinsics are known.
/// Zero, negative and infinite readings become NaN on creation, so a reading is valid exactly if it is not NaN.
public struct DepthMap: Equatable, Sendable {
    /// What the map's numbers mean.
    public enum Scale: String, Codable, Sendable {
        /// Metres.
        case metric
        /// True up to an unknown factor (1/z is affine in the readings' source): shape, never size.
        case relative
    }

    /// Distance along the optical axis (z forward) in metres, or in unknown units for `.relative`; NaN = no reading.
    public private(set) var values: Raster<Float>
    /// Whether `values` are metres.
    public let scale: Scale

    /// Depth from floating-point readings of any unit.
    /// - Parameters:
    ///   - readings: zero, negative, NaN and infinite values mean "no reading".
    ///   - metersPerUnit: size of one unit in metres, finite and greater than 0.
    ///   - scale: `.relative` if the true unit is unknown.
    public init(readings: Raster<Float>, metersPerUnit: Float = 1, scale: Scale = .metric) {
        precondition(metersPerUnit.isFinite && metersPerUnit > 0, "a depth unit is finite and greater than 0")
        values = readings.map { reading in
            let depth = reading * metersPerUnit
            return depth > 0 && depth.isFinite ? depth : .nan
        }
        self.scale = scale
    }

    /// Depth from 16-bit readings, exactly as stored; 0 means "no reading".
    /// - Parameters:
    ///   - raw: the readings as stored.
    ///   - metersPerUnit: size of one unit in metres (0.001 for millimetres), finite and greater than 0.
    public init(raw: Raster<UInt16>, metersPerUnit: Float) {
        self.init(readings: raw.map(Float.init), metersPerUnit: metersPerUnit)
    }

    /// Depth from disparity: z = 1 / d.
    /// - Parameters:
    ///   - disparity: in 1/metres for `.metric` (as phones store it); zero, negative and non-finite mean "no reading".
    ///   - scale: `.relative` if only the shape can be trusted.
    public init(disparity: Raster<Float>, scale: Scale = .metric) {
        self.init(readings: disparity.map { 1 / $0 }, scale: scale)
    }

    /// Number of columns.
    public var width: Int { values.width }
    /// Number of rows.
    public var height: Int { values.height }
    /// The size as one value.
    public var size: PixelSize { values.size }

    /// The depth at column `x` of row `y`; NaN = no reading.
    public subscript(x x: Int, y y: Int) -> Float { values[x: x, y: y] }

    /// The share of pixels with a reading, 0 to 1. O(pixels).
    public var validFraction: Double {
        values.elements.isEmpty ? 0 : Double(validCount) / Double(values.elements.count)
    }

    /// How many pixels have a reading. O(pixels), four at a time.
    package var validCount: Int {
        values.elements.withUnsafeBufferPointer { readings in
            let counted = readings.count / 4 * 4
            var counts = SIMD4<Int32>.zero
            for index in stride(from: 0, to: counted, by: 4) {
                let four = SIMD4(
                    readings[index], readings[index + 1], readings[index + 2], readings[index + 3])
                // Only NaN differs from itself.
                counts.replace(with: counts &+ 1, where: four .== four)
            }
            return Int(counts.wrappedSum()) + readings[counted...].count { !$0.isNaN }
        }
    }

    /// The same map without the readings for which `isTrusted` is false.
    /// - Precondition: the mask has the map's size.
    package func masked(by isTrusted: Raster<Bool>) -> DepthMap {
        precondition(isTrusted.size == size, "a mask has its map's size")
        var masked = self
        for index in isTrusted.elements.indices where !isTrusted.elements[index] {
            masked.values.elements[index] = .nan
        }
        return masked
    }

    /// Returns the map with its readings transformed; results that are zero, negative or non-finite become "no reading".
    package func mapReadings(_ transform: (_ x: Int, _ y: Int, _ depth: Float) -> Float) -> DepthMap {
        var readings = values
        for y in 0..<height {
            for x in 0..<width {
                let index = y * width + x
                readings.elements[index] = transform(x, y, readings.elements[index])
            }
        }
        return DepthMap(readings: readings, scale: scale)
    }

    /// The map turned with the image that it belongs to.
    package func oriented(by orientation: ImageOrientation) -> DepthMap {
        var turned = self
        turned.values = values.oriented(by: orientation)
        return turned
    }
}

public import Diagnostics
public import Imaging

/// A lens given by a table of radial magnifications, as Apple's `AVCameraCalibrationData` describes its cameras.
///
/// The table holds n values m at evenly spaced radii from 0 to R, the distance in pixels from the distortion centre to the
/// farthest corner of the image. A point at the offset v from the centre moves to v (1 + m(|v|)); m is interpolated
/// linearly and constant past R. `lensDistortionLookupTable` maps the ideal (rectilinear) image to the photograph,
/// `inverseLensDistortionLookupTable` maps back.
///
/// If both are given, use only the first: it is inverted exactly here, so distorting undoes undistorting to the last
/// digits. Two tables that are rounded separately do not have this property.
public struct RadialDistortionTable: Equatable, Sendable {
    /// Which way a table maps.
    public enum Direction: Sendable {
        /// From the ideal image to the photograph: `lensDistortionLookupTable`.
        case distorting
        /// From the photograph to the ideal image: `inverseLensDistortionLookupTable`.
        case undistorting
    }

    /// Relative magnifications at evenly spaced radii, the first at 0, the last at `maximumRadius`.
    package let magnifications: [Double]
    /// Which way they map.
    package let direction: Direction
    /// The distortion centre in pixels, often near but not at the principal point.
    package let center: SIMD2<Double>
    /// The radius of the table's last value, in pixels along x and along y (equal unless the image was scaled unevenly).
    package let maximumRadius: SIMD2<Double>
    /// The mapped radius of each table entry, relative to the last radius; strictly increasing.
    private let imageRadii: [Double]

    /// A lens from its table.
    /// - Parameters:
    ///   - magnifications: at least two values, as stored.
    ///   - direction: which of the two tables it is.
    ///   - center: the distortion centre in pixels of an image of `imageSize`, the top-left pixel's centre at (0, 0).
    ///   - imageSize: the whole image that the centre refers to; its corners set the table's last radius.
    /// - Throws: `badInput` for fewer than two values, values that are not finite, mapped radii that do not increase (such
    ///   a table maps two points to one) or a centre that is not finite.
    public init(
        magnifications: [Double], direction: Direction, center: SIMD2<Double>, imageSize: PixelSize
    ) throws(FlatteningError) {
        guard magnifications.count >= 2 else {
            throw FlatteningError(
                .badInput, "a distortion table needs at least two values", stage: .distortion,
                seen: "\(magnifications.count)")
        }
        guard magnifications.allSatisfy(\.isFinite), center.isFinite else {
            throw FlatteningError(
                .badInput, "the distortion table or its centre holds NaN or infinity", stage: .distortion)
        }
        let farX = max(center.x + 0.5, Double(imageSize.width) - 0.5 - center.x)
        let farY = max(center.y + 0.5, Double(imageSize.height) - 0.5 - center.y)
        let radius = SIMD2(farX, farY).length
        self.init(
            magnifications: magnifications, direction: direction, center: center,
            maximumRadius: SIMD2(radius, radius))
        guard zip(imageRadii, imageRadii.dropFirst()).allSatisfy({ $0 < $1 }) else {
            throw FlatteningError(
                .badInput, "the distortion table folds the picture over itself", stage: .distortion,
                allowed: "values m for which r (1 + m(r)) increases with r")
        }
    }

    private init(
        magnifications: [Double], direction: Direction, center: SIMD2<Double>, maximumRadius: SIMD2<Double>
    ) {
        self.magnifications = magnifications
        self.direction = direction
        self.center = center
        self.maximumRadius = maximumRadius
        let last = Double(magnifications.count - 1)
        imageRadii = magnifications.enumerated().map { Double($0.offset) / last * (1 + $0.element) }
    }

    /// Where the lens moves a point of the ideal image, both in pixels.
    package func distort(_ pixel: SIMD2<Double>) -> SIMD2<Double> {
        direction == .distorting ? lookUp(pixel) : invert(pixel)
    }

    /// The point of the ideal image that the lens moved to a pixel of the photograph, both in pixels.
    package func undistort(_ pixel: SIMD2<Double>) -> SIMD2<Double> {
        direction == .distorting ? invert(pixel) : lookUp(pixel)
    }

    private func lookUp(_ pixel: SIMD2<Double>) -> SIMD2<Double> {
        let offset = pixel - center
        let position = (offset / maximumRadius).length * Double(magnifications.count - 1)
        guard position.isFinite else { return SIMD2(.nan, .nan) }
        return center + offset * (1 + magnification(at: position))
    }

    /// The magnification at a position counted in table steps.
    private func magnification(at position: Double) -> Double {
        let last = magnifications.count - 1
        guard position < Double(last) else { return magnifications[last] }
        let index = Int(position)
        let fraction = position - Double(index)
        return magnifications[index] * (1 - fraction) + magnifications[index + 1] * fraction
    }

    private func invert(_ pixel: SIMD2<Double>) -> SIMD2<Double> {
        let offset = pixel - center
        let radius = (offset / maximumRadius).length
        guard radius.isFinite else { return SIMD2(.nan, .nan) }
        guard radius > 0 else { return pixel }
        let last = magnifications.count - 1
        guard radius < imageRadii[last] else { return center + offset / (1 + magnifications[last]) }

        // The last table index whose mapped radius is at most `radius`.
        var low = 0
        var high = last
        while high - low > 1 {
            let middle = (low + high) / 2
            if imageRadii[middle] <= radius { low = middle } else { high = middle }
        }
        // Within a step both radius and magnification are linear, so their product is quadratic in the fraction t: (low +
        // t) (1 + a + b t) = radius · last. Takes the root between 0 and 1, in the form without cancellation.
        let target = radius * Double(last)
        let start = Double(low)
        let a = 1 + magnifications[low]
        let b = magnifications[low + 1] - magnifications[low]
        let linear = a + b * start
        let constant = a * start - target
        let root = (linear * linear - 4 * b * constant).squareRoot()
        let fraction = -2 * constant / (linear + root)
        return center + offset * ((start + fraction) / target)
    }

    /// The same lens for the image at another size.
    package func scaled(from size: PixelSize, to newSize: PixelSize) -> RadialDistortionTable {
        let scale = SIMD2(
            Double(newSize.width) / Double(size.width), Double(newSize.height) / Double(size.height))
        return RadialDistortionTable(
            magnifications: magnifications, direction: direction,
            center: (center + 0.5) * scale - 0.5, maximumRadius: maximumRadius * scale)
    }

    /// The same lens for the image turned upright.
    /// - Parameters:
    ///   - orientation: how the image is turned.
    ///   - size: the image's size before turning.
    package func rotated(_ orientation: ImageOrientation, in size: PixelSize) -> RadialDistortionTable {
        RadialDistortionTable(
            magnifications: magnifications, direction: direction, center: orientation.turn(center, in: size),
            maximumRadius: orientation.swapsAxes
                ? SIMD2(maximumRadius.y, maximumRadius.x) : maximumRadius)
    }

    /// The same lens for a part of the image whose top-left pixel is (x, y).
    package func cropped(x: Int, y: Int) -> RadialDistortionTable {
        RadialDistortionTable(
            magnifications: magnifications, direction: direction,
            center: center - SIMD2(Double(x), Double(y)), maximumRadius: maximumRadius)
    }
}

import DepthGeometry
package import Imaging

/// A rectangle of the flat sheet that becomes an image.
///
/// Flat coordinates are metres, seen from the camera's side: never mirrored, y clockwise from x as in an image.
package struct PageFrame: Equatable, Sendable {
    /// The image's top-left corner (the corner of its first pixel, not its centre).
    package var origin: SIMD2<Double>
    /// Unit vector along the image's rows.
    package var xAxis: SIMD2<Double>
    /// Width and height in metres.
    package var size: SIMD2<Double>

    /// Creates a rectangle from its corner, direction and size.
    /// - Precondition: `xAxis` has length 1 to within a millionth, sizes are greater than 0.
    package init(origin: SIMD2<Double>, xAxis: SIMD2<Double> = SIMD2(1, 0), size: SIMD2<Double>) {
        precondition(abs(xAxis.length - 1) < 1e-6, "an axis has length 1")
        precondition(size.x > 0 && size.y > 0, "a frame has an area")
        self.origin = origin
        self.xAxis = xAxis
        self.size = size
    }

    /// Unit vector down the image's columns: `xAxis` turned clockwise as seen.
    package var yAxis: SIMD2<Double> { SIMD2(-xAxis.y, xAxis.x) }

    /// The size of an image of this rectangle.
    /// - Parameter density: pixels per metre of the image.
    package func pictureSize(density: Double) -> PixelSize {
        PixelSize(
            width: max(1, Int((size.x * density).rounded())),
            height: max(1, Int((size.y * density).rounded())))
    }

    /// The flat position at an offset from the corner, in metres along the image's rows and columns.
    package func flatPosition(at offset: SIMD2<Double>) -> SIMD2<Double> {
        origin + xAxis * offset.x + yAxis * offset.y
    }

    /// The offset of a flat position from the corner, in metres along the image's rows and columns.
    package func offset(of flat: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2((flat - origin).dot(xAxis), (flat - origin).dot(yAxis))
    }
}

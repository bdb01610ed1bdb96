import Diagnostics
import Captures
package import DepthGeometry
import Platform
package import Imaging
package import SheetFlattening
import RobustStatistics

/// An image of what the depth sensor measured: height above the sheet's plane in colour, with contour bands.
///
/// Blue lies behind the plane, white on it, red in front of it. Each band is `bandMillimeters` high, with its lower edge
/// drawn darker. The image is dark grey where there is no reading.
package struct ReliefPreview: Sendable {
    /// The image, at a whole multiple of the depth map's resolution.
    package internal(set) var image: RGBImage
    /// Height of one band; a 1-2-5 step chosen so that the sheet's relief spans about ten bands.
    package let bandMillimeters: Double
    /// The least relief that is spread over the colour scale, in millimetres: a tenth of what the best sensors can resolve.
    /// Anything lower is rounding error.
    private static let leastSpan = 0.01
    /// The colour scale's limit, above and below the plane.
    package let rangeMillimeters: Double

    /// Draws a depth map.
    /// - Parameters:
    ///   - heights: for each reading its height above the plane, towards the camera, in millimetres (or in any unit if the
    ///     scale is not known); NaN = no reading.
    ///   - isOnSheet: the readings that decide the range; if there are none, all decide.
    ///   - minimumWidth: the image is enlarged by a whole factor until it is at least this wide.
    /// - Complexity: O(readings log readings + output pixels).
    package init(heights: Raster<Float>, isOnSheet: Raster<Bool>, minimumWidth: Int = 640) {
        precondition(heights.size == isOnSheet.size, "a mask has its map's size")
        let onSheet = zip(heights.elements, isOnSheet.elements).filter { $0.1 && !$0.0.isNaN }.map {
            abs($0.0)
        }
        let counted = onSheet.isEmpty ? heights.elements.filter { !$0.isNaN }.map(abs) : onSheet
        // The highest two hundredths may saturate, so that single outliers do not flatten the scale.
        let span =
            counted.isEmpty ? 1 : max(Double(counted.ranked((counted.count - 1) * 98 / 100)), Self.leastSpan)
        bandMillimeters = Self.step(near: span / 5)
        rangeMillimeters = (span / bandMillimeters).rounded(.up) * bandMillimeters

        let scale = max(1, (minimumWidth + max(heights.width, 1) - 1) / max(heights.width, 1))
        let band = bandMillimeters
        let range = rangeMillimeters
        let bandCount = (range / band).rounded()
        func bandIndex(_ x: Int, _ y: Int) -> Int? {
            let height = Self.medianHeight(around: x, y, in: heights)
            return height.isNaN
                ? nil : Int(min(max((height / band).rounded(.down), -bandCount), bandCount - 1))
        }
        let size = PixelSize(width: heights.width * scale, height: heights.height * scale)
        let bands = Raster(
            width: heights.width, height: heights.height,
            elements: (0..<heights.height).flatMap { y in (0..<heights.width).map { x in bandIndex(x, y) } })
        image = unsafe RGBImage(width: size.width, height: size.height) { pixels in
            for y in 0..<heights.height {
                for x in 0..<heights.width {
                    let index = bands[x: x, y: y]
                    let right = x + 1 < heights.width ? bands[x: x + 1, y: y] : nil
                    let below = y + 1 < heights.height ? bands[x: x, y: y + 1] : nil
                    let isRim = [right, below].contains { $0 != nil && index != nil && $0 != index }
                    let color = index.map { Self.color(of: (Double($0) + 0.5) * band / range, isRim: isRim) }
                    for row in y * scale..<(y + 1) * scale {
                        for column in x * scale..<(x + 1) * scale {
                            unsafe pixels.initializeElement(
                                at: row * size.width + column, to: color ?? RGB(red: 56, green: 56, blue: 56))
                        }
                    }
                }
            }
        }
    }

    /// Median of the up to nine readings around a pixel; NaN if the pixel itself has none. Without it, the noise of single
    /// readings would draw an edge around each of them.
    private static func medianHeight(around x: Int, _ y: Int, in heights: Raster<Float>) -> Double {
        guard !heights[x: x, y: y].isNaN else { return .nan }
        var near: [Float] = []
        for row in max(y - 1, 0)...min(y + 1, heights.height - 1) {
            for column in max(x - 1, 0)...min(x + 1, heights.width - 1) {
                let height = heights[x: column, y: row]
                if !height.isNaN { near.append(height) }
            }
        }
        return Double(near.upperMedian())
    }

    /// Returns the smallest number of the 1-2-5 series that is not below `value`.
    static func step(near value: Double) -> Double {
        let decade = pow(10, log10(value).rounded(.down))
        return [1, 2, 5, 10].map { $0 * decade }.first { $0 >= value * 0.999 } ?? value
    }

    /// A diverging scale: blue at -1, white at 0, red at 1.
    static func color(of value: Double, isRim: Bool) -> RGB {
        let strength = min(abs(value), 1)
        let full = value < 0 ? SIMD3(33.0, 102, 172) : SIMD3(178.0, 24, 43)
        let mixed = (SIMD3(repeating: 247.0) + (full - 247) * strength) * (isRim ? 0.7 : 1)
        return RGB(
            red: UInt8(mixed.x.rounded()), green: UInt8(mixed.y.rounded()), blue: UInt8(mixed.z.rounded()))
    }
}

extension ReliefPreview {
    /// Draws a capture's depth as height above the sheet's plane.
    /// - Parameters:
    ///   - capture: the capture that was flattened.
    ///   - plane: the plane of height 0, as `FlattenedReceipt` gives it; without one the depth's own best plane is used.
    ///   - outline: the sheet whose readings decide the range of colours; nil for all readings.
    /// - Throws: `.badInput` if the capture has no usable depth, or no plane can be found in it.
    package init(
        of capture: Capture, plane: Plane?, outline: SheetOutline?
    ) throws(FlatteningError) {
        guard let depth = capture.depth, let intrinsics = capture.intrinsics else {
            throw FlatteningError(
                .badInput, "a depth preview needs depth and camera intrinsics",
                file: capture.metadata.imageName,
                stage: .depthPreview, seen: capture.depth == nil ? "no usable depth" : "no intrinsics",
                advice: "Give --depth and --intrinsics, or leave the preview out")
        }
        let ground: Plane
        if let plane {
            ground = plane
        } else {
            let cloud = PointCloud(
                unprojecting: depth, intrinsics: intrinsics, distortion: capture.distortion)
            ground = try Plane.fit(to: cloud.positions).model
        }
        let heights = depth.heights(above: ground, intrinsics: intrinsics, distortion: capture.distortion)
            .map { $0 * 1000 }
        let isOnSheet =
            outline?.mask(size: depth.size)
            ?? Raster(width: depth.width, height: depth.height, filledWith: true)
        self.init(heights: heights, isOnSheet: isOnSheet)
        if let outline { draw(outline, of: capture.image.size) }
        // Without a known unit the scale cannot be labelled.
        guard depth.scale == .metric else { return }
        let center = SIMD2(Double(capture.image.width) - 1, Double(capture.image.height) - 1) / 2
        let inverseDistance = -ground.normal.dot(intrinsics.ray(through: center)) / ground.offset
        addLegend(
            pixelsPerMillimeter: intrinsics.fx * inverseDistance / 1000 * Double(image.width)
                / Double(capture.image.width))
    }
}

import Diagnostics
import Parallelism
public import Imaging

/// The flat image, stored as a photograph and the map through which it is seen.
///
/// It is rendered on demand, and written without ever being held whole, so it costs almost no memory beside the photograph.
public struct FlatImage: Sendable {
    /// The upright photograph.
    package let photograph: RGBImage
    /// For each pixel of the flat image, its source in `photograph`.
    public let map: SamplingMap
    /// How the photograph is interpolated.
    package let filter: ResamplingFilter
    /// The light correction applied.
    package var light: LightCorrection
    /// The flat image's true density in pixels per metre; nil if the scale is not metric.
    public let pixelsPerMeter: Double?
    /// What is shown beyond the sheet's edge; nil if the photograph continues there.
    private let edge: PaperEdge?
    /// Blackened parts of the flat image; the photograph still shows what was there.
    package private(set) var blackened: [BlackenedBox] = []

    /// Creates a flat image of a photograph seen through a map.
    package init(
        photograph: RGBImage, map: SamplingMap, filter: ResamplingFilter, light: LightCorrection,
        pixelsPerMeter: Double?, edge: PaperEdge? = nil
    ) {
        self.photograph = photograph
        self.map = map
        self.filter = filter
        self.light = light
        self.pixelsPerMeter = pixelsPerMeter
        self.edge = edge
    }

    /// The size of the flat image.
    public var size: PixelSize { map.outputSize }

    /// Renders the flat image. O(its pixels + the photograph's that it shows), each time.
    public func render() -> RGBImage {
        var picture = photograph.resampled(through: map, filter: filter)
        if let edge {
            picture.elements.withUnsafeMutableBufferPointer { edge.cover($0, rows: 0..<size.height) }
        }
        return light.corrected(picture).blackened(blackened)
    }

    /// The same image with the light correction of output for reading.
    package var forReading: FlatImage {
        var picture = self
        if light == .automatic { picture.light = .document }
        return picture
    }

    /// The same image with more boxes blackened.
    /// - Parameter rim: how many pixels wider each box is made on all sides; nil for a fifth of its height, because boxes of
    ///   print fit tightly and blurred letters reach out of them.
    package func blackening(_ boxes: [Box], rim: Double? = nil) -> FlatImage {
        var picture = self
        picture.blackened += boxes.map { BlackenedBox(box: $0, rim: rim ?? $0.height / 5) }
        return picture
    }

    /// Renders a band of `bandRows` rows from `start`, or the rows that are left; nil past the end.
    package func band(from start: Int) -> RGBImage? {
        guard start < size.height else { return nil }
        let rows = start..<min(start + Self.bandRows, size.height)
        return RGBImage(width: size.width, height: rows.count) { pixels in
            photograph.resample(through: map, rows: rows, filter: filter, threading: .single, into: pixels)
            edge?.cover(pixels, rows: rows)
        }
    }

    /// A band of 128 rows takes about a megabyte: enough work for every core, little beside the photograph.
    package static let bandRows = 128
}

/// A blackened part of a flat image.
package struct BlackenedBox: Sendable {
    /// The part to hide, in pixels.
    package let box: Box
    /// How many pixels wider the black box is on all sides.
    let rim: Double
}

extension Raster where Element == RGB {
    /// The image with boxes filled with black.
    fileprivate func blackened(_ boxes: [BlackenedBox]) -> RGBImage {
        var picture = self
        let black = RGB(red: 0, green: 0, blue: 0)
        for part in boxes {
            let (box, rim) = (part.box, part.rim)
            func covered(_ from: Double, _ to: Double, of count: Int) -> Range<Int> {
                // Without a rim, a part ends exactly at its box.
                let edge = rim > 0 ? to + rim + 1 : to.rounded(.up)
                let end = min(max(edge, 0), Double(count))
                return Int(min(max(from - rim, 0), end))..<Int(end)
            }
            for y in covered(box.top, box.bottom, of: height) {
                for x in covered(box.left, box.right, of: width) { picture[x: x, y: y] = black }
            }
        }
        return picture
    }
}

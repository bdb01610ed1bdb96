import Diagnostics
import Parallelism
public import Imaging

/// The flat picture as a photograph and the map through which it is seen.
///
/// It is made when it is asked for, and written without ever being held whole: next to the photograph it costs nothing.
public struct FlatImage: Sendable {
    /// The upright photograph.
    package let photograph: RGBImage
    /// For each pixel of the flat picture its source in `photograph`.
    public let map: SamplingMap
    /// How the photograph is interpolated.
    package let filter: ResamplingFilter
    /// What is done to its light.
    package var light: LightCorrection
    /// The flat picture's true density in pixels per metre; nil where scale is not metric.
    public let pixelsPerMeter: Double?
    /// What is shown beyond the sheet's edge; nil where the photograph goes on there.
    private let edge: PaperEdge?
    /// Parts of the flat picture that are black in it; the photograph still shows what was there.
    package private(set) var blackened: [BlackenedBox] = []

    /// A flat picture of a photograph seen through a map.
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

    /// The flat picture's size.
    public var size: PixelSize { map.outputSize }

    /// The flat picture. O(its pixels + the photograph's that it shows), each time.
    public func render() -> RGBImage {
        var picture = photograph.resampled(through: map, filter: filter)
        if let edge {
            picture.elements.withUnsafeMutableBufferPointer { edge.cover($0, rows: 0..<size.height) }
        }
        return light.corrected(picture).blackened(blackened)
    }

    /// The same picture as what is made to be read shows it.
    package var forReading: FlatImage {
        var picture = self
        if light == .automatic { picture.light = .document }
        return picture
    }

    /// The same picture with more boxes that are black.
    /// - Parameter rim: how many pixels wider all round each is made; nil for a fifth of its height, as boxes of print fit
    ///   tightly and blurred letters reach out of them.
    package func blackening(_ boxes: [Box], rim: Double? = nil) -> FlatImage {
        var picture = self
        picture.blackened += boxes.map { BlackenedBox(box: $0, rim: rim ?? $0.height / 5) }
        return picture
    }

    /// The rows from one on, `bandRows` of them or what is left; nil past the end.
    package func band(from start: Int) -> RGBImage? {
        guard start < size.height else { return nil }
        let rows = start..<min(start + Self.bandRows, size.height)
        return RGBImage(width: size.width, height: rows.count) { pixels in
            photograph.resample(through: map, rows: rows, filter: filter, threading: .single, into: pixels)
            edge?.cover(pixels, rows: rows)
        }
    }

    /// A band of 128 rows is some megabyte: enough work for every core, little beside the photograph.
    package static let bandRows = 128
}

/// A part of a flat picture that is black.
package struct BlackenedBox: Sendable {
    /// What is hidden, in pixels.
    package let box: Box
    /// How many pixels wider all round it is black.
    let rim: Double
}

extension Raster where Element == RGB {
    /// The picture with boxes filled with black.
    fileprivate func blackened(_ boxes: [BlackenedBox]) -> RGBImage {
        var picture = self
        let black = RGB(red: 0, green: 0, blue: 0)
        for part in boxes {
            let (box, rim) = (part.box, part.rim)
            func covered(_ from: Double, _ to: Double, of count: Int) -> Range<Int> {
                // Without a rim a part ends where it is said to.
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

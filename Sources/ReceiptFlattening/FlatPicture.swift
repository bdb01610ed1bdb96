internal import ImageFiles
public import Imaging
public import TextRecognition

/// The flat picture as a photograph and the map through which it is seen.
///
/// It is made when it is asked for, and written without ever being held whole: next to the photograph it costs nothing.
public struct FlatPicture: Sendable {
    /// The upright photograph.
    public let photograph: RGBImage
    /// For each pixel of the flat picture its source in `photograph`.
    public let map: SamplingMap
    /// How the photograph is interpolated.
    public let filter: ResamplingFilter
    /// What is done to its light.
    public let light: LightCorrection
    /// The flat picture's true density in pixels per metre; nil where scale is not metric.
    public let pixelsPerMeter: Double?
    /// Boxes in pixels of the flat picture that are black in it; the photograph still shows what was there.
    public private(set) var blackened: [TextBox] = []

    /// The flat picture's size.
    public var size: PixelSize { map.outputSize }

    /// The flat picture. O(its pixels + the photograph's that it shows), each time.
    public func image() -> RGBImage {
        light.corrected(photograph.resampled(through: map, filter: filter)).blackened(blackened)
    }

    /// The same picture with more boxes that are black.
    func blackening(_ boxes: [TextBox]) -> FlatPicture {
        var picture = self
        picture.blackened += boxes
        return picture
    }

    /// The flat picture's brightness in the light that it was taken in, for reading. As costly as `image()`.
    func photographedGray() -> GrayImage { photograph.resampledGray(through: map, filter: filter) }

    private enum Work { case write, make }

    /// The rows from one on, `bandRows` of them or what is left; nil past the end.
    private func band(from start: Int) -> RGBImage? {
        guard start < size.height else { return nil }
        let rows = start..<min(start + Self.bandRows, size.height)
        return RGBImage(width: size.width, height: rows.count) { pixels in
            photograph.resample(through: map, rows: rows, filter: filter, threading: .single, into: pixels)
        }
    }

    /// A band of 128 rows is some megabyte: enough work for every core, little beside the photograph.
    private static let bandRows = 128

    /// Writes the flat picture as `ImageWriter` does: a PNG band by band as it is made. JPEG and TIFF, light that is judged
    /// over the whole picture, and black boxes need it whole.
    /// - Throws: `.fileAccess`, `.unsupported` for other extensions. The old file stays on any error.
    public func write(to path: String) throws(FlatteningError) {
        guard try ImageWriter.Format(path: path) == .png, light == .none, blackened.isEmpty else {
            return try ImageWriter.write(image(), to: path, pixelsPerMeter: pixelsPerMeter)
        }
        try AtomicFile.replace(path) { (file) throws(FlatteningError) in
            // While one core writes a band, another makes the next.
            nonisolated(unsafe) let writer = try PNGWriter(
                to: file, size: size, pixelsPerMeter: pixelsPerMeter)
            var next: RGBImage? = band(from: 0)
            var start = 0
            while let made = next {
                start += Self.bandRows
                let following = start
                let bands = try concurrentMap([Work.write, .make]) { work throws(FlatteningError) in
                    switch work {
                    case .make: return band(from: following)
                    case .write:
                        var failure: FlatteningError?
                        made.withBytes { bytes in
                            do throws(FlatteningError) {
                                try writer.write(rows: bytes)
                            } catch {
                                failure = error
                            }
                        }
                        if let failure { throw failure }
                        return nil
                    }
                }
                next = bands[1]
            }
            try writer.finish()
        }
    }
}

extension Raster where Element == RGB {
    /// The picture with boxes filled with black, each a fifth of its height wider all round, as boxes fit tightly and
    /// blurred letters reach out of them.
    fileprivate func blackened(_ boxes: [TextBox]) -> RGBImage {
        var picture = self
        let black = RGB(red: 0, green: 0, blue: 0)
        for box in boxes {
            let rim = box.height / 5
            let columns = max(0, Int(box.left - rim))..<min(width, max(0, Int(box.right + rim) + 1))
            let rows = max(0, Int(box.top - rim))..<min(height, max(0, Int(box.bottom + rim) + 1))
            for y in rows {
                for x in columns { picture[x: x, y: y] = black }
            }
        }
        return picture
    }
}

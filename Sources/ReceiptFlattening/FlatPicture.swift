public import Imaging
internal import ImageFiles

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

    /// The flat picture's size.
    public var size: PixelSize { map.outputSize }

    /// The flat picture. O(its pixels + the photograph's that it shows), each time.
    public func image() -> RGBImage {
        light.corrected(photograph.resampled(through: map, filter: filter))
    }

    /// The flat picture's brightness in the light that it was taken in, for reading. As costly as `image()`.
    func photographedGray() -> GrayImage { photograph.resampledGray(through: map, filter: filter) }

    /// A band of 128 rows is some megabyte: enough work for every core, little beside the photograph.
    private static let bandRows = 128

    /// Writes the flat picture as `ImageWriter` does: a PNG band by band as it is made. JPEG and TIFF, and light that is
    /// judged over the whole picture, need it whole.
    /// - Throws: `.fileAccess`, `.unsupported` for other extensions. The old file stays on any error.
    public func write(to path: String) throws(FlatteningError) {
        guard try ImageWriter.Format(path: path) == .png, light == .none else {
            return try ImageWriter.write(image(), to: path, pixelsPerMeter: pixelsPerMeter)
        }
        try AtomicFile.replace(path) { (file) throws(FlatteningError) in
            let writer = try PNGWriter(to: file, size: size, pixelsPerMeter: pixelsPerMeter)
            for start in stride(from: 0, to: size.height, by: Self.bandRows) {
                let rows = start..<min(start + Self.bandRows, size.height)
                let band = RGBImage(width: size.width, height: rows.count) { pixels in
                    photograph.resample(through: map, rows: rows, filter: filter, into: pixels)
                }
                var failure: FlatteningError?
                band.withBytes { bytes in
                    do throws(FlatteningError) { try writer.write(rows: bytes) } catch { failure = error }
                }
                if let failure { throw failure }
            }
            try writer.finish()
        }
    }
}

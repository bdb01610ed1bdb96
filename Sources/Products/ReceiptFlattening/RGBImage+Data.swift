public import Diagnostics
public import Platform
import ImageFiles
public import Imaging
public import LocalFiles

extension Raster where Element == RGB {
    /// Decodes a picture file's bytes (PNG, JPEG, TIFF, HEIC, PGM, PPM) and turns it upright.
    /// - Throws: `.badInput` for broken bytes, `.unsupported`, `.limitExceeded`, `.missingDependency` for a HEIC without
    ///   libheif.
    /// - Complexity: O(pixels).
    public init(data: Data, limits: FlatteningLimits = FlatteningLimits()) throws(FlatteningError) {
        let picture = try ColorPicture.decode(InputFile(name: "image", bytes: Array(data)), limits: limits)
        self = picture.image.oriented(by: picture.orientation)
    }

    /// The picture as a PNG file's bytes.
    /// - Parameter pixelsPerMeter: true density, nil where it is not known: then nothing is claimed.
    /// - Throws: `.badInput` for a picture without pixels.
    /// - Complexity: O(pixels).
    public func pngData(pixelsPerMeter: Double? = nil) throws(FlatteningError) -> Data {
        Data(try ImageWriter.png(self, pixelsPerMeter: pixelsPerMeter))
    }

    /// The picture as a JPEG file's bytes.
    /// - Parameters:
    ///   - quality: 0 (smallest) to 1 (best).
    ///   - pixelsPerMeter: true density, nil where it is not known: then nothing is claimed.
    /// - Throws: `.badInput` for a picture without pixels or a quality out of range, `.limitExceeded` for more than 65,500
    ///   pixels a side.
    /// - Complexity: O(pixels).
    public func jpegData(
        quality: Double = 0.92, pixelsPerMeter: Double? = nil
    ) throws(FlatteningError) -> Data {
        guard (0...1).contains(quality) else {
            throw FlatteningError(
                .badInput, "a JPEG cannot have this quality", stage: .jpeg, seen: "\(quality)",
                allowed: "0 to 1")
        }
        return Data(
            try ImageWriter.jpeg(
                self, quality: Int((quality * 100).rounded()), pixelsPerMeter: pixelsPerMeter))
    }

    /// Writes the picture to a file, atomically; its extension decides: .png, .jpg, .tif.
    /// - Throws: `.fileAccess`, `.storageFull`, `.unsupported` for other extensions. The old file stays on any error.
    /// - Complexity: O(pixels).
    public func write(to url: URL, pixelsPerMeter: Double? = nil) throws(FlatteningError) {
        try ImageWriter.write(self, to: try url.filePath(), pixelsPerMeter: pixelsPerMeter)
    }
}

extension DepthMap {
    /// Decodes a depth map's bytes (PNG of 8 or 16 bits, TIFF, NPY, PGM, OpenEXR), not turned; 0 is no reading in whole
    /// numbers.
    /// - Parameter metersPerUnit: metres for one unit of the map.
    /// - Throws: `.badInput` for broken bytes, `.unsupported`, `.limitExceeded`, `.missingDependency`.
    /// - Complexity: O(pixels).
    public init(
        data: Data, metersPerUnit: Float, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) {
        switch try SampleMap.decode(InputFile(name: "depth", bytes: Array(data)), limits: limits) {
        case .uint8(let raw): self.init(raw: raw.map(UInt16.init), metersPerUnit: metersPerUnit)
        case .uint16(let raw): self.init(raw: raw, metersPerUnit: metersPerUnit)
        case .float32(let readings): self.init(readings: readings, metersPerUnit: metersPerUnit)
        }
    }
}

package import Diagnostics
package import LocalFiles
package import Imaging

/// A map of one value per pixel (depth, disparity, confidence) exactly as its file stores it.
///
/// The caller must know what the values mean (unit, kind, which value is "no reading").
package enum SampleMap: Sendable, Equatable {
    /// Values of 1 to 8 bits, as stored: a 1-bit file gives 0 and 1.
    case uint8(Raster<UInt8>)
    /// Values of 16 bits.
    case uint16(Raster<UInt16>)
    /// Floating-point values; 16-bit ones convert exactly, 64-bit ones are rounded to the nearest `Float`.
    case float32(Raster<Float>)

    /// The map's size.
    package var size: PixelSize {
        switch self {
        case .uint8(let raster): raster.size
        case .uint16(let raster): raster.size
        case .float32(let raster): raster.size
        }
    }

    /// A decoded map and the turn that its file states.
    package struct File: Sendable, Equatable {
        /// The values in the file's order, not turned.
        package var map: SampleMap
        /// The file's own orientation tag; nil if it has none, in which case the map usually lies as its image is stored.
        package var orientation: ImageOrientation?

        /// Creates a file from a map already in memory.
        package init(map: SampleMap, orientation: ImageOrientation? = nil) {
            self.map = map
            self.orientation = orientation
        }
    }

    /// Decodes a PNG (up to 16 bits; in colours only if all channels are equal and opaque), single-channel TIFF (unsigned 8
    /// or 16 bits, float of 16, 24, 32 or 64 bits), NPY, PGM or OpenEXR (`.missingDependency` if OpenEXR 3.1 is not
    /// installed).
    ///
    /// No colour chunk, gamma or significant-bits mark changes a value.
    /// - Throws: `.badInput` for broken files and images in colour, `.unsupported`, `.limitExceeded`.
    /// - Complexity: O(pixels).
    package static func decode(
        _ file: InputFile, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) -> SampleMap {
        try decodeFile(file, limits: limits).map
    }

    /// Decodes a map together with the file's orientation tag (PNG eXIf, TIFF Orientation).
    /// - Parameter takesFirstChannel: whether to use the first channel of a PNG in colours, as some formats demand.
    package static func decodeFile(
        _ file: InputFile, limits: FlatteningLimits = FlatteningLimits(), takesFirstChannel: Bool = false
    ) throws(FlatteningError) -> File {
        do throws(FlatteningError) {
            try limits.deadline.check(before: .init(rawValue: "decoding"))
            switch file.format {
            case .png:
                return
                    try PNGDecoding.map(file.bytes, limits: limits, takesFirstChannel: takesFirstChannel)
            case .tiff: return try TIFFDecoding.map(file.bytes, limits: limits)
            case .npy: return File(map: try NPYDecoding.map(file.bytes, limits: limits), orientation: nil)
            case .pnm: return File(map: try PNMDecoding.map(file.bytes, limits: limits))
            case .exr: return File(map: try EXRDecoding.map(file.bytes, limits: limits))
            case let other: throw ImageFileFormat.refusal(other, purpose: .map)
            }
        } catch {
            throw error.naming(file: file.name)
        }
    }
}

extension Raster {
    /// Creates a raster filled in place by a decoder, which returns the error it met, if any.
    static func decoded(
        width: Int, height: Int, _ fill: (UnsafeMutableBufferPointer<Element>) -> FlatteningError?
    ) throws(FlatteningError) -> Raster {
        var failure: FlatteningError?
        let raster = Raster(width: width, height: height) { pixels in
            let ahead = PagesAhead(of: UnsafeMutableRawBufferPointer(pixels))
            failure = fill(pixels)
            ahead.end()
        }
        if let failure { throw failure }
        return raster
    }
}

package import Diagnostics
package import LocalFiles
package import Imaging

/// A map of one value per pixel (depth, disparity, confidence) exactly as its file stores it.
///
/// What the values mean (unit, kind, which value is "no reading") is the caller's knowledge.
package enum SampleMap: Sendable, Equatable {
    /// Values of 1 to 8 bits, as stored: a 1-bit file gives 0 and 1.
    case uint8(Raster<UInt8>)
    /// Values of 16 bits.
    case uint16(Raster<UInt16>)
    /// Floating-point values; those of 16 bits convert exactly, those of 64 are rounded to the nearest `Float`.
    case float32(Raster<Float>)

    /// The map's size.
    package var size: PixelSize {
        switch self {
        case .uint8(let raster): raster.size
        case .uint16(let raster): raster.size
        case .float32(let raster): raster.size
        }
    }

    /// A decoded map and how its file says that it must be turned.
    package struct File: Sendable, Equatable {
        /// The values in the order of the file: not turned.
        package var map: SampleMap
        /// The file's own orientation tag; nil if it has none, and then the map usually lies as its picture is stored.
        package var orientation: ImageOrientation?

        /// A map that is in memory already.
        package init(map: SampleMap, orientation: ImageOrientation? = nil) {
            self.map = map
            self.orientation = orientation
        }
    }

    /// Decodes a PNG (to 16 bits; in colours only where all are equal and opaque), single-channel TIFF (unsigned 8 or 16 bits, float of 16, 24, 32 or 64 bits), NPY,
    /// PGM or OpenEXR (`.missingDependency` where OpenEXR 3.1 is not installed).
    ///
    /// No colour chunk, gamma or significant-bits mark changes a value.
    /// - Throws: `.badInput` for broken files and pictures in colour, `.unsupported`, `.limitExceeded`.
    /// - Complexity: O(pixels).
    package static func decode(
        _ file: InputFile, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) -> SampleMap {
        try decodeFile(file, limits: limits).map
    }

    /// The same with the file's orientation tag (PNG eXIf, TIFF Orientation).
    /// - Parameter takesFirstChannel: whether a PNG in colours is its first channel, as some formats say.
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
    /// A raster filled in place by a decoder, which returns the error it met, if any.
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

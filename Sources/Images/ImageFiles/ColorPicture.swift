package import Diagnostics
package import LocalFiles
package import Imaging

/// A decoded photograph, as stored, with what its file says about how it was taken.
package struct ColorPicture: Sendable, Equatable {
    /// The pixels in the order of the file: not turned upright yet.
    package var image: RGBImage
    /// How the picture (and the depth and camera beside it) must be turned to stand upright.
    package var orientation: ImageOrientation
    /// EXIF's FocalLengthIn35mmFilm in millimetres, nil if absent or zero.
    package var focalLengthIn35mmFilm: Double?
    /// The density that the file claims, nil if it claims none or a different one along each axis.
    package var pixelsPerMeter: Double?
    /// What was damaged in the file, though the picture could be read, in the decoder's words.
    package var warnings: [String]

    /// A picture from its parts.
    package init(
        image: RGBImage, orientation: ImageOrientation = .up, focalLengthIn35mmFilm: Double? = nil,
        pixelsPerMeter: Double? = nil, warnings: [String] = []
    ) {
        self.image = image
        self.orientation = orientation
        self.focalLengthIn35mmFilm = focalLengthIn35mmFilm
        self.pixelsPerMeter = pixelsPerMeter
        self.warnings = warnings
    }

    /// Decodes a PNG, JPEG, TIFF, HEIC, WebP, GIF, BMP, JPEG 2000, PGM or PPM of any colours to 8-bit RGB; transparency is laid over white (HEIC's passed over).
    ///
    /// Values stay gamma-encoded as they are; 16 bits are rounded to 8. Decoded straight into the result's memory.
    /// - Throws: `.missingDependency` for a format whose library is not installed (libheif for HEIC, Leptonica for WebP, GIF, BMP, JPEG 2000), `.badInput` for a broken file, `.unsupported` for other formats (with how to convert them),
    ///   `.limitExceeded` before anything is reserved. Every error names the file.
    /// - Parameters:
    ///   - page: which page of a TIFF or picture of a HEIC, counted from 1; nil for the first or main one, with a warning where there are
    ///     others.
    ///   - limits: how much the file may ask for.
    /// - Complexity: O(pixels); progressive JPEG O(pixels · scans).
    package static func decode(
        _ file: InputFile, page: Int? = nil, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) -> ColorPicture {
        do throws(FlatteningError) {
            try limits.deadline.check(before: .init(rawValue: "decoding"))
            switch file.format {
            case .png: return try PNGDecoding.color(file.bytes, limits: limits)
            case .jpeg: return try JPEGDecoding.color(file.bytes, limits: limits)
            case .tiff: return try TIFFDecoding.color(file.bytes, page: page, limits: limits)
            case .pnm: return try PNMDecoding.color(file.bytes, limits: limits)
            case .heic: return try HEIFDecoding.color(file.bytes, page: page, limits: limits)
            case let format? where LeptonicaDecoding.formats.contains(format):
                return try LeptonicaDecoding.color(file.bytes, format: format, limits: limits)
            case let other: throw ImageFileFormat.refusal(other, purpose: .color)
            }
        } catch {
            throw error.naming(file: file.name)
        }
    }
}

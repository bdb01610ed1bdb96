package import Diagnostics
package import LocalFiles
package import Imaging

/// A decoded photograph, as stored, with what its file says about how it was taken.
package struct ColorPicture: Sendable, Equatable {
    /// The pixels in the file's order, not yet turned upright.
    package var image: RGBImage
    /// How the image (and the depth and camera beside it) must be turned to stand upright.
    package var orientation: ImageOrientation
    /// EXIF's FocalLengthIn35mmFilm in millimetres, nil if absent or zero.
    package var focalLengthIn35mmFilm: Double?
    /// The density that the file states; nil if it states none or a different one along each axis.
    package var pixelsPerMeter: Double?
    /// Damage in a file that could still be read, in the decoder's words.
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

    /// Decodes a PNG, JPEG, TIFF, HEIC, WebP, GIF, BMP, JPEG 2000, PGM or PPM of any colours to 8-bit RGB. Transparency is
    /// laid over white (ignored in HEIC).
    ///
    /// Values stay gamma-encoded; 16 bits are rounded to 8. Decodes directly into the result's memory.
    /// - Throws: `.missingDependency` for a format whose library is not installed (libheif for HEIC, Leptonica for WebP,
    ///   GIF, BMP, JPEG 2000), `.badInput` for a broken file, `.unsupported` for other formats (with how to convert them),
    ///   `.limitExceeded` before any memory is reserved. Every error names the file.
    /// - Parameters:
    ///   - page: page of a TIFF or image of a HEIC, counted from 1; nil for the first or main one, with a warning if there
    ///     are others.
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

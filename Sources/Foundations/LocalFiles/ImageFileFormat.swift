package import Diagnostics

/// The format of a file, detected from its first bytes; names and extensions are not trusted.
package enum ImageFileFormat: String, Sendable, CaseIterable {
    /// Portable Network Graphics.
    case png = "PNG"
    /// JPEG (JFIF or EXIF).
    case jpeg = "JPEG"
    /// TIFF, either byte order, classic or BigTIFF.
    case tiff = "TIFF"
    /// An array written by NumPy.
    case npy = "NPY"
    /// HEIC, HEIF or AVIF.
    case heic = "HEIC"
    /// Graphics Interchange Format.
    case gif = "GIF"
    /// WebP.
    case webp = "WebP"
    /// Windows bitmap.
    case bmp = "BMP"
    /// Portable Document Format.
    case pdf = "PDF"
    /// OpenEXR.
    case exr = "OpenEXR"
    /// JPEG XL.
    case jpegXL = "JPEG XL"
    /// JPEG 2000.
    case jpeg2000 = "JPEG 2000"
    /// Portable float map.
    case pfm = "PFM"
    /// Portable any map (PBM, PGM, PPM, PAM); only PGM and PPM are read.
    case pnm = "PNM"
    /// A ZIP archive, such as NumPy's NPZ.
    case zip = "ZIP"

    /// The number of bytes that `sniff` examines.
    package static let signatureLength = 32

    /// Returns the format of a file that starts with `bytes`; nil if it is unknown. O(1).
    package static func sniff(_ bytes: some Collection<UInt8>) -> ImageFileFormat? {
        let start = Array(bytes.prefix(signatureLength))
        func matches(_ signature: [UInt8], at offset: Int = 0) -> Bool {
            start.count >= offset + signature.count
                && start[offset..<(offset + signature.count)].elementsEqual(signature)
        }
        func matches(_ text: StaticString, at offset: Int = 0) -> Bool {
            matches(Array(text.description.utf8), at: offset)
        }

        if matches([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
        if matches([0xFF, 0xD8]) && (start.count == 2 || start[2] == 0xFF) { return .jpeg }
        for version in [0x2A, 0x2B] as [UInt8] {
            if matches([0x49, 0x49, version, 0]) || matches([0x4D, 0x4D, 0, version]) { return .tiff }
        }
        if matches([0x93] + Array("NUMPY".utf8)) { return .npy }
        if matches("ftyp", at: 4) {
            for brand in ["heic", "heix", "heim", "heis", "hevc", "mif1", "msf1", "avif"] as [StaticString]
            where matches(brand, at: 8) {
                return .heic
            }
        }
        if matches("GIF87a") || matches("GIF89a") { return .gif }
        if matches("RIFF") && matches("WEBP", at: 8) { return .webp }
        if matches("BM") && matches([0, 0, 0, 0], at: 6) { return .bmp }
        if matches("%PDF-") { return .pdf }
        if matches([0x76, 0x2F, 0x31, 0x01]) { return .exr }
        if matches([0xFF, 0x0A]) || matches([0, 0, 0, 0x0C] + Array("JXL ".utf8)) { return .jpegXL }
        if matches([0, 0, 0, 0x0C] + Array("jP  ".utf8)) || matches([0xFF, 0x4F, 0xFF, 0x51]) {
            return .jpeg2000
        }
        if matches("PF\n") || matches("Pf\n") { return .pfm }
        if isPortableMap(start) { return .pnm }
        if matches([0x50, 0x4B, 0x03, 0x04]) { return .zip }
        return nil
    }

    /// Whether the bytes start a portable map: a list of paths may also begin with "P5", but not with a number after it.
    private static func isPortableMap(_ start: [UInt8]) -> Bool {
        guard start.count > 3, start[0] == UInt8(ascii: "P"), (0x31...0x37).contains(start[1]) else {
            return false
        }
        let rest = start[2...].drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        guard rest.startIndex > 2, let first = rest.first else { return false }
        return (0x30...0x39).contains(first) || first == UInt8(ascii: "#")
            || (start[1] == UInt8(ascii: "7") && rest.starts(with: Array("WIDTH".utf8)))
    }

    /// Returns the error for a file of this format when an image or map is wanted and this format is not supported for it.
    package static func refusal(_ format: ImageFileFormat?, purpose: FlatteningLimits.Purpose)
        -> FlatteningError
    {
        let allowed =
            purpose == .color
            ? "PNG, JPEG, TIFF, HEIC, AVIF, WebP, GIF, BMP, JPEG 2000, PGM or PPM"
            : "PNG, TIFF, NPY, OpenEXR or PGM"
        guard let format else {
            return FlatteningError(
                .badInput, "the file is not a picture of any known format", stage: .format, allowed: allowed)
        }
        let advice: String
        switch (format, purpose) {
        case (.jpegXL, .color), (.pfm, .color), (.exr, .color), (.npy, .color):
            advice = "Convert it: magick in.\(format.fileExtension) out.png"
        case (.pdf, _):
            advice = "Convert it: pdftoppm -png -r 300 in.pdf page"
        case (.zip, _):
            advice = "Unpack it first"
        case (.jpeg, .map), (.heic, .map), (.webp, .map):
            advice = "Lossy formats do not keep depth values: save the map as 16-bit PNG or float TIFF"
        default:
            advice = "Save the map as 16-bit PNG, float TIFF or NPY"
        }
        return FlatteningError(
            .unsupported, "\(format.rawValue) files are not read as a \(purpose.rawValue)", stage: .format,
            seen: format.rawValue, allowed: allowed, advice: advice)
    }

    /// The usual file name extension, without the dot.
    package var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .tiff: "tif"
        case .jpegXL: "jxl"
        case .jpeg2000: "jp2"
        case .pnm: "ppm"
        default: rawValue.lowercased()
        }
    }
}

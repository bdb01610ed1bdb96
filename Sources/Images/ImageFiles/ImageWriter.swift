package import Diagnostics
import LocalFiles
package import Imaging
import ScalarText

/// Writes images to files, atomically; the format follows the path's extension.
public enum ImageWriter {
    /// The formats that can be written.
    public enum Format: Sendable, CaseIterable {
        /// Lossless, with pHYs.
        case png
        /// Quality 92, with the density in JFIF.
        case jpeg
        /// Lossless (deflate), with the resolution in dpi.
        case tiff

        /// Whether the format can store one bit a pixel.
        package var hasBilevel: Bool { self != .jpeg }

        /// The format for a path's extension; "-" (standard output) is PNG.
        package init(path: String) throws(FlatteningError) {
            if path == "-" {
                self = .png
                return
            }
            let name = path.split(atScalar: "/").last ?? ""
            let dot = name.lastIndex(ofScalar: ".")
            switch dot.map({ name[name.index(afterScalar: $0)...].lowercased() }) {
            case "png": self = .png
            case "jpg", "jpeg": self = .jpeg
            case "tif", "tiff": self = .tiff
            default:
                throw FlatteningError(
                    .unsupported, "pictures are not written in this format", file: path, stage: .write,
                    seen: dot.map { String(name[$0...]) } ?? "no extension", allowed: ".png, .jpg, .tif",
                    advice: name.lowercased().hasScalarSuffix(".pdf")
                        ? "A PDF is a text output: --text \(name)" : nil)
            }
        }
    }

    /// Writes an image to `path` ("-": PNG to standard output).
    /// - Parameters:
    ///   - image: the image.
    ///   - path: the file, as the caller names it.
    ///   - pixelsPerMeter: true density; nil if the scale is not metric, and then the file states none.
    /// - Throws: `.fileAccess`, `.unsupported` for other extensions. On any error the old file stays.
    package static func write(
        _ image: RGBImage, to path: String, pixelsPerMeter: Double? = nil
    ) throws(FlatteningError) {
        try write(Pixels(rgb: image), to: path, pixelsPerMeter: pixelsPerMeter)
    }

    /// Writes a grey image to `path`.
    package static func write(
        _ image: GrayImage, to path: String, pixelsPerMeter: Double? = nil
    ) throws(FlatteningError) {
        try write(Pixels(gray: image), to: path, pixelsPerMeter: pixelsPerMeter)
    }

    /// Writes an image of one bit a pixel to `path`: PNG, or TIFF in fax group 4; JPEG does not support one bit a pixel.
    /// - Throws: as `write`, and `.unsupported` for JPEG.
    package static func write(
        _ image: BilevelImage, to path: String, pixelsPerMeter: Double? = nil
    ) throws(FlatteningError) {
        try write(Pixels(bilevel: image), to: path, pixelsPerMeter: pixelsPerMeter)
    }

    /// Encodes an image of one bit a pixel in fax group 4 (ITU-T T.6), without a file around it.
    package static func group4(_ image: BilevelImage) throws(FlatteningError) -> [UInt8] {
        try checkHasPixels(image.size)
        return try TIFFEncoding.group4(Pixels(bilevel: image))
    }

    /// Encodes an image as the bytes of a JPEG file, as `write` writes them, for embedding in a file of another kind.
    /// - Parameter quality: 0 to 100.
    package static func jpeg(
        _ image: RGBImage, quality: Int = JPEGEncoding.quality, pixelsPerMeter: Double?
    ) throws(FlatteningError) -> [UInt8] {
        try checkHasPixels(image.size)
        return try JPEGEncoding.encoded(Pixels(rgb: image), quality: quality, pixelsPerMeter: pixelsPerMeter)
    }

    /// Encodes an image as the bytes of a PNG file, as `write` writes them.
    package static func png(_ image: RGBImage, pixelsPerMeter: Double?) throws(FlatteningError) -> [UInt8] {
        try checkHasPixels(image.size)
        var encoded: [UInt8] = []
        let pixels = Pixels(rgb: image)
        let writer = try PNGWriter(
            size: pixels.size, pixels: pixels.kind, pixelsPerMeter: pixelsPerMeter, name: nil
        ) { (bytes) throws(FlatteningError) in encoded.append(contentsOf: bytes) }
        try pixels.withBytes { (bytes) throws(FlatteningError) in try writer.write(rows: bytes) }
        try writer.finish()
        return encoded
    }

    private static func checkHasPixels(_ size: PixelSize, file: String? = nil) throws(FlatteningError) {
        guard size.width > 0, size.height > 0 else {
            throw FlatteningError(
                .badInput, "a picture without pixels cannot be written", file: file, stage: .write)
        }
    }

    /// An image of any kind, seen as bytes.
    struct Pixels {
        let size: PixelSize
        let kind: PNGWriter.Pixels
        private let source: Source

        private enum Source {
            case rgb(RGBImage)
            case gray(GrayImage)
            case bilevel(BilevelImage)
        }

        init(rgb image: RGBImage) { (size, kind, source) = (image.size, .rgb, .rgb(image)) }
        init(gray image: GrayImage) { (size, kind, source) = (image.size, .gray, .gray(image)) }
        init(bilevel image: BilevelImage) { (size, kind, source) = (image.size, .bilevel, .bilevel(image)) }

        var bytesPerRow: Int { kind.bytesPerRow(width: size.width) }

        /// Calls `body` with the bytes, row after row without padding.
        func withBytes<Result>(
            _ body: (UnsafeRawBufferPointer) throws(FlatteningError) -> Result
        ) throws(FlatteningError) -> Result {
            var outcome: Swift.Result<Result, FlatteningError>?
            func run(_ bytes: UnsafeRawBufferPointer) {
                do throws(FlatteningError) { outcome = .success(try body(bytes)) } catch {
                    outcome = .failure(error)
                }
            }
            switch source {
            case .rgb(let image): image.elements.withUnsafeBytes(run)
            case .gray(let image): image.elements.withUnsafeBytes(run)
            case .bilevel(let image): image.bytes.withUnsafeBytes(run)
            }
            guard let outcome else {
                throw FlatteningError(.internalInconsistency, "the picture has no pixels", stage: .write)
            }
            return try outcome.get()
        }
    }

    private static func write(
        _ pixels: Pixels, to path: String, pixelsPerMeter: Double?
    ) throws(FlatteningError) {
        try checkHasPixels(pixels.size, file: path)
        let format = try Format(path: path)
        guard pixels.kind != .bilevel || format.hasBilevel else {
            throw FlatteningError(
                .unsupported, "one bit a pixel is not written in this format", file: path, stage: .write,
                allowed: ".png, .tif")
        }
        try AtomicFile.replace(path) { (file) throws(FlatteningError) in
            switch format {
            case .png:
                let writer = try PNGWriter(
                    to: file, size: pixels.size, pixels: pixels.kind, pixelsPerMeter: pixelsPerMeter)
                try pixels.withBytes { (bytes) throws(FlatteningError) in try writer.write(rows: bytes) }
                try writer.finish()
            case .jpeg:
                try JPEGEncoding.write(pixels, to: file, pixelsPerMeter: pixelsPerMeter)
            case .tiff:
                try TIFFEncoding.write(pixels, to: file, pixelsPerMeter: pixelsPerMeter)
            }
        }
    }
}

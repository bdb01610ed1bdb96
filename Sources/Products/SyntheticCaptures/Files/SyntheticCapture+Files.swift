import Diagnostics
import LocalFiles
import Captures
import DepthGeometry
public import Foundation
import ImageFiles
public import Imaging

extension SyntheticCapture {
    /// Writes a capture folder: `capture.json`, `image.jpg`, `depth.png` or `depth.tiff`, `confidence.pgm` if
    /// the sensor gives one, and `text.txt`, the expected text.
    /// - Parameters:
    ///   - folder: created if missing; files of the same names are replaced.
    ///   - orientation: the EXIF orientation of the stored image. Image, depth and camera are stored turned; applying the
    ///     tag restores them.
    /// - Throws: `FlatteningError.fileAccess`.
    public func write(to folder: URL, orientation: ImageOrientation = .up) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
        let turnBack = orientation.inverse
        try ImageWriter.write(image.oriented(by: turnBack), to: path("image.jpg"))
        if orientation != .up {
            let stored = try InputFile.read(path: path("image.jpg"))
            try AtomicFile.replace(
                path("image.jpg"), with: Self.tagged(stored.bytes, orientation: orientation))
        }

        var description = CaptureDescription(intrinsics: .init(intrinsics.rotated(turnBack)))
        switch sensor.encoding {
        case .png16(let metersPerUnit):
            description.depth = .init(file: "depth.png", unit_metres: metersPerUnit)
            let raw = (rawDepth ?? Raster(width: 0, height: 0, elements: [])).oriented(by: turnBack)
            try Self.writePNG16(
                raw.elements, size: raw.size, pixels: .gray16, to: path("depth.png"))
        case .tiff32:
            description.depth = .init(file: "depth.tiff", unit_metres: 1)
            try AtomicFile.replace(
                path("depth.tiff"), with: FloatTIFF.encode(depth.values.oriented(by: turnBack)))
        }
        if let confidence {
            description.confidence = "confidence.pgm"
            let map = confidence.oriented(by: turnBack)
            try AtomicFile.replace(
                path("confidence.pgm"),
                with: Array("P5\n\(map.width) \(map.height)\n255\n".utf8) + map.elements)
        }
        try AtomicFile.replace(path("capture.json"), with: Self.json(description))
        try AtomicFile.replace(path("text.txt"), with: Array(text.utf8))
    }

    /// The keys of capture.json.
    private struct CaptureDescription: Encodable {
        struct Depth: Encodable {
            var file: String
            // Spelled as in the file.
            // swift-format-ignore: AlwaysUseLowerCamelCase
            var unit_metres: Double
        }
        struct Intrinsics: Encodable {
            var width: Int
            var height: Int
            var fx: Double
            var fy: Double
            var cx: Double
            var cy: Double

            init(_ camera: CameraIntrinsics) {
                (width, height) = (camera.imageSize.width, camera.imageSize.height)
                (fx, fy, cx, cy) = (camera.fx, camera.fy, camera.cx, camera.cy)
            }
        }
        var image = "image.jpg"
        var depth: Depth?
        var confidence: String?
        var intrinsics: Intrinsics

        init(intrinsics: Intrinsics) { self.intrinsics = intrinsics }
    }

    static func json(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value)) + [0x0A]
    }

    /// Writes elements of 16 bits: one per pixel for grey, three for RGB.
    static func writePNG16(
        _ elements: [UInt16], size: PixelSize, pixels: PNGWriter.Pixels, to path: String
    ) throws(FlatteningError) {
        try AtomicFile.replace(path) { (file) throws(FlatteningError) in
            let writer = try PNGWriter(to: file, size: size, pixels: pixels)
            var failure: FlatteningError?
            elements.withUnsafeBytes { bytes in
                do throws(FlatteningError) { try writer.write(rows: bytes) } catch { failure = error }
            }
            if let failure { throw failure }
            try writer.finish()
        }
    }

    /// Returns a JPEG with an added EXIF block that holds only the orientation (EXIF 2.3, tag 0x0112).
    private static func tagged(_ jpeg: [UInt8], orientation: ImageOrientation) -> [UInt8] {
        var block: [UInt8] = Array("Exif".utf8) + [0, 0]
        block += Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1]
        block += [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(orientation.rawValue), 0, 0, 0, 0, 0, 0]
        let length = block.count + 2
        // The block goes after the start marker and after the JFIF block, if there is one, which must stay first.
        var position = 2
        if jpeg.count > 6, jpeg[2] == 0xFF, jpeg[3] == 0xE0 {
            position += 2 + Int(jpeg[4]) << 8 + Int(jpeg[5])
        }
        return jpeg[..<position] + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + block
            + jpeg[position...]
    }
}

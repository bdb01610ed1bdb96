import Foundation
import ReceiptFlattening

/// The readers that are fuzzed: every one that takes bytes from outside.
enum Reader: String, CaseIterable {
    /// Pictures and maps; the format is told from the first bytes, so that the seeds choose the decoder.
    case png, tiff, jpeg, npy
    /// EXIF alone, inside a JPEG that is whole.
    case exif
    /// Intrinsics, by form.
    case json, yaml
    /// capture.json.
    case capture

    static let chosen = ProcessInfo.processInfo.environment["FUZZ_READER"].flatMap(Reader.init(rawValue:))

    /// Small enough that a find is a defect and not only a large picture.
    private static let limits: FlatteningLimits = {
        var limits = FlatteningLimits()
        limits.maximumColorPixels = 1_000_000
        limits.maximumDepthPixels = 1_000_000
        limits.maximumJPEGScanPixels = 10_000_000
        limits.maximumDecodingBytes = 64 << 20
        return limits
    }()

    /// Reads as the package's users do.
    func read(_ bytes: [UInt8]) {
        switch self {
        case .png, .tiff, .jpeg, .npy:
            let file = InputFile(name: "fuzz", bytes: bytes)
            _ = try? ColorPicture.decode(file, limits: Self.limits)
            _ = try? SampleMap.decode(file, limits: Self.limits)
        case .exif:
            _ = try? ColorPicture.decode(
                InputFile(name: "fuzz.jpg", bytes: Self.photograph(exif: bytes)), limits: Self.limits)
        case .json: readIntrinsics(InputFile(name: "fuzz.json", bytes: bytes))
        case .yaml: readIntrinsics(InputFile(name: "fuzz.yaml", bytes: bytes))
        case .capture:
            _ = try? CaptureDescription.parse(InputFile(name: "capture.json", bytes: bytes), folder: "fuzz")
        }
    }

    private func readIntrinsics(_ file: InputFile) {
        _ = try? IntrinsicsDocument.parse(file)
    }

    /// A small JPEG with an EXIF block (APP1, ITU-T T.81 B.2.4.6) before all else.
    private static func photograph(exif: [UInt8]) -> [UInt8] {
        let content = Array("Exif\0\0".utf8) + exif.prefix(65_000)
        let length = content.count + 2
        return plain.prefix(2) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + content
            + plain.dropFirst(2)
    }

    private static let plain: [UInt8] = {
        let path = NSTemporaryDirectory() + "fuzz-\(UUID().uuidString).jpg"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let picture = RGBImage(width: 8, height: 8, filledWith: .white)
        guard (try? ImageWriter.write(picture, to: path)) != nil, let file = try? InputFile.read(path: path)
        else {
            fatalError("no JPEG can be written to \(path)")
        }
        return file.bytes
    }()
}

import Foundation
@testable import Captures
@testable import ImageFiles
@testable import Imaging
@testable import LocalFiles
import ReceiptFlattening

/// Small whole files, for what stands beside the bytes that change.
enum Samples {
    /// A photograph of 8 x 6.
    static let photograph = written(".jpg") {
        try ImageWriter.write(RGBImage(width: 8, height: 6, filledWith: .white), to: $0)
    }

    /// A depth map of 4 x 3, half a metre in millimetres.
    static let depth = written(".npy") {
        try NPYWriter.write(Raster<UInt16>(width: 4, height: 3, filledWith: 500), to: $0)
    }

    /// A camera for the photograph.
    static let camera = Array(#"{"width":8,"height":6,"fx":8,"fy":8,"cx":3.5,"cy":2.5}"#.utf8)

    private static func written(_ suffix: String, _ write: (String) throws -> Void) -> [UInt8] {
        let path = NSTemporaryDirectory() + "fuzz-\(UUID().uuidString)" + suffix
        defer { try? FileManager.default.removeItem(atPath: path) }
        guard (try? write(path)) != nil, let file = try? InputFile.read(path: path) else {
            fatalError("no sample can be written to \(path)")
        }
        return file.bytes
    }

    /// The photograph with segments behind its first marker (ITU-T T.81, B.1.1.4).
    static func photograph(with segments: [(marker: UInt8, name: String, content: [UInt8])]) -> [UInt8] {
        let inserted = segments.flatMap { segment in
            let content = Array(segment.name.utf8) + segment.content.prefix(65_000)
            let length = content.count + 2
            return [0xFF, segment.marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
        }
        return photograph.prefix(2) + inserted + photograph.dropFirst(2)
    }

    /// An XMP packet in a photograph and in the picture that its index names, as Google's and as Apple's depth are kept.
    static func photograph(xmp: [UInt8]) -> [UInt8] {
        let packet = (marker: UInt8(0xE1), name: "http://ns.adobe.com/xap/1.0/\0", content: xmp)
        let second = photograph(with: [packet])
        func first(offset: Int) -> [UInt8] {
            photograph(with: [(0xE2, "MPF\0", pictureIndex(size: second.count, offset: offset)), packet])
        }
        // Places are counted from behind the file's and the segment's marker, its length and its name.
        return first(offset: first(offset: 0).count - 10) + second
    }

    /// CIPA DC-007, 5.2.3: one entry.
    private static func pictureIndex(size: Int, offset: Int) -> [UInt8] {
        func bigEndian(_ value: Int) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
        }
        return Array("MM\0*".utf8) + bigEndian(8) + [0, 1, 0xB0, 0x02, 0, 7] + bigEndian(16) + bigEndian(26)
            + bigEndian(0) + bigEndian(0) + bigEndian(size) + bigEndian(offset) + bigEndian(0)
    }
}

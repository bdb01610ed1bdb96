import Imaging
import Testing

@testable import ImageFiles

@Suite("EXIF")
struct ExifMetadataTests {
    /// Little-endian: orientation 6 and a pointer to a directory with FocalLengthIn35mmFilm 28.
    private static let sample: [UInt8] =
        [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]
        + [2, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]
        + [0x69, 0x87, 4, 0, 1, 0, 0, 0, 38, 0, 0, 0, 0, 0, 0, 0]
        + [1, 0, 0x05, 0xA4, 3, 0, 1, 0, 0, 0, 28, 0, 0, 0, 0, 0, 0, 0]

    @Test("Orientation and focal length are found")
    func found() {
        let metadata = ExifMetadata(tiff: Self.sample)
        #expect(metadata.orientation == .right)
        #expect(metadata.focalLengthIn35mmFilm == 28)
    }

    @Test("Cut anywhere, it is read as far as it goes")
    func cut() {
        for length in 0..<Self.sample.count {
            let metadata = ExifMetadata(tiff: Self.sample.prefix(length))
            #expect(metadata.orientation == nil || metadata.orientation == .right)
        }
    }

    @Test("Values outside their range are absent", arguments: [0, 9, 255])
    func outside(value: UInt8) {
        var bytes = Self.sample
        bytes[18] = value
        #expect(ExifMetadata(tiff: bytes).orientation == nil)
    }

    @Test("A directory far outside the block is absent")
    func farAway() {
        var bytes = Self.sample
        bytes.replaceSubrange(30..<34, with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(ExifMetadata(tiff: bytes).focalLengthIn35mmFilm == nil)
    }
}

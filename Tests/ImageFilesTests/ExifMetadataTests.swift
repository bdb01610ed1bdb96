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

    @Test(
        "Small floats are exact",
        arguments: [
            (0x0000, 0), (0x8000, -0.0), (0x3C00, 1), (0xC000, -2), (0x7BFF, 65504),
            (0x0001, 5.960464477539063e-8),
            (0x03FF, 6.097555160522461e-5), (0x0400, 6.103515625e-5), (0x7C00, .infinity),
            (0x3555, 0.333251953125),
        ] as [(UInt16, Float)])
    func half(bits: UInt16, value: Float) {
        let converted = SmallFloat.float(half: bits)
        #expect(converted == value && converted.sign == value.sign)
        #expect(SmallFloat.float(half: 0x7E00).isNaN)
    }

    @Test("24-bit floats: 1 is an exponent of 63 and no fraction")
    func float24() {
        #expect(SmallFloat.float(bits24: 63 << 16) == 1)
        #expect(SmallFloat.float(bits24: 1 << 23 | 64 << 16 | 0x8000) == -3)
        #expect(SmallFloat.float(bits24: 127 << 16) == .infinity)
        // The smallest denormal is 2^(-62 - 16).
        #expect(SmallFloat.float(bits24: 1) == Float(sign: .plus, exponent: -78, significand: 1))
    }
}

import Diagnostics
import Foundation
import ImageFiles
import Imaging
import LocalFiles
import TestSupport
import Testing

/// The faults that a PNG can have, one at a time: each is refused, and the error says which file and what is wrong.
@Suite struct BrokenPNGTests {
    private static func gray(_ change: (inout HandmadePNG) -> Void = { _ in }) -> HandmadePNG {
        var png = HandmadePNG(width: 9, height: 5, bitDepth: 8, colorType: 0) { x, y, _ in x * 20 + y }
        change(&png)
        return png
    }

    /// The error of a file that is read as a picture, and as a map.
    private static func refusals(_ bytes: [UInt8]) throws -> [FlatteningError] {
        let file = InputFile(name: "broken.png", bytes: bytes)
        let errors = [
            try #require(throws: FlatteningError.self) { try ColorPicture.decode(file) },
            try #require(throws: FlatteningError.self) { try SampleMap.decode(file) },
        ]
        for error in errors { #expect(error.file == "broken.png" && error.code == .badInput) }
        return errors
    }

    @Test func theWholeFileIsReadable() throws {
        let file = InputFile(name: "whole.png", bytes: Self.gray().bytes)
        #expect(throws: Never.self) { try ColorPicture.decode(file) }
        #expect(throws: Never.self) { try SampleMap.decode(file) }
    }

    /// The signature shows a cleared eighth bit, another file, a change of case, and a byte that transfer lost.
    @Test(arguments: [(0, 0x09), (1, 0x51), (3, 0x67), (6, 0x20)] as [(Int, UInt8)])
    func anotherSignatureIsNoPNG(position: Int, byte: UInt8) throws {
        var bytes = Self.gray().bytes
        bytes[position] = byte
        for error in try Self.refusals(bytes) {
            #expect(error.stage == .format && error.allowed?.contains("PNG") == true)
        }
    }

    @Test func linesEndedAnewByATransferAreNoPNG() throws {
        let bytes = Self.gray().bytes
        let withReturns = bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
        let withoutReturns = bytes.filter { $0 != 0x0D }
        let returnsAlone = bytes.map { $0 == 0x0A ? 0x0D : $0 }
        for damaged in [withReturns, withoutReturns, returnsAlone] {
            for error in try Self.refusals(damaged) { #expect(error.stage == .format) }
        }
    }

    @Test(arguments: ["IHDR", "IDAT"])
    func aChecksumThatDisagreesIsNamedWithItsChunk(kind: String) throws {
        var bytes = Self.gray().bytes
        let start = try #require(
            bytes.indices.first { bytes[$0...].starts(with: kind.utf8) })
        let length = bytes[(start - 4)..<start].reduce(0) { $0 << 8 | Int($1) }
        bytes[start + 4 + length] ^= 1
        for error in try Self.refusals(bytes) {
            #expect(error.stage == .png && error.detail?.contains("\(kind): CRC error") == true)
        }
    }

    @Test(arguments: [
        (1, 8), (5, 8), (9, 8), (2, 0), (2, 3), (2, 99), (2, 4), (0, 0), (3, 16), (4, 4), (255, 255),
    ])
    func aKindOfPixelsThatDoesNotExistIsNamed(colorType: Int, bitDepth: Int) throws {
        var bytes = Self.gray().bytes
        (bytes[24], bytes[25]) = (UInt8(bitDepth), UInt8(colorType))
        // With the right checksum, so that nothing else is wrong.
        bytes.replaceSubrange(
            29..<33, with: Bytes.big(Int(Bytes.crc32(Array(bytes[12..<29])))))
        for error in try Self.refusals(bytes) {
            #expect(error.seen == "colour type \(colorType) of \(bitDepth) bits")
            #expect(error.message.contains("kind of pixels"))
        }
    }

    @Test(arguments: [(26, 1), (27, 7), (28, 2)] as [(Int, UInt8)])
    func aMethodThatDoesNotExistIsRefused(position: Int, value: UInt8) throws {
        var bytes = Self.gray().bytes
        bytes[position] = value
        bytes.replaceSubrange(
            29..<33, with: Bytes.big(Int(Bytes.crc32(Array(bytes[12..<29])))))
        for error in try Self.refusals(bytes) {
            #expect(error.stage == .png && error.detail?.contains("IHDR") == true)
        }
    }

    @Test func aFileWithoutPixelsIsRefused() throws {
        for error in try Self.refusals(Self.gray { $0.hasPixels = false }.bytes) {
            #expect(error.stage == .png && error.detail != nil)
        }
    }

    @Test func aPaletteThatIsNotThereIsMissed() throws {
        let png = HandmadePNG(width: 4, height: 4, bitDepth: 8, colorType: 3) { x, _, _ in x }
        let error = try #require(throws: FlatteningError.self) {
            try ColorPicture.decode(InputFile(name: "bare.png", bytes: png.bytes))
        }
        #expect(error.code == .badInput && error.detail?.contains("PLTE") == true)
    }

    @Test func aHeaderThatIsNotTheFirstChunkIsMissed() throws {
        let png = Self.gray()
        let misplaced =
            HandmadePNG.signature + HandmadePNG.chunk("gAMA", Bytes.big(45455))
            + png.bytes.dropFirst(8)
        for error in try Self.refusals(misplaced) { #expect(error.message.contains("no header")) }
    }

    @Test func everyCutBeforeTheLastPixelIsRefused() throws {
        let bytes = Self.gray().bytes
        // What follows the pixels: the checksums of the stream and of its chunk, and the end's chunk.
        for length in 8..<bytes.count - 20 {
            _ = try Self.refusals(Array(bytes.prefix(length)))
        }
    }

    /// What lies beyond a palette has no colour of its own: it comes out black, and nothing outside is read for it.
    @Test func anIndexPastThePaletteIsNoColorOfAnothersMemory() throws {
        var png = HandmadePNG(width: 4, height: 1, bitDepth: 8, colorType: 3) { x, _, _ in [0, 1, 2, 255][x] }
        png.chunks = [("PLTE", [10, 20, 30, 40, 50, 60])]
        let picture = try ColorPicture.decode(InputFile(name: "past.png", bytes: png.bytes)).image
        #expect(picture[x: 0, y: 0] == RGB(red: 10, green: 20, blue: 30))
        #expect(picture[x: 3, y: 0] == RGB(red: 0, green: 0, blue: 0))
    }

    // MARK: - Data after the last row

    /// A megabyte that unpacks to 166, as the whole stream of a picture of 64 x 64; inflating it all takes 0.2 s and more.
    @Test(arguments: [false, true])
    func dataThatGoesOnAfterTheLastRowIsRefusedBeforeItIsInflated(isInterlaced: Bool) throws {
        var png = HandmadePNG(width: 64, height: 64, bitDepth: 8, colorType: 0) { _, _, _ in 0 }
        png.isInterlaced = isInterlaced
        png.stream = HandmadePNG.endlessZeros(1 << 20)
        let bytes = png.bytes
        let start = clock()
        for error in try Self.refusals(bytes) {
            #expect(error.message == "the picture's data goes on after its last row" && error.stage == .png)
            // libpng has taken the first 8 KiB; a row of 65 bytes and 64 KiB may follow.
            #expect(error.seen?.hasPrefix("\((1 << 20) - 8192) bytes") == true)
            #expect(error.allowed == "65601 bytes")
        }
        #expect(Double(clock() - start) / Double(CLOCKS_PER_SEC) < 0.1)
    }

    @Test func dataInManyChunksAfterTheLastRowIsSummed() throws {
        let whole = Self.gray().bytes
        let more = (0..<1000).flatMap { _ in HandmadePNG.chunk("IDAT", Array(repeating: 0, count: 100)) }
        for error in try Self.refusals(whole.dropLast(12) + more + whole.suffix(12)) {
            #expect(error.message.contains("goes on after its last row"))
        }
    }

    /// Encoders have left such; nothing of it is a pixel's.
    @Test(arguments: [false, true])
    func aFewBytesAfterTheLastRowAreNoFault(isInterlaced: Bool) throws {
        let whole = Self.gray { $0.isInterlaced = isInterlaced }
        var long = whole
        long.surplus = [1, 2, 3]
        var trailed = whole
        trailed.trailer = Array(repeating: 7, count: 40)
        let expected = try ColorPicture.decode(InputFile(name: "whole.png", bytes: whole.bytes)).image
        for png in [long, trailed] {
            let file = InputFile(name: "long.png", bytes: png.bytes)
            #expect(try ColorPicture.decode(file).image == expected)
            #expect(throws: Never.self) { try SampleMap.decode(file) }
        }
    }

    /// A row that does not compress may be larger than what may follow the last.
    @Test func aLastRowLongerThanTheSlackIsRead() throws {
        let png = HandmadePNG(width: 16384, height: 2, bitDepth: 16, colorType: 6) { x, y, _ in x * 7 + y }
        #expect(throws: Never.self) {
            try ColorPicture.decode(InputFile(name: "wide.png", bytes: png.bytes))
        }
    }
}

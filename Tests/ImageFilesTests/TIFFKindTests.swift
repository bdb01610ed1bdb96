import Diagnostics
import ImageFiles
import Imaging
import LocalFiles
import TestSupport
import Testing

/// Kinds of TIFF that no program at hand writes, on files put together by hand.
@Suite struct TIFFKindTests {
    private static func file(_ tiff: HandmadeTIFF) -> InputFile {
        InputFile(name: "handmade.tif", bytes: tiff.bytes)
    }

    private static func refusal(_ tiff: HandmadeTIFF) throws -> FlatteningError {
        try #require(throws: FlatteningError.self) { try ColorPicture.decode(file(tiff)) }
    }

    /// Directories behind the first, each of one tag: the kind of its picture.
    @Test(arguments: [
        ([], nil), ([0], "page 1 of 2"), ([2, 2], "page 1 of 3"), ([1, 4, 5], nil), ([1, 2], "page 1 of 2"),
    ])
    func pagesThatAreNotReadAreToldOf(kinds: [Int], words: String?) throws {
        var bytes = HandmadeTIFF(width: 2, height: 1, bits: 8, pixels: [0, 255]).bytes
        // Where the first directory points to the next.
        var link = 8 + 2 + Int(bytes[8]) * 12
        for kind in kinds {
            bytes.replaceSubrange(link..<link + 4, with: Bytes.little(bytes.count, 4))
            bytes += Bytes.little(1, 2) + Bytes.little(254, 2) + Bytes.little(4, 2) + Bytes.little(1, 4)
            bytes += Bytes.little(kind, 4) + [0, 0, 0, 0]
            link = bytes.count - 4
        }
        let warnings = try ColorPicture.decode(InputFile(name: "pages.tif", bytes: bytes)).warnings
        #expect(warnings.count == (words == nil ? 0 : 1))
        #expect(warnings.allSatisfy { $0.hasPrefix(words ?? "") && $0.hasSuffix("and no other") })
    }

    @Test func floatsOf24BitsAreDistances() throws {
        // 1 sign, 7 exponent (bias 63) and 16 fraction bits: 1, -3, 0.5, 2 (1 + 1/65536).
        let bits = [63 << 16, 1 << 23 | 64 << 16 | 0x8000, 62 << 16, 64 << 16 | 1]
        let tiff = HandmadeTIFF(
            width: 2, height: 2, bits: 24, format: 3, pixels: bits.flatMap { Bytes.little($0, 3) })
        let expected: [Float] = [1, -3, 0.5, 2 + 2 / 65536]
        #expect(
            try SampleMap.decode(Self.file(tiff))
                == .float32(Raster(width: 2, height: 2, elements: expected)))
    }

    @Test(arguments: [(2, 16), (2, 8), (1, 32), (6, 32), (5, 32)])
    func mapsOfOtherNumbersAreRefusedByTheirType(format: Int, bits: Int) throws {
        let tiff = HandmadeTIFF(
            width: 2, height: 1, bits: bits, format: format, pixels: [UInt8](repeating: 0, count: bits / 4))
        let error = try #require(throws: FlatteningError.self) { try SampleMap.decode(Self.file(tiff)) }
        #expect(error.code == .unsupported && error.seen?.hasPrefix("\(bits)-bit") == true)
    }

    /// Palettes have 16 bits a channel; some programs write bytes into them as they are, others shift them.
    @Test(arguments: [1, 256, 257])
    func aPaletteMayHoldBytesShiftedOrNotOr16Bits(factor: Int) throws {
        func channel(_ start: Int) -> [Int] { (0..<4).map { (start + 50 * $0) * factor } }
        var tiff = HandmadeTIFF(width: 4, height: 1, bits: 2, photometric: 3, pixels: [0b00_01_10_11])
        tiff.tags[320] = channel(10) + channel(30) + channel(90)
        let picture = try ColorPicture.decode(Self.file(tiff)).image
        for index in 0..<4 {
            let step = UInt8(50 * index)
            #expect(picture[x: index, y: 0] == RGB(red: 10 + step, green: 30 + step, blue: 90 + step))
        }
    }

    @Test func tooFewSamplesForTheColoursAreNamed() throws {
        let error = try Self.refusal(
            HandmadeTIFF(width: 2, height: 1, bits: 8, samples: 2, photometric: 2, pixels: [1, 2, 3, 4]))
        #expect(error.code == .unsupported && error.seen == "2 of 3 samples")
    }

    @Test func transparencyAndCMYKInSeparatePlanesAreRefused() throws {
        var clear = HandmadeTIFF(
            width: 2, height: 1, bits: 8, samples: 4, photometric: 2, isPlanar: true,
            pixels: [UInt8](repeating: 9, count: 8))
        clear.tags[338] = [2]
        var inks = clear
        (inks.photometric, inks.tags) = (5, [:])
        for tiff in [clear, inks] {
            let error = try Self.refusal(tiff)
            #expect(error.code == .unsupported && error.message.contains("separate planes"))
        }
    }

    @Test(arguments: [(8, 3), (12, 1), (32, 1)])
    func otherColoursAndDepthsAreRefusedWithTheWayOut(bits: Int, samples: Int) throws {
        // Photometric 8 is CIE L*a*b*.
        let tiff = HandmadeTIFF(
            width: 4, height: 1, bits: bits, samples: samples, photometric: samples == 3 ? 8 : 1,
            pixels: [UInt8](repeating: 0, count: bits * samples / 2))
        let error = try Self.refusal(tiff)
        #expect(error.code == .unsupported && error.advice?.contains("magick") == true)
    }

    @Test func anImpossibleNumberOfSamplesOrBitsIsNamed() throws {
        for (bits, samples) in [(8, 9), (128, 1), (0, 1)] {
            let tiff = HandmadeTIFF(
                width: 2, height: 1, bits: bits, samples: samples, pixels: [UInt8](repeating: 0, count: 64))
            let error = try Self.refusal(tiff)
            #expect([.unsupported, .badInput].contains(error.code) && error.file == "handmade.tif")
        }
    }

    @Test func aResolutionOfUnequalSidesOrWithoutUnitClaimsNothing() throws {
        let plain = HandmadeTIFF(width: 2, height: 1, bits: 8, pixels: [1, 2])
        #expect(try ColorPicture.decode(Self.file(plain)).pixelsPerMeter == nil)
    }

    @Test func aTileThatIsLargerThanThePictureCouldNeedIsRefused() throws {
        var tiff = HandmadeTIFF(width: 2, height: 1, bits: 8, pixels: [1, 2])
        (tiff.tags[322], tiff.tags[323]) = ([16384], [16])
        let error = try Self.refusal(tiff)
        #expect(error.code == .badInput && error.stage == .tiff)
    }
}

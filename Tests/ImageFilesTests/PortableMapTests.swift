import Diagnostics
import ImageFiles
import Imaging
import LocalFiles
import RobustStatistics
import TestSupport
import Testing

/// PGM and PPM, put together here as netpbm's pages describe them.
@Suite struct PortableMapTests {
    private static func file(_ header: String, _ values: [UInt8] = []) -> InputFile {
        InputFile(name: "test.pgm", bytes: Array(header.utf8) + values)
    }

    private static func bigEndian(_ values: [UInt16]) -> [UInt8] {
        values.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    private static func fixture<Value: BitwiseCopyable>(_ name: String, as type: Value.Type) throws -> [Value]
    {
        let bytes = try Fixture.bytes(name)
        return bytes.withUnsafeBytes { raw in
            (0..<raw.count / MemoryLayout<Value>.size).map {
                raw.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Value>.size, as: Value.self)
            }
        }
    }

    @Test func sixteenBitsAreStoredMostSignificantFirst() throws {
        let values = try Self.fixture("gray16.raw", as: UInt16.self)
        let map = try SampleMap.decode(Self.file("P5\n37 21\n65535\n", Self.bigEndian(values)))
        #expect(map == .uint16(Raster(width: 37, height: 21, elements: values)))
    }

    @Test func aMapKeepsItsValuesWhateverItsGreatestIs() throws {
        // 2047 is what eleven-bit sensors write; nothing is stretched to 65535.
        let map = try SampleMap.decode(Self.file("P5 2 1 2047 ", [0x07, 0xFF, 0x00, 0x01]))
        #expect(map == .uint16(Raster(width: 2, height: 1, elements: [2047, 1])))
        let small = try SampleMap.decode(Self.file("P5 2 1 2\n", [2, 1]))
        #expect(small == .uint8(Raster(width: 2, height: 1, elements: [2, 1])))
    }

    @Test func colorsAreTheSameInBytesAndInDigits() throws {
        let bytes = try Fixture.bytes("rgb8.raw")
        let expected = RGBImage(
            width: 37, height: 21,
            elements: stride(from: 0, to: bytes.count, by: 3).map {
                RGB(red: bytes[$0], green: bytes[$0 + 1], blue: bytes[$0 + 2])
            })
        #expect(try ColorPicture.decode(Self.file("P6\n37 21\n255\n", bytes)).image == expected)
        let digits = bytes.map { "\($0)" }.joined(separator: "\n")
        #expect(try ColorPicture.decode(Self.file("P3 37 21 255 " + digits)).image == expected)
    }

    @Test func aPictureIsStretchedToEightBits() throws {
        // 500 of 1000 is half of 255, rounded; 1000 is white.
        let picture = try ColorPicture.decode(Self.file("P2\n3 1\n1000\n0 500 1000"))
        #expect(picture.image.elements.map(\.red) == [0, 128, 255])
        #expect(picture.image.elements.allSatisfy { $0.red == $0.green && $0.green == $0.blue })
    }

    @Test(arguments: [
        "P2\n# made by hand\n3 1\n# the greatest\n9\n1 2 3\n", "P2 3 1 9 1 2 # two\n3",
        "P2\r\n3\t1\r\n9\r\n1\r\n2\r\n3",
    ])
    func commentsAndAnyWhiteSpaceStandBetweenNumbers(text: String) throws {
        #expect(
            try SampleMap.decode(Self.file(text)) == .uint8(Raster(width: 3, height: 1, elements: [1, 2, 3])))
    }

    @Test func whatFollowsAPictureIsSaidAndWhatFollowsAMapIsRefused() throws {
        let file = Self.file("P5 1 1 255 ", [7, 65])
        #expect(try ColorPicture.decode(file).warnings.count == 1)
        #expect(throws: FlatteningError.self) { try SampleMap.decode(file) }
        // A line feed at the end is an editor's.
        #expect(throws: Never.self) { try SampleMap.decode(Self.file("P5 1 1 255 ", [7, 10])) }
    }

    @Test(arguments: [
        "P5 2 2 255 ab", "P5 2 2 0 abcd", "P5 2 2 65536 abcdefgh", "P5 2 2", "P5 2 2 255", "P5 0 2 255 ",
        "P5 2 -2 255 abcd",
        "P2 2 1 9 1", "P2 2 1 9 1 x", "P2 2 1 9 1 10", "P2 1 1 9 99999999999999999999",
        "P5 4294967297 1 255 a",
        "P5 1 1 200 \u{7F}\u{7F}",
    ])
    func aBrokenMapIsABadInputThatNamesItsFile(text: String) throws {
        let error = try #require(throws: FlatteningError.self) { try SampleMap.decode(Self.file(text)) }
        #expect(error.code == .badInput || error.code == .limitExceeded)
        #expect(error.file == "test.pgm" && error.stage == .pnm)
    }

    @Test func aValueBeyondTheHeadersGreatestIsRefused() throws {
        let error = try #require(throws: FlatteningError.self) {
            try SampleMap.decode(Self.file("P5 2 1 100 ", [100, 101]))
        }
        #expect(error.code == .badInput && error.seen?.contains("101") == true)
    }

    @Test func sizesAreCheckedBeforeAnythingIsReserved() throws {
        var limits = FlatteningLimits()
        limits.maximumDepthPixels = 100
        for (text, code) in [
            ("P5 20000 1 255 ", FlatteningError.Code.limitExceeded), ("P5 11 11 255 ", .limitExceeded),
            ("P5 10 10 255 ", .badInput), ("P2 10 10 255 ", .badInput),
        ] {
            let error = try #require(throws: FlatteningError.self) {
                try SampleMap.decode(Self.file(text), limits: limits)
            }
            #expect(error.code == code, "\(text)")
        }
    }

    @Test func coloursAreNoDepthAndBitmapsAreNotRead() throws {
        let colors = try #require(throws: FlatteningError.self) {
            try SampleMap.decode(Self.file("P6 1 1 255 ", [1, 2, 3]))
        }
        #expect(colors.code == .badInput && colors.seen == "PPM")
        for header in ["P1 1 1 0", "P4 8 1 a", "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nENDHDR\na"] {
            let error = try #require(throws: FlatteningError.self) {
                try ColorPicture.decode(Self.file(header))
            }
            #expect(error.code == .unsupported && error.advice != nil, "\(header)")
        }
    }

    @Test func aTextThatOnlyBeginsLikeAMapIsNone() {
        for text in ["P5/receipt.jpg\n", "P5\npictures/a.jpg\n", "P8 1 1", "P5", "P55 1 1"] {
            #expect(ImageFileFormat.sniff(Array(text.utf8)) != .pnm, "\(text)")
        }
    }

    @Test("Damaged anywhere, a map gives an error or a result, never a crash", arguments: 0..<40)
    func damaged(seed: Int) {
        var generator = SplitMix64(seed: UInt64(seed))
        let texts = ["P2\n# x\n4 3\n900\n", "P3 2 2 255 ", "P5\n4 3\n65535\n", "P6 4 1 31\n"]
        let values = (0..<24).flatMap { _ in Array("\(UInt16.random(in: 0...999, using: &generator)) ".utf8) }
        let whole = Array(texts[seed % texts.count].utf8) + values
        for _ in 0..<50 {
            var bytes = Array(whole.prefix(Int.random(in: 3...whole.count, using: &generator)))
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                bytes[Int.random(in: 2..<bytes.count, using: &generator)] = UInt8.random(
                    in: 9...57, using: &generator)
            }
            let file = InputFile(name: "seed \(seed)", bytes: bytes)
            expectValueOrRefusal("seed \(seed)") { try ColorPicture.decode(file) }
            expectValueOrRefusal("seed \(seed)") { try SampleMap.decode(file) }
        }
    }
}

import Imaging
import Testing

@testable import ImageFiles

/// The turn of a HEIF's primary picture, on boxes put together by hand (ISO/IEC 14496-12, 4.2; ISO/IEC 23008-12, 6.5, 9.3).
@Suite struct HEIFBoxTests {
    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        HandmadePNG.bigEndian(content.count + 8) + Array(type.utf8) + content
    }

    /// The same with its size in 64 bits.
    private static func largeBox(_ type: String, _ content: [UInt8]) -> [UInt8] {
        [0, 0, 0, 1] + Array(type.utf8) + [0, 0, 0, 0] + HandmadePNG.bigEndian(content.count + 16) + content
    }

    /// A file whose item 2 is the primary one. Properties are counted from 1; item 1 has the first of them.
    private static func file(
        _ properties: [[UInt8]], ofPrimary indices: [UInt8], isWide: Bool = false,
        box: (String, [UInt8]) -> [UInt8] = Self.box
    ) -> [UInt8] {
        // Version 1 has items of 32 bits, flag 1 has indices of 16, whose first bit says "essential".
        func entry(_ item: UInt8, _ indices: [UInt8]) -> [UInt8] {
            (isWide ? [0, 0, 0, item] : [0, item]) + [UInt8(indices.count)]
                + indices.flatMap { isWide ? [0x80, $0] : [0x80 | $0] }
        }
        let association =
            (isWide ? [1, 0, 0, 1] : [0, 0, 0, 0]) + [0, 0, 0, 2] + entry(1, [1]) + entry(2, indices)
        let primary: [UInt8] = isWide ? [1, 0, 0, 0, 0, 0, 0, 2] : [0, 0, 0, 0, 0, 2]
        let content =
            box("pitm", primary)
            + box("iprp", box("ipco", properties.flatMap(\.self)) + box("ipma", association))
        return box("ftyp", Array("heic".utf8)) + box("meta", [0, 0, 0, 0] + content)
    }

    private static func turn(_ angle: UInt8) -> [UInt8] { box("irot", [angle]) }
    private static func mirror(_ axis: UInt8) -> [UInt8] { box("imir", [axis]) }

    @Test(arguments: zip([0, 1, 2, 3] as [UInt8], [ImageOrientation.up, .left, .down, .right]))
    func quarterTurnsGoAgainstTheClock(angle: UInt8, expected: ImageOrientation) {
        for isWide in [false, true] {
            let bytes = Self.file([Self.turn(1), Self.turn(angle)], ofPrimary: [2], isWide: isWide)
            #expect(HEIFOrientation.of(bytes) == expected)
        }
    }

    @Test func aMirrorIsAboutAVerticalAxisOrAHorizontalOne() {
        #expect(HEIFOrientation.of(Self.file([Self.mirror(0)], ofPrimary: [1])) == .upMirrored)
        #expect(HEIFOrientation.of(Self.file([Self.mirror(1)], ofPrimary: [1])) == .downMirrored)
    }

    @Test func propertiesWorkInTheOrderOfTheirAssociation() {
        let properties = [Self.turn(1), Self.mirror(0)]
        let turnedFirst = HEIFOrientation.of(Self.file(properties, ofPrimary: [1, 2]))
        let mirroredFirst = HEIFOrientation.of(Self.file(properties, ofPrimary: [2, 1]))
        #expect(turnedFirst == ImageOrientation.left.followed(by: .upMirrored))
        #expect(mirroredFirst == ImageOrientation.upMirrored.followed(by: .left))
        #expect(turnedFirst != mirroredFirst)
    }

    @Test func sizesMayHave64Bits() {
        let bytes = Self.file([Self.turn(3)], ofPrimary: [1], box: Self.largeBox)
        #expect(HEIFOrientation.of(bytes) == .right)
    }

    @Test func anItemWithoutPropertiesOrWithSomeThatAreNotThereIsUpright() {
        #expect(HEIFOrientation.of(Self.file([Self.turn(1)], ofPrimary: [])) == .up)
        #expect(HEIFOrientation.of(Self.file([Self.turn(1)], ofPrimary: [0, 9])) == .up)
        #expect(HEIFOrientation.of([]) == .up)
    }

    @Test func cutOrDamagedAnywhereItIsSomeTurnAndNoCrash() {
        for bytes in [
            Self.file([Self.turn(3), Self.mirror(1)], ofPrimary: [1, 2]),
            Self.file([Self.turn(3)], ofPrimary: [1], isWide: true, box: Self.largeBox),
        ] {
            for length in 0..<bytes.count { _ = HEIFOrientation.of(Array(bytes.prefix(length))) }
            for position in bytes.indices {
                for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
                    var damaged = bytes
                    damaged[position] = value
                    _ = HEIFOrientation.of(damaged)
                }
            }
        }
    }

    private static let hasLibrary = (try? HEIFLibrary.load()) != nil

    @Test(.enabled(if: hasLibrary))
    func decodingStaysWithinItsMemory() throws {
        let name = "apple-disparity.heic"
        let file = InputFile(name: name, bytes: try Fixture.bytes(name))
        var limits = FlatteningLimits()
        // 192 x 144 pixels at eight bytes.
        limits.maximumDecodingBytes = 192 * 144 * 8
        #expect(throws: Never.self) { try ColorPicture.decode(file, limits: limits) }
        limits.maximumDecodingBytes -= 8
        let error = try #require(throws: FlatteningError.self) {
            try ColorPicture.decode(file, limits: limits)
        }
        #expect(error.code == .limitExceeded && error.allowed?.contains("maximumDecodingBytes") == true)
    }

    @Test(.enabled(if: hasLibrary))
    func whatLibheifCannotReadIsSaidInItsWords() throws {
        let bytes = Self.file([Self.turn(1)], ofPrimary: [1])
        let error = try #require(throws: FlatteningError.self) {
            try ColorPicture.decode(InputFile(name: "boxes.heic", bytes: bytes))
        }
        #expect(
            [.badInput, .unsupported].contains(error.code) && error.stage == "heic" && error.detail != nil)
    }

    @Test func aLibraryOfAnotherKindIsToldByTheFunctionItLacks() throws {
        #if os(Linux)
            let error = try #require(throws: FlatteningError.self) {
                try HEIFLibrary.open(anyOf: ["libm.so.6"])
            }
            #expect(error.code == .missingDependency)
            #expect(error.detail?.contains("libm.so.6 has no function heif_") == true)
        #endif
    }
}

import CHEIF
import Diagnostics
import Imaging
import LocalFiles
import Synchronization
import TestSupport
import Testing

@testable import ImageFiles

/// What of a HEIF's primary picture is shown, and how it is turned, on boxes put together by hand (ISO/IEC 14496-12, 4.2 and
/// 12.1.4; ISO/IEC 23008-12, 6.5, 9.3).
@Suite struct HEIFBoxTests {
    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        Bytes.big(content.count + 8) + Array(type.utf8) + content
    }

    /// The same with its size in 64 bits.
    private static func largeBox(_ type: String, _ content: [UInt8]) -> [UInt8] {
        [0, 0, 0, 1] + Array(type.utf8) + [0, 0, 0, 0] + Bytes.big(content.count + 16) + content
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

    private static func orientation(_ bytes: [UInt8]) -> ImageOrientation {
        HEIFTransformations(of: bytes, storedSize: PixelSize(width: 64, height: 40)).orientation
    }

    private static func turn(_ angle: UInt8) -> [UInt8] { box("irot", [angle]) }
    private static func mirror(_ axis: UInt8) -> [UInt8] { box("imir", [axis]) }

    @Test(arguments: zip([0, 1, 2, 3] as [UInt8], [ImageOrientation.up, .left, .down, .right]))
    func quarterTurnsGoAgainstTheClock(angle: UInt8, expected: ImageOrientation) {
        for isWide in [false, true] {
            let bytes = Self.file([Self.turn(1), Self.turn(angle)], ofPrimary: [2], isWide: isWide)
            #expect(Self.orientation(bytes) == expected)
        }
    }

    @Test func aMirrorIsAboutAVerticalAxisOrAHorizontalOne() {
        #expect(Self.orientation(Self.file([Self.mirror(0)], ofPrimary: [1])) == .upMirrored)
        #expect(Self.orientation(Self.file([Self.mirror(1)], ofPrimary: [1])) == .downMirrored)
    }

    @Test func propertiesWorkInTheOrderOfTheirAssociation() {
        let properties = [Self.turn(1), Self.mirror(0)]
        let turnedFirst = Self.orientation(Self.file(properties, ofPrimary: [1, 2]))
        let mirroredFirst = Self.orientation(Self.file(properties, ofPrimary: [2, 1]))
        #expect(turnedFirst == ImageOrientation.left.followed(by: .upMirrored))
        #expect(mirroredFirst == ImageOrientation.upMirrored.followed(by: .left))
        #expect(turnedFirst != mirroredFirst)
    }

    /// A clean aperture: width, height, and how far its middle lies from the picture's, in halves of a pixel.
    private static func aperture(_ width: UInt8, _ height: UInt8, _ right: Int8, _ down: Int8) -> [UInt8] {
        func half(_ value: Int8) -> [UInt8] {
            Bytes.big(Int(UInt32(bitPattern: Int32(value)))) + [0, 0, 0, 2]
        }
        return box(
            "clap", [0, 0, 0, width, 0, 0, 0, 1, 0, 0, 0, height, 0, 0, 0, 1] + half(right) + half(down))
    }

    @Test func theCleanApertureIsWhatIsShown() {
        let size = PixelSize(width: 64, height: 40)
        func shown(_ properties: [[UInt8]], _ indices: [UInt8]) -> HEIFTransformations {
            HEIFTransformations(of: Self.file(properties, ofPrimary: indices), storedSize: size)
        }
        // 61 x 37 pixels, whose middle is 1.5 pixels left of and above the picture's: the top left corner.
        let corner = Self.aperture(61, 37, -3, -3)
        let plain = shown([corner], [1])
        #expect(plain.columns == 0..<61 && plain.rows == 0..<37 && plain.orientation == .up)
        // Turned afterwards it is the same part.
        let turned = shown([corner, Self.turn(1)], [1, 2])
        #expect(turned.columns == 0..<61 && turned.rows == 0..<37 && turned.orientation == .left)
        // Cut from the picture that is already upside down it is the opposite corner.
        let after = shown([corner, Self.turn(2)], [2, 1])
        #expect(after.columns == 3..<64 && after.rows == 3..<40 && after.orientation == .down)
        // A quarter turn against the clock before it: 40 x 64, whose top left corner is the stored top right one.
        let quarter = shown([Self.aperture(10, 20, -30, -44), Self.turn(1)], [2, 1])
        #expect(quarter.columns == 44..<64 && quarter.rows == 0..<10)
    }

    @Test func anApertureThatCannotBeShowsAll() {
        let size = PixelSize(width: 64, height: 40)
        let parts = [
            Self.aperture(65, 40, 0, 0), Self.aperture(0, 40, 0, 0), Self.aperture(64, 40, 2, 0),
            Self.box("clap", [UInt8](repeating: 0, count: 32)), Self.box("clap", [0, 0, 0, 1]),
        ]
        for part in parts {
            let shown = HEIFTransformations(of: Self.file([part], ofPrimary: [1]), storedSize: size)
            #expect(shown.columns == 0..<64 && shown.rows == 0..<40)
        }
    }

    @Test func sizesMayHave64Bits() {
        let bytes = Self.file([Self.turn(3)], ofPrimary: [1], box: Self.largeBox)
        #expect(Self.orientation(bytes) == .right)
    }

    @Test func anItemWithoutPropertiesOrWithSomeThatAreNotThereIsUpright() {
        #expect(Self.orientation(Self.file([Self.turn(1)], ofPrimary: [])) == .up)
        #expect(Self.orientation(Self.file([Self.turn(1)], ofPrimary: [0, 9])) == .up)
        #expect(Self.orientation([]) == .up)
    }

    @Test func cutOrDamagedAnywhereItShowsAPartOfThePicture() {
        let size = PixelSize(width: 64, height: 40)
        func expectPart(of bytes: [UInt8], _ place: String) {
            let shown = HEIFTransformations(of: bytes, storedSize: size)
            #expect(!shown.columns.isEmpty && shown.columns.clamped(to: 0..<64) == shown.columns, "\(place)")
            #expect(!shown.rows.isEmpty && shown.rows.clamped(to: 0..<40) == shown.rows, "\(place)")
        }
        for bytes in [
            Self.file([Self.turn(3), Self.mirror(1)], ofPrimary: [1, 2]),
            Self.file([Self.aperture(61, 37, -3, -3)], ofPrimary: [1]),
            Self.file([Self.turn(3)], ofPrimary: [1], isWide: true, box: Self.largeBox),
        ] {
            for length in 0..<bytes.count {
                expectPart(of: Array(bytes.prefix(length)), "\(length) bytes")
            }
            for position in bytes.indices {
                for value in [0, 1, 0x7F, 0xFF] as [UInt8] {
                    var damaged = bytes
                    damaged[position] = value
                    expectPart(of: damaged, "byte \(position)")
                }
            }
        }
    }

    private static let hasLibrary = (try? HEIFLibrary.shared.load()) != nil

    @Test(
        .enabled(if: hasLibrary),
        arguments: [("apple-disparity.heic", 192 * 144 * 8), ("ten-bits.heic", 64 * 64 * 12)])
    func decodingStaysWithinItsMemory(name: String, bytes: Int) throws {
        let file = InputFile(name: name, bytes: try Fixture.bytes(name))
        var limits = FlatteningLimits()
        limits.maximumDecodingBytes = bytes
        #expect(throws: Never.self) { try ColorPicture.decode(file, limits: limits) }
        limits.maximumDecodingBytes -= 1
        let error = try #require(throws: FlatteningError.self) {
            try ColorPicture.decode(file, limits: limits)
        }
        #expect(error.code == .limitExceeded && error.allowed?.contains("maximumDecodingBytes") == true)
    }

    /// x265 codes 64 rows, of which 48 are the picture.
    @Test(.enabled(if: hasLibrary))
    func tenBitsBecomeEightAndTheFillingIsCutOff() throws {
        let name = "ten-bits.heic"
        let image = try ColorPicture.decode(InputFile(name: name, bytes: try Fixture.bytes(name))).image
        #expect(image.size == PixelSize(width: 64, height: 48))
        for (x, y) in [(5, 5), (30, 20), (60, 44)] {
            let seen = image[x: x, y: y]
            // The ramp that it was drawn with; x265 at quality 90 and half the resolution of color leave a few levels.
            for (value, drawn) in [(seen.red, 3 * x), (seen.green, 4 * y), (seen.blue, 128)] {
                #expect(abs(Int(value) - drawn) <= 8, "at \(x), \(y)")
            }
        }
    }

    @Test(.enabled(if: hasLibrary))
    func whatLibheifCannotReadIsSaidInItsWords() throws {
        let bytes = Self.file([Self.turn(1)], ofPrimary: [1])
        let error = try #require(throws: FlatteningError.self) {
            try ColorPicture.decode(InputFile(name: "boxes.heic", bytes: bytes))
        }
        #expect(
            [.badInput, .unsupported].contains(error.code) && error.stage == .heic && error.detail != nil)
    }

    /// The side that libheif's limit was last set to.
    private static let limitedSide = Mutex<Int32?>(nil)

    /// Headers before 1.19 do not know the structure of its limits: a side is set, to the root of our pixels. 1.18 keeps a
    /// limit of each side instead, which ours says nothing of.
    @Test(.enabled(if: hasLibrary), arguments: [(UInt32(0x0113_0000), Int32?(32)), (0x0112_0000, nil)])
    func libheifsOwnLimitIsLoweredWhereItHasOne(version: UInt32, side: Int32?) throws {
        var limits = FlatteningLimits()
        limits.maximumColorPixels = 1000
        var heif = try HEIFLibrary.shared.load()
        let context = try #require(heif.heif_context_alloc())
        defer { heif.heif_context_free(context) }
        if version == 0x0113_0000 {
            heif.heif_get_version_number = { 0x0113_0000 }
        } else {
            heif.heif_get_version_number = { 0x0112_0000 }
        }
        heif.heif_context_set_maximum_image_size_limit = { _, side in
            HEIFBoxTests.limitedSide.withLock { $0 = side }
        }
        Self.limitedSide.withLock { $0 = nil }
        HEIFFile.lowerLimits(of: context, heif, to: limits)
        // 31 x 31 pixels are fewer than allowed, 32 x 32 are not.
        #expect(Self.limitedSide.withLock(\.self) == side)
    }

    @Test func aLibraryOfAnotherKindIsToldByTheFunctionItLacks() throws {
        #if os(Linux)
            let error = try #require(throws: FlatteningError.self) {
                try HEIFLibrary.shared.open(anyOf: ["libm.so.6"])
            }
            #expect(error.code == .missingDependency)
            #expect(error.detail?.contains("libm.so.6 has no function heif_") == true)
        #endif
    }
}

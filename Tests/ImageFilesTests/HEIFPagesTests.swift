import CHEIF
import Diagnostics
import Foundation
import Imaging
import LocalFiles
import TestSupport
import Testing

@testable import ImageFiles

/// Which pictures of a HEIF are shown by themselves, on boxes put together by hand (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12, 6.4,
/// 6.8, 9.3).
@Suite struct HEIFPagesTests {
    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        Bytes.big(content.count + 8) + Array(type.utf8) + content
    }

    /// An item of version 2, or 3 with numbers of 32 bits.
    private static func item(_ number: UInt8, _ type: String, isHidden: Bool = false, isWide: Bool = false)
        -> [UInt8]
    {
        box(
            "infe",
            [isWide ? 3 : 2, 0, 0, isHidden ? 1 : 0] + (isWide ? [0, 0, 0, number] : [0, number]) + [0, 0]
                + Array(type.utf8) + [0])
    }

    private static func reference(_ type: String, from: UInt8, to: [UInt8]) -> [UInt8] {
        box(type, [0, from] + [0, UInt8(to.count)] + to.flatMap { [0, $0] })
    }

    private static func group(_ type: String, _ members: [UInt8]) -> [UInt8] {
        box(
            type,
            [0, 0, 0, 0] + Bytes.big(9) + Bytes.big(members.count) + members.flatMap { Bytes.big(Int($0)) })
    }

    private static func file(
        _ items: [[UInt8]], primary: UInt8 = 1, references: [UInt8] = [], groups: [UInt8] = []
    ) -> [UInt8] {
        box("ftyp", Array("heic".utf8))
            + box(
                "meta",
                [0, 0, 0, 0] + box("pitm", [0, 0, 0, 0, 0, primary])
                    + box("iinf", [0, 0, 0, 0, 0, UInt8(items.count)] + items.flatMap(\.self))
                    + box("iref", [0, 0, 0, 0] + references) + box("grpl", groups))
    }

    @Test("Pictures that nothing else uses are pages, the main one first and the others in the file's order")
    func pages() {
        let items = [Self.item(7, "hvc1"), Self.item(2, "Exif"), Self.item(3, "av01", isWide: true)]
        #expect(HEIFStructure.pages(in: Self.file(items)) == [7, 3])
        #expect(HEIFStructure.pages(in: Self.file(items, primary: 3)) == [3, 7])
    }

    @Test("Tiles, thumbnails, depth and hidden pictures are none")
    func companions() {
        let items =
            [Self.item(1, "grid"), Self.item(9, "hvc1", isHidden: true)]
            + (2...5).map { Self.item($0, "hvc1") }
        let references =
            Self.reference("dimg", from: 1, to: [2, 3]) + Self.reference("thmb", from: 4, to: [1])
            + Self.reference("auxl", from: 5, to: [1])
        #expect(HEIFStructure.pages(in: Self.file(items, references: references)) == [1])
    }

    @Test(
        "Of alternatives, and of pictures for two eyes, the main one is a page", arguments: ["altr", "ster"])
    func groups(type: String) {
        let items = (1...4).map { Self.item($0, "hvc1") }
        #expect(
            HEIFStructure.pages(in: Self.file(items, primary: 2, groups: Self.group(type, [1, 2]))) == [
                2, 3, 4,
            ])
        #expect(
            HEIFStructure.pages(in: Self.file(items, primary: 4, groups: Self.group(type, [1, 2]))) == [
                4, 1, 3,
            ])
    }

    @Test("Boxes that are cut off anywhere make no page that is not there, and no crash")
    func cutOff() {
        let items = (1...3).map { Self.item($0, "hvc1") }
        let whole = Self.file(
            items, references: Self.reference("thmb", from: 3, to: [1]), groups: Self.group("altr", [1, 2]))
        for count in whole.indices { #expect(HEIFStructure.pages(in: Array(whole[..<count])).count <= 3) }
        var claims = whole
        for place in claims.indices {
            let kept = claims[place]
            claims[place] = 255
            #expect(HEIFStructure.pages(in: claims).count <= 3)
            claims[place] = kept
        }
    }

    @Test(
        "What claims to be made of more than its box holds takes no time, and what is made of the main picture hides it not"
    )
    func claims() {
        let items = (1...3).map { Self.item($0, "hvc1") } + [Self.item(9, "tmap")]
        let claim = Self.box("dimg", [0, 3, 255, 255, 0, 2])
        #expect(
            HEIFStructure.pages(
                in: Self.file(items, references: claim + Self.reference("dimg", from: 9, to: [1]))) == [1, 3])
        let many = Self.file([Self.item(1, "hvc1")], references: (0..<10_000).flatMap { _ in claim })
        // Some 65,000 steps for each of 10,000 references would take minutes.
        #expect(HEIFStructure.pages(in: many) == [1])
    }

    private static let hasLibrary = (try? HEIFLibrary.shared.load()) != nil

    @Test(.enabled(if: hasLibrary))
    func eachPictureIsReadByItsNumberAndTheMainOneWithout() throws {
        let bytes = try Fixture.bytes("three-pictures.heic")
        let file = InputFile(name: "in.heic", bytes: bytes)
        // Of one colour and height each, the second in the file the main one; x265 at quality 90 leaves a few levels.
        for (page, (height, color)) in [
            (64, RGB(red: 30, green: 200, blue: 30)), (48, RGB(red: 200, green: 30, blue: 30)),
            (80, RGB(red: 30, green: 30, blue: 200)),
        ]
        .enumerated() {
            let picture = try ColorPicture.decode(file, page: page + 1)
            #expect(picture.image.size == PixelSize(width: 64, height: height) && picture.warnings.isEmpty)
            let seen = picture.image[x: 30, y: 20]
            for (one, other) in [(seen.red, color.red), (seen.green, color.green), (seen.blue, color.blue)] {
                #expect(abs(Int(one) - Int(other)) <= 8)
            }
        }
        let main = try ColorPicture.decode(file)
        #expect(main.image.size == PixelSize(width: 64, height: 64))
        #expect(main.warnings == ["only the main one of 3 pictures in the HEIC file is shown"])
        let error = try #require(throws: FlatteningError.self) { try ColorPicture.decode(file, page: 4) }
        #expect(error.code == .badInput && error.allowed == "1 to 3")
    }

    @Test func theCountOnDiskIsThatInMemory() throws {
        let folder = try ScratchFolder()
        for (name, count) in [("three-pictures.heic", 3), ("apple-disparity.heic", 1), ("ten-bits.heic", 1)] {
            try Data(try Fixture.bytes(name)).write(to: folder.url.appending(path: name))
            #expect(HEIFStructure.pageCount(ofFile: folder.path(name)) == count)
        }
        #expect(HEIFStructure.pageCount(ofFile: folder.path("none")) == 1)
    }
}

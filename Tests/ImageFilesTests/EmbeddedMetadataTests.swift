import Foundation
import Imaging
import Testing

@testable import ImageFiles

/// What metadata inside pictures may say, and what it may not cost.
@Suite struct EmbeddedMetadataTests {
    private static func read(_ segments: [UInt8]) throws -> EmbeddedCapture? {
        let bytes = HandmadeJPEG.inserting(segments, into: try Fixture.bytes("gray.jpg"))
        return try EmbeddedCapture.read(InputFile(name: "photo.jpg", bytes: bytes))
    }

    private static func gdepth(_ changes: [String: String?]) throws -> EmbeddedCapture? {
        let map = HandmadePNG(width: 2, height: 1, bitDepth: 16, colorType: 0) { x, _, _ in x * 65535 }
        var properties: [String: String] = [
            "Format": "RangeLinear", "Near": "1", "Far": "3", "Units": "m", "Mime": "image/png",
            "Data": Data(map.bytes).base64EncodedString(),
        ]
        for (key, value) in changes { properties[key] = value }
        return try read(HandmadeJPEG.gdepth(properties))
    }

    @Test func aDepthMapOf16BitsReachesFromNearToFar() throws {
        let depth = try #require(try Self.gdepth([:])?.depth)
        #expect(depth.readings.elements == [1, 3] && depth.isAbsolute && !depth.isDisparity)
        // One over 1 and one over 3 metres, rounded to Float.
        let inverse = try #require(try Self.gdepth(["Format": "RangeInverse", "Units": "mm"])?.depth)
        #expect(inverse.isDisparity && inverse.isAbsolute)
        for (reading, expected) in zip(inverse.readings.elements, [1000, 1000.0 / 3]) {
            #expect(abs(Double(reading) / expected - 1) < 1e-6)
        }
        #expect(try Self.gdepth(["MeasureType": "OpticRay"])?.depth?.isRadial == true)
    }

    @Test func whatIsMissingIsNoDepth() throws {
        #expect(try Self.gdepth(["Format": nil]) == nil)
        #expect(try Self.gdepth(["Data": nil]) == nil)
    }

    @Test(
        arguments: [
            (["Format": "RangeSquared"], "format"), (["Near": "0"], "range"), (["Near": "-1"], "range"),
            (["Far": "1"], "range"), (["Far": "inf"], "range"), (["Near": "nan"], "range"),
            (["Near": nil], "range"),
            (["Data": "a"], "base64"),
        ] as [([String: String?], String)])
    func whatCannotBeIsNamed(changes: [String: String?], word: String) throws {
        let error = try #require(throws: FlatteningError.self) { try Self.gdepth(changes) }
        #expect(error.code == .badInput && error.file == "photo.jpg" && error.message.contains(word))
    }

    @Test func aDepthMapOfFloatsIsNotRead() throws {
        let floats = Data(try Fixture.bytes("depth32.npy")).base64EncodedString()
        let error = try #require(throws: FlatteningError.self) { try Self.gdepth(["Data": floats]) }
        #expect(error.code == .unsupported && error.stage == "embedded depth")
    }

    @Test(arguments: [
        "", "<a:FloatMinValue xmlns:a='http://ns.apple.com/pixeldatainfo/1.0/'>5</a:FloatMinValue>",
    ])
    func applesDepthWithoutItsRangeIsRefused(values: String) throws {
        let xmp =
            "<r xmlns:p='http://ns.apple.com/pixeldatainfo/1.0/' p:AuxiliaryImageType='depth'>\(values)</r>"
        let second = HandmadeJPEG.inserting(HandmadeJPEG.xmp(xmp), into: try Fixture.bytes("gray.jpg"))
        let error = try #require(throws: FlatteningError.self) {
            try EmbeddedCapture.read(Self.photographBefore([second]))
        }
        #expect(error.code == .badInput && error.message.contains("stand for"))
    }

    /// A photograph with an index of the pictures behind it.
    private static func photographBefore(_ pictures: [[UInt8]]) throws -> InputFile {
        let first = try Fixture.bytes("full-color.jpg")
        let length = HandmadeJPEG.pictureIndex(pictures.map { ($0.count, 0) }).count
        // Places are counted from behind the file's and the segment's marker, its length and its name.
        var offset = first.count + length - (2 + 2 + 2 + 4)
        let entries = pictures.map { picture in
            defer { offset += picture.count }
            return (size: picture.count, offset: offset)
        }
        return InputFile(
            name: "photo.jpg",
            bytes: HandmadeJPEG.inserting(HandmadeJPEG.pictureIndex(entries), into: first)
                + pictures.flatMap(\.self))
    }

    private static func applesDepth() throws -> [UInt8] {
        let xmp = """
            <r xmlns:p='http://ns.apple.com/pixeldatainfo/1.0/' p:AuxiliaryImageType='depth' p:FloatMinValue='1'
            p:FloatMaxValue='2' p:IntMinValue='0' p:IntMaxValue='255'/>
            """
        return HandmadeJPEG.inserting(HandmadeJPEG.xmp(xmp), into: try Fixture.bytes("gray.jpg"))
    }

    @Test func depthIsLookedForAmongTheFirstPicturesOnly() throws {
        let plain = try Fixture.bytes("gray.jpg")
        let depth = try Self.applesDepth()
        #expect(try EmbeddedCapture.read(Self.photographBefore([plain, depth]))?.depth != nil)
        // An index can name one picture thousands of times; the thirty-second is the last that is looked at.
        let last = Array(repeating: plain, count: 31) + [depth]
        #expect(try EmbeddedCapture.read(Self.photographBefore(last))?.depth != nil)
        let beyond = Array(repeating: plain, count: 32) + [depth]
        #expect(try EmbeddedCapture.read(Self.photographBefore(beyond)) == nil)
    }

    // MARK: XMP

    @Test func aLongNamespaceIsNotCopiedToEachOfItsProperties() {
        func value(ofNamespace length: Int) -> String? {
            let uri = String(repeating: "u", count: length)
            return XMPPacket(Array("<r xmlns:a='\(uri)' a:b='1'/>".utf8)).value(uri, "b")
        }
        #expect(value(ofNamespace: 256) == "1")
        #expect(value(ofNamespace: 257) == nil)
    }

    @Test func aPacketOfMorePropertiesThanCamerasWriteEndsThere() {
        func packet(_ count: Int) -> XMPPacket {
            let before = String(repeating: "<p/>", count: count)
            return XMPPacket(Array("<r xmlns:a='u/'>\(before)<a:b>1</a:b></r>".utf8))
        }
        // The root, its namespace and the last element count too.
        #expect(packet(9_997).value("u/", "b") == "1")
        #expect(packet(9_998).value("u/", "b") == nil)
        let attributes = (0..<10_001).map { "k\($0)=''" }.joined(separator: " ")
        #expect(
            XMPPacket(Array("<r xmlns:a='u/'><p \(attributes)/><a:b>1</a:b></r>".utf8)).value("u/", "b")
                == nil)
    }

    @Test func nestingEndsAtSixtyFour() {
        func value(_ depth: Int) -> String? {
            let open = String(repeating: "<p>", count: depth)
            return XMPPacket(Array("<r xmlns:a='u/'>\(open)<a:b>1</a:b>".utf8)).value("u/", "b")
        }
        #expect(value(62) == "1")
        #expect(value(64) == nil)
    }

    @Test(arguments: [
        "<!-- ", "<?x ", "<", "</r>", "<r", "<r a", "<r a=", "<r a=1>", "<r a='1", "< >",
        "<r a='&#x110000;'/>",
    ])
    func whatBreaksOffGivesNothing(text: String) {
        #expect(XMPPacket(Array(text.utf8)).value("", "b") == nil)
    }

    // MARK: JPEG

    @Test func fillBytesBeforeAMarkerMeanNothing() throws {
        let bytes = try Fixture.bytes("full-color.jpg")
        let filled = Array(bytes.prefix(2)) + [0xFF, 0xFF] + bytes.dropFirst(2)
        #expect(
            try ColorPicture.decode(InputFile(name: "filled", bytes: filled))
                == ColorPicture.decode(InputFile(name: "plain", bytes: bytes)))
    }

    @Test func bytesBetweenTheSegmentsAreSkipped() throws {
        let bytes = try Fixture.bytes("orientation-6.jpg")
        let stray = Array(bytes.prefix(2)) + [1, 2, 3] + bytes.dropFirst(2)
        let structure = JPEGStructure(stray, maximumScans: 100)
        #expect(structure.hasEnd && structure.exif != nil && structure.scanCount == 1)
    }
}

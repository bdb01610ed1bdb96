import Diagnostics
import Foundation
import Imaging
import LocalFiles
import TestSupport
import Testing

@testable import Captures
@testable import ImageFiles

/// Apple's auxiliary depth, on miniatures made from the published descriptions (make-embedded-depth.py of ImageFilesTests).
@Suite struct AppleDepthTests {
    private func read(_ name: String) throws -> EmbeddedCapture {
        try #require(try EmbeddedCapture.read(InputFile(name: name, bytes: Fixture.imageFile(name))))
    }

    @Test("Apple's disparity is found behind the gain map, in 1/metres", arguments: ["apple-disparity.jpg"])
    func appleInJPEG(name: String) throws {
        let found = try read(name)
        let depth = try #require(found.depth)
        #expect(depth.readings.size == PixelSize(width: 32, height: 24))
        #expect(depth.isDisparity && !depth.isAbsolute && !depth.isRadial)
        for (x, y) in [(0, 0), (31, 0), (12, 20)] {
            // 255 steps make 2.55 /m; JPEG at quality 100 is off by a step at most.
            #expect(abs(depth.readings[x: x, y: y] - (1 + Float(40 + 4 * x + 2 * y) / 100)) < 0.011)
        }
        let camera = try #require(found.camera)
        #expect(camera.focalLength == SIMD2(70, 70))
        #expect(camera.principalPoint == SIMD2(33, 22))
        #expect(camera.size == PixelSize(width: 128, height: 96))
    }

    @Test(arguments: [
        "", "<a:FloatMinValue xmlns:a='http://ns.apple.com/pixeldatainfo/1.0/'>5</a:FloatMinValue>",
    ])
    func applesDepthWithoutItsRangeIsRefused(values: String) throws {
        let xmp =
            "<r xmlns:p='http://ns.apple.com/pixeldatainfo/1.0/' p:AuxiliaryImageType='depth'>\(values)</r>"
        let second = HandmadeJPEG.inserting(HandmadeJPEG.xmp(xmp), into: try Fixture.imageFile("gray.jpg"))
        let error = try #require(throws: FlatteningError.self) {
            try EmbeddedCapture.read(Self.photographBefore([second]))
        }
        #expect(error.code == .badInput && error.message.contains("stand for"))
    }

    /// A photograph with an index of the pictures behind it.
    private static func photographBefore(_ pictures: [[UInt8]]) throws -> InputFile {
        let first = try Fixture.imageFile("full-color.jpg")
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
        return HandmadeJPEG.inserting(HandmadeJPEG.xmp(xmp), into: try Fixture.imageFile("gray.jpg"))
    }

    @Test func depthIsLookedForAmongTheFirstPicturesOnly() throws {
        let plain = try Fixture.imageFile("gray.jpg")
        let depth = try Self.applesDepth()
        #expect(try EmbeddedCapture.read(Self.photographBefore([plain, depth]))?.depth != nil)
        // An index can name one picture thousands of times; the thirty-second is the last that is looked at.
        let last = Array(repeating: plain, count: 31) + [depth]
        #expect(try EmbeddedCapture.read(Self.photographBefore(last))?.depth != nil)
        let beyond = Array(repeating: plain, count: 32) + [depth]
        #expect(try EmbeddedCapture.read(Self.photographBefore(beyond)) == nil)
    }

    private static let hasLibrary = (try? HEIFLibrary.shared.load()) != nil

    @Test("A HEIC's disparity is read as stored", .enabled(if: hasLibrary))
    func appleInHEIC() throws {
        let found = try read("apple-disparity.heic")
        let depth = try #require(found.depth)
        #expect(depth.readings.size == PixelSize(width: 96, height: 72))
        #expect(depth.isDisparity && !depth.isAbsolute)
        for (x, y) in [(0, 0), (95, 0), (40, 71)] {
            #expect(abs(depth.readings[x: x, y: y] - (1 + Float(40 + x + y) / 100)) < 0.011)
        }
        #expect(found.camera?.focalLength == SIMD2(70, 70))
    }
}

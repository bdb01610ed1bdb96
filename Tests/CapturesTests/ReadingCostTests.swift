import DepthGeometry
import Diagnostics
import Foundation
import Imaging
import LocalFiles
import TestSupport
import Testing

@testable import Captures

/// What a stranger's recording could make cost far more than its bytes.
@Suite struct ReadingCostTests {
    private static let image = "@picture.png"
    private static let depth = "@depth-mm.png"
    private static let camera = #"{"fx":42,"fy":44,"cx":18,"cy":16,"width":40,"height":30}"#

    @Test func aProgramThatSaysMoreThanAFrameCanBeIsStopped() throws {
        let error = try #require(failure { try VideoFrame.run("yes", [], limit: 100_000) })
        #expect(error.code == .limitExceeded && error.allowed?.contains("100000") == true)
    }

    /// In the rgb.txt and depth.txt of a stranger all may have been taken at one moment.
    @Test func manyPicturesOfOneMomentAreMatchedInTheirNumberNotItsSquare() throws {
        let count = 3000
        let folder = try ScratchFolder()
        try folder.lay("picture.png", as: "rgb/a.png")
        try folder.lay("depth-mm.png", as: "depth/a.png")
        try folder.write(String(repeating: "1.0 rgb/a.png\n", count: count), as: "rgb.txt")
        try folder.write(String(repeating: "1.0 depth/a.png\n", count: count), as: "depth.txt")
        // Each picture looks at some maps only, each map serves once: those that are first looked at by all.
        let recording = try Recording.open(folder.path)
        #expect((1...64).contains(recording.frameCount))
    }

    @Test func aThousandPicturesASecondStillTakeTheirNearestMap() throws {
        let folder = try ScratchFolder()
        var lists = (image: "", depth: "")
        for index in 0..<200 {
            try folder.write("", as: "rgb/\(index).png")
            try folder.write("", as: "depth/\(index).png")
            lists.image += "\(Double(index) / 1000) rgb/\(index).png\n"
            // Each map a third of a millisecond after its picture, the last ones first.
            lists.depth = "\(Double(index) / 1000 + 0.0003) depth/\(index).png\n" + lists.depth
        }
        try folder.write(lists.image, as: "rgb.txt")
        try folder.write(lists.depth, as: "depth.txt")
        let recording = try Recording.open(folder.path)
        #expect(recording.frameCount == 200)
        for index in [0, 1, 57, 199] {
            let description = try recording.description(at: index).description
            #expect(description.depth?.path.hasSuffix("/depth/\(index).png") == true)
        }
    }

    @Test func aListOfTooManyLinesIsRefused() throws {
        let file = InputFile("1 a\n2 b\n3 c\n", name: "list.txt")
        #expect(try FieldTable(file, maximumRows: 3).rows.count == 3)
        let error = try #require(failure { try FieldTable(file, maximumRows: 2) })
        #expect(error.code == .limitExceeded && error.file == "list.txt" && error.allowed == "2")
    }

    @Test(arguments: [" ", ","])
    func whatFollowsTheLastFieldIsOne(separator: String) throws {
        let line = (0..<1000).map(String.init).joined(separator: separator)
        let row = try #require(try FieldTable(InputFile(line)).rows.first)
        #expect(
            row.count == 257 && row[255] == "255" && row[256].hasPrefix("256") && row[256].hasSuffix("999"))
    }

    @Test func aJSONOfTooManyValuesIsRefused() throws {
        // The array, three numbers, an object and its one value.
        let bytes = Array(#"[1, 2, 3, {"a": null}]"#.utf8)
        #expect(throws: Never.self) { try StrictJSON.parse(bytes, name: "a", maximumValues: 6) }
        let error = try #require(failure { try StrictJSON.parse(bytes, name: "a", maximumValues: 5) })
        #expect(error.code == .limitExceeded && error.message.contains("too many values"))
    }

    /// Each of the folders is looked at by itself: with their number the work must not grow by its square.
    @Test func manyFoldersAreEachSeenOnceWithTheirOwnFiles() throws {
        let names = (0..<20_000).map { "folder\($0)/notes.md" } + ["scan/a.png", "scan/b/c.png", "top.txt"]
        let unpacked: @Sendable (String) throws(FlatteningError) -> [UInt8] = { Array($0.utf8) }
        let files = RecordedFiles(
            root: "x.zip", names: names, limits: FlatteningLimits(), unpack: unpacked)
        let folders = files.folders
        #expect(folders.count == 20_001)
        let scan = try #require(folders.first { $0.root == "x.zip/scan" })
        #expect(scan.names == ["a.png", "b/c.png"])
        // Its files are those of the archive.
        #expect(try scan.read("b/c.png").bytes == Array("scan/b/c.png".utf8))
        #expect(failure { try RecordingDetection.detect(files) }?.code == .badInput)
    }

    @Test func ofManyTextsThoseAreReadThatAreCalledLikeACameras() throws {
        let folder = try ScratchFolder.laid(["rgb.png": Self.image, "depth.png": Self.depth])
        let letters = Array("abcdefghijklmnopqrst")
        for first in letters {
            for second in letters { try folder.write("no camera", as: "note-\(first)\(second).txt") }
        }
        try folder.write(Self.camera, as: "zz-camera.json")
        #expect(try Capture.read(folder.path).intrinsics?.fx == 42)
        // Under a name that says nothing it is one of four hundred, and too late among them.
        try FileManager.default.moveItem(
            atPath: folder.path + "/zz-camera.json", toPath: folder.path + "/zz-other.json")
        #expect(try Capture.read(folder.path).intrinsics == nil)
    }
}

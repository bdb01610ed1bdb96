import Diagnostics
import ImageFiles
import Imaging
import LocalFiles
import TestSupport
import Testing

@testable import Captures

@Suite struct CaptureFilesTests {
    private let limits = FlatteningLimits()

    @Test func whatIsKeptIsNotLookedForOnDisk() throws {
        var files = CaptureFiles()
        files.keep(InputFile("kept", name: "x.zip/a.txt"), as: "x.zip/a.txt")
        #expect(try files.file("x.zip/a.txt", limits: limits).bytes == Array("kept".utf8))
        let map = SampleMap.uint16(Raster(width: 1, height: 1, elements: [7]))
        files.keep(map, as: "x.zip/depth")
        #expect(try files.samples("x.zip/depth", limits: limits).map == map)
        #expect(failure { try files.file("x.zip/b.txt", limits: limits) }?.code == .fileAccess)
    }

    @Test func whatIsNotKeptIsReadFromDisk() throws {
        let path = try Fixture.path("depth-mm.png")
        let map = try CaptureFiles().samples(path, limits: limits).map
        guard case .uint16(let raster) = map else {
            Issue.record("not 16 bits")
            return
        }
        #expect(raster[x: 9, y: 2] == 329)
    }
}

@Suite struct CaptureFolderTests {
    @Test func theFolderOfADescriptionIsItsPathWithoutTheName() {
        #expect(CaptureFolder.folder(describedBy: "a/b/capture.json") == "a/b")
        #expect(CaptureFolder.folder(describedBy: "/capture.json")?.isEmpty == true)
        for path in ["capture.json", "a/xcapture.json", "a/capture.json/", "a", ""] {
            #expect(CaptureFolder.folder(describedBy: path) == nil, "\(path)")
        }
    }

    @Test func aFolderMayEndInASlash() {
        #expect(FilePath.join("a", "b") == "a/b" && FilePath.join("a/", "b") == "a/b")
    }
}

import DepthGeometry
import Diagnostics
import Foundation
import LocalFiles
import TestSupport
import Testing

@testable import Captures

@Suite struct RecordingDetectionTests {
    @Test func whatIsIncompleteIsNamedWithWhatIsMissing() throws {
        let folder = try ScratchFolder()
        try folder.write("42,0,18\n0,44,16\n0,0,1\n", as: "camera_matrix.csv")
        try folder.lay("depth-mm.png", as: "depth/000000.png")
        let error = try #require(failure { try Recording.open(folder.path) })
        #expect(error.code == .badInput && error.message.contains("Stray Scanner"))
        #expect(error.seen == "no rgb/ or rgb.mp4")
    }

    @Test func whatIsAmbiguousIsRefusedUntilItsFileIsNamed() throws {
        let folder = try ScratchFolder()
        try folder.lay("picture.png", as: "rgb/a.png")
        try folder.lay("depth-mm.png", as: "depth/a.png")
        try folder.write("0.0 rgb/a.png 0.0 depth/a.png\n", as: "associations.txt")
        let path = try folder.write(
            #"{"fl_x":42,"fl_y":44,"cx":18,"cy":16,"w":40,"h":30,"frames":[{"file_path":"rgb/a.png"}]}"#,
            as: "transforms.json")
        let error = try #require(failure { try Recording.open(folder.path) })
        #expect(error.message.contains("more than one format"))
        #expect(error.seen?.contains("nerfstudio (transforms.json)") == true)
        #expect(try Recording.open(path).format == "nerfstudio")
    }

    @Test func ourOwnDescriptionIsBelievedBeforeAllOthers() throws {
        let folder = try StrayScannerFormatTests.recording()
        try folder.write(#"{"image": "rgb/000001.jpg"}"#, as: "capture.json")
        #expect(try Recording.open(folder.path).format == "capture.json")
    }

    @Test func pairsOfDifferentFoldersAreDifferentCaptures() throws {
        let folder = try ScratchFolder()
        for name in ["one", "two"] {
            try folder.lay("picture.png", as: name + "/rgb.png")
            try folder.lay("depth-mm.png", as: name + "/depth.png")
            if name == "one" { #expect(try Recording.open(folder.path).frameCount == 1) }
        }
        #expect(failure { try Recording.open(folder.path) }?.message.contains("several captures") == true)
    }

    @Test func aCaptureInAFolderOfItsOwnIsFoundAndSeveralAreNamed() throws {
        let folder = try ScratchFolder()
        for name in ["one", "two"] {
            try folder.lay("picture.png", as: name + "/a.png")
            try folder.write(#"{"image": "a.png"}"#, as: name + "/capture.json")
            if name == "one" { #expect(try Recording.open(folder.path).format == "capture.json") }
        }
        let error = try #require(failure { try Recording.open(folder.path) })
        #expect(error.message.contains("several captures") && error.seen?.contains("/two") == true)
    }

    @Test func whatIsNoCaptureIsToldWithWhatWasSeen() throws {
        let folder = try ScratchFolder()
        try folder.write("hello", as: "notes.txt")
        let error = try #require(failure { try Recording.open(folder.path) })
        #expect(error.code == .badInput && error.seen == "notes.txt")
        #expect(error.allowed?.contains("Polycam") == true)
        #expect(failure { try Capture.read(folder.path + "/notes.txt") }?.code == .badInput)
        var limits = FlatteningLimits()
        limits.maximumEntries = 0
        #expect(failure { try Recording.open(folder.path, limits: limits) }?.code == .limitExceeded)
    }
}

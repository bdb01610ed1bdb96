import LocalFiles
import TestSupport
import Testing

@testable import Captures

/// A recording whose time is used up.
@Suite struct CaptureDeadlineTests {
    private static func late() -> FlatteningLimits {
        var limits = FlatteningLimits()
        limits.deadline = .now - .seconds(1)
        return limits
    }

    @Test func aFolderIsNotListedAndNotTakenForUnknown() throws {
        let folder = try ScratchFolder.laid(["picture.png": "@picture.png", "camera.json": "{}"])
        let error = failure { try Recording.open(folder.path, limits: Self.late()) }
        #expect(error?.code == .timeout && error?.stage == .init(rawValue: "listing the folder"))
        #expect(error?.file == folder.path)
    }

    @Test func theFilesOfAListedFolderAreNotRecognisedLate() throws {
        let folder = try ScratchFolder.laid(["picture.png": "@picture.png", "camera.json": "{}"])
        let listed = try RecordedFiles.list(folder: folder.path, limits: FlatteningLimits())
        let files = RecordedFiles(root: folder.path, names: listed.names, limits: Self.late())
        #expect(failure { try RecordingDetection.detect(files) }?.code == .timeout)
    }

    @Test func aFrameIsNotRead() throws {
        // Alone, as the recording around it would be looked for too late already.
        let recording = try Recording.open(
            try Fixture.path("picture.png"), limits: Self.late(), isAlone: true)
        let error = failure { try recording.description(at: 0) }
        #expect(error?.code == .timeout && error?.stage?.rawValue == "frame 0")
        #expect(recording.deadline != nil)
    }

    @Test func lateDepthInsideThePictureIsNotJustPassedOver() throws {
        let file = try InputFile.read(path: Fixture.imagePath("apple-disparity.jpg"))
        var warnings: [String] = []
        let error = failure {
            try CaptureAssembly.embedded(in: file, limits: Self.late(), warnings: &warnings)
        }
        #expect(error?.code == .timeout && error?.stage == .embeddedDepth && warnings.isEmpty)
    }

    @Test func whatIsInsideAPictureIsNotDecodedLate() {
        let error = failure {
            try EmbeddedCapture.read(InputFile("P3 1 1 255 1 2 3", name: "x.ppm"), limits: Self.late())
        }
        #expect(error?.code == .timeout && error?.stage == .embeddedDepth && error?.file == "x.ppm")
    }
}

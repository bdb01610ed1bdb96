import Foundation
import ImageFiles
import Imaging
import Testing

@testable import Captures

private let isFFmpegInstalled = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/ffmpeg") }

@Suite struct VideoFrameTests {
    static func recording() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.write("42, 0, 18\n0, 44, 16\n0, 0, 1\n", as: "camera_matrix.csv")
        for number in ["000001", "000003"] { try folder.lay("depth-mm.png", as: "depth/\(number).png") }
        try folder.lay("turned.mp4", as: "rgb.mp4")
        return folder
    }

    @Test(.enabled(if: isFFmpegInstalled))
    func framesAreThoseOfTheDepthMapsNumbersAndLieAsTheSensorDoes() throws {
        let folder = try Self.recording()
        let recording = try Recording.open(folder.path)
        #expect(recording.frameCount == 2)
        for (index, grey) in [(0, 80), (1, 160)] {
            let capture = try recording.frame(at: index).capture
            #expect(capture.image.size == PixelSize(width: 40, height: 30) && capture.depth != nil)
            // Lossy coding and the round trip through YUV.
            #expect(abs(Int(capture.image[x: 30, y: 20].green) - grey) <= 4)
            #expect(capture.image[x: 3, y: 3].green < 20)
        }
    }

    @Test(.enabled(if: isFFmpegInstalled))
    func aFrameBeyondTheEndIsAnError() throws {
        let folder = try Self.recording()
        try folder.lay("depth-mm.png", as: "depth/000009.png")
        let recording = try Recording.open(folder.path)
        #expect(failure { try recording.frame(at: 2) }?.code == .badInput)
    }

    @Test func whereNoProgramMayBeStartedAVideoIsRefusedWithTheWayOut() throws {
        let folder = try Self.recording()
        var limits = FlatteningLimits()
        limits.startsPrograms = false
        let recording = try Recording.open(folder.path, limits: limits)
        let error = failure { try recording.frame(at: 0) }
        #expect(error?.code == .unsupported && error?.file?.hasSuffix("rgb.mp4") == true)
        #expect(error?.advice?.contains("ffmpeg -noautorotate -i rgb.mp4") == true)
    }

    @Test func aMissingProgramIsNamedWithHowToInstallIt() {
        let error = failure { try VideoFrame.run("no-such-program", [], limit: 1) }
        #expect(error?.code == .missingDependency && error?.advice?.contains("ffmpeg") == true)
    }
}

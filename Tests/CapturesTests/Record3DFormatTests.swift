import DepthGeometry
import Diagnostics
import Imaging
import TestSupport
import Testing

@testable import Captures

// make-recordings.py packed the files with Python's zipfile and Apple's compressor.
@Suite struct Record3DFormatTests {
    @Test func anArchiveIsReadWithItsFramesOwnIntrinsics() throws {
        let recording = try Recording.open(try Fixture.path("record3d.r3d"))
        #expect(recording.format == "Record3D" && recording.frameCount == 3)
        #expect(recording.evidence == ["metadata", "rgbd/"])
        let frame = try recording.frame(at: recording.middleIndex)
        let intrinsics = try #require(frame.capture.intrinsics)
        #expect([intrinsics.fx, intrinsics.fy, intrinsics.cx, intrinsics.cy] == [42, 44, 18, 16])
        #expect(frame.timestamp == 0.5 && frame.pose?.apply(SIMD3(0, 0, 1)) == SIMD3(1, 2, 2))
        let depth = try #require(frame.capture.depth)
        for y in 0..<15 {
            for x in 0..<20 {
                // The levels of columns 0 to 4 are low.
                #expect(x < 5 ? depth[x: x, y: y].isNaN : depth[x: x, y: y] == Float(300 + x + 10 * y) / 1000)
            }
        }
        #expect(frame.capture.warnings.isEmpty, "\(frame.capture.warnings)")
    }

    @Test func theMatrixOfAllFramesGoesByColumns() throws {
        let folder = try ScratchFolder()
        try folder.lay("picture-1.jpg", as: "rgb/0.jpg")
        try folder.write(#"{"w": 40, "h": 30, "K": [42, 0, 0, 0, 44, 0, 18, 16, 1]}"#, as: "metadata.json")
        let intrinsics = try #require(try Capture.read(folder.path).intrinsics)
        #expect([intrinsics.fx, intrinsics.fy, intrinsics.cx, intrinsics.cy] == [42, 44, 18, 16])
    }

    @Test func aSizeThatDoesNotFitTheMapIsAnErrorThatNamesIt() throws {
        let recording = try Recording.open(try Fixture.path("record3d-lying.r3d"))
        let error = try #require(failure { try recording.frame(at: 0) })
        #expect(error.code == .badInput && error.file?.hasSuffix("rgbd/0.depth") == true)
    }

    /// Half precision keeps eleven bits: 0.3 to 0.5 m in steps of 0.25 mm.
    @Test(arguments: [("depth-half.exr", Float(0.000_125)), ("depth-float.exr", 0)])
    func theExportIsMetresInEXR(map: String, rounding: Float) throws {
        let folder = try ScratchFolder()
        try folder.lay("picture-1.jpg", as: "EXR_RGBD/rgb/7.jpg")
        try folder.lay(map, as: "EXR_RGBD/depth/7.exr")
        try folder.write(
            #"{"w": 40, "h": 30, "K": [42, 0, 0, 0, 44, 0, 18, 16, 1]}"#, as: "EXR_RGBD/metadata.json")
        let capture = try Capture.read(folder.path)
        let depth = try #require(capture.depth)
        #expect(depth[x: 0, y: 0].isNaN)
        for (x, y) in [(1, 0), (19, 14), (7, 9)] {
            #expect(abs(depth[x: x, y: y] - Float(300 + x + 10 * y) / 1000) <= rounding)
        }
    }

    @Test func confidenceInTheExportOfRecord3DIsAPicture() throws {
        let folder = try ScratchFolder.laid([
            "metadata.json": #"{"w": 40, "h": 30, "K": [42, 0, 0, 0, 44, 0, 18, 16, 1]}"#,
            "rgb/0.jpg": "@picture-1.jpg", "depth/0.exr": "@depth-float.exr",
            "confidence/0.png": "@confidence-012.png",
        ])
        let depth = try #require(try Capture.read(folder.path).depth)
        #expect((0..<20).filter { !depth[x: $0, y: 9].isNaN } == Array(5..<20))
    }
}

import DepthGeometry
import Foundation
import Imaging
import LocalFiles
import TestSupport
import Testing

@testable import Captures

@Suite struct AVDepthDataFormatTests {
    /// As the file is read within its folder: there the frame in the middle is.
    @Test(arguments: [false, true])
    func theFileAloneStatesTheCameraOfItsMiddleFrame(framesDiffer: Bool) throws {
        func frame(_ focal: Double) -> String {
            """
            {"IntrinsicMatrix.0": "(\(focal), 0.0, 320.0)", "IntrinsicMatrix.1": "(0.0, \(focal), 240.0)",
             "IntrinsicMatrix.2": "(0.0, 0.0, 1.0)", "IntrinsicMatrixReferenceDimensions": "(4032.0, 3024.0)",
             "Width": 640, "Height": 480}
            """
        }
        let frames = [440, framesDiffer ? 437 : 440, 440].map { frame($0) }.joined(separator: ",")
        let camera = try IntrinsicsDocument.parse(InputFile("[\(frames)]"))
        #expect(camera.fx == (framesDiffer ? 437 : 440) && camera.cx == 320 && camera.cy == 240)
        #expect(camera.size == PixelSize(width: 640, height: 480))
        #expect(camera.notes.count == (framesDiffer ? 1 : 0))
    }

    private static let image = "@picture.png"
    private static let depth = "@depth-mm.png"

    static let depthMetadata = """
        [{"Accuracy": 1, "MediaSubType": "fdep", "Width": 20, "Height": 15, "Timestamp": 212876,
          "IntrinsicMatrix.0": "(21.0, 0.0, 8.75)", "IntrinsicMatrix.1": "(0.0, 22.0, 7.75)",
          "IntrinsicMatrix.2": "(0.0, 0.0, 1.0)", "IntrinsicMatrixReferenceDimensions": "(400.0, 300.0)",
          "LensDistortionCenter": "(190.0, 150.0)",
          "LensDistortionLookupTable": [0, 0.001, 0.002], "LensDistortionInverseLookupTable": [0, -0.001, -0.002]},
         {"Accuracy": 1, "Timestamp": 3}]
        """

    @Test func depthDataDumpsAreInTenthsOfMillimetresWithTheLensInReferenceDimensions() throws {
        let folder = try ScratchFolder()
        try folder.write(Self.depthMetadata, as: "DepthMetadata.json")
        try folder.lay("picture.png", as: "rgb_212876.png")
        try folder.lay("depth-mm.png", as: "depth_212876.png")
        let recording = try Recording.open(folder.path)
        #expect(recording.format == "AVDepthData" && recording.frameCount == 1)
        let capture = try recording.frame(at: 0).capture
        // The matrix is that of the map of 20 x 15, since its principal point lies in the middle of that.
        try expectMiniature(capture, unit: 1e-4)
        guard case .radialTable(let table) = capture.distortion else {
            Issue.record("no table")
            return
        }
        // 190 of 400 columns at 20, then at 40: (9.5 + 0.5) * 2 - 0.5.
        #expect(abs(table.center.x - 19.5) < 1e-9)
    }

    @Test func aMeasuredCameraIsPreferredToTheFactorys() throws {
        let folder = try ScratchFolder()
        try folder.write(
            Self.depthMetadata.replacing(
                "\"Accuracy\": 1, \"MediaSubType\": \"fdep\"", with: "\"Accuracy\": 0"),
            as: "DepthMetadata.json")
        try folder.write(
            #"{"cam_matrix": [[40, 0, 18], [0, 41, 16], [0, 0, 1]], "dist": [0, 0, 0, 0, 0]}"#,
            as: "cam_calibration.json")
        try folder.lay("picture.png", as: "rgb_212876.png")
        try folder.lay("depth-mm.png", as: "depth_212876.png")
        let capture = try Capture.read(folder.path)
        #expect(capture.intrinsics?.fx == 40 && capture.distortion == nil)
        #expect(capture.depth?.scale == .relative)
        #expect(capture.warnings.contains { $0.contains("the measured one is used") })
    }

    @Test func disparityOfADepthDumpIsSaidByItsType() throws {
        for (type, kind) in [("fdis", CaptureDescription.Depth.Kind.disparity), ("fdep", .depth)] {
            let folder = try ScratchFolder.laid([
                "DepthMetadata.json":
                    #"[{"Timestamp":3,"MediaSubType":"\#(type)","IntrinsicMatrix.0":[42,0,18],"#
                    + #""IntrinsicMatrix.1":[0,44,16],"IntrinsicMatrix.2":[0,0,1]}]"#,
                "rgb_3.png": Self.image, "depth_3.png": Self.depth,
            ])
            let description = try Recording.open(folder.path).description(at: 0).description
            #expect(description.depth?.kind == kind)
            // No size is stated anywhere: the matrix is taken as it is.
            guard case .stated(let camera, _) = description.intrinsics else {
                Issue.record("no camera")
                return
            }
            #expect(camera.fx == 42 && camera.size == nil)
        }
    }
}

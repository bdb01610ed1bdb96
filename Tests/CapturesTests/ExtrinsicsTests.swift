import DepthGeometry
import LocalFiles
import TestSupport
import Testing

@testable import Captures

@Suite struct ExtrinsicsTests {
    /// A turn of 30 degrees about z and a shift, as RealSense, as Azure Kinect and as matrices write it.
    @Test(arguments: [
        #"{"rotation": [0.8660254, 0.5, 0, -0.5, 0.8660254, 0, 0, 0, 1], "translation": [0.015, 0, 0.001]}"#,
        #"{"rotation": [0.8660254, -0.5, 0, 0.5, 0.8660254, 0, 0, 0, 1], "translation": [15, 0, 1]}"#,
        #"{"rotation": [[0.8660254, -0.5, 0], [0.5, 0.8660254, 0], [0, 0, 1]], "translation": [0.015, 0, 0.001]}"#,
        "[[0.8660254, -0.5, 0, 0.015], [0.5, 0.8660254, 0, 0], [0, 0, 1, 0.001], [0, 0, 0, 1]]",
    ])
    func oneTransformIsReadHoweverItIsWritten(extrinsics: String) throws {
        let folder = try ScratchFolder()
        try folder.write(#"{"depth_to_color": \#(extrinsics)}"#, as: "calibration.json")
        let camera = try FolderCamera.read(
            try RecordedFiles.list(folder: folder.path, limits: FlatteningLimits()))
        let point = try #require(camera.depthToColor).apply(SIMD3(1, 0, 0))
        // Seven digits.
        #expect(abs(point.x - 0.8810254) < 1e-6 && abs(point.y - 0.5) < 1e-6 && abs(point.z - 0.001) < 1e-9)
    }
}

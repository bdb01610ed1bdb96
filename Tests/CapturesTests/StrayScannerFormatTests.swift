import DepthGeometry
import Imaging
import TestSupport
import Testing

@testable import Captures

@Suite struct StrayScannerFormatTests {
    static func recording() throws -> ScratchFolder {
        let folder = try ScratchFolder()
        try folder.write("42.0, 0.0, 18.0\n0.0, 44.0, 16.0\n0.0, 0.0, 1.0\n", as: "camera_matrix.csv")
        for number in ["000000", "000001", "000002"] {
            try folder.lay("depth-mm.png", as: "depth/\(number).png")
            try folder.lay("confidence-012.png", as: "confidence/\(number).png")
            try folder.lay("picture-1.jpg", as: "rgb/\(number).jpg")
        }
        try folder.write(
            """
            timestamp, frame, x, y, z, qx, qy, qz, qw
            7.5, 000000, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0
            7.6, 000001, 0.1, 0.2, 0.3, 0.0, 0.0, 0.7071068, 0.7071068
            7.7, 0000
            """, as: "odometry.csv")
        return folder
    }

    @Test func strayScannerIsMillimetresWithItsMatrixByRowsAndItsOdometry() throws {
        let folder = try Self.recording()
        let recording = try Recording.open(folder.path)
        #expect(recording.format == "Stray Scanner" && recording.frameCount == 3)
        #expect(recording.evidence == ["camera_matrix.csv", "depth/", "rgb/"])
        let frame = try recording.frame(at: 1)
        try expectMiniature(frame.capture, droppedColumns: 5)
        #expect(frame.capture.warnings.isEmpty, "\(frame.capture.warnings)")
        #expect(frame.timestamp == 7.6)
        // A quarter turn about z takes x to y; four decimals of a quaternion.
        let moved = try #require(frame.pose).apply(SIMD3(1, 0, 0))
        #expect(((moved - SIMD3(0.1, 1.2, 0.3)) * (moved - SIMD3(0.1, 1.2, 0.3))).sum() < 1e-10)
        // The line that the app did not finish says nothing.
        #expect(try recording.frame(at: 2).pose == nil)
    }

    @Test func strayScannersOdometryMayStateEachFramesCamera() throws {
        let folder = try Self.recording()
        try folder.write(
            """
            timestamp, frame, x, y, z, qx, qy, qz, qw, fx, fy, cx, cy, distortion_center_x, distortion_center_y
            7.5, 000000, 0, 0, 0, 0, 0, 0, 1, 43.0, 45.0, 19.0, 15.0, , ,
            """, as: "odometry.csv")
        let recording = try Recording.open(folder.path)
        #expect(try recording.frame(at: 0).capture.intrinsics?.fx == 43)
        #expect(try recording.frame(at: 1).capture.intrinsics?.fx == 42)
    }
}

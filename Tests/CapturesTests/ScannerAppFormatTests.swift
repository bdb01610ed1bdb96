import DepthGeometry
import Imaging
import TestSupport
import Testing

@testable import Captures

@Suite struct ScannerAppFormatTests {
    @Test func scannerAppFramesWithDepthAreTakenWithTheirOwnIntrinsics() throws {
        let folder = try ScratchFolder()
        for number in ["00000", "00001"] {
            try folder.lay("picture-1.jpg", as: "frame_\(number).jpg")
            try folder.write(
                """
                {"intrinsics":[42,0,18,0,44,16,0,0,1], "time": 12.25, "frame_index": 0,
                 "cameraPoseARFrame":[1,0,0,0.5, 0,1,0,0, 0,0,1,0, 0,0,0,1]}
                """, as: "frame_\(number).json")
        }
        try folder.lay("depth-mm.png", as: "depth_00001.png")
        try folder.lay("confidence-012.png", as: "conf_00001.png")
        try folder.write("{}", as: "info.json")
        let recording = try Recording.open(folder.path)
        #expect(recording.format == "3D Scanner App" && recording.frameCount == 1)
        let frame = try recording.frame(at: 0)
        try expectMiniature(frame.capture, droppedColumns: 5)
        #expect(frame.timestamp == 12.25 && frame.pose?.translation == SIMD3(0.5, 0, 0))
    }
}

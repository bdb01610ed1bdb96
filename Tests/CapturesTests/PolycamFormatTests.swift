import DepthGeometry
import Imaging
import TestSupport
import Testing

@testable import Captures

@Suite struct PolycamFormatTests {
    @Test func polycamsCorrectedFilesGoTogetherAndItsConfidenceIsABytesRange() throws {
        let folder = try ScratchFolder()
        let angle =
            #""t_00":1,"t_01":0,"t_02":0,"t_03":5,"t_10":0,"t_11":1,"t_12":0,"t_13":6,"t_20":0,"t_21":0,"t_22":1,"t_23":7"#
        for stem in ["999000000", "1000000000"] {
            try folder.lay("picture-1.jpg", as: "keyframes/images/\(stem).jpg")
            try folder.lay("picture-1.jpg", as: "keyframes/corrected_images/\(stem).jpg")
            try folder.lay("depth-mm.png", as: "keyframes/depth/\(stem).png")
            try folder.lay("confidence-255.png", as: "keyframes/confidence/\(stem).png")
            // The uncorrected camera differs, so that a mix would show.
            for (kind, scale) in [("cameras", 1.5), ("corrected_cameras", 2)] {
                try folder.write(
                    """
                    {"fx":\(42 * scale),"fy":\(44 * scale),"cx":\(18.5 * scale - 0.5),"cy":\(16.5 * scale - 0.5),
                     "width":80,"height":60,"blur_score":120.5,\(angle)}
                    """, as: "keyframes/\(kind)/\(stem).json")
            }
        }
        let recording = try Recording.open(folder.path)
        #expect(recording.format == "Polycam" && recording.frameCount == 2)
        let frame = try recording.frame(at: 0)
        try expectMiniature(frame.capture, droppedColumns: 5)
        #expect(frame.capture.metadata.imageName.hasSuffix("corrected_images/999000000.jpg"))
        #expect(frame.timestamp == 999)
        // ARKit looks along -z with y up: what lies ahead of our camera, lies behind its.
        #expect(frame.pose?.apply(SIMD3(0, 1, 2)) == SIMD3(5, 5, 5))
    }
}

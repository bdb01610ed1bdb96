import DepthGeometry
import Foundation
import Imaging
import TestSupport
import Testing

@testable import Captures

@Suite struct TUMFormatTests {
    @Test func tumPicturesTakeTheNearestDepthEachOnceAt5000AMetre() throws {
        let folder = try ScratchFolder()
        for name in ["1.00", "1.04", "1.09"] { try folder.lay("picture.png", as: "rgb/\(name).png") }
        // Far enough to be no millimetres' distances.
        for name in ["1.005", "1.03"] {
            let png = HandmadePNG(width: 20, height: 15, bitDepth: 16, colorType: 0) { x, y, _ in
                3000 + x + 10 * y
            }
            try folder.write(png.bytes, as: "depth/\(name).png")
        }
        try folder.write(
            "# color images\n# timestamp filename\n1.00 rgb/1.00.png\n1.04 rgb/1.04.png\n1.09 rgb/1.09.png\n",
            as: "rgb.txt")
        try folder.write("# depth maps\n1.005 depth/1.005.png\n1.03 depth/1.03.png\n", as: "depth.txt")
        try folder.write("42 44 18 16", as: "calibration.txt")
        try folder.write("# timestamp tx ty tz qx qy qz qw\n1.01 1 2 3 0 0 0 1\n", as: "groundtruth.txt")
        let recording = try Recording.open(folder.path)
        #expect(recording.format == "TUM RGB-D" && recording.frameCount == 2)
        let frame = try recording.frame(at: 0)
        // 3000 + 9 + 20 units, rounded once to Float.
        #expect(abs(try #require(frame.capture.depth)[x: 9, y: 2] - 3029 / 5000) < 1e-6)
        #expect(frame.capture.metadata.assumedDepthUnit == 1 / 5000.0)
        #expect(frame.capture.warnings.contains { $0.contains("1/5000 m a unit is assumed. If") })
        #expect(frame.pose?.translation == SIMD3(1, 2, 3))
        let second = try recording.description(at: 1)
        #expect(second.description.imagePath.hasSuffix("1.04.png"))
        #expect(second.description.depth?.path.hasSuffix("1.03.png") == true)
        #expect(second.pose == nil)
    }

    @Test func tumWithoutACameraTakesTheBenchmarksAndSaysSo() throws {
        let folder = try ScratchFolder()
        try folder.lay("picture.png", as: "rgb/a.png")
        try folder.lay("depth-mm.png", as: "depth/a.png")
        try folder.write("0.0 depth/a.png 0.0 rgb/a.png\n", as: "associations.txt")
        let capture = try Capture.read(folder.path)
        // 525 for 640 columns, at 40.
        #expect(abs(try #require(capture.intrinsics).fx - 525.0 / 16) < 1e-9)
        #expect(capture.warnings.contains { $0.contains("default is assumed") })
    }
}

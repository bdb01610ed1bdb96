import DepthGeometry
import Diagnostics
import LocalFiles
import TestSupport
import Testing

@testable import Captures

@Suite struct COLMAPImagesTests {
    @Test func colmapCountsPixelsFromTheCorner() throws {
        let folder = try ScratchFolder()
        try folder.lay("picture.png", as: "images/a.png")
        try folder.lay("picture.png", as: "images/b.png")
        let cameras =
            "# Camera list\n1 PINHOLE 40 30 42 44 18.5 16.5\n2 SIMPLE_RADIAL 40 30 50 20.5 15.5 0.01\n"
        try folder.write(cameras, as: "sparse/0/cameras.txt")
        try folder.write(
            "# Image list\n1 1 0 0 0 0 0 0 1 a.png\n12.5 3.5 -1 7.5 8.5 4\n2 1 0 0 0 0 0 0 2 b.png\n\n",
            as: "sparse/0/images.txt")
        let recording = try Recording.open(folder.path)
        let a = try #require(try recording.frame(at: 0).capture.intrinsics)
        #expect([a.fx, a.fy, a.cx, a.cy] == [42, 44, 18, 16])
        let b = try recording.frame(at: 1).capture
        #expect(b.intrinsics?.fx == 50 && b.intrinsics?.fy == 50 && b.intrinsics?.cx == 20)
        #expect(b.distortion != nil)
        // Without images.txt nothing tells which of the two took a picture.
        let parsed = failure { try IntrinsicsDocument.parse(InputFile(cameras, name: "cameras.txt")) }
        #expect(parsed?.code == .badInput)
        let fisheye = failure {
            try IntrinsicsDocument.parse(InputFile("1 OPENCV_FISHEYE 40 30 42 44 18 16 0 0 0 0"))
        }
        #expect(fisheye?.code == .unsupported)
    }
}

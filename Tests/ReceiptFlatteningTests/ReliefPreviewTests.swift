import DepthGeometry
import Diagnostics
import Imaging
import ReceiptFlattening
import Testing

/// The picture of what the depth sensor saw.
@Suite struct ReliefPreviewTests {
    private let intrinsics = CameraIntrinsics(
        fx: 200, fy: 200, cx: 79.5, cy: 59.5, imageSize: PixelSize(width: 160, height: 120))

    /// A plane 0.3 m away with a step of 5 mm towards the camera in its right half.
    private func capture() -> Capture {
        let readings = Raster<Float>(
            width: 160, height: 120, elements: (0..<160 * 120).map { $0 % 160 < 80 ? 0.300 : 0.295 })
        return Capture(
            image: RGBImage(width: 160, height: 120, filledWith: .white), depth: DepthMap(readings: readings),
            intrinsics: intrinsics)
    }

    @Test func whatStandsOutIsRedAndThePlaneIsPale() throws {
        let preview = try ReliefPreview(
            of: capture(), plane: Plane(normal: SIMD3(0, 0, -1), offset: 0.3), outline: nil)
        let scale = preview.image.width / 160
        let onPlane = preview.image[x: 20 * scale, y: 60 * scale]
        let above = preview.image[x: 140 * scale, y: 60 * scale]
        #expect(above.red > above.blue, "in front of the plane")
        #expect(onPlane.blue > 200 && onPlane.red > 200, "on the plane")
        #expect(preview.image.width >= 640)
    }

    @Test func aMissingReadingIsGray() throws {
        var capture = capture()
        capture.depth = capture.depth?.mapReadings { x, y, z in x == 10 && y == 10 ? .nan : z }
        let preview = try ReliefPreview(
            of: capture, plane: Plane(normal: SIMD3(0, 0, -1), offset: 0.3), outline: nil)
        let scale = preview.image.width / 160
        #expect(preview.image[x: 10 * scale, y: 10 * scale] == RGB(red: 56, green: 56, blue: 56))
    }

    @Test func bandsAreOfTheSeriesOneTwoFive() throws {
        let preview = try ReliefPreview(
            of: capture(), plane: Plane(normal: SIMD3(0, 0, -1), offset: 0.3), outline: nil)
        #expect(preview.bandMillimeters == 1)
        #expect(preview.rangeMillimeters >= 5)
    }

    @Test func withoutDepthThereIsNone() {
        #expect(throws: FlatteningError.self) {
            try ReliefPreview(
                of: Capture(image: .init(width: 4, height: 4, filledWith: .white)), plane: nil, outline: nil)
        }
    }
}

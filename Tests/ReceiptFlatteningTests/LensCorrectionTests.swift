import DepthGeometry
import Imaging
import ReceiptFlattening
import Testing

/// A lens's distortion is undone on the way in and put back on the way out.
@Suite struct LensCorrectionTests {
    /// A plane seen through a lens with barrel distortion: straight lines of the sheet are bent in the photograph.
    @Test func aPlaneSeenThroughABentLensComesOutStraight() throws {
        let size = PixelSize(width: 320, height: 240)
        let intrinsics = CameraIntrinsics(fx: 260, fy: 260, cx: 159.5, cy: 119.5, imageSize: size)
        let lens = LensDistortion.brownConrady(BrownConrady(k1: -0.2, k2: 0.05, p1: 0, p2: 0))
        let plane = Plane(normal: SIMD3(0, 0, -1), offset: 0.3)
        var capture = Capture(
            image: RGBImage(width: 320, height: 240, filledWith: RGB(red: 90, green: 90, blue: 90)),
            depth: DepthMap(readings: Raster(width: 320, height: 240, filledWith: 0.3)),
            intrinsics: intrinsics)
        capture.distortion = lens
        var options = ReceiptFlattener.Options()
        options.method = .plane
        let receipt = try ReceiptFlattener(options: options).flatten(capture)
        #expect(receipt.report.method == .plane, "the dominant plane stands in for a sheet")
        let density = try #require(receipt.pixelsPerMeter)

        // Two output pixels apart by d must see points of the plane that are d / density apart.
        let first = SIMD2(
            Double(receipt.picture.size.width) * 0.2, Double(receipt.picture.size.height) * 0.25)
        let second = SIMD2(
            Double(receipt.picture.size.width) * 0.75, Double(receipt.picture.size.height) * 0.6)
        let points = try [first, second].map { position in
            let ray = lens.ray(through: receipt.map.source(of: position), intrinsics: intrinsics)
            return try #require(plane.intersection(along: ray))
        }
        let apart = points[0] - points[1]
        let onPicture = first - second
        let actual = (apart * apart).sum().squareRoot()
        let claimed = (onPicture * onPicture).sum().squareRoot() / density
        // Node spacing of 8 pixels leaves some hundredths of a pixel of interpolation error: 1e-4 of 150 pixels.
        #expect(abs(claimed / actual - 1) < 5e-4)
    }
}

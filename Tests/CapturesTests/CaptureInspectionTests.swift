import DepthGeometry
import Foundation
import Imaging
import Testing

@testable import Captures

@Suite struct CaptureInspectionTests {
    static func capture(
        meters: Float = 0.4, focal: Double = 400, valid: Double = 1, focalLengthIn35mmFilm: Double? = nil
    ) -> Capture {
        let size = PixelSize(width: 640, height: 480)
        let readings = Raster<Float>(
            width: 64, height: 48,
            elements: (0..<(64 * 48)).map {
                Double($0 % 100) < 100 * valid ? meters * (1 + Float($0 % 7) / 100) : .nan
            })
        var metadata = Capture.Metadata(
            imageName: "a", storedSize: size, orientation: .up, focalLengthIn35mmFilm: focalLengthIn35mmFilm)
        metadata.intrinsicsOrigin = .given
        return Capture(
            image: RGBImage(width: 640, height: 480, filledWith: .white), depth: DepthMap(readings: readings),
            intrinsics: CameraIntrinsics(fx: focal, fy: focal, cx: 319.5, cy: 239.5, imageSize: size),
            metadata: metadata)
    }

    @Test("A sound capture has no findings and true figures")
    func sound() throws {
        let inspection = CaptureInspection(of: Self.capture(valid: 0.8, focalLengthIn35mmFilm: 22))
        #expect(inspection.findings.isEmpty, "\(inspection.findings)")
        let depth = try #require(inspection.depth)
        // Single precision.
        #expect(abs(depth.minimum - 0.4) < 1e-6 && abs(depth.maximum - 0.424) < 1e-6)
        #expect(abs(depth.percentiles.y - 0.412) < 1e-6)
        #expect(abs(depth.validFraction - 0.8) < 0.01)
        // 2 atan(320 / 400).
        #expect(abs(try #require(inspection.fieldOfViewDegrees) - 77.3196) < 1e-3)
    }

    @Test("What looks wrong is found")
    func findings() {
        func codes(_ capture: Capture) -> [CaptureInspection.Finding.Code] {
            CaptureInspection(of: capture).findings.map(\.code)
        }
        #expect(codes(Self.capture(meters: 400)) == [.depthUnit])
        #expect(codes(Self.capture(meters: 0.0004)) == [.depthUnit])
        #expect(codes(Self.capture(valid: 0.1)) == [.fewReadings])
        #expect(codes(Self.capture(focal: 40)) == [.fieldOfView])
        #expect(codes(Self.capture(focal: 4000)) == [.fieldOfView])
        #expect(codes(Self.capture(focalLengthIn35mmFilm: 50)) == [.exifDisagrees])
        var refused = Self.capture()
        refused.depth = nil
        refused.depthRefusal = "it has another shape"
        #expect(codes(refused) == [.depthRefused])
        var odd = Self.capture()
        odd.intrinsics = CameraIntrinsics(
            fx: 400, fy: 500, cx: 100, cy: 239.5, imageSize: PixelSize(width: 640, height: 480))
        #expect(codes(odd) == [.focalRatio, .principalPoint])
    }

    @Test("Nothing but a picture can be inspected too")
    func pictureAlone() {
        let capture = Capture(image: RGBImage(width: 300, height: 200, filledWith: .white))
        let inspection = CaptureInspection(of: capture)
        #expect(inspection.depth == nil && inspection.fieldOfViewDegrees == nil)
        #expect(inspection.findings.map(\.code) == [.smallPicture])
    }
}

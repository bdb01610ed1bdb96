import Captures
import DepthGeometry
import Diagnostics
import Imaging
import TestSupport
import Testing

@Suite struct FrameFusionTests {
    private static let size = PixelSize(width: 48, height: 36)
    private static let camera = CameraIntrinsics(fx: 45, fy: 45, cx: 23.5, cy: 17.5, imageSize: size)

    /// A patterned wall, seen face on.
    private static func frame(distance: Float = 0.5, metric: Bool = true) -> CaptureFrame {
        var image = RGBImage(width: size.width, height: size.height, filledWith: .white)
        for y in 0..<size.height {
            for x in 0..<size.width {
                let wave = (x * x / 7 + y * y / 5 + 3 * x) % 64
                let luma = UInt8(64 + 2 * min(wave, 64 - wave))
                image[x: x, y: y] = RGB(red: luma, green: luma, blue: luma)
            }
        }
        return CaptureFrame(
            capture: Capture(
                image: image,
                depth: DepthMap(
                    readings: Raster(width: 24, height: 18, filledWith: distance),
                    scale: metric ? .metric : .relative),
                intrinsics: camera))
    }

    @Test func framesThatAgreeBecomeTheirMean() throws {
        var fusion = try FrameFusion(reference: Self.frame(distance: 0.500))
        fusion.add(Self.frame(distance: 0.501), number: 1)
        fusion.add(Self.frame(distance: 0.502), number: 2)
        let fused = try fusion.fused()
        #expect(fused.frameCount == 3)
        #expect(fused.capture.warnings.isEmpty)
        let depth = try #require(fused.capture.depth)
        // The same picture shows no motion, so that readings are compared as they are: to the registration's last step.
        #expect(abs(depth[x: 12, y: 9] - 0.501) < 1e-5)
        #expect(abs(fused.spread[x: 12, y: 9] - 0.001) < 1e-5)
    }

    @Test func aFrameThatDepartsIsLeftOutWithItsReason() throws {
        var fusion = try FrameFusion(reference: Self.frame())
        for number in 1...3 { fusion.add(Self.frame(distance: number == 2 ? 0.6 : 0.5), number: number) }
        let fused = try fusion.fused()
        #expect(fused.frameCount == 3)
        #expect(fused.capture.warnings.count == 1)
        #expect(fused.capture.warnings.first?.hasPrefix("frame 2 is not fused: its depth lies") == true)
    }

    @Test func withoutAnyFrameThatAgreesNothingIsFused() throws {
        var fusion = try FrameFusion(reference: Self.frame())
        fusion.add(Self.frame(metric: false), number: 7)
        let error = failure { try fusion.fused() }
        #expect(error?.code == .badInput)
        #expect(error?.seen?.contains("frame 7: its depth is relative") == true)
    }

    @Test func aReferenceWithoutDepthCannotBeFused() {
        let bare = CaptureFrame(capture: Capture(image: Self.frame().capture.image))
        #expect(failure { try FrameFusion(reference: bare) }?.code == .badInput)
    }

    @Test func fusingEndsWithItsDeadline() throws {
        struct Late: CaptureSource {
            let frameCount = 3
            let deadline: ContinuousClock.Instant? = .now - .seconds(1)
            func frame(at index: Int) throws(FlatteningError) -> CaptureFrame { FrameFusionTests.frame() }
        }
        let error = failure { try Late().fused(around: 1) }
        #expect(error?.code == .timeout && error?.stage?.rawValue.hasPrefix("fusing frame") == true)
        var fusion = try FrameFusion(reference: Self.frame())
        fusion.add(Self.frame(), number: 1)
        fusion.deadline = .now - .seconds(1)
        let last = failure { try fusion.fused() }
        #expect(last?.code == .timeout && last?.stage == .fusing)
    }

    @Test func oneFrameIsNotARecordingToFuse() {
        struct One: CaptureSource {
            let frameCount = 1
            func frame(at index: Int) throws(FlatteningError) -> CaptureFrame { FrameFusionTests.frame() }
        }
        #expect(failure { try One().fused(around: 0) }?.seen == "one frame")
    }
}

import Captures
import DepthGeometry
import Diagnostics
import DrawnReceipts
import ImageFiles
import Imaging
import ReceiptCapture
import ReceiptFlattening
import SheetGuidance
import SyntheticCaptures
import TestSupport
import Testing

/// Previews, and recordings in the place of cameras.
@Suite struct CapturePreviewTests {
    private func controller(_ capture: Capture) -> ReceiptCaptureController {
        struct Source: CaptureSource {
            let capture: Capture
            var frameCount: Int { 1 }
            func frame(at index: Int) -> CaptureFrame { CaptureFrame(capture: capture) }
        }
        return ReceiptCaptureController(cameras: [RecordedCamera(Source(capture: capture))])
    }

    @Test func aPreviewShowsDepthAndTheSheetAndLeavesTheStateAlone() async throws {
        let controller = controller(try DrawnReceipt.capture())
        let preview = try await controller.capturePreviewWithDepthVisualization()
        guard case .idle = controller.state else {
            Issue.record("the state is \(controller.state)")
            return
        }
        #expect(preview.showsDepth)
        #expect(
            preview.image.size == PixelSize(width: 270, height: 360), "540 x 720 by the least whole factor")
        let sheet = try #require(preview.guidance.sheet)
        // On the outline the colour is the line's alone, and the only pure yellow or green of the picture.
        let colors = [RGB(red: 255, green: 200, blue: 0), RGB(red: 0, green: 200, blue: 80)]
        for corner in try #require(sheet.corners) {
            let (x, y) = (Int((corner.x / 2 - 0.25).rounded()), Int((corner.y / 2 - 0.25).rounded()))
            #expect(colors.contains(preview.image[x: x, y: y]))
        }
        // The next preview follows the same sheet.
        #expect(try await controller.capturePreviewWithDepthVisualization().guidance.sheet?.id == sheet.id)
    }

    @Test func theNearIsWarmerThanTheFar() throws {
        let size = PixelSize(width: 64, height: 48)
        let gray = RGBImage(width: 64, height: 48, filledWith: RGB(red: 120, green: 120, blue: 120))
        let depth = DepthMap(
            readings: Raster(
                width: 64, height: 48, elements: (0..<size.pixelCount).map { $0 % 64 < 32 ? 0.2 : 0.4 }))
        let capture = Capture(image: gray, depth: depth.mapReadings { x, y, z in x < 2 && y < 2 ? .nan : z })
        var tracker = GuidanceTracker()
        let guidance = tracker.guide(CaptureFrame(capture: capture))
        let preview = CapturePreview(of: capture, guidance: guidance)
        let (near, far) = (preview.image[x: 10, y: 24], preview.image[x: 50, y: 24])
        #expect(near.red > near.blue && far.blue > far.red)
        #expect(preview.image[x: 0, y: 0] == gray[x: 0, y: 0], "no reading, no tint")
        let plain = CapturePreview(of: Capture(image: gray), guidance: guidance)
        #expect(!plain.showsDepth)
    }

    @Test func completionGetsAPreviewToo() async throws {
        let controller = controller(Capture(image: DrawnReceipt.grayPicture))
        let result = await withCheckedContinuation { continuation in
            controller.capturePreviewWithDepthVisualization { continuation.resume(returning: $0) }
        }
        let preview = try result.get()
        #expect(preview.guidance.advice == .noSheet)
        #expect(preview.image.size == DrawnReceipt.grayPicture.size)
    }

    @Test func aFolderStandsInForACamera() async throws {
        let folder = try ScratchFolder()
        try ImageWriter.write(DrawnReceipt.grayPicture, to: folder.path("image.png"))
        try folder.write(#"{ "image": "image.png" }"#, as: "capture.json")
        let camera = try RecordedCamera(contentsOf: folder.url)
        #expect(camera.kind == .recording)
        let receipt = try await ReceiptCaptureController(cameras: [camera]).captureReceiptWithDepth()
        #expect(receipt.picture.render() == DrawnReceipt.grayPicture)
        let missing = RecordedCamera(camera.source, choice: .index(1))
        await #expect(throws: FlatteningError.self) { try await missing.capture() }
    }

    // MARK: Buffers

    @Test func paddedRowsComeOutWithoutTheirPadding() throws {
        // Two rows of two BGRA pixels and four bytes of padding.
        let bytes: [UInt8] = [1, 2, 3, 0, 4, 5, 6, 0, 99, 99, 99, 99, 7, 8, 9, 0, 10, 11, 12, 0]
        let image = try #require(
            bytes.withUnsafeBytes { RGBImage(bgraRows: $0, width: 2, height: 2, bytesPerRow: 12) })
        #expect(
            image.elements == [
                RGB(red: 3, green: 2, blue: 1), RGB(red: 6, green: 5, blue: 4),
                RGB(red: 9, green: 8, blue: 7),
                RGB(red: 12, green: 11, blue: 10),
            ])
        #expect(bytes.withUnsafeBytes { RGBImage(bgraRows: $0, width: 3, height: 2, bytesPerRow: 12) } == nil)
        let depths: [Float] = [0.1, 0.2, .nan, 0.3, 0.4, .nan]
        let map = try #require(
            depths.withUnsafeBytes { Raster<Float>(rows: $0, width: 2, height: 2, bytesPerRow: 12) })
        #expect(map.elements == [0.1, 0.2, 0.3, 0.4])
        #expect(
            depths.withUnsafeBytes { Raster<Float>(rows: $0, width: 2, height: 3, bytesPerRow: 12) } == nil)
        #expect(
            RGBImage(luma: GrayImage(width: 1, height: 1, filledWith: 7))[x: 0, y: 0]
                == RGB(red: 7, green: 7, blue: 7))
    }

    @Test("What is stored turned stands upright together", arguments: ImageOrientation.allCases)
    func turning(orientation: ImageOrientation) throws {
        let stored = PixelSize(width: 8, height: 6)
        var image = RGBImage(width: 8, height: 6, filledWith: .white)
        image[x: 5, y: 1] = RGB(red: 0, green: 0, blue: 0)
        var readings = Raster<Float>(width: 4, height: 3, filledWith: 0.5)
        readings[x: 2, y: 0] = 0.25
        let camera = CameraIntrinsics(fx: 30, fy: 30, cx: 2.6, cy: 2.2, imageSize: stored)
        let capture = Capture(
            stored: image, depth: DepthMap(readings: readings),
            // Stated for a picture of twice the size, as phones do.
            intrinsics: camera.scaled(to: PixelSize(width: 16, height: 12)), orientation: orientation)
        let turned = orientation.turn(SIMD2(5, 1), in: stored)
        #expect(capture.image[x: Int(turned.x), y: Int(turned.y)] == RGB(red: 0, green: 0, blue: 0))
        let small = orientation.turn(SIMD2(2, 0), in: PixelSize(width: 4, height: 3))
        #expect(capture.depth?[x: Int(small.x), y: Int(small.y)] == 0.25)
        // A point on the optical axis falls where the turned principal point is.
        let center = try #require(capture.intrinsics).project(SIMD3(0, 0, 0.25))
        let expected = orientation.turn(camera.project(SIMD3(0, 0, 0.25)), in: stored)
        #expect(abs(center.x - expected.x) < 1e-9 && abs(center.y - expected.y) < 1e-9)
        #expect(capture.metadata.orientation == orientation && capture.metadata.storedSize == stored)
    }
}

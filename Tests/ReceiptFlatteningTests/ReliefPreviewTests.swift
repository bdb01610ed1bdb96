import DepthGeometry
import Diagnostics
import Imaging
import SheetFlattening
import Testing

@testable import ReceiptFlattening

/// The picture of what the depth sensor saw.
@Suite struct ReliefPreviewTests {
    private let intrinsics = CameraIntrinsics(
        fx: 200, fy: 200, cx: 79.5, cy: 59.5, imageSize: PixelSize(width: 160, height: 120))

    /// A plane 0.3 m away with a step of 5 mm towards the camera in its right half.
    private func capture(scale: DepthMap.Scale = .metric) -> Capture {
        let readings = Raster<Float>(
            width: 160, height: 120, elements: (0..<160 * 120).map { $0 % 160 < 80 ? 0.300 : 0.295 })
        return Capture(
            image: RGBImage(width: 160, height: 120, filledWith: .white),
            depth: DepthMap(readings: readings, scale: scale),
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

    /// The relief of the capture, the first row of the strip below it, and the middle of the outermost band as a share of the
    /// range.
    private func legend(
        scale: DepthMap.Scale = .metric
    ) throws -> (image: RGBImage, top: Int, outermost: Double) {
        let preview = try ReliefPreview(
            of: capture(scale: scale), plane: Plane(normal: SIMD3(0, 0, -1), offset: 0.3), outline: nil)
        return (
            preview.image, 120 * preview.image.width / 160,
            1 - preview.bandMillimeters / preview.rangeMillimeters / 2
        )
    }

    @Test func theLegendRunsFromBlueToRed() throws {
        let (image, top, outermost) = try legend()
        #expect(image.height > top)
        let colors = stride(from: 13, to: image.width / 2 - 13, by: 1).map { image[x: $0, y: top + 15] }
        let first = try #require(colors.first)
        let last = try #require(colors.last)
        #expect(first == ReliefPreview.color(of: -outermost, isRim: false))
        #expect(last == ReliefPreview.color(of: outermost, isRim: false))
    }

    /// At 0.3 m a focal length of 200 pixels makes 2.67 of the picture's pixels a millimetre, which is enlarged four times.
    @Test func theBarIsAsLongAsItSays() throws {
        let (image, top, _) = try legend()
        let black = (image.width / 2..<image.width).filter {
            image[x: $0, y: top + 15] == RGB(red: 0, green: 0, blue: 0)
        }
        let length = try #require(black.last) - (try #require(black.first))
        // 50 mm: the round length next to 100 pixels. The pen is 2 pixels wide.
        #expect(abs(Double(length) - 50 * 200 / 0.3 / 1000 * 4) <= 3)
    }

    @Test func withoutAUnitThereIsNoLegend() throws {
        let (image, top, _) = try legend(scale: .relative)
        #expect(image.height == top)
    }

    @Test func theRoundingOfAnExactPlaneIsNoRelief() throws {
        let heights = Raster<Float>(
            width: 8, height: 8, elements: (0..<64).map { $0.isMultiple(of: 2) ? 1e-7 : -1e-7 })
        let preview = ReliefPreview(
            heights: heights, isOnSheet: Raster(width: 8, height: 8, filledWith: true))
        #expect(preview.rangeMillimeters == 0.01)
    }

    @Test func theContourIsDrawn() throws {
        let outline = try #require(
            SheetOutline(
                corners: [SIMD2(40, 30), SIMD2(120, 30), SIMD2(120, 90), SIMD2(40, 90)],
                imageSize: PixelSize(width: 160, height: 120)))
        let preview = try ReliefPreview(
            of: capture(), plane: Plane(normal: SIMD3(0, 0, -1), offset: 0.3), outline: outline)
        let pixel = preview.image[x: 80 * 4 + 2, y: 30 * 4 + 2]
        #expect(pixel.green > pixel.red && pixel.green > pixel.blue, "\(pixel)")
    }

    @Test func withoutDepthThereIsNone() {
        #expect(throws: FlatteningError.self) {
            try ReliefPreview(
                of: Capture(image: .init(width: 4, height: 4, filledWith: .white)), plane: nil, outline: nil)
        }
    }
}

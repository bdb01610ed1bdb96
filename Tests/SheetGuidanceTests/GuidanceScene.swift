import DepthGeometry
import Foundation
import Imaging
import SheetFlattening
import SyntheticCaptures

/// Receipts as a camera sees them while it is pointed at them: drawn once, then cut, darkened and blurred into frames.
enum GuidanceScene {
    static let seed: UInt64 = 71
    static let frameSize = PixelSize(width: 640, height: 480)
    /// A receipt on a dark table, 0.17 m away, hardly tilted; drawn beyond a frame on every side, so that frames can be cut out
    /// all around.
    static let plain = drawn(documentSeed: 1, ordinaryPose, margin: SIMD2(100, 150))
    /// Another receipt in the same place.
    static let other = drawn(documentSeed: 2, ordinaryPose)
    /// The same receipt from three times as far.
    static let far = drawn(documentSeed: 1, CameraPose(distance: 0.5, tilt: 0.05, turn: 0.15))
    /// The same receipt seen from the side.
    static let tilted = drawn(
        documentSeed: 1,
        CameraPose(distance: distanceOfTilted, tilt: tiltOfTilted, tiltDirection: 1.2, turn: 0.1))
    static let (tiltOfTilted, distanceOfTilted) = (0.85, 0.15)
    /// So near that the receipt runs off on both sides.
    static let near = drawn(documentSeed: 1, CameraPose(distance: 0.07, tilt: 0.05, turn: 0))
    /// The table without a receipt.
    static let table = drawn(documentSeed: 1, CameraPose(distance: 0.17, offset: SIMD2(4, 0)))

    /// Nothing at all: an evenly grey picture.
    static let grayPicture = RGBImage(
        width: 320, height: 240, filledWith: RGB(red: 120, green: 120, blue: 120))

    private static let ordinaryPose = CameraPose(distance: 0.17, tilt: 0.05, tiltDirection: 0.6, turn: 0.15)

    private static func drawn(
        documentSeed: UInt64, _ pose: CameraPose, margin: SIMD2<Int> = SIMD2(0, 0)
    ) -> Result<SyntheticCapture, any Error> {
        Result {
            var generator = SeededGenerator(seed: seed + documentSeed)
            let document = ReceiptDocument.generated(paper: .narrow, itemCount: 4, using: &generator)
            let size = PixelSize(
                width: frameSize.width + 2 * margin.x, height: frameSize.height + 2 * margin.y)
            // A phone's wide camera for the frame; the drawn picture shows more of the table.
            let focal = 0.83 * Double(frameSize.width)
            let camera = CameraIntrinsics(
                fx: focal, fy: focal, cx: Double(size.width - 1) / 2, cy: Double(size.height - 1) / 2,
                imageSize: size)
            return try SyntheticScene(
                document: document, shape: .plane, table: .dark, camera: camera, pose: pose, seed: seed,
                quality: .draft
            ).render(sensor: .structuredLight)
        }
    }

    /// Where a frame's first pixel lies in the drawn picture.
    private static func start(in drawn: SyntheticCapture, shift: SIMD2<Int>) -> SIMD2<Int> {
        SIMD2(
            (drawn.image.width - frameSize.width) / 2 - shift.x,
            (drawn.image.height - frameSize.height) / 2 - shift.y)
    }

    /// A frame cut out of a drawn picture, with what a camera knows.
    /// - Parameter shift: by how much the picture's content has moved, within what is drawn.
    static func frame(
        _ scene: Result<SyntheticCapture, any Error>, shift: SIMD2<Int> = SIMD2(0, 0), time: Double? = nil,
        change: (RGBImage) -> RGBImage = { $0 }
    ) throws -> CaptureFrame {
        let drawn = try scene.get()
        let start = start(in: drawn, shift: shift)
        let image = RGBImage(
            width: frameSize.width, height: frameSize.height,
            elements: (0..<frameSize.pixelCount).map { index in
                drawn.image[x: start.x + index % frameSize.width, y: start.y + index / frameSize.width]
            })
        return CaptureFrame(
            capture: Capture(
                image: change(image),
                intrinsics: drawn.intrinsics.cropped(x: start.x, y: start.y, size: frameSize)),
            timestamp: time)
    }

    /// The sheet's true corners in such a frame, clockwise as printed.
    static func corners(
        _ scene: Result<SyntheticCapture, any Error>, shift: SIMD2<Int> = SIMD2(0, 0)
    ) throws -> [SIMD2<Double>] {
        let drawn = try scene.get()
        let (width, height) = (drawn.scene.document.width, drawn.scene.document.height)
        let start = start(in: drawn, shift: shift)
        return [(0, 0), (width, 0), (width, height), (0, height)].map { u, v in
            drawn.photographPosition(u: u, v: v) - SIMD2(Double(start.x), Double(start.y))
        }
    }

    /// The greatest distance from a true corner to the nearest of those that were found.
    static func greatestError(_ found: [SIMD2<Double>]?, _ truth: [SIMD2<Double>]) -> Double {
        guard let found else { return .infinity }
        return truth.map { corner in
            found.map { (($0 - corner) * ($0 - corner)).sum().squareRoot() }.min() ?? .infinity
        }.max() ?? .infinity
    }

    /// The picture with all its light multiplied by a factor, in its gamma-encoded values.
    static func lit(_ factor: Double) -> (RGBImage) -> RGBImage {
        { image in
            func scaled(_ value: UInt8) -> UInt8 { UInt8(min((Double(value) * factor).rounded(), 255)) }
            return image.map { RGB(red: scaled($0.red), green: scaled($0.green), blue: scaled($0.blue)) }
        }
    }

    /// The picture averaged over `width` pixels along both axes, twice: what a lens out of focus leaves.
    static func blurred(width: Int) -> (RGBImage) -> RGBImage {
        { image in
            var image = image
            // Transposed after each pass, so that the next one goes along the other axis.
            for _ in 0..<4 { image = averagedAlongRows(image, width: width).oriented(by: .leftMirrored) }
            return image
        }
    }

    private static func averagedAlongRows(_ image: RGBImage, width: Int) -> RGBImage {
        var result = image
        for y in 0..<image.height {
            let row = image.elements[y * image.width..<(y + 1) * image.width].map {
                SIMD3<Int>(Int($0.red), Int($0.green), Int($0.blue))
            }
            for x in 0..<image.width {
                let near = row[max(x - width / 2, 0)...min(x + width / 2, image.width - 1)]
                let mean = near.reduce(SIMD3<Int>(), &+) / SIMD3(repeating: near.count)
                result.elements[y * image.width + x] = RGB(
                    red: UInt8(mean.x), green: UInt8(mean.y), blue: UInt8(mean.z))
            }
        }
        return result
    }
}

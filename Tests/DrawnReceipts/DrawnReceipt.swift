package import DepthGeometry
package import Imaging
package import SyntheticCaptures

/// One receipt, drawn once for all tests that flatten: small, for they may run unoptimised.
package enum DrawnReceipt {
    package static let seed: UInt64 = 20_250
    /// A flat one on a dark table.
    package static let flat: Result<SyntheticCapture, any Error> = Result {
        var generator = SeededGenerator(seed: seed)
        var scene = SyntheticScene.random(
            .plane, paper: .narrow, itemCount: 4, imageSize: PixelSize(width: 540, height: 720), table: .dark,
            using: &generator)
        scene.quality = .draft
        return try scene.render(sensor: .structuredLight)
    }

    /// The drawn receipt as a capture, with everything that a camera knows.
    package static func capture() throws -> Capture {
        let drawn = try flat.get()
        return Capture(image: drawn.image, depth: drawn.depth, intrinsics: drawn.intrinsics)
    }

    /// The printed side of nothing at all: an evenly grey picture.
    package static let grayPicture = RGBImage(
        width: 320, height: 240, filledWith: RGB(red: 120, green: 120, blue: 120))
}

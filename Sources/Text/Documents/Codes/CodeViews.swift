import Imaging

/// A picture as it is passed to an engine: turned, enlarged or reduced.
struct CodeView {
    let image: GrayImage
    /// Pixels of the picture per pixel of the view, and where the view's centre lies in the picture.
    private let scale: Double
    private let turn: (cos: Double, sin: Double)
    private let middle: SIMD2<Double>
    private let viewMiddle: SIMD2<Double>

    /// The picture itself.
    init(_ picture: GrayImage) {
        image = picture
        (scale, turn, middle, viewMiddle) = (1, (1, 0), .zero, .zero)
    }

    /// The picture at half its size.
    init(halving picture: GrayImage) {
        image = picture.halved()
        (scale, turn, middle, viewMiddle) = (2, (1, 0), SIMD2(repeating: 0.5), .zero)
    }

    /// A part of a picture, resampled; white where there is no picture.
    /// - Parameters:
    ///   - size: the size of the view.
    ///   - middle: the place in the picture that lies at the view's centre.
    ///   - scale: pixels of the picture per pixel of the view.
    ///   - turn: cosine and sine of the angle by which the view is turned against the picture.
    init(
        of picture: GrayImage, size: PixelSize, middle: SIMD2<Double>, scale: Double,
        turn: (cos: Double, sin: Double) = (1, 0)
    ) {
        let viewMiddle = SIMD2(Double(size.width - 1), Double(size.height - 1)) / 2
        (self.scale, self.turn, self.middle, self.viewMiddle) = (scale, turn, middle, viewMiddle)
        let (right, bottom) = (Double(picture.width) - 0.5, Double(picture.height) - 0.5)
        image = GrayImage(width: size.width, height: size.height) { pixels in
            var index = 0
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let step = SIMD2(Double(x), Double(y)) - viewMiddle
                    let place =
                        middle + scale
                        * SIMD2(turn.cos * step.x - turn.sin * step.y, turn.sin * step.x + turn.cos * step.y)
                    let isInside = place.x >= -0.5 && place.y >= -0.5 && place.x <= right && place.y <= bottom
                    let value = isInside ? UInt8(picture.bilinear(at: place).rounded()) : 255
                    pixels.initializeElement(at: index, to: value)
                    index += 1
                }
            }
        }
    }

    /// The whole picture, `zoom` times as large, turned by this angle.
    static func whole(
        _ picture: GrayImage, zoom: Double, turn: (cos: Double, sin: Double) = (1, 0)
    ) -> CodeView {
        let (width, height) = (Double(picture.width) * zoom, Double(picture.height) * zoom)
        let size = PixelSize(
            width: Int((abs(turn.cos) * width + abs(turn.sin) * height).rounded(.up)),
            height: Int((abs(turn.sin) * width + abs(turn.cos) * height).rounded(.up)))
        return CodeView(
            of: picture, size: size,
            middle: SIMD2(Double(picture.width - 1), Double(picture.height - 1)) / 2, scale: 1 / zoom,
            turn: turn)
    }

    /// Maps a place in the view to the picture.
    func picturePlace(_ place: SIMD2<Double>) -> SIMD2<Double> {
        let step = place - viewMiddle
        return middle + scale
            * SIMD2(turn.cos * step.x - turn.sin * step.y, turn.sin * step.x + turn.cos * step.y)
    }
}

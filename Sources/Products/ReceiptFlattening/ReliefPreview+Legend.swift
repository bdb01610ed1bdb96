import Imaging
import SheetFlattening

extension ReliefPreview {
    /// Positions in the strip below the image, in pixels.
    private enum Layout {
        /// Height of the strip: letters and the space around them.
        static let height = 48
        static let digitHeight = 12.0
        /// Space at the sides, and between the colour scale and the bar.
        static let margin = 12.0
        /// The colour scale, from the strip's top.
        static let scale = (top: 8.0, bottom: 22.0)
        /// The bar, and half the length of its end strokes.
        static let bar = (middle: 15.0, halfStroke: 5.0)
        /// Baseline of the digits.
        static let digitFoot = 42.0
        /// Desired length of the bar.
        static let barLength = 100.0
        static let lineWidth = 2.0
    }
    private static let black = RGB(red: 0, green: 0, blue: 0)
    private static let outlineColor = RGB(red: 0, green: 130, blue: 50)

    /// Draws the sheet's outline, whose vertices are in pixels of a photograph of this size.
    mutating func draw(_ outline: SheetOutline, of size: PixelSize) {
        let scale = SIMD2(
            Double(image.width) / Double(size.width), Double(image.height) / Double(size.height))
        let polygon = outline.polygon.map { ($0 + 0.5) * scale - 0.5 }
        guard let first = polygon.first else { return }
        image.draw(polygon + [first], color: Self.outlineColor, width: Layout.lineWidth)
    }

    /// Adds a strip below the image: the colour scale, band by band, with its ends in millimetres, and a bar of a round
    /// length, true at the distance of the plane in the image's middle.
    /// - Parameter pixelsPerMillimeter: density of the image there; without a positive number no bar is drawn.
    mutating func addLegend(pixelsPerMillimeter: Double) {
        let (width, top) = (image.width, Double(image.height))
        image = Raster(
            width: width, height: image.height + Layout.height,
            elements: image.elements + Array(repeating: .white, count: width * Layout.height))
        let foot = top + Layout.digitFoot
        func write(_ words: String, at x: Double) {
            image.write(words, at: SIMD2(x, foot), size: Layout.digitHeight, color: Self.black)
        }
        // The scale takes the left half, the bar the right one.
        let bands = Int((2 * rangeMillimeters / bandMillimeters).rounded())
        let (left, length) = (Layout.margin, Double(width) / 2 - 2 * Layout.margin)
        for column in 0..<Int(length) {
            let band = min(Int(Double(column) / length * Double(bands)), bands - 1)
            let height = (Double(band) + 0.5) * bandMillimeters - rangeMillimeters
            let x = left + Double(column)
            image.draw(
                [SIMD2(x, top + Layout.scale.top), SIMD2(x, top + Layout.scale.bottom)],
                color: Self.color(of: height / rangeMillimeters, isRim: false), width: 1)
        }
        let end = Self.words(rangeMillimeters)
        let ends = [("-" + end, left), ("0", left + length / 2), ("+" + end + " mm", left + length)]
        for (words, x) in ends {
            let wide = Double(words.count) * Layout.digitHeight * RGBImage.digitPitch
            write(words, at: min(max(x - wide / 2, left), left + length - wide))
        }
        guard pixelsPerMillimeter > 0, pixelsPerMillimeter.isFinite else { return }
        let millimeters = Self.step(near: Layout.barLength / pixelsPerMillimeter)
        let (start, reach) = (Double(width) / 2 + 2 * Layout.margin, millimeters * pixelsPerMillimeter)
        // A bar that does not fit would state a wrong length.
        guard start + reach <= Double(width) - Layout.margin else { return }
        let y = top + Layout.bar.middle
        let (over, under) = (y - Layout.bar.halfStroke, y + Layout.bar.halfStroke)
        image.draw(
            [
                SIMD2(start, over), SIMD2(start, under), SIMD2(start, y), SIMD2(start + reach, y),
                SIMD2(start + reach, over), SIMD2(start + reach, under),
            ], color: Self.black, width: Layout.lineWidth)
        write(Self.words(millimeters) + " mm", at: start)
    }

    /// Formats a number as briefly as possible, to a thousandth: "5", "0.2".
    private static func words(_ value: Double) -> String {
        let rounded = (value * 1000).rounded() / 1000
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}

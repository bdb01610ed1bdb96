import Imaging
import SheetFlattening

extension ReliefPreview {
    /// The height of the strip below the picture that holds the legend, in pixels: letters of 12 pixels with air around them.
    package static let legendHeight = 48
    /// The height of its digits in pixels.
    private static let digitHeight = 12.0
    /// The length of the scale bar that is aimed at, in pixels.
    private static let barLength = 100.0
    private static let black = RGB(red: 0, green: 0, blue: 0)

    /// Draws the sheet's contour, whose vertices are in pixels of a photograph of this size.
    mutating func draw(_ outline: SheetOutline, of size: PixelSize) {
        let scale = SIMD2(
            Double(image.width) / Double(size.width), Double(image.height) / Double(size.height))
        let polygon = outline.polygon.map { ($0 + 0.5) * scale - 0.5 }
        guard let first = polygon.first else { return }
        image.draw(polygon + [first], color: RGB(red: 0, green: 130, blue: 50), width: 2)
    }

    /// Adds a strip below the picture: the scale of colours, band by band, with its ends in millimetres, and a bar of a round
    /// length at the distance of the plane in the picture's middle.
    /// - Parameter pixelsPerMillimeter: of the picture there; no bar without a number above 0.
    mutating func addLegend(pixelsPerMillimeter: Double) {
        let (width, height) = (image.width, image.height)
        image = Raster(
            width: width, height: height + Self.legendHeight,
            elements: image.elements + Array(repeating: .white, count: width * Self.legendHeight))
        let foot = Double(height) + 42
        // The scale takes the left half.
        let bands = Int((2 * rangeMillimeters / bandMillimeters).rounded())
        let (left, length) = (12.0, Double(width) / 2 - 24)
        for column in 0..<Int(length) {
            let band = min(Int(Double(column) / length * Double(bands)), bands - 1)
            let height = (Double(band) + 0.5) * bandMillimeters - rangeMillimeters
            let x = left + Double(column)
            let top = Double(image.height - Self.legendHeight)
            image.draw(
                [SIMD2(x, top + 8), SIMD2(x, top + 22)],
                color: Self.color(of: height / rangeMillimeters, isRim: false), width: 1)
        }
        let end = Self.words(rangeMillimeters)
        let ends = [("-" + end, left), ("0", left + length / 2), ("+" + end + " mm", left + length)]
        for (words, x) in ends {
            let wide = Double(words.count) * Self.digitHeight * 0.75
            let start = min(max(x - wide / 2, left), left + length - wide)
            image.write(words, at: SIMD2(start, foot), size: Self.digitHeight, color: Self.black)
        }
        guard pixelsPerMillimeter > 0, pixelsPerMillimeter.isFinite else { return }
        let millimeters = Self.step(near: Self.barLength / pixelsPerMillimeter)
        let bar = (Double(width) / 2 + 24, Double(height) + 15)
        let reach = min(millimeters * pixelsPerMillimeter, Double(width) / 2 - 36)
        guard reach >= millimeters * pixelsPerMillimeter else { return }
        image.draw(
            [
                SIMD2(bar.0, bar.1 - 5), SIMD2(bar.0, bar.1 + 5), SIMD2(bar.0, bar.1),
                SIMD2(bar.0 + reach, bar.1),
                SIMD2(bar.0 + reach, bar.1 - 5), SIMD2(bar.0 + reach, bar.1 + 5),
            ], color: Self.black, width: 2)
        image.write(
            Self.words(millimeters) + " mm", at: SIMD2(bar.0, foot), size: Self.digitHeight, color: Self.black
        )
    }

    /// A number as short as it can be: "5", "0.2".
    private static func words(_ value: Double) -> String {
        let rounded = (value * 100).rounded() / 100
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }
}

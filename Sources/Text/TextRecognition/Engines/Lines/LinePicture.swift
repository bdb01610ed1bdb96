import LineNetwork

/// An image of one line in the form that a recogniser takes.
struct LinePicture {
    /// Number of columns, a multiple of the recogniser's step.
    let columns: Int
    /// Brightness row by row, from -1 for black to 1 for white.
    private(set) var pixels: [Float]

    /// Rows of an image: the height that these recognisers are trained on.
    static let height = LineNetwork.height
    /// Columns of an image per step of the output.
    static let stepWidth = LineNetwork.stepWidth

    /// Width from which on a row is read in parts, in columns: 250 characters. Memory grows with the width.
    static let widest = 4800
    /// Share of the width, at its end, in which the row is split.
    private static let shareToPart = 0.25
    /// Half of the brightest value.
    private static let half: Float = 127.5

    /// A white image.
    init(columns: Int) {
        self.columns = columns
        pixels = [Float](repeating: 1, count: Self.height * columns)
    }

    /// Part of a drawn row, centred vertically in a white image; anything beyond the image's height is cut off.
    init(_ strip: RowRendering.Strip, columns part: Range<Int>, of drawn: RowRendering) {
        let step = Self.stepWidth
        self.init(columns: max((part.count + step - 1) / step, 1) * step)
        let height = strip.bottom - strip.top
        let offset = (Self.height - height) / 2
        for y in max(offset, 0)..<min(offset + height, Self.height) {
            let source = (strip.top + y - offset) * drawn.page.width + strip.left + part.lowerBound
            for x in 0..<part.count {
                pixels[y * columns + x] = Float(drawn.page.elements[source + x]) / Self.half - 1
            }
        }
    }

    /// Splits the columns of a drawn row into parts that are not too wide, each ending where the row is lightest.
    static func parts(
        of strip: RowRendering.Strip, in drawn: RowRendering, widest: Int = widest
    ) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = 0
        while strip.columns.count - start > widest {
            let candidates = start + widest - Int(shareToPart * Double(widest))..<start + widest
            let end = candidates.max {
                darkest(of: strip, column: $0, in: drawn) < darkest(of: strip, column: $1, in: drawn)
            }
            parts.append(start..<(end ?? start + widest))
            start = parts[parts.count - 1].upperBound
        }
        return parts + [start..<strip.columns.count]
    }

    /// The brightness of a column's darkest pixel.
    private static func darkest(of strip: RowRendering.Strip, column: Int, in drawn: RowRendering) -> UInt8 {
        (strip.top..<strip.bottom).map { drawn.page.elements[$0 * drawn.page.width + strip.left + column] }
            .min() ?? 0
    }
}

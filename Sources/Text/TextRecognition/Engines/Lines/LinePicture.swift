import LineNetwork

/// A picture of one line as a recogniser takes it.
struct LinePicture {
    /// Columns, a multiple of the recogniser's step.
    let columns: Int
    /// The brightness row by row, -1 for black to 1 for white.
    private(set) var pixels: [Float]

    /// Rows of a picture: what these recognisers are trained on.
    static let height = LineNetwork.height
    /// Columns of a picture that are one step of the output.
    static let stepWidth = LineNetwork.stepWidth

    /// Wider rows are read in parts, in columns: 250 characters. Memory grows with the width.
    static let widest = 4800
    /// The share of the width, at its end, in which a row is parted.
    private static let shareToPart = 0.25
    /// Half of the brightest value.
    private static let half: Float = 127.5

    /// A white picture.
    init(columns: Int) {
        self.columns = columns
        pixels = [Float](repeating: 1, count: Self.height * columns)
    }

    /// Part of a drawn row in the middle of a white picture; what reaches beyond its height is cut off.
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

    /// The columns of a drawn row in parts that are not too wide, each ending where the row is lightest.
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

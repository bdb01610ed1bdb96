import PrintDetection
import Platform
import Imaging
import Parallelism

/// Printed rows drawn again at the size, width and spacing that tesseract reads best, one below the other on a white page.
///
/// Brightness is relative to the paper around each letter. Print is drawn dark on light, whatever it was, and a sloping
/// row is drawn level. Each strip can map its places back to the page.
struct RowRendering {
    /// How rows are drawn.
    struct Style: Hashable, Sendable {
        /// Height of the letters in drawn pixels.
        var letterHeight: Double
        /// Width of a letter relative to its printed width at that height.
        var widthFactor: Double
        /// Letters of a fixed pitch are moved together so that this much of the blank between two remains; 1 = as printed.
        var gapFactor: Double = 1
        /// Blank around the row, in letter heights.
        var margin = ReadingTuning.Drawing.margin
        /// Longest blank inside a row, in letter heights.
        var longestBlank = ReadingTuning.Drawing.longestBlank
        /// Mean depth of the drawn print below the paper, in grey levels.
        var contrast = ReadingTuning.Drawing.contrast
        /// Whether the drawn row is smoothed by about a pixel: real print is ragged, and tesseract sharpens what it scales.
        var isSmoothed = false
    }

    /// One row's part of the drawn page.
    struct Strip {
        /// Index of the row in the rows that were drawn.
        var row: Int
        /// Its vertical extent on the drawn page.
        var top: Int
        var bottom: Int
        /// For each drawn column the page's column that it shows, in pixel-centre coordinates.
        var columns: [Double]
        /// First drawn column of the strip.
        var left: Int
        /// Vertical scale: drawn pixels per pixel of the page.
        var scale: Double
        /// The middle line of the row, and how far below it the strip's middle lies, in the page's pixels.
        var line: RowLine
        var shift: Double

        /// Returns the y coordinate of the strip's middle on the page.
        func middle(at x: Double) -> Double { line.middle(at: x) + shift }
    }

    let page: GrayImage
    let strips: [Strip]
    /// Blank around a strip's own image, in drawn pixels.
    private let rim: Int

    private typealias Tuning = ReadingTuning.Drawing

    /// Draws rows.
    /// - Parameters:
    ///   - rows: the rows, each with the letter height that it is scaled by; and the pitch where a row has a fixed one.
    init(
        rows: [PrintedRow], indices: [Int], ink: Ink, style: Style, pitches: [CharacterPitch?]
    ) {
        var strips: [Strip] = []
        var top = Int(style.letterHeight)
        let left = Int(style.letterHeight)
        for index in indices {
            let row = rows[index]
            let scale = style.letterHeight / row.letterHeight
            let columns = Self.columns(
                of: row, scale: scale, style: style, pitch: pitches[index], pageWidth: ink.relief.width)
            // Neighbouring rows stay out: the strip reaches at most half the way to them.
            let reach = Self.reach(of: index, in: rows, margin: style.margin)
            let height = max(Int(((reach.above + reach.below) * scale).rounded(.up)), 4)
            let strip = Strip(
                row: index, top: top, bottom: top + height, columns: columns, left: left, scale: scale,
                line: row.line, shift: (reach.below - reach.above) / 2)
            strips.append(strip)
            top += height + Int(Tuning.blankBetweenRows * style.letterHeight)
        }
        let pictures = concurrentMap(strips) { strip in
            Self.draw(strip, row: rows[strip.row], ink: ink, contrast: style.contrast)
        }
        let width = (strips.map(\.columns.count).max() ?? 0) + 2 * left
        var page = GrayImage(width: width, height: top + left, filledWith: Tuning.white)
        for (strip, picture) in zip(strips, pictures) {
            let count = strip.columns.count
            for y in strip.top..<strip.bottom {
                let from = (y - strip.top) * count
                page.elements.replaceSubrange(
                    y * width + left..<y * width + left + count, with: picture[from..<from + count])
            }
        }
        self.page = style.isSmoothed ? page.smoothed() : page
        self.strips = strips
        rim = Int(Tuning.blankBetweenRows / 2 * style.letterHeight)
    }

    /// Returns a strip alone, with half of the blank around it.
    func picture(of strip: Strip) -> GrayImage {
        let (left, top) = origin(of: strip)
        let right = min(strip.left + strip.columns.count + strip.left - left, page.width)
        let bottom = min(strip.bottom + strip.top - top, page.height)
        var picture = GrayImage(width: right - left, height: bottom - top, filledWith: Tuning.white)
        for y in top..<bottom {
            let row = y * page.width
            let from = (y - top) * picture.width
            picture.elements.replaceSubrange(
                from..<from + picture.width, with: page.elements[row + left..<row + right])
        }
        return picture
    }

    /// Returns where on the drawn page a strip's own image begins.
    private func origin(of strip: Strip) -> (left: Int, top: Int) {
        (max(strip.left - rim, 0), max(strip.top - rim, 0))
    }

    /// Returns where a box of a strip's own image lies on the page.
    func source(ofPictured box: Box, in strip: Strip) -> Box {
        let (left, top) = origin(of: strip)
        return source(
            of: Box(
                left: box.left + Double(left), top: box.top + Double(top), right: box.right + Double(left),
                bottom: box.bottom + Double(top)), in: strip)
    }

    /// How far a row is drawn above and below its middle, in the page's pixels.
    private static func reach(
        of index: Int, in rows: [PrintedRow], margin: Double
    ) -> (above: Double, below: Double) {
        let row = rows[index]
        let pad = margin * row.letterHeight
        let own = extent(of: row)
        /// Returns the margin on the side of a neighbour: at most half of the blank between the two rows.
        func blank(beside other: Int, isAbove: Bool) -> Double {
            guard rows.indices.contains(other) else { return pad }
            let neighbor = rows[other]
            let x = (max(row.box.left, neighbor.box.left) + min(row.box.right, neighbor.box.right)) / 2
            let distance = abs(neighbor.middle(at: x) - row.middle(at: x))
            let its = extent(of: neighbor)
            let gap = isAbove ? distance - own.above - its.below : distance - own.below - its.above
            return min(pad, max(gap / 2, 0))
        }
        return (
            max(own.above + blank(beside: index - 1, isAbove: true), row.letterHeight / 2),
            max(own.below + blank(beside: index + 1, isAbove: false), row.letterHeight / 2)
        )
    }

    /// How far a row's print reaches above and below its middle.
    private static func extent(of row: PrintedRow) -> (above: Double, below: Double) {
        row.marks.reduce((above: 0, below: 0)) { extent, mark in
            let middle = row.middle(at: mark.centerX)
            return (
                max(extent.above, middle - Double(mark.top)), max(extent.below, Double(mark.bottom) - middle)
            )
        }
    }

    /// The page's column for each drawn column: letters at one scale, the blank between them shortened.
    private static func columns(
        of row: PrintedRow, scale: Double, style: Style, pitch: CharacterPitch?, pageWidth: Int
    ) -> [Double] {
        let scale = scale * style.widthFactor
        let stretches = row.stretches
        // Longer blanks tell nothing more, and tesseract's time grows with the width.
        let longest = style.longestBlank * row.letterHeight
        var knots: [(drawn: Double, page: Double)] = []
        let pad = style.margin * row.letterHeight
        guard let first = stretches.first else { return [] }
        var drawn = 0.0
        knots.append((0, max(first.left - pad, -0.5)))
        drawn += (first.left - knots[0].page) * scale
        for (index, stretch) in stretches.enumerated() {
            if index > 0 {
                let kept = kept(
                    between: stretches[index - 1], and: stretch, in: row, gapFactor: style.gapFactor,
                    pitch: pitch)
                drawn += min(kept, longest) * scale
            }
            knots.append((drawn, stretch.left))
            drawn += (stretch.right - stretch.left) * scale
            knots.append((drawn, stretch.right))
        }
        let end = min((stretches.last?.right ?? 0) + pad, Double(pageWidth))
        drawn += (end - (stretches.last?.right ?? 0)) * scale
        knots.append((drawn, end))

        var columns: [Double] = []
        columns.reserveCapacity(Int(drawn) + 1)
        var segment = 0
        for x in 0..<max(Int(drawn.rounded(.up)), 1) {
            let position = Double(x) + 0.5
            while segment + 2 < knots.count, knots[segment + 1].drawn < position { segment += 1 }
            let (a, b) = (knots[segment], knots[segment + 1])
            let length = b.drawn - a.drawn
            let t = length > 0 ? (position - a.drawn) / length : 0
            // Edge coordinates to pixel centres.
            columns.append(a.page + (b.page - a.page) * t - 0.5)
        }
        return columns
    }

    /// Returns how much of the blank between two stretches of print remains, in the page's pixels.
    private static func kept(
        between left: PrintedStretch, and right: PrintedStretch, in row: PrintedRow, gapFactor: Double,
        pitch: CharacterPitch?
    ) -> Double {
        let gap = right.left - left.right
        guard gapFactor < 1, let pitch else { return gap }
        let emptyCells = max(pitch.cells(of: right).lowerBound - pitch.cells(of: left).upperBound - 1, 0)
        let side = max(gap - Double(emptyCells) * pitch.pitch, 0)
        // Letters keep a little distance, words a clear one.
        let between = min(side, Tuning.leastLetterGap * row.letterHeight + side * gapFactor)
        return between + Double(emptyCells)
            * max(pitch.pitch * gapFactor, Tuning.leastWordGap * row.letterHeight)
    }

    /// Draws one strip: first vertically, at the page's columns, then horizontally.
    ///
    /// Imaging's resampling does not fit: columns are spaced unevenly, and the samples are signed ink, not brightness.
    private static func draw(_ strip: Strip, row: PrintedRow, ink: Ink, contrast: Float) -> [UInt8] {
        guard let firstColumn = strip.columns.first, let lastColumn = strip.columns.last else { return [] }
        let first = max(Int(firstColumn) - 8, 0)
        let end = min(Int(lastColumn) + 9, ink.relief.width)
        guard end > first else {
            return [UInt8](repeating: Tuning.white, count: (strip.bottom - strip.top) * strip.columns.count)
        }
        let columns = first..<end
        let (sign, gain) = Self.contrast(of: row, ink: ink, wanted: contrast)
        return across(
            scaledDown(strip, columns: columns, relief: ink.relief), of: strip, columns: columns, sign: sign,
            gain: gain)
    }

    /// The relief of a strip at its drawn rows and the page's columns, row by row.
    private static func scaledDown(_ strip: Strip, columns: Range<Int>, relief: Raster<Int16>) -> [Float] {
        let height = strip.bottom - strip.top
        let span = columns.count
        let stepY = 1 / strip.scale
        let stretchY = max(stepY, 1)
        var sheared = [Float](repeating: 0, count: height * span)
        relief.elements.withUnsafeBufferPointer { pixels in
            sheared.withUnsafeMutableBufferPointer { out in
                for x in columns {
                    let middle = strip.middle(at: Double(x))
                    for y in 0..<height {
                        // From the edge coordinate of the drawn pixel's centre to pixel-centre coordinates.
                        let source = middle + (Double(y) + 0.5 - Double(height) / 2) * stepY - 0.5
                        let from = max(Int((source - 2 * stretchY).rounded(.up)), 0)
                        let to = min(Int((source + 2 * stretchY).rounded(.down)), relief.height - 1)
                        guard from <= to else { continue }
                        var (sum, weights) = (Float(0), Float(0))
                        for sourceY in from...to {
                            let weight = CubicConvolution.weight(
                                at: Float((Double(sourceY) - source) / stretchY))
                            sum += weight * Float(pixels[sourceY * relief.width + x])
                            weights += weight
                        }
                        out[y * span + x - columns.lowerBound] = weights > 0 ? sum / weights : 0
                    }
                }
            }
        }
        return sheared
    }

    /// Returns a strip's image, made from its relief at the page's columns.
    private static func across(
        _ sheared: [Float], of strip: Strip, columns: Range<Int>, sign: Float, gain: Float
    ) -> [UInt8] {
        let height = strip.bottom - strip.top
        let count = strip.columns.count
        let span = columns.count
        var picture = [UInt8](repeating: Tuning.white, count: height * count)
        picture.withUnsafeMutableBufferPointer { out in
            sheared.withUnsafeBufferPointer { pixels in
                for x in 0..<count {
                    let source = strip.columns[x]
                    let next = strip.columns[min(x + 1, count - 1)]
                    let previous = strip.columns[max(x - 1, 0)]
                    // Where blank is shortened the step is large; the filter keeps the width for the letters beside it.
                    let step = max(min(next - source, source - previous), 0)
                    let stretch = max(step, 1)
                    let from = max(Int((source - 2 * stretch).rounded(.up)), columns.lowerBound)
                    let to = min(Int((source + 2 * stretch).rounded(.down)), columns.upperBound - 1)
                    guard from <= to else { continue }
                    var weights = [Float](repeating: 0, count: to - from + 1)
                    var total = Float(0)
                    for sourceX in from...to {
                        let weight = CubicConvolution.weight(at: Float((Double(sourceX) - source) / stretch))
                        weights[sourceX - from] = weight
                        total += weight
                    }
                    guard total > 0 else { continue }
                    for y in 0..<height {
                        var sum = Float(0)
                        let start = y * span + from - columns.lowerBound
                        for index in weights.indices { sum += weights[index] * pixels[start + index] }
                        let value = Float(Tuning.white) + sum / total * sign * gain
                        out[y * count + x] = UInt8(min(max(value, 0), 255))
                    }
                }
            }
        }
        return picture
    }

    /// Returns the sign and gain that make a row's print dark and give it the wanted contrast.
    private static func contrast(
        of row: PrintedRow, ink: Ink, wanted: Float
    ) -> (sign: Float, gain: Float) {
        var (sum, magnitude, count) = (0, 0, 0)
        for mark in row.marks {
            // A few lines through each mark are enough.
            for y in stride(
                from: mark.top, to: mark.bottom, by: max(mark.height / Tuning.linesThroughMark, 1))
            {
                for x in mark.left..<mark.right {
                    let value = Int(ink.relief.elements[y * ink.relief.width + x])
                    guard abs(value) > ink.threshold else { continue }
                    sum += value
                    magnitude += abs(value)
                    count += 1
                }
            }
        }
        guard count > 0 else { return (1, 1) }
        let mean = Float(magnitude) / Float(count)
        return (sum > 0 ? -1 : 1, min(max(wanted / mean, Tuning.leastGain), Tuning.greatestGain))
    }
}

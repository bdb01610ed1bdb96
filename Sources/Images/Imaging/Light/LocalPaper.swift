import Parallelism

/// The colour that bare paper has, or would have, at each place of an image, with shadow edges as sharp as they are.
///
/// A photograph's values are light times reflectance. `PaperLight` finds light that varies slowly. A shadow's edge is a
/// step, and one wide blur leaves a dark band on one side of it and a bright one on the other. The method here:
///
/// 1. A morphological closing of each channel with a small square removes print, whose strokes are narrow. Wider structures
///    keep their edges: shadows, the facets of crumpled paper, and panels of solid print.
/// 2. On a grid of cells, a wide closing shows where the surroundings are brighter: there is print or a shadow;
///    `PrintedPanels` tells which.
/// 3. Under panels, the paper is continued from their surroundings.
///
/// Known failures: panels wider than a sixth of the image are taken for light, unless they are near black. So is grey print
/// wider than the small square that is neither dark nor a box with sharp sides. Hard shadows of boxes are taken for print.
/// The constants were measured on flat images of 36 photographs of three printed pages under nine kinds of light and folds.
struct LocalPaper: Sendable {
    /// Red, green and blue of the paper, at a resolution reduced by `step`.
    private let planes: [GrayImage]
    /// Pixels of the image per pixel of a plane, along a side.
    private let step: Int
    /// The image's size.
    let size: PixelSize

    /// Images whose shorter side has at least this many pixels are processed at half their size, which still keeps letters
    /// apart.
    private static let shortestReduced = 600
    /// Reach of the small square each way, as a share of the shorter side: strokes up to a fortieth of that side are print.
    private static let strokeShare = 0.0125
    /// Reach of the wide square, likewise: panels up to a sixth of the shorter side.
    private static let panelShare = 0.08
    /// Smallest reach of the small square, in pixels of the planes.
    private static let leastReach = 2
    /// Side of a cell, in pixels of the planes.
    private static let cell = 4
    /// Size of the gaps in panels (letters in the paper's colour) that are closed, in reaches of the small square.
    private static let bridgedReaches = 1.2
    /// The share of near-black cells above which an image is not paper with print, but light print on black.
    private static let mostDark = 0.5

    /// O(pixels).
    /// - Returns: nil if there is no paper lighter than its print.
    init?(of picture: RGBImage, threading: Threading) {
        guard !picture.elements.isEmpty else { return nil }
        size = picture.size
        step = min(picture.width, picture.height) >= Self.shortestReduced ? 2 : 1
        let reduced = step == 1 ? picture : picture.blockMeans(step)
        let shorter = Double(min(reduced.width, reduced.height))
        let reach = max(Int((Self.strokeShare * shorter).rounded()), Self.leastReach)
        // The brightest noise is not the paper, so take the mean over 3 x 3 first.
        let closed = Self.each(threading) { reduced.plane($0).mean3().closed(radius: reach) }
        let cells = closed.map { $0.cellMeans(Self.cell) }
        let wide = max(Int((Self.panelShare * Double(min(cells[0].width, cells[0].height))).rounded()), 1)
        let surroundings = Self.each(threading) { cells[$0].closed(radius: wide) }
        let panels = PrintedPanels(
            cells: cells, surroundings: surroundings, steepness: reduced.steepness(cell: Self.cell))
        guard panels.darkShare <= Self.mostDark else { return nil }
        // Between shadow and light, a pixel of the planes has a brightness in between. Use its darker neighbour instead:
        // then paper on the edge becomes white, and only print there becomes paler.
        let edged = Self.each(threading) { closed[$0].eroded(radius: 1) }
        guard panels.mask.elements.contains(255) else {
            planes = edged
            return
        }
        let bridge = max(Int((Self.bridgedReaches * Double(reach) / Double(Self.cell)).rounded()), 1)
        let hidden = panels.mask.closed(radius: bridge).dilated(radius: 1)
        planes = Self.each(threading) { channel in
            edged[channel].replaced(where: hidden, by: cells[channel].grown(over: hidden), cell: Self.cell)
        }
    }

    private static func each(
        _ threading: Threading, _ make: @Sendable (_ channel: Int) -> GrayImage
    ) -> [GrayImage] {
        threading == .single ? (0..<3).map(make) : concurrentMap([0, 1, 2], make)
    }

    /// Reusable memory for the reflectances of a row.
    struct RowMemory {
        fileprivate var blended: [Float]
        /// The red of each pixel relative to that of paper at the same place: 1 is paper.
        fileprivate(set) var red: [Float]
        /// See `red`.
        fileprivate(set) var green: [Float]
        /// See `red`.
        fileprivate(set) var blue: [Float]

        init(width: Int) {
            blended = [Float](repeating: 0, count: width)
            (red, green, blue) = (blended, blended, blended)
        }
    }

    /// The paper's value up to which a channel is ignored, as it is only a few levels of noise.
    private static let silent: Float = 12
    /// The paper's value from which a channel is used fully.
    static let clear: Float = 48

    /// The reflectances of a row of the image. O(its pixels).
    func writeReflectances(
        ofRow y: Int, _ pixels: UnsafeBufferPointer<RGB>, into memory: inout RowMemory
    ) {
        writeRow(y, channel: 0, through: &memory.blended, into: &memory.red)
        writeRow(y, channel: 1, through: &memory.blended, into: &memory.green)
        writeRow(y, channel: 2, through: &memory.blended, into: &memory.blue)
        memory.red.withUnsafeMutableBufferPointer { red in
            memory.green.withUnsafeMutableBufferPointer { green in
                memory.blue.withUnsafeMutableBufferPointer { blue in
                    for x in 0..<pixels.count {
                        let pixel = pixels[x]
                        let (paperRed, paperGreen, paperBlue) = (
                            max(red[x], 1), max(green[x], 1), max(blue[x], 1)
                        )
                        red[x] = Float(pixel.red) / paperRed
                        green[x] = Float(pixel.green) / paperGreen
                        blue[x] = Float(pixel.blue) / paperBlue
                        guard min(paperRed, paperGreen, paperBlue) < Self.clear else { continue }
                        // Under coloured light a channel may be dark: the others replace it, weighted by the square of
                        // their light.
                        let weights = (paperRed * paperRed, paperGreen * paperGreen, paperBlue * paperBlue)
                        let common =
                            (red[x] * weights.0 + green[x] * weights.1 + blue[x] * weights.2)
                            / (weights.0 + weights.1 + weights.2)
                        func blend(_ own: Float, _ paper: Float) -> Float {
                            common + (own - common)
                                * min(max((paper - Self.silent) / (Self.clear - Self.silent), 0), 1)
                        }
                        red[x] = blend(red[x], paperRed)
                        green[x] = blend(green[x], paperGreen)
                        blue[x] = blend(blue[x], paperBlue)
                    }
                }
            }
        }
    }

    /// Writes a channel of the paper for a row of the image: bilinear between the planes' pixels.
    private func writeRow(_ y: Int, channel: Int, through blended: inout [Float], into row: inout [Float]) {
        let plane = planes[channel]
        let v = min(max((Float(y) + 0.5) / Float(step) - 0.5, 0), Float(plane.height - 1))
        let top = Int(v)
        let down = v - Float(top)
        let (planeWidth, width) = (plane.width, size.width)
        let (upper, lower) = (top * planeWidth, min(top + 1, plane.height - 1) * planeWidth)
        plane.elements.withUnsafeBufferPointer { pixels in
            blended.withUnsafeMutableBufferPointer { blended in
                for x in 0..<planeWidth {
                    let value = Float(pixels[upper &+ x])
                    blended[x] = value + (Float(pixels[lower &+ x]) - value) * down
                }
                row.withUnsafeMutableBufferPointer { row in
                    guard step == 2 else {
                        for x in 0..<width { row[x] = blended[x] }
                        return
                    }
                    // A pixel's centre lies a quarter of a plane pixel from that plane pixel's centre.
                    for x in 0..<width {
                        let (near, far) = (x / 2, x / 2 + (x % 2 == 0 ? -1 : 1))
                        row[x] = 0.75 * blended[near] + 0.25 * blended[min(max(far, 0), planeWidth - 1)]
                    }
                }
            }
        }
    }
}

extension Raster where Element == RGB {
    /// One channel: 0 is red, 1 green, 2 blue.
    fileprivate func plane(_ channel: Int) -> GrayImage {
        GrayImage(width: width, height: height) { output in
            withBytes { bytes in
                for index in 0..<output.count { output[index] = bytes[3 &* index &+ channel] }
            }
        }
    }

    /// For each cell and its neighbours, the largest step of brightness over two pixels, in grey levels. O(pixels).
    fileprivate func steepness(cell: Int) -> GrayImage {
        let means = map { UInt8((Int($0.red) + Int($0.green) + Int($0.blue)) / 3) }
        let columns = CellGrid.count(covering: width, cell: cell)
        var cells = GrayImage(
            width: columns, height: CellGrid.count(covering: height, cell: cell), filledWith: 0)
        means.elements.withUnsafeBufferPointer { pixels in
            cells.elements.withUnsafeMutableBufferPointer { cells in
                for y in 0..<height {
                    let row = y * width
                    let (above, below) = (Swift.max(y - 1, 0) * width, Swift.min(y + 1, height - 1) * width)
                    let first = y / cell * columns
                    for x in 0..<width {
                        let (left, right) = (Swift.max(x - 1, 0), Swift.min(x + 1, width - 1))
                        let across = abs(Int16(pixels[row &+ right]) &- Int16(pixels[row &+ left]))
                        let along = abs(Int16(pixels[below &+ x]) &- Int16(pixels[above &+ x]))
                        let index = first &+ x / cell
                        cells[index] = Swift.max(cells[index], UInt8(Swift.max(across, along)))
                    }
                }
            }
        }
        return cells.dilated(radius: 1)
    }
}

extension Raster where Element == UInt8 {
    /// The mean over 3 x 3 pixels; edge pixels repeat.
    fileprivate func mean3() -> GrayImage {
        let sums = map { UInt16($0) }.smoothed { $0 &+ $1 &+ $2 }
        return sums.map { UInt8(($0 &+ 4) / 9) }
    }

    /// The means of square cells; cells cut off at the edge use the pixels they have.
    fileprivate func cellMeans(_ cell: Int) -> GrayImage {
        let columns = CellGrid.count(covering: width, cell: cell)
        return GrayImage(width: columns, height: CellGrid.count(covering: height, cell: cell)) { output in
            elements.withUnsafeBufferPointer { pixels in
                for index in 0..<output.count {
                    let (row, column) = index.quotientAndRemainder(dividingBy: columns)
                    let xs = column * cell..<Swift.min((column + 1) * cell, width)
                    let ys = row * cell..<Swift.min((row + 1) * cell, height)
                    var sum = 0
                    for y in ys { for x in xs { sum &+= Int(pixels[y &* width &+ x]) } }
                    let count = xs.count * ys.count
                    output[index] = UInt8((sum + count / 2) / count)
                }
            }
        }
    }

    /// Fills the hidden cells from the others, ring by ring, and smooths them. O(cells + hidden · rings).
    fileprivate func grown(over hidden: GrayImage) -> Raster<Float> {
        var values = map { Float($0) }
        let all = hidden.elements.indices.filter { hidden.elements[$0] > 0 }
        guard all.count < elements.count else { return values.map { _ in 255 } }
        var unknown = all
        var isKnown = hidden.elements.map { $0 == 0 }
        while !unknown.isEmpty {
            var made: [(index: Int, value: Float)] = []
            var left: [Int] = []
            for index in unknown {
                let (y, x) = index.quotientAndRemainder(dividingBy: width)
                var (sum, count): (Float, Float) = (0, 0)
                for j in Swift.max(y - 1, 0)...Swift.min(y + 1, height - 1) {
                    for i in Swift.max(x - 1, 0)...Swift.min(x + 1, width - 1) where isKnown[j * width + i] {
                        sum += values.elements[j * width + i]
                        count += 1
                    }
                }
                if count > 0 { made.append((index, sum / count)) } else { left.append(index) }
            }
            for (index, value) in made {
                values.elements[index] = value
                isKnown[index] = true
            }
            unknown = left
        }
        // Rings meet in the middle with a crease; a few passes of averaging the four neighbours remove it.
        for _ in 0..<8 {
            let before = values.elements
            for index in all {
                let (y, x) = index.quotientAndRemainder(dividingBy: width)
                let across = before[x > 0 ? index - 1 : index] + before[x + 1 < width ? index + 1 : index]
                let along =
                    before[y > 0 ? index - width : index] + before[y + 1 < height ? index + width : index]
                values.elements[index] = (across + along) / 4
            }
        }
        return values
    }

    /// The image with the pixels of hidden cells taken from a grid of values, bilinear.
    fileprivate func replaced(where hidden: GrayImage, by cells: Raster<Float>, cell: Int) -> GrayImage {
        var picture = self
        let grid = CellGrid(values: cells, cell: cell)
        var row = [Float](repeating: 0, count: width)
        row.withUnsafeMutableBufferPointer { row in
            for y in 0..<height {
                let first = y / cell * hidden.width
                guard hidden.elements[first..<first + hidden.width].contains(255) else { continue }
                grid.writeRow(y, into: row)
                for x in 0..<width where hidden.elements[first + x / cell] > 0 {
                    picture.elements[y * width + x] = UInt8(Swift.min(Swift.max(row[x] + 0.5, 0), 255))
                }
            }
        }
        return picture
    }
}

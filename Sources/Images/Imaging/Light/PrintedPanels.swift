import RobustStatistics

/// Where an image has solid print (bars, boxes, logos and photographs), as opposed to shadows and folds, which are light.
///
/// An area darker than its surroundings is print if it has another colour, if it is near black, or if it is a box or a dark
/// figure with sharp sides. A shadow hardly changes the paper's colour, and its edge is soft or reaches the image's edge;
/// the facets of crumpled paper are no boxes.
struct PrintedPanels {
    /// 255 in cells of panels, else 0.
    private(set) var mask: GrayImage
    /// The share of near-black cells, including near-black surroundings.
    let darkShare: Double

    /// Reflectance below which a cell differs from its surroundings: paper itself varies by some percent.
    private static let candidate: Float = 0.94
    /// The ratio between a cell's most and least reflecting channel from which it is coloured print, and the ratio from
    /// which a cell next to it belongs to it. A shadow under the blue sky reaches 1.3.
    private static let (colored, tinted): (Float, Float) = (1.39, 1.22)
    /// Reflectance below which anything is print.
    private static let black: Float = 0.3
    /// Reflectance below which a figure of any shape is print, if its sides are sharp.
    private static let dark: Float = 0.5
    /// The step of reflectance between cells that separates two regions.
    private static let joint: Float = 0.05
    /// A side is sharp if half of its step lies within two pixels.
    private static let sharpStep: Float = 0.5
    /// The smallest share of sharp cells along the sides: of a dark figure and of a box.
    private static let (sharpFigure, sharpBox): (Float, Float) = (0.6, 0.8)
    /// A box fills at least this share of its bounding rectangle.
    private static let boxFill: Float = 0.8
    /// Smallest sides of a region, in cells, for which a shape can be recognised.
    private static let leastSide = 3
    /// The quantile of the best lit paper: a highlight rarely covers a hundredth of a sheet.
    private static let bestLit = 0.99
    /// Surroundings darker than this share of the best lit paper are not paper: deep shade leaves a third.
    private static let noPaper: Float = 0.3

    /// - Parameters:
    ///   - cells: red, green and blue of paper and panels, with print removed.
    ///   - surroundings: the same after a wide closing.
    ///   - steepness: of the image in each cell, in grey levels over two pixels.
    /// - Complexity: O(cells).
    init(cells: [GrayImage], surroundings: [GrayImage], steepness: GrayImage) {
        let (width, height) = (steepness.width, steepness.height)
        let count = width * height
        var around = [Float](repeating: 0, count: count)
        var mean = around
        var tint = around
        for index in 0..<count {
            var (least, most, clear): (Float, Float, Float) = (.infinity, 0, 0)
            for channel in 0..<3 {
                let paper = Float(surroundings[channel].elements[index])
                around[index] += paper / 3
                // A channel in which the light is weak shows only noise.
                guard paper >= LocalPaper.clear else { continue }
                let ratio = Float(cells[channel].elements[index]) / paper
                mean[index] += ratio
                clear += 1
                (least, most) = (min(least, ratio), max(most, ratio))
            }
            // If no channel is usable, the cell is not taken for print.
            mean[index] = clear > 0 ? mean[index] / clear : 1
            // 1 or more where something is darker than its surroundings.
            tint[index] = least < Self.candidate ? most / max(least, 0.01) : 0
        }
        let best = around.ranked(Int(Self.bestLit * Double(count - 1)))
        mask = GrayImage(width: width, height: height, filledWith: 0)
        var dark = 0
        for index in 0..<count where around[index] < Self.noPaper * best {
            mask.elements[index] = 255
            dark += 1
        }
        darkShare = Double(dark) / Double(count)
        var regions = CellRegions(width: width, height: height)
        // Coloured or black cells, and tinted cells beside them.
        regions.forEach(
            isMember: { tint[$0] > Self.tinted || tint[$0] > 0 && mean[$0] < Self.black },
            areJoined: { _, _ in true }
        ) { region in
            if region.contains(where: { tint[$0] > Self.colored || mean[$0] < Self.black }) {
                for index in region { mask.elements[index] = 255 }
            }
        }
        // The remaining cells, separated at steps; the soft edges of shadows separate nothing.
        let colored = mask
        var (numbers, number) = ([Int](repeating: 0, count: count), 0)
        regions = CellRegions(width: width, height: height)
        regions.forEach(
            isMember: { tint[$0] > 0 && colored.elements[$0] == 0 },
            areJoined: { abs(mean[$0] - mean[$1]) < Self.joint }
        ) { region in
            let shape = Shape(of: region, width: width)
            guard shape.columns.count >= Self.leastSide, shape.rows.count >= Self.leastSide,
                shape.columns.lowerBound > 0, shape.rows.lowerBound > 0, shape.columns.upperBound < width,
                shape.rows.upperBound < height
            else { return }
            let ratio = region.reduce(Float(0)) { $0 + mean[$1] } / Float(region.count)
            number += 1
            for index in region { numbers[index] = number }
            var (rim, sharp): (Float, Float) = (0, 0)
            for index in region {
                let isInside = (-1...1).allSatisfy { row in
                    let middle = index + row * width
                    return (middle - 1...middle + 1).allSatisfy { numbers[$0] == number }
                }
                guard !isInside else { continue }
                rim += 1
                if Float(steepness.elements[index]) > Self.sharpStep * around[index] * (1 - ratio) {
                    sharp += 1
                }
            }
            let isBox =
                sharp > Self.sharpBox * rim
                && Float(region.count) > Self.boxFill * Float(shape.columns.count * shape.rows.count)
            if isBox || ratio < Self.dark && sharp > Self.sharpFigure * rim {
                for index in region { mask.elements[index] = 255 }
            }
        }
    }

    /// The bounds of a region.
    private struct Shape {
        private(set) var columns: Range<Int>
        private(set) var rows: Range<Int>

        init(of region: [Int], width: Int) {
            var (left, right, top, bottom) = (Int.max, 0, Int.max, 0)
            for index in region {
                let (y, x) = index.quotientAndRemainder(dividingBy: width)
                (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
            }
            (columns, rows) = (left..<right + 1, top..<bottom + 1)
        }
    }
}

/// Connected cells of a grid.
private struct CellRegions {
    private let width: Int
    private var isSeen: [Bool]

    init(width: Int, height: Int) {
        self.width = width
        isSeen = [Bool](repeating: false, count: width * height)
    }

    /// Calls `body` with the indices of each region of cells connected along their sides. O(cells).
    mutating func forEach(
        isMember: (Int) -> Bool, areJoined: (Int, Int) -> Bool, _ body: (_ region: [Int]) -> Void
    ) {
        var region: [Int] = []
        for start in isSeen.indices where !isSeen[start] && isMember(start) {
            region.removeAll(keepingCapacity: true)
            region.append(start)
            isSeen[start] = true
            var next = 0
            while next < region.count {
                let index = region[next]
                next += 1
                let x = index % width
                for (isThere, other) in [
                    (x > 0, index - 1), (x + 1 < width, index + 1), (index >= width, index - width),
                    (index + width < isSeen.count, index + width),
                ] where isThere && !isSeen[other] && isMember(other) && areJoined(index, other) {
                    isSeen[other] = true
                    region.append(other)
                }
            }
            body(region)
        }
    }
}

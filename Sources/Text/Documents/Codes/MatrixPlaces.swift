import Imaging

/// Finds places in an image that may be a two-dimensional code: patches about as wide as high, full of edges in both directions.
///
/// Edges are counted in blocks of the image and of its successively halved copies, so that modules of any size fill blocks at
/// one of the scales.
enum MatrixPlaces {
    /// Longer side, in pixels, of the finest scale that is searched.
    static let finestSide = 1024
    /// Shorter side, in pixels, of the coarsest scale: three blocks.
    static let coarsestSide = 24
    /// Side, in pixels, of the blocks in which edges are counted.
    static let block = 8
    /// Smallest grey-level difference between neighbouring pixels that counts as an edge.
    static let edge = 24
    /// Edges that a block needs in each direction, out of 64 pixels; one straight edge through the block gives 8.
    static let edges = 6
    /// Minimum number of blocks along the shorter side of a code.
    static let minimumBlocks = 2
    /// Largest ratio of a code's longer to its shorter side: the longest Data Matrix that libdmtx knows has 8 x 32 modules.
    static let maximumAspect = 4.5
    /// Smallest share of the blocks within a patch's frame that must hold edges.
    static let minimumFilling = 0.5
    /// Margin added around a place, in blocks and as a share of its longer side: blocks at the rim may hold too few edges to
    /// count, and libdmtx needs blank paper around the code.
    static let marginOfBlocks = 1.5
    static let marginOfSide = 0.1
    /// Intersection over union above which two frames count as one place.
    static let samePlace = 0.6
    /// Largest number of places tried, largest first. Each takes libdmtx about 0.1 s.
    static let maximumPlaces = 6

    /// Returns the frames of places that may be codes, with a margin, in pixels of the image measured at pixel edges; the
    /// largest first.
    /// - Parameter others: places of codes already read, which are not searched.
    static func candidates(in picture: GrayImage, besides others: [SIMD2<Double>]) -> [Box] {
        var (level, shrinking) = (picture, 1)
        while max(level.width, level.height) > finestSide {
            level = level.halved()
            shrinking *= 2
        }
        var places: [(box: Box, area: Double)] = []
        while min(level.width, level.height) >= coarsestSide {
            places += patches(in: level, pixels: Double(block * shrinking))
            level = level.halved()
            shrinking *= 2
        }
        places.sort { ($0.area, -$0.box.top, -$0.box.left) > ($1.area, -$1.box.top, -$1.box.left) }
        var kept: [Box] = []
        for (box, _) in places where kept.count < maximumPlaces {
            let isTaken = others.contains {
                $0.x > box.left && $0.x < box.right && $0.y > box.top && $0.y < box.bottom
            }
            if !isTaken, !kept.contains(where: { $0.overlap(with: box) >= samePlace }) { kept.append(box) }
        }
        return kept
    }

    /// Returns the frames of connected blocks full of edges, with their area in the image.
    /// - Parameter pixels: side of a block in pixels of the image.
    private static func patches(in level: GrayImage, pixels: Double) -> [(box: Box, area: Double)] {
        let (columns, rows) = (level.width / block, level.height / block)
        var isBusy = busyBlocks(of: level, columns: columns, rows: rows)
        var patches: [(box: Box, area: Double)] = []
        for start in isBusy.indices where isBusy[start] {
            var stack = [start]
            isBusy[start] = false
            var (left, right, top, bottom, count) = (columns, 0, rows, 0, 0)
            while let cell = stack.popLast() {
                let (x, y) = (cell % columns, cell / columns)
                (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), max(bottom, y))
                count += 1
                for (x, y) in [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
                where x >= 0 && y >= 0 && x < columns && y < rows && isBusy[y * columns + x] {
                    isBusy[y * columns + x] = false
                    stack.append(y * columns + x)
                }
            }
            let (width, height) = (right - left + 1, bottom - top + 1)
            guard min(width, height) >= minimumBlocks,
                Double(max(width, height)) <= maximumAspect * Double(min(width, height)),
                Double(count) >= minimumFilling * Double(width * height)
            else { continue }
            let margin = marginOfBlocks + marginOfSide * Double(max(width, height))
            let box = Box(
                left: (Double(left) - margin) * pixels, top: (Double(top) - margin) * pixels,
                right: (Double(right + 1) + margin) * pixels, bottom: (Double(bottom + 1) + margin) * pixels)
            patches.append((box, Double(count) * pixels * pixels))
        }
        return patches
    }

    /// Whether each block holds enough edges of both directions.
    private static func busyBlocks(of level: GrayImage, columns: Int, rows: Int) -> [Bool] {
        let width = level.width
        return level.elements.withUnsafeBufferPointer { pixels in
            (0..<(columns * rows)).map { cell in
                let (left, top) = (cell % columns * block, cell / columns * block)
                var (across, down) = (0, 0)
                for y in top..<(top + block) {
                    for x in left..<(left + block) {
                        let here = Int(pixels[y * width + x])
                        if x + 1 < width, abs(here - Int(pixels[y * width + x + 1])) >= edge { across += 1 }
                        if y + 1 < level.height, abs(here - Int(pixels[(y + 1) * width + x])) >= edge {
                            down += 1
                        }
                    }
                }
                return across >= edges && down >= edges
            }
        }
    }
}

extension Box {
    /// Intersection over union.
    fileprivate func overlap(with other: Box) -> Double {
        let width = min(right, other.right) - max(left, other.left)
        let height = min(bottom, other.bottom) - max(top, other.top)
        guard width > 0, height > 0 else { return 0 }
        return width * height / (self.width * self.height + other.width * other.height - width * height)
    }
}

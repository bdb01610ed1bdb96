import Imaging

/// Places of a picture that may be a two-dimensional code: as many edges that run down as such that run across, close
/// together, in a patch about as wide as high.
///
/// Edges are counted in blocks of the picture and of its halves, so that modules of any size fill blocks of one of them.
enum MatrixPlaces {
    /// The longer side, in pixels, of the finest picture that is looked at.
    static let finestSide = 1024
    /// The shorter side of the coarsest one: three blocks.
    static let coarsestSide = 24
    /// Pixels on the side of a block, in which edges are counted.
    static let block = 8
    /// Grey levels by which neighbours differ at an edge.
    static let edge = 24
    /// Edges of each direction in a block, of its 64 pixels: one that runs through it has 8.
    static let edges = 6
    /// Blocks along the shorter side of a code, at least.
    static let minimumBlocks = 2
    /// How many times as long as wide a code may be: the longest that libdmtx knows has 8 x 32 modules.
    static let maximumAspect = 4.5
    /// Share of the blocks within its frame that hold edges.
    static let minimumFilling = 0.5
    /// What is added around a place, in blocks and as a share of its longer side: blocks at its rim may hold too little of it, and
    /// libdmtx wants paper around.
    static let marginOfBlocks = 1.5
    static let marginOfSide = 0.1
    /// Common area over joint area from which on two frames are one place.
    static let samePlace = 0.6
    /// Places that are tried, the largest first. Each takes libdmtx some 0.1 s.
    static let maximumPlaces = 6

    /// The frames of such places, with a margin, in pixels of the picture between edges; the largest first.
    /// - Parameter others: places of codes that were read, where nothing is looked for.
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

    /// Connected blocks full of edges, framed, with their area in the picture.
    /// - Parameter pixels: of the picture on the side of a block.
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
    /// Common area over joint area.
    fileprivate func overlap(with other: Box) -> Double {
        let width = min(right, other.right) - max(left, other.left)
        let height = min(bottom, other.bottom) - max(top, other.top)
        guard width > 0, height > 0 else { return 0 }
        return width * height / (self.width * self.height + other.width * other.height - width * height)
    }
}

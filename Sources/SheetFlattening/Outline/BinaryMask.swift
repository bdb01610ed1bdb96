/// A mask of a small picture, one byte a pixel: 1 belongs to it, 0 does not.
///
/// What lies past the picture's rim is unknown, so it neither erodes nor bounds what touches the rim.
struct BinaryMask: Sendable {
    let width: Int
    let height: Int
    var bits: [UInt8]

    init(width: Int, height: Int, bits: [UInt8]) {
        precondition(bits.count == width * height, "one byte a pixel")
        self.width = width
        self.height = height
        self.bits = bits
    }

    /// The distance from each pixel to the nearest whose bit is `target`; 0 on these. Two passes (Borgefors 1986). O(pixels).
    func distances(to target: UInt8) -> [ChamferDistance] {
        let far: UInt16 = 60_000
        var result = bits.map { ChamferDistance(thirds: $0 == target ? 0 : far) }
        guard width > 0 else { return result }
        result.withUnsafeMutableBytes { bytes in
            guard let first = bytes.bindMemory(to: UInt16.self).baseAddress else { return }
            for y in 0..<height {
                let row = first + y * width
                if y > 0 { Self.lower(row, from: row - width, width: width) }
                for x in 1..<max(width, 1) { row[x] = Swift.min(row[x], row[x - 1] &+ 3) }
            }
            for y in stride(from: height - 1, through: 0, by: -1) {
                let row = first + y * width
                if y + 1 < height { Self.lower(row, from: row + width, width: width) }
                for x in stride(from: width - 2, through: 0, by: -1) {
                    row[x] = Swift.min(row[x], row[x + 1] &+ 3)
                }
            }
        }
        return result
    }

    /// Takes the steps from the row above or below, straight and diagonal: no pixel waits for another of its row, so
    /// that the loop becomes a vector's.
    private static func lower(
        _ row: UnsafeMutablePointer<UInt16>, from other: UnsafeMutablePointer<UInt16>, width: Int
    ) {
        func step(_ x: Int, _ left: Int, _ right: Int) {
            row[x] = Swift.min(row[x], other[x] &+ 3, Swift.min(other[left], other[right]) &+ 4)
        }
        step(0, 0, Swift.min(1, width - 1))
        for x in 1..<Swift.max(width - 1, 1) { step(x, x - 1, x + 1) }
        step(width - 1, Swift.max(width - 2, 0), width - 1)
    }

    /// The mask with gaps of up to twice `radius` filled: dilated, then eroded. O(pixels).
    func closed(radius: ChamferDistance) -> BinaryMask {
        let grown = BinaryMask(
            width: width, height: height, bits: distances(to: 1).map { $0 <= radius ? 1 : 0 })
        return BinaryMask(
            width: width, height: height, bits: grown.distances(to: 0).map { $0 > radius ? 1 : 0 })
    }

    /// A connected part of a mask.
    struct Component: Sendable {
        /// Its number in the labels, from 1.
        var label: Int32
        /// Its pixel count.
        var area: Int
        /// Its first pixel in reading order.
        var first: Int
    }

    /// Labels the parts joined by their sides (0: not in the mask). O(pixels).
    func components() -> (labels: [Int32], list: [Component]) {
        var labels = [Int32](repeating: 0, count: bits.count)
        var list: [Component] = []
        var pending: [Int] = []
        labels.withUnsafeMutableBufferPointer { labels in
            bits.withUnsafeBufferPointer { bits in
                for start in 0..<bits.count where bits[start] != 0 && labels[start] == 0 {
                    let label = Int32(list.count + 1)
                    var area = 0
                    labels[start] = label
                    pending.append(start)
                    while let i = pending.popLast() {
                        area += 1
                        let x = i % width
                        if x > 0, bits[i - 1] != 0, labels[i - 1] == 0 {
                            labels[i - 1] = label
                            pending.append(i - 1)
                        }
                        if x + 1 < width, bits[i + 1] != 0, labels[i + 1] == 0 {
                            labels[i + 1] = label
                            pending.append(i + 1)
                        }
                        if i >= width, bits[i - width] != 0, labels[i - width] == 0 {
                            labels[i - width] = label
                            pending.append(i - width)
                        }
                        if i + width < bits.count, bits[i + width] != 0, labels[i + width] == 0 {
                            labels[i + width] = label
                            pending.append(i + width)
                        }
                    }
                    list.append(Component(label: label, area: area, first: start))
                }
            }
        }
        return (labels, list)
    }

    /// The outer boundary of the part that holds the pixel `first`, through the middles of the pixels' sides.
    ///
    /// Walks along the cracks between pixels with the part on the right-hand side; holes are not seen.
    /// - Parameter first: the part's first pixel in reading order. O(boundary).
    func outerContour(from first: Int) -> Contour {
        var points: [SIMD2<Double>] = []
        let start = (x: first % width, y: first / width)
        // A corner (x, y) is the upper left corner of pixel (x, y); headings: 0 right, 1 down, 2 left, 3 up.
        var x = start.x
        var y = start.y
        var heading = 0
        func inside(_ x: Int, _ y: Int) -> Bool {
            x >= 0 && y >= 0 && x < width && y < height && bits[y * width + x] != 0
        }
        let stepX = [1, 0, -1, 0]
        let stepY = [0, 1, 0, -1]
        // The pixels ahead of a corner on the right- and left-hand side, for each heading.
        let rightX = [0, -1, -1, 0]
        let rightY = [0, 0, -1, -1]
        let leftX = [0, 0, -1, -1]
        let leftY = [-1, 0, 0, -1]
        let limit = 4 * (width + 1) * (height + 1)
        repeat {
            points.append(
                SIMD2(
                    Double(x) - 0.5 + 0.5 * Double(stepX[heading]),
                    Double(y) - 0.5 + 0.5 * Double(stepY[heading])))
            x += stepX[heading]
            y += stepY[heading]
            if !inside(x + rightX[heading], y + rightY[heading]) {
                heading = (heading + 1) & 3
            } else if inside(x + leftX[heading], y + leftY[heading]) {
                heading = (heading + 3) & 3
            }
        } while (x != start.x || y != start.y || heading != 0) && points.count < limit
        return Contour(points)
    }
}

import Platform
package import Imaging
import Parallelism

extension HaarCascade {
    /// A place where the cascade finds what it was trained on.
    package struct Detection: Equatable, Sendable {
        /// Left edge in pixels.
        package var left: Int
        /// Top edge in pixels.
        package var top: Int
        /// Pixels.
        package var width: Int
        /// Pixels.
        package var height: Int
        /// The number of windows that agree; more means higher certainty.
        package var support: Int
    }

    /// Finds objects in an image: scans windows of all sizes, each `step` times the one before, and returns the mean of each
    /// group that agrees.
    ///
    /// The procedure is that of OpenCV's `detectMultiScale` (4.x): images reduced with bilinear weights of eight bits, every
    /// other place while a window is smaller than twice its own size, and groups of rectangles that differ by at most a fifth.
    /// - Parameters:
    ///   - step: factor between sizes, above 1.
    ///   - agreeing: a group needs more windows than this.
    ///   - smallest: side of the smallest window, in pixels.
    /// - Complexity: O(pixels / (1 - 1 / step²)).
    package func detections(
        in picture: GrayImage, step: Double = 1.1, agreeing: Int = 3, smallest: Int = 0
    ) -> [Detection] {
        precondition(step > 1, "sizes grow")
        var scales: [Float] = []
        var factor = 1.0
        while true {
            let width = Self.rounded(Double(window.width) * factor)
            let height = Self.rounded(Double(window.height) * factor)
            guard width <= picture.width, height <= picture.height else { break }
            if min(width, height) >= smallest { scales.append(Float(factor)) }
            factor *= step
        }
        let windows = concurrentMap(scales) { scale in self.windows(in: picture, scale: scale) }
        return Self.groups(Self.thinned(windows.flatMap(\.self)), agreeing: agreeing)
    }

    /// Rounds to the nearest integer, halves to the even one.
    private static func rounded(_ value: Double) -> Int { Int(value.rounded(.toNearestOrEven)) }

    /// Returns all windows of one size that pass the cascade.
    private func windows(in picture: GrayImage, scale: Float) -> [Detection] {
        let size = PixelSize(
            width: Self.rounded(Double(Float(picture.width) / scale)),
            height: Self.rounded(Double(Float(picture.height) / scale)))
        guard size.width >= window.width, size.height >= window.height else { return [] }
        let sums = BrightnessSums(of: picture.shrunkExactly(to: size))
        let run = Run(self, over: sums)
        let stride = scale >= 2 ? 1 : 2
        var found: [Detection] = []
        var y = 0
        while y < size.height + 1 - window.height {
            var x = 0
            while x < size.width + 1 - window.width {
                let answer = run.answer(x, y)
                if answer == .passes {
                    found.append(
                        Detection(
                            left: Self.rounded(Double(Float(x) * scale)),
                            top: Self.rounded(Double(Float(y) * scale)),
                            width: Self.rounded(Double(Float(window.width) * scale)),
                            height: Self.rounded(Double(Float(window.height) * scale)), support: 1))
                }
                // A window that fails the first stage has no face next to it either.
                x += answer == .failsFirst ? 2 * stride : stride
            }
            y += stride
        }
        return found
    }

    private enum Answer { case passes, failsFirst, failsLater }

    /// The cascade with its rectangles as offsets into one image's sums.
    private struct Run {
        struct Corners {
            var upperLeft: Int32
            var upperRight: Int32
            var lowerLeft: Int32
            var lowerRight: Int32
            var weight: Float

            init(_ part: Part, stride: Int) {
                let stride = Int32(stride)
                upperLeft = part.top * stride + part.left
                upperRight = upperLeft + part.width
                lowerLeft = upperLeft + part.height * stride
                lowerRight = lowerLeft + part.width
                weight = part.weight
            }
        }

        let cascade: HaarCascade
        let sums: BrightnessSums
        let corners: [Corners]
        /// The window without its rim; the brightness spread is computed over it.
        let inner: Corners
        let area: Double

        init(_ cascade: HaarCascade, over sums: BrightnessSums) {
            self.cascade = cascade
            self.sums = sums
            corners = cascade.features.map { Corners($0, stride: sums.stride) }
            let window = cascade.window
            inner = Corners(
                Part(
                    left: 1, top: 1, width: Int32(window.width - 2), height: Int32(window.height - 2),
                    weight: 1),
                stride: sums.stride)
            area = Double((window.width - 2) * (window.height - 2))
        }

        /// Returns the cascade's answer for the window at a place.
        func answer(_ x: Int, _ y: Int) -> Answer {
            guard x + cascade.window.width < sums.stride, y + cascade.window.height < sums.rows else {
                return .failsLater
            }
            let place = y * sums.stride + x
            return sums.values.withUnsafeBufferPointer { sum in
                sums.squares.withUnsafeBufferPointer { squares in
                    corners.withUnsafeBufferPointer { corners in
                        cascade.nodes.withUnsafeBufferPointer { nodes in
                            answer(place, sum, squares, corners, nodes)
                        }
                    }
                }
            }
        }

        @inline(__always)
        private func total(_ sums: UnsafeBufferPointer<Int32>, _ place: Int, _ part: Corners) -> Int32 {
            sums[place + Int(part.upperLeft)] &- sums[place + Int(part.upperRight)]
                &- sums[place + Int(part.lowerLeft)] &+ sums[place + Int(part.lowerRight)]
        }

        /// OpenCV's own bound: a window whose grey levels have a standard deviation below ten is unlikely to hold a face.
        private static let greatestNorm = 0.1

        private func answer(
            _ place: Int, _ sum: UnsafeBufferPointer<Int32>, _ squares: UnsafeBufferPointer<Int32>,
            _ corners: UnsafeBufferPointer<Corners>, _ nodes: UnsafeBufferPointer<Node>
        ) -> Answer {
            let mean = Double(total(sum, place, inner))
            let square = Double(UInt32(bitPattern: total(squares, place, inner)))
            let spread = area * square - mean * mean
            guard spread > 0 else { return .failsLater }
            let norm = Float(1 / spread.squareRoot())
            // The window holds only noise.
            guard area * Double(norm) < Self.greatestNorm else { return .failsLater }
            for (number, stage) in cascade.stages.enumerated() {
                var answer = 0.0
                for tree in stage.trees {
                    let tree = cascade.trees[tree]
                    var index = 0
                    repeat {
                        let node = nodes[tree.firstNode + index]
                        let first = 3 * Int(node.feature)
                        var value = corners[first].weight * Float(total(sum, place, corners[first]))
                        value += corners[first + 1].weight * Float(total(sum, place, corners[first + 1]))
                        if corners[first + 2].weight != 0 {
                            value += corners[first + 2].weight * Float(total(sum, place, corners[first + 2]))
                        }
                        index = Int(value * norm < node.threshold ? node.left : node.right)
                    } while index > 0
                    answer += Double(cascade.leaves[tree.firstLeaf - index])
                }
                if answer < Double(stage.threshold) { return number == 0 ? .failsFirst : .failsLater }
            }
            return .passes
        }
    }

    // MARK: groups

    /// Largest number of windows compared with each other: a face has 11 to 101, and the time grows with the square.
    static let mostWindows = 10_000

    /// Reduces too many windows to the allowed number, evenly from all sizes.
    static func thinned(_ windows: [Detection]) -> [Detection] {
        guard windows.count > mostWindows else { return windows }
        return (0..<mostWindows).map { windows[$0 * windows.count / mostWindows] }
    }

    /// Largest difference between rectangles of one group, as a share of their size.
    private static let groupSlack = 0.2

    /// Returns the mean of each group of rectangles that agree, as OpenCV's `groupRectangles` does.
    static func groups(_ all: [Detection], agreeing: Int) -> [Detection] {
        var group = Array(all.indices)
        func root(_ index: Int) -> Int {
            var index = index
            while group[index] != index { index = group[index] }
            return index
        }
        for (i, one) in all.enumerated() {
            for (j, other) in all[..<i].enumerated() where one.isSimilar(to: other, slack: groupSlack) {
                let (a, b) = (root(i), root(j))
                group[max(a, b)] = min(a, b)
            }
        }
        let groups = Dictionary(grouping: all.indices, by: root).sorted { $0.key < $1.key }.map { members in
            // Sums are integers; the mean is a product in single precision, rounded to an integer.
            let share = 1 / Float(members.value.count)
            func mean(_ part: KeyPath<Detection, Int>) -> Int {
                rounded(Double(Float(members.value.reduce(0) { $0 + all[$1][keyPath: part] }) * share))
            }
            return Detection(
                left: mean(\.left), top: mean(\.top), width: mean(\.width), height: mean(\.height),
                support: members.value.count)
        }.filter { $0.support > agreeing }
        // A small rectangle within a larger one that has more windows is part of it.
        return groups.filter { one in
            !groups.contains { other in
                let (dx, dy) = (Int(Double(other.width) * groupSlack), Int(Double(other.height) * groupSlack))
                return other != one && one.left >= other.left - dx && one.top >= other.top - dy
                    && one.left + one.width <= other.left + other.width + dx
                    && one.top + one.height <= other.top + other.height + dy
                    && (other.support > max(3, one.support) || one.support < 3)
            }
        }
    }
}

extension HaarCascade.Detection {
    fileprivate func isSimilar(to other: Self, slack: Double) -> Bool {
        let most = slack * Double(min(width, other.width) + min(height, other.height)) / 2
        return [
            left - other.left, top - other.top, left + width - other.left - other.width,
            top + height - other.top - other.height,
        ].allSatisfy { Double(abs($0)) <= most }
    }
}

/// Integral images: sums of an image's brightness, and of its square, over all pixels above and to the left of a place.
struct BrightnessSums {
    /// Number of places in a row: one more than the pixels.
    let stride: Int
    /// Number of rows of places.
    let rows: Int
    let values: [Int32]
    /// Modulo 2³²: differences over a window still fit.
    let squares: [Int32]

    /// O(pixels).
    init(of picture: GrayImage) {
        let (width, height) = (picture.width, picture.height)
        let stride = width + 1
        var values = [Int32](repeating: 0, count: stride * (height + 1))
        var squares = values
        for y in 0..<height {
            var (sum, square) = (Int32(0), Int32(0))
            for x in 0..<width {
                let value = Int32(picture.elements[y * width + x])
                sum &+= value
                square &+= value &* value
                let place = (y + 1) * stride + x + 1
                values[place] = values[place - stride] &+ sum
                squares[place] = squares[place - stride] &+ square
            }
        }
        (self.stride, self.rows, self.values, self.squares) = (stride, height + 1, values, squares)
    }
}

extension Raster where Element == UInt8 {
    /// Resizes with bilinear weights of eight bits, rounded once, as OpenCV's `INTER_LINEAR_EXACT` does.
    func shrunkExactly(to size: PixelSize) -> GrayImage {
        guard size != self.size else { return self }
        let (columns, rows) = (Self.weights(width, size.width), Self.weights(height, size.height))
        return elements.withUnsafeBufferPointer { source in
            GrayImage(width: size.width, height: size.height) { output in
                for (y, row) in rows.enumerated() {
                    let (upper, lower) = (row.first * width, row.second * width)
                    for (x, column) in columns.enumerated() {
                        let top =
                            UInt32(source[upper + column.first]) * (256 - column.weight)
                            + UInt32(source[upper + column.second]) * column.weight
                        let bottom =
                            UInt32(source[lower + column.first]) * (256 - column.weight)
                            + UInt32(source[lower + column.second]) * column.weight
                        let value = (top * (256 - row.weight) + bottom * row.weight + 0x8000) >> 16
                        output.initializeElement(at: y * size.width + x, to: UInt8(truncatingIfNeeded: value))
                    }
                }
            }
        }
    }

    /// For each element of a line of length `target`: the two neighbours in the line of length `source`, and the second one's
    /// weight in 256ths.
    private static func weights(_ source: Int, _ target: Int) -> [(first: Int, second: Int, weight: UInt32)] {
        let scale = 1 / (Double(target) / Double(source))
        return (0..<target).map { index in
            let place = (Double(index) + 0.5) * scale - 0.5
            guard place > 0 else { return (0, 0, 0) }
            let first = Int(place)
            guard first + 1 < source else { return (source - 1, source - 1, 0) }
            return (first, first + 1, UInt32(((place - Double(first)) * 256).rounded(.toNearestOrEven)))
        }
    }
}

package import Imaging

/// A connected piece of print: a letter, a part of one, a dot, a dash, a speck.
package struct PrintedMark: Hashable, Sendable {
    /// Left-most column.
    package var left: Int
    /// Top-most row.
    package var top: Int
    /// Column after the right-most.
    package var right: Int
    /// Row after the lowest.
    package var bottom: Int
    /// Number of printed pixels.
    package var area: Int

    /// Marks of fewer pixels are specks.
    package static let defaultLeastArea = PrintTuning.Letters.leastArea

    package var width: Int { right - left }
    package var height: Int { bottom - top }
    package var centerX: Double { Double(left + right) / 2 }
    package var centerY: Double { Double(top + bottom) / 2 }
    package var box: Box {
        Box(left: Double(left), top: Double(top), right: Double(right), bottom: Double(bottom))
    }

    /// The marks of a page: pieces connected over sides and corners, of at least `leastArea` pixels.
    ///
    /// Runs of print in each row are joined with those that they touch in the row above, by union-find. O(pixels).
    package static func marks(in ink: Ink, leastArea: Int = defaultLeastArea) -> [PrintedMark] {
        marks(in: ink.relief, threshold: ink.threshold, leastArea: leastArea)
    }

    /// The same for differences from the paper; those beyond a threshold are print.
    package static func marks(
        in relief: Raster<Int16>, threshold: Int, leastArea: Int = defaultLeastArea
    ) -> [PrintedMark] {
        struct Run {
            var from: Int
            var to: Int
            var mark: Int
        }
        var marks: [PrintedMark] = []
        var parents: [Int] = []
        func root(_ index: Int) -> Int {
            var index = index
            while parents[index] != index {
                parents[index] = parents[parents[index]]
                index = parents[index]
            }
            return index
        }
        let (width, height) = (relief.width, relief.height)
        var above: [Run] = []
        var current: [Run] = []
        relief.elements.withUnsafeBufferPointer { relief in
            for y in 0..<height {
                current.removeAll(keepingCapacity: true)
                let row = y * width
                var x = 0
                while x < width {
                    guard abs(Int(relief[row + x])) > threshold else {
                        x += 1
                        continue
                    }
                    let from = x
                    while x < width, abs(Int(relief[row + x])) > threshold { x += 1 }
                    current.append(Run(from: from, to: x, mark: -1))
                }
                var next = 0
                for index in current.indices {
                    let run = current[index]
                    while next < above.count, above[next].to < run.from { next += 1 }
                    var mark = -1
                    var touching = next
                    while touching < above.count, above[touching].from <= run.to {
                        let other = root(above[touching].mark)
                        if mark < 0 {
                            mark = other
                        } else if other != mark {
                            parents[max(mark, other)] = min(mark, other)
                            mark = min(mark, other)
                        }
                        touching += 1
                    }
                    let piece = PrintedMark(
                        left: run.from, top: y, right: run.to, bottom: y + 1, area: run.to - run.from)
                    if mark < 0 {
                        mark = marks.count
                        parents.append(mark)
                        marks.append(piece)
                    } else {
                        marks[mark].join(piece)
                    }
                    current[index].mark = mark
                }
                swap(&above, &current)
            }
        }
        // Roots have the least index of their tree, so parents are complete before they are read.
        for index in marks.indices.reversed() {
            let top = root(index)
            if top != index { marks[top].join(marks[index]) }
        }
        return marks.indices.filter { parents[$0] == $0 && marks[$0].area >= leastArea }.map { marks[$0] }
    }

    private mutating func join(_ other: PrintedMark) {
        left = min(left, other.left)
        top = min(top, other.top)
        right = max(right, other.right)
        bottom = max(bottom, other.bottom)
        area += other.area
    }
}

import Imaging

/// Connected parts of masks, and the lines around them.
extension Raster where Element == Bool {
    /// A connected part of a mask.
    struct Part: Sendable {
        /// Its number in the labels, from 1.
        var label: Int32
        /// Its pixel count.
        var area: Int
        /// Its first pixel in reading order.
        var first: Int
    }

    /// Labels the parts whose pixels are joined by their sides; 0 where the mask is false. O(pixels).
    func parts() -> (labels: [Int32], list: [Part]) {
        var labels = [Int32](repeating: 0, count: elements.count)
        var list: [Part] = []
        var pending: [Int] = []
        for start in elements.indices where elements[start] && labels[start] == 0 {
            let label = Int32(list.count + 1)
            var area = 0
            labels[start] = label
            pending.append(start)
            while let index = pending.popLast() {
                area += 1
                forEachNeighbour(of: index) { next in
                    guard elements[next], labels[next] == 0 else { return }
                    labels[next] = label
                    pending.append(next)
                }
            }
            list.append(Part(label: label, area: area, first: start))
        }
        return (labels, list)
    }

    /// Returns the pixels whose eight neighbours all belong to the mask; neighbours outside the image are ignored. O(pixels).
    func eroded() -> Raster<Bool> {
        var result = self
        for index in elements.indices where elements[index] {
            let (row, column) = index.quotientAndRemainder(dividingBy: width)
            let rows = max(row - 1, 0)...min(row + 1, height - 1)
            let columns = max(column - 1, 0)...min(column + 1, width - 1)
            result.elements[index] = rows.allSatisfy { y in columns.allSatisfy { self[x: $0, y: y] } }
        }
        return result
    }

    /// Traces the line around the part that holds a pixel, through the midpoints of its pixels' outer sides, clockwise as seen.
    ///
    /// The walk follows the cracks between pixels with the part on its right; holes are ignored. O(length).
    /// - Parameter first: the part's first pixel in reading order.
    func boundary(ofPartAt first: Int) -> Contour {
        var points: [SIMD2<Double>] = []
        let start = SIMD2(first % width, first / width)
        // A crossing of cracks has the coordinates of the pixel whose upper left corner it is.
        var place = start
        var heading = Heading.right
        func isInside(_ pixel: SIMD2<Int>) -> Bool {
            pixel.x >= 0 && pixel.y >= 0 && pixel.x < width && pixel.y < height
                && self[x: pixel.x, y: pixel.y]
        }
        repeat {
            points.append(SIMD2<Double>(place) - 0.5 + 0.5 * SIMD2<Double>(heading.step))
            place &+= heading.step
            if !isInside(place &+ heading.aheadOnTheRight) {
                heading = heading.turnedRight
            } else if isInside(place &+ heading.aheadOnTheLeft) {
                heading = heading.turnedLeft
            }
        } while place != start || heading != .right
        return Contour(points)
    }

    /// A way along the cracks between pixels.
    private enum Heading: Int {
        case right, down, left, up

        private static let steps = [SIMD2(1, 0), SIMD2(0, 1), SIMD2(-1, 0), SIMD2(0, -1)]

        var step: SIMD2<Int> { Self.steps[rawValue] }
        var turnedRight: Heading { Heading(rawValue: (rawValue + 1) & 3) ?? .right }
        var turnedLeft: Heading { Heading(rawValue: (rawValue + 3) & 3) ?? .right }

        /// Offset from a crossing to the pixel ahead on the right-hand side.
        var aheadOnTheRight: SIMD2<Int> {
            [SIMD2(0, 0), SIMD2(-1, 0), SIMD2(-1, -1), SIMD2(0, -1)][rawValue]
        }
        /// Offset from a crossing to the pixel ahead on the left-hand side.
        var aheadOnTheLeft: SIMD2<Int> { [SIMD2(0, -1), SIMD2(0, 0), SIMD2(-1, 0), SIMD2(-1, -1)][rawValue] }
    }
}

extension Raster {
    /// Calls `body` with the indices of the pixels that share a side with a pixel.
    @inline(__always)
    func forEachNeighbour(of index: Int, _ body: (Int) -> Void) {
        let column = index % width
        if column > 0 { body(index - 1) }
        if column + 1 < width { body(index + 1) }
        if index >= width { body(index - width) }
        if index + width < elements.count { body(index + width) }
    }
}

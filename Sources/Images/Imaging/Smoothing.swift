import Parallelism

extension Raster {
    /// Replaces each element by `mix` of it and its two neighbours, first along rows, then along columns; edge elements
    /// repeat. O(elements).
    ///
    /// `{ ($0 + 2 * $1 + $2) / 4 }` is the binomial filter, `{ ($0 + $1 + $2) / 3 }` the mean over 3 x 3 elements.
    @inlinable
    package func smoothed(_ mix: (_ before: Element, _ here: Element, _ after: Element) -> Element) -> Raster
    {
        let across = Raster(width: width, height: height) { across in
            elements.withUnsafeBufferPointer { elements in
                for y in 0..<height {
                    let row = y * width
                    for x in 0..<width {
                        let (before, after) = (x > 0 ? x - 1 : x, x + 1 < width ? x + 1 : x)
                        across.initializeElement(
                            at: row + x,
                            to: mix(elements[row + before], elements[row + x], elements[row + after]))
                    }
                }
            }
        }
        return Raster(width: width, height: height) { result in
            across.elements.withUnsafeBufferPointer { across in
                for y in 0..<height {
                    let row = y * width
                    let (above, below) = (y > 0 ? row - width : row, y + 1 < height ? row + width : row)
                    for x in 0..<width {
                        result.initializeElement(
                            at: row + x, to: mix(across[above + x], across[row + x], across[below + x]))
                    }
                }
            }
        }
    }
}

extension Raster where Element == Float {
    /// Filters the raster along rows and then along columns; edge elements repeat. O(elements · weights), on all cores.
    /// - Parameter weights: symmetric, an odd number of them; the middle one is for the element itself.
    package func filtered(by weights: [Float]) -> Raster {
        precondition(weights.count % 2 == 1, "a filter has a middle")
        let reach = weights.count / 2
        func rows(
            _ write: @escaping @Sendable (_ y: Int, _ row: UnsafeMutableBufferPointer<Float>) -> Void
        ) -> Raster {
            Raster(width: width, height: height) { result in
                result.initialize(repeating: 0)
                let target = DisjointRows(result, rowLength: width)
                forEachBand(of: 0..<height, threading: .allCores) { band in
                    for y in band { write(y, target[y]) }
                }
            }
        }
        let across = rows { y, row in
            // The row with its ends repeated, so that no tap needs a bounds check.
            var padded = [Float](repeating: 0, count: width + 2 * reach)
            for x in padded.indices { padded[x] = self[x: min(max(x - reach, 0), width - 1), y: y] }
            padded.withUnsafeBufferPointer { padded in
                for (tap, weight) in weights.enumerated() {
                    for x in 0..<row.count { row[x] += weight * padded[x + tap] }
                }
            }
        }
        return rows { y, row in
            across.elements.withUnsafeBufferPointer { source in
                for (tap, weight) in weights.enumerated() {
                    let start = min(max(y + tap - reach, 0), height - 1) * width
                    for x in 0..<row.count { row[x] += weight * source[start + x] }
                }
            }
        }
    }
}

import Imaging

// Removal of small islands of readings, the last step of cleaning a depth map (`DepthMap.cleaned(intrinsics:options:)`).

extension Raster where Element == Float {
    /// The depth difference of two neighbours, as a share of the depth, above which they lie on different surfaces.
    private static var greatestStep: Float { 0.05 }

    /// Replaces readings that are connected to fewer than `size` readings by NaN; returns how many it replaced.
    ///
    /// Neighbours (of 8) are connected if their depths differ by at most `greatestStep`. Union-find over one pass. O(pixels).
    mutating func removeIslands(smallerThan size: Int) -> Int {
        let (width, height) = (width, height)
        var removed = 0
        var parents = [Int32](repeating: 0, count: elements.count)
        var sizes = [Int32](repeating: 0, count: elements.count)
        elements.withUnsafeMutableBufferPointer { depths in
            parents.withUnsafeMutableBufferPointer { parents in
                for y in 0..<height {
                    for x in 0..<width {
                        let index = y * width + x
                        parents[index] = Int32(truncatingIfNeeded: index)
                        let depth = depths[index]
                        guard depth == depth else { continue }
                        let reach = Self.greatestStep * depth
                        // Comparisons with NaN are false.
                        if x > 0, abs(depths[index - 1] - depth) <= reach {
                            Self.join(parents, index, index - 1)
                        }
                        guard y > 0 else { continue }
                        let above = index - width
                        if abs(depths[above] - depth) <= reach { Self.join(parents, index, above) }
                        if x > 0, abs(depths[above - 1] - depth) <= reach {
                            Self.join(parents, index, above - 1)
                        }
                        if x + 1 < width, abs(depths[above + 1] - depth) <= reach {
                            Self.join(parents, index, above + 1)
                        }
                    }
                }
                sizes.withUnsafeMutableBufferPointer { sizes in
                    for index in depths.indices where depths[index] == depths[index] {
                        sizes[Self.root(parents, index)] += 1
                    }
                    for index in depths.indices where depths[index] == depths[index] {
                        guard sizes[Self.root(parents, index)] < size else { continue }
                        depths[index] = .nan
                        removed += 1
                    }
                }
            }
        }
        return removed
    }

    /// The island that a pixel belongs to, by its first pixel; paths are halved on the way.
    @inline(__always)
    private static func root(_ parents: UnsafeMutableBufferPointer<Int32>, _ index: Int) -> Int {
        var index = index
        while Int(parents[index]) != index {
            parents[index] = parents[Int(parents[index])]
            index = Int(parents[index])
        }
        return index
    }

    @inline(__always)
    private static func join(_ parents: UnsafeMutableBufferPointer<Int32>, _ a: Int, _ b: Int) {
        // Most neighbours are joined already, through a neighbour that both share.
        if parents[a] == parents[b] { return }
        let (first, second) = (root(parents, a), root(parents, b))
        if first < second {
            parents[second] = Int32(truncatingIfNeeded: first)
        } else {
            parents[first] = Int32(truncatingIfNeeded: second)
        }
    }
}

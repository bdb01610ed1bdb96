import Imaging

extension Contour {
    /// Returns the contour without its notches at the image border.
    ///
    /// Where a sheet is cut off by the image border, dark print that touches the border looks like a gap in the paper: the
    /// contour leaves the border, runs around the print and comes back. Paper on both sides shows that the sheet goes on there.
    /// A clockwise contour follows the border forwards over a notch, and backwards only around the sheet itself. O(points).
    func closingRimNotches(of imageSize: PixelSize) -> Contour {
        let rim = PictureRim(of: imageSize)
        let whole = abs(signedArea)
        let (width, height) = (Double(imageSize.width), Double(imageSize.height))
        let leastDepth = Self.leastDepth * max(width, height)
        // The border's four edges in clockwise order, each with the coordinate that grows along it and the distance from it.
        let edges:
            [(
                holds: (SIMD2<Double>) -> Bool, along: (SIMD2<Double>) -> Double,
                depth: (SIMD2<Double>) -> Double
            )] = [
                ({ rim.containsY($0.y) && $0.y < height / 2 }, { $0.x }, { $0.y }),
                ({ rim.containsX($0.x) && $0.x > width / 2 }, { $0.y }, { width - $0.x }),
                ({ rim.containsY($0.y) && $0.y > height / 2 }, { -$0.x }, { height - $0.y }),
                ({ rim.containsX($0.x) && $0.x < width / 2 }, { -$0.y }, { $0.x }),
            ]
        var isDropped = [Bool](repeating: false, count: count)
        for edge in edges {
            let onEdge = points.indices.filter { edge.holds(points[$0]) }
            for (position, start) in onEdge.enumerated() {
                let end = onEdge[(position + 1) % onEdge.count]
                let length = (end - start + count) % count
                guard length > 1, edge.along(points[end]) > edge.along(points[start]) else { continue }
                // A torn end may touch the border in several places, with table between them.
                let gap = edge.along(points[end]) - edge.along(points[start])
                let isPaperBeside = [(start, -1), (end, 1)].allSatisfy { from, step in
                    var last = from
                    for steps in 1..<count {
                        let next = (from + step * steps + count) % count
                        guard edge.holds(points[next]) else { break }
                        last = next
                    }
                    return distance(points[from], points[last]) >= Self.leastBeside * gap
                }
                guard isPaperBeside else { continue }
                let notch = (0...length).map { points[(start + $0) % count] }
                let depth = notch.map(edge.depth).max() ?? 0
                guard depth >= leastDepth, abs(Contour(notch).signedArea) <= Self.greatestNotch * whole else {
                    continue
                }
                for step in 1..<length { isDropped[(start + step) % count] = true }
            }
        }
        return isDropped.contains(true)
            ? Contour(points.indices.filter { !isDropped[$0] }.map { points[$0] }) : self
    }

    /// Least length of paper along the border on either side of a notch, as a share of the notch's width.
    private static let leastBeside = 0.5
    /// Least depth of a notch, as a share of the image's longer side: smaller ones are the tracked line's own wobble.
    private static let leastDepth = 0.01
    /// Largest area of a notch, as a share of the sheet's: a logo, not a hand or a second sheet. Set by reasoning.
    private static let greatestNotch = 0.03
}

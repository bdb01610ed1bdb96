import Platform
import Imaging

/// How a page lies in the photograph that it shows.
extension PageLayout {
    /// The angle by which the page's rows fall in the photograph, clockwise and in radians, on the mean over the page: turned
    /// clockwise by it, the page stands as the photograph does. O(1).
    package var angleInPhotograph: Double { previewMap(longerSide: Self.mapSide).angle }

    /// The page turned by the quarter turns after which it stands nearest to the photograph's up: at most 45 degrees off.
    package var standingAsPhotographed: PageLayout {
        turned(clockwiseQuarters: (Int((angleInPhotograph / (.pi / 2)).rounded()) + 4) % 4)
    }

    /// The longer side, in pixels, of the map that the page's angle is taken from: some 13 nodes a side.
    private static let mapSide = 100.0
}

extension SamplingMap {
    /// The angle by which a picture's rows fall in the photograph that it shows, as `PageLayout.angleInPhotograph` has it. 0
    /// for a map without sources.
    fileprivate var angle: Double {
        // Of a turn by an angle the rows go along (cos, sin) and the columns along (-sin, cos).
        var sum = SIMD2<Double>.zero
        for y in 0..<max(nodes.height - 1, 0) {
            for x in 0..<max(nodes.width - 1, 0) {
                let here = nodes[x: x, y: y]
                let along = nodes[x: x + 1, y: y] - here
                let down = nodes[x: x, y: y + 1] - here
                let both = SIMD2(Double(along.x + down.y), Double(along.y - down.x))
                if both.x.isFinite, both.y.isFinite { sum += both }
            }
        }
        return sum == .zero ? 0 : atan2(sum.y, sum.x)
    }
}

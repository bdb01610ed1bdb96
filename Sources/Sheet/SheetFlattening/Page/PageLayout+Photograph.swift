import Platform
import Imaging

/// The orientation of a page in the photograph that it shows.
extension PageLayout {
    /// The angle by which the page's rows fall in the photograph: clockwise, in radians, averaged over the page. Turning the
    /// page clockwise by it makes it stand as in the photograph. O(1).
    package var angleInPhotograph: Double { previewMap(longerSide: Self.mapSide).angle }

    /// The page after the quarter turns that bring it nearest to the photograph's up: at most 45 degrees off.
    package var standingAsPhotographed: PageLayout {
        turned(clockwiseQuarters: (Int((angleInPhotograph / (.pi / 2)).rounded()) + 4) % 4)
    }

    /// The longer side, in pixels, of the map used to measure the page's angle: about 13 nodes a side.
    private static let mapSide = 100.0
}

extension SamplingMap {
    /// The angle by which an image's rows fall in the photograph that it shows, as for `PageLayout.angleInPhotograph`. 0 for a
    /// map without sources.
    fileprivate var angle: Double {
        // For a turn by an angle, rows run along (cos, sin) and columns along (-sin, cos).
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

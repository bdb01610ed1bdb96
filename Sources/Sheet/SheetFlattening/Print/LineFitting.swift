import LinearAlgebra
import RobustStatistics

/// Fits fields to lines, and measures lines under fields.
struct LineFitting: Sendable {
    let pieces: [PrintedPiece]
    let letterHeight: Double
    let page: SIMD2<Double>
    let system: LevelSystem

    init(pieces: [PrintedPiece], letterHeight: Double, page: SIMD2<Double>) {
        self.pieces = pieces
        self.letterHeight = letterHeight
        self.page = page
        system = LevelSystem(page: page)
    }

    /// Boxes end on whole pixels, so the scale of residuals is at least this: the deviation of an even spread over one pixel.
    private static let resolution = 0.29
    private static let sweeps = 4
    /// Initial scale, in letter heights, before any fit: about how far capitals stand above small letters.
    private static let firstScale = 0.25
    /// A piece this far off, in letter heights, belongs to another line; greater distances count the same.
    private static let farthest = 0.5

    /// The height of a piece's middle as it would lie if the page were straight.
    func height(of piece: Int, under field: DisplacementField?) -> Double {
        let place = SIMD2(pieces[piece].box.centerX, pieces[piece].box.centerY)
        return field?.straightHeight(of: place) ?? place.y
    }

    /// The mean height of a line's pieces.
    func height(of line: [Int], under field: DisplacementField?) -> Double {
        line.reduce(0) { $0 + height(of: $1, under: field) } / Double(line.count)
    }

    func pieces(under field: DisplacementField?) -> [PrintedPiece] {
        pieces.indices.map { index in
            var piece = pieces[index]
            let shift = height(of: index, under: field) - piece.box.centerY
            piece.box.top += shift
            piece.box.bottom += shift
            return piece
        }
    }

    /// The upper and the lower edge of each of a line's pieces.
    private func edges(of line: [Int]) -> [[SIMD2<Double>]] {
        [
            line.map { SIMD2(pieces[$0].box.centerX, pieces[$0].box.top) },
            line.map { SIMD2(pieces[$0].box.centerX, pieces[$0].box.bottom) },
        ]
    }

    /// Fits the smoothest field that makes lines straight, robustly: re-weighted after Cauchy.
    /// - Parameter bending: the expected change of slope over the page's shorter side.
    func field(through lines: [[Int]], bending: Double) throws(LinearAlgebraError) -> DisplacementField {
        var levels = lines.flatMap(edges(of:)).map {
            LevelSystem.Level(height: $0.map(\.y).upperMedian(), points: $0)
        }
        let curvature = bending / min(page.x, page.y)
        var weights = levels.map { [Double](repeating: 1, count: $0.points.count) }
        var scale = Self.firstScale * letterHeight
        var field = try system.solve(
            levels, weights: weights, penalty: scale * scale / (curvature * curvature))
        for _ in 1..<Self.sweeps {
            var residuals: [[Double]] = []
            for index in levels.indices {
                let straight = levels[index].straightened(by: field)
                let mean =
                    zip(straight, weights[index]).reduce(0) { $0 + $1.0 * $1.1 } / weights[index].reduce(0, +)
                levels[index].height = mean
                residuals.append(straight.map { $0 - mean })
            }
            let spread = Array(residuals.joined()).robustDeviation()
            scale = min(scale, max(Self.resolution, spread))
            let reach = RobustLoss.cauchy.cut * scale
            weights = residuals.map { $0.map { 1 / (1 + ($0 * $0) / (reach * reach)) } }
            field = try system.solve(
                levels, weights: weights, penalty: scale * scale / (curvature * curvature))
        }
        return field
    }

    /// Mean distance of a line's pieces from their level, in pixels: of their lower or their upper edges, whichever are nearer.
    func crookedness(of line: [Int], under field: DisplacementField?) -> Double {
        let distances = edges(of: line).map { edge in
            var level = LevelSystem.Level(height: edge.map(\.y).upperMedian(), points: edge)
            var heights = edge.map(\.y)
            if let field {
                for _ in 0..<Self.sweeps {
                    heights = level.straightened(by: field)
                    level.height = heights.upperMedian()
                }
            }
            return heights.reduce(0) { $0 + min(abs($1 - level.height), Self.farthest * letterHeight) }
        }
        return (distances.min() ?? 0) / Double(line.count)
    }
}

extension LevelSystem.Level {
    /// The points' heights minus the shift that the field gives the level at each point.
    fileprivate func straightened(by field: DisplacementField) -> [Double] {
        points.map { $0.y - field.shift(at: SIMD2($0.x, height)) }
    }
}

import Foundation
package import LinearAlgebra

/// Straightens a level page by its printed lines: finds them, fits a smooth shift under which each of them is level, and
/// believes it only if lines that had no part in the fit come out straighter too.
///
/// A curved sheet shows its lines only in part at first. So words are joined before rows are, and rows of a column before
/// rows across the page, each by what the shorter ones told of the page's bending. Both edges of a line count, its letters'
/// feet and their tops, each with its own height: which of the two is the base line need not be known, and letters that
/// reach above or below are outliers of one edge only (straight base lines as in Kim, Koo & Cho 2015 and Kil et al. 2017;
/// a spline in place of their cylinder).
package struct PrintedLineStraightening: Sendable {
    /// What came of it.
    package enum Outcome: Sendable {
        /// The lines come out straighter, also those that were held out.
        case straightened(DisplacementField)
        /// Nothing is to be changed, for this reason.
        case refused(String)
    }

    /// What was found.
    package let outcome: Outcome
    /// Lines of text and rules that could be judged.
    package let lineCount: Int
    /// Mean distance of the lines' pieces from the straight and level, in the page's pixels; nil if too few lines.
    package let residualBefore: Double?
    /// The same of lines held out of the fit, after it; nil if there was no fit.
    package let residualAfter: Double?

    /// Gaps inside a line in letter heights, pass by pass: between letters, between words, between columns, all across.
    private static let reaches = [1.2, 4, 16, .infinity]
    /// How much the slope of lines is expected to change over the page's shorter side, from hardly at all to a sheet curled
    /// over; the held-out lines choose.
    private static let expectedBendings = [0.05, 0.4, 3]
    /// The one with which lines are traced.
    private static let tracingBending = 1.0
    /// Judging takes two lines in each half.
    private static let leastLines = 4
    /// The normal deviate that one in twenty exceeds by chance.
    private static let deviate = 1.645
    /// Lines nearer to straight than this, in pixels of the page, are as straight as boxes of whole pixels tell.
    private static let pixelResolution = 0.29
    /// The share by which held-out lines must come closer to straight: less is not worth another interpolation.
    private static let leastGain = 0.05
    /// No piece of the page may become lower or higher by more than this factor: paper seen so obliquely cannot be read.
    private static let leastStretch = 0.3

    /// Straightens a page.
    /// - Parameters:
    ///   - pieces: the print; its rows run along x within some twenty degrees.
    ///   - letterHeight: usual height of a letter in pixels.
    ///   - page: width and height in pixels.
    ///   - cap: the farthest that print may be moved, in pixels; infinite for as far as it needs.
    /// - Complexity: O(n²) at worst for n pieces, and some dozen dense solutions of 400 unknowns.
    package init(
        of pieces: [PrintedPiece], letterHeight: Double, page: SIMD2<Double>, cap: Double
    ) throws(LinearAlgebraError) {
        let tracing = LineFitting(pieces: pieces, letterHeight: letterHeight, page: page)
        var lines: [[Int]] = []
        var known: DisplacementField?
        for reach in Self.reaches {
            lines = PrintedLineTracing(
                pieces: tracing.pieces(under: known), letterHeight: letterHeight
            ).lines(reach: reach, leastCount: 3)
            guard lines.count >= Self.leastLines else { break }
            known = try tracing.field(through: lines, bending: Self.tracingBending)
        }
        lines = lines.filter {
            pieces[$0[$0.count - 1]].right - pieces[$0[0]].left >= Self.leastLength * letterHeight
        }
        lineCount = lines.count
        guard lines.count >= Self.leastLines else {
            (outcome, residualBefore, residualAfter) = (
                .refused("\(lines.count) printed lines are too few to judge by"), nil, nil
            )
            return
        }

        // Neighbours go to different halves, so that each half covers the page.
        let heights = lines.map { line in
            line.reduce(0) { $0 + tracing.height(of: $1, under: known) } / Double(line.count)
        }
        let order = lines.indices.sorted { heights[$0] < heights[$1] }
        let halves = [0, 1].map { half in
            order.enumerated().filter { $0.offset % 2 == half }.map { lines[$0.element] }
        }
        let before = halves.flatMap { $0.map { tracing.crookedness(of: $0, under: nil) } }
        var best: (bending: Double, after: [Double])?
        for bending in Self.expectedBendings {
            var after: [Double] = []
            for half in [0, 1] {
                let field = try tracing.field(through: halves[1 - half], bending: bending)
                after += halves[half].map { tracing.crookedness(of: $0, under: field) }
            }
            if mean(after) < best.map({ mean($0.after) }) ?? .infinity { best = (bending, after) }
        }
        residualBefore = mean(before)
        guard let best else {
            (outcome, residualAfter) = (.refused("the lines determine no smooth shift"), nil)
            return
        }
        residualAfter = mean(best.after)
        let gains = zip(before, best.after).map { $0 - $1 }
        guard mean(gains) >= Self.leastGain * mean(before), isBeyondChance(gains) else {
            outcome = .refused("held-out lines come out no straighter")
            return
        }
        let field = try tracing.field(through: lines, bending: best.bending)
        let (farthest, stretch) = field.extremes()
        if stretch < Self.leastStretch {
            outcome = .refused("straight lines would fold the sheet over")
        } else if farthest > cap {
            outcome = .refused(
                "straight lines would move print by \(Int((100 * farthest / cap).rounded())) % of what is allowed"
            )
        } else if farthest < Self.pixelResolution {
            outcome = .refused("the lines are straight already")
        } else {
            outcome = .straightened(field)
        }

        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

        /// Student's paired test, one-sided at one in twenty; its quantile by Abramowitz & Stegun 26.7.5.
        func isBeyondChance(_ gains: [Double]) -> Bool {
            let freedom = Double(gains.count - 1)
            let average = mean(gains)
            let variance = gains.reduce(0) { $0 + ($1 - average) * ($1 - average) } / freedom
            let z = Self.deviate
            let quantile =
                z + (pow(z, 3) + z) / (4 * freedom)
                + (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * freedom * freedom)
            return average > quantile * (variance / (freedom + 1)).squareRoot()
        }
    }

    /// The shortest line that tells how straight it is, in letter heights.
    private static let leastLength = 5.0
}

/// Fits fields to lines, and measures lines under fields.
private struct LineFitting {
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

    /// Boxes end on whole pixels: no residual says more than this deviation of an even spread over one pixel.
    private static let resolution = 0.29
    /// Cauchy's constant for 95 % efficiency under normal errors (Holland & Welsch 1977).
    private static let cauchy = 2.385
    private static let sweeps = 4
    /// Before anything is known: capitals stand about this far above small letters, in letter heights.
    private static let firstScale = 0.25
    /// A piece this far off, in letter heights, belongs to another line, however far it is.
    private static let farthest = 0.5

    /// The height of a piece's middle as it would lie if the page were straight.
    func height(of piece: Int, under field: DisplacementField?) -> Double {
        let place = SIMD2(pieces[piece].centerX, pieces[piece].middle)
        return field?.straightHeight(of: place) ?? place.y
    }

    func pieces(under field: DisplacementField?) -> [PrintedPiece] {
        pieces.indices.map { index in
            var piece = pieces[index]
            let shift = height(of: index, under: field) - piece.middle
            piece.top += shift
            piece.bottom += shift
            return piece
        }
    }

    /// The upper and the lower edge of each of a line's pieces.
    private func edges(of line: [Int]) -> [[SIMD2<Double>]] {
        [
            line.map { SIMD2(pieces[$0].centerX, pieces[$0].top) },
            line.map { SIMD2(pieces[$0].centerX, pieces[$0].bottom) },
        ]
    }

    /// The smoothest field that makes lines straight, robustly: re-weighted after Cauchy.
    /// - Parameter bending: change of slope over the page's shorter side that is to be expected.
    func field(through lines: [[Int]], bending: Double) throws(LinearAlgebraError) -> DisplacementField {
        var levels = lines.flatMap(edges(of:)).map {
            LevelSystem.Level(height: $0.map(\.y).median(), points: $0)
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
            let spread = 1.4826 * residuals.joined().map { abs($0) }.median()
            scale = min(scale, max(Self.resolution, spread))
            let reach = Self.cauchy * scale
            weights = residuals.map { $0.map { 1 / (1 + ($0 * $0) / (reach * reach)) } }
            field = try system.solve(
                levels, weights: weights, penalty: scale * scale / (curvature * curvature))
        }
        return field
    }

    /// Mean distance of a line's pieces from their level, in pixels: of their feet or of their tops, whichever are nearer.
    func crookedness(of line: [Int], under field: DisplacementField?) -> Double {
        let distances = edges(of: line).map { edge in
            var level = LevelSystem.Level(height: edge.map(\.y).median(), points: edge)
            var heights = edge.map(\.y)
            if let field {
                for _ in 0..<Self.sweeps {
                    heights = level.straightened(by: field)
                    level.height = heights.median()
                }
            }
            return heights.reduce(0) { $0 + min(abs($1 - level.height), Self.farthest * letterHeight) }
        }
        return (distances.min() ?? 0) / Double(line.count)
    }
}

extension LevelSystem.Level {
    /// The points' heights without the shift that the field gives the level at each.
    fileprivate func straightened(by field: DisplacementField) -> [Double] {
        points.map { $0.y - field.shift(at: SIMD2($0.x, height)) }
    }
}

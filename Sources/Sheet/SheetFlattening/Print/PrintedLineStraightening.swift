import RobustStatistics
import Platform
import LinearAlgebra
import Parallelism

/// Straightens a level page by its printed lines. Finds the lines, fits a smooth shift that makes each of them level, and
/// accepts it only if lines held out of the fit also become straighter.
///
/// At first a curved sheet shows its lines only in part. So words are joined before rows, and rows of a column before rows
/// across the page; the shorter ones tell how the page bends for the longer ones. Both edges of a line count, the lower and the
/// upper ends of its letters, each with its own height. So it need not be known which of the two is the base line, and letters
/// that reach above or below are outliers of one edge only (straight base lines as in Kim, Koo & Cho 2015 and Kil et al. 2017;
/// a spline in place of their cylinder).
struct PrintedLineStraightening: Sendable {
    /// The result of straightening.
    enum Outcome: Sendable {
        /// The lines become straighter, including the held-out ones.
        case straightened(DisplacementField)
        /// Nothing is to be changed, for this reason.
        case refused(String)
    }

    /// The result.
    let outcome: Outcome
    /// Lines of text and rules that could be judged.
    let lineCount: Int
    /// Mean distance of the lines' pieces from the straight and level, in the page's pixels; nil if too few lines.
    let residualBefore: Double?
    /// The same after the fit, for lines held out of it; nil if there was no fit.
    let residualAfter: Double?

    /// Greatest gap inside a line in letter heights, per pass: between letters, between words, between columns, across the
    /// page.
    private static let reaches = [1.2, 4, 16, .infinity]
    /// Expected change of the lines' slope over the page's shorter side, from almost flat to a sheet curled over; the held-out
    /// lines choose one.
    private static let expectedBendings = [0.05, 0.4, 3]
    /// The bending used for tracing lines.
    private static let tracingBending = 1.0
    /// Judging takes two lines in each half.
    private static let leastLines = 4
    /// The normal deviate that chance exceeds one time in twenty.
    private static let deviate = 1.645
    /// Lines closer to straight than this, in pixels of the page, are as straight as boxes of whole pixels can show.
    static let pixelResolution = 0.29
    /// Least share by which held-out lines must become straighter: a smaller gain is not worth another interpolation.
    private static let leastGain = 0.05
    /// Shortest line whose straightness can be judged, in letter heights.
    private static let leastLength = 5.0
    /// Least factor by which the height of a piece of the page may change, either way: paper seen more obliquely cannot be
    /// read.
    private static let leastStretch = 0.3

    /// Straightens a page.
    /// - Parameters:
    ///   - pieces: the print; its rows run along x to within about twenty degrees.
    ///   - letterHeight: usual height of a letter in pixels.
    ///   - page: width and height in pixels.
    ///   - cap: the farthest that print may be moved, in pixels; infinite for no limit.
    /// - Complexity: O(n²) at worst for n pieces, and about a dozen dense solutions of 400 unknowns.
    init(
        of pieces: [PrintedPiece], letterHeight: Double, page: SIMD2<Double>, cap: Double
    ) throws(LinearAlgebraError) {
        let fitting = LineFitting(pieces: pieces, letterHeight: letterHeight, page: page)
        let (lines, traced) = try Self.traced(with: fitting)
        lineCount = lines.count
        guard lines.count >= Self.leastLines else {
            (outcome, residualBefore, residualAfter) = (
                .refused("\(lines.count) printed lines are too few to judge by"), nil, nil
            )
            return
        }
        let halves = Self.halves(of: lines, heights: lines.map { fitting.height(of: $0, under: traced) })
        let before = halves.flatMap { $0.map { fitting.crookedness(of: $0, under: nil) } }
        residualBefore = Self.mean(before)
        guard let best = try Self.bestBending(for: halves, with: fitting) else {
            (outcome, residualAfter) = (.refused("the lines determine no smooth shift"), nil)
            return
        }
        residualAfter = Self.mean(best.after)
        let gains = zip(before, best.after).map { $0 - $1 }
        guard Self.mean(gains) >= Self.leastGain * Self.mean(before), Self.isBeyondChance(gains) else {
            outcome = .refused("held-out lines come out no straighter")
            return
        }
        outcome = Self.outcome(of: try fitting.field(through: lines, bending: best.bending), cap: cap)
    }

    /// Returns the lines long enough to judge their straightness, and the field under which they were traced. Crossing longer
    /// gaps needs more knowledge of the page's bending.
    private static func traced(
        with fitting: LineFitting
    ) throws(LinearAlgebraError) -> (lines: [[Int]], field: DisplacementField?) {
        var lines: [[Int]] = []
        var known: DisplacementField?
        for reach in reaches {
            lines = PrintedLineTracing(
                pieces: fitting.pieces(under: known), letterHeight: fitting.letterHeight
            ).lines(reach: reach, leastCount: 3)
            guard lines.count >= leastLines else { break }
            known = try fitting.field(through: lines, bending: tracingBending)
        }
        let pieces = fitting.pieces
        lines = lines.filter {
            pieces[$0[$0.count - 1]].box.right - pieces[$0[0]].box.left >= leastLength * fitting.letterHeight
        }
        return (lines, known)
    }

    /// Splits lines into two halves: neighbours go to different halves, so that each covers the page.
    private static func halves(of lines: [[Int]], heights: [Double]) -> [[[Int]]] {
        let order = lines.indices.sorted { heights[$0] < heights[$1] }
        return [0, 1].map { half in
            order.enumerated().filter { $0.offset % 2 == half }.map { lines[$0.element] }
        }
    }

    /// Returns the bending with which each half, after a fit to the other, becomes straightest, and how crooked its lines then
    /// are; nil if no fit gives a number.
    private static func bestBending(
        for halves: [[[Int]]], with fitting: LineFitting
    ) throws(LinearAlgebraError) -> (bending: Double, after: [Double])? {
        let trials = expectedBendings.flatMap { bending in [0, 1].map { (bending: bending, half: $0) } }
        let crookedness = try concurrentMap(trials) { trial throws(LinearAlgebraError) in
            let field = try fitting.field(through: halves[1 - trial.half], bending: trial.bending)
            return halves[trial.half].map { fitting.crookedness(of: $0, under: field) }
        }
        var best: (bending: Double, after: [Double])?
        for (index, bending) in expectedBendings.enumerated() {
            let after = crookedness[2 * index] + crookedness[2 * index + 1]
            if mean(after) < best.map({ mean($0.after) }) ?? .infinity { best = (bending, after) }
        }
        return best
    }

    /// Whether a field that straightens the lines may be used.
    private static func outcome(of field: DisplacementField, cap: Double) -> Outcome {
        let (farthest, stretch) = field.extremes()
        if stretch < leastStretch { return .refused("straight lines would fold the sheet over") }
        if farthest > cap {
            return .refused(
                "straight lines would move print by \(Int((100 * farthest / cap).rounded())) % of what is allowed"
            )
        }
        if farthest < pixelResolution { return .refused("the lines are straight already") }
        return .straightened(field)
    }

    private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

    /// Student's paired test, one-sided at one in twenty; its quantile by Abramowitz & Stegun 26.7.5.
    private static func isBeyondChance(_ gains: [Double]) -> Bool {
        let freedom = Double(gains.count - 1)
        let average = mean(gains)
        let variance = gains.reduce(0) { $0 + ($1 - average) * ($1 - average) } / freedom
        let z = deviate
        let quantile =
            z + (pow(z, 3) + z) / (4 * freedom)
            + (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * freedom * freedom)
        return average > quantile * (variance / (freedom + 1)).squareRoot()
    }
}

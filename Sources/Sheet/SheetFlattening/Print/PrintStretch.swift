import LinearAlgebra
import Platform
import RobustStatistics

/// Stretch of the print on a page: how much wider it is shown at one side than at the other, and how much higher at one end,
/// measured from its words.
///
/// Words of one typeface and size have the width and height that their letters give them, wherever they stand. A sheet
/// flattened by its sides alone has the right border, but the slope of a curl or fold in between comes from a model: print is
/// too wide where the sheet faced the camera, and too narrow where it turned away. Position t (a share of the page) is shown at
///
///     q = t + c sin(π t) / π
///
/// along x and along y, so lengths there are multiplied by 1 + c cos(π t); both ends stay. The two c are fitted to the widths
/// and heights of all words, with one size per row that most rows share.
///
/// On 60 photographed pages (twelve kinds, five documents), two such numbers, taken from the words' positions on the original,
/// explain three quarters of the words' displacement: the median falls from 14 to 4 pixels of 923. Estimated from the words'
/// sizes alone, they have an error of .055.
package struct PrintStretch: Equatable, Sendable {
    /// A word's position and size.
    package struct Word: Sendable {
        /// The middle of the word, as shares of the page's width and height.
        package let place: SIMD2<Double>
        /// Logarithms of the word's width and height, each divided by its value at size 1 in some typeface.
        package let size: SIMD2<Double>
        /// Number of the word's row.
        package let row: Int
        /// Number of letters.
        package let letters: Int

        /// Creates a word from its parts.
        package init(place: SIMD2<Double>, size: SIMD2<Double>, row: Int, letters: Int) {
            (self.place, self.size, self.row, self.letters) = (place, size, row, letters)
        }
    }

    /// c along x and along y; 0 where the words do not determine it.
    package let amount: SIMD2<Double>

    /// Estimates the stretch from words.
    /// - Parameter typefaces: the same words measured against each of some typefaces; the typeface that fits best counts.
    /// - Returns: nil if the words are too few, or show no stretch beyond chance.
    /// - Complexity: O(words), after LAPACK is loaded.
    package init?(of typefaces: [[Word]]) {
        let fits = typefaces.compactMap { Fit($0) }
        guard let best = fits.min(by: { $0.cost < $1.cost }) else { return nil }
        func sure(_ amount: Double, _ error: Double) -> Double {
            guard abs(amount) >= max(Self.least, Self.leastDeviations * error) else { return 0 }
            return min(max(amount, -Self.greatest), Self.greatest)
        }
        amount = SIMD2(sure(best.amount.x, best.error.x), sure(best.amount.y, best.error.y))
        guard amount != .zero else { return nil }
    }

    /// Creates a stretch of known amount, within `greatest`.
    init(amount: SIMD2<Double>) { self.amount = amount }

    /// Maps a position on the page, in shares of its width and height, to its position without the stretch. Positions outside
    /// the page stay.
    package func evened(_ share: SIMD2<Double>) -> SIMD2<Double> {
        func along(_ t: Double, _ amount: Double) -> Double {
            (0...1).contains(t) ? t - amount * sin(.pi * t) / .pi : t
        }
        return SIMD2(along(share.x, amount.x), along(share.y, amount.y))
    }

    /// Greatest amount: lengths then vary by a factor of 1.6, the most that a surface without depth may have.
    private static let greatest = 0.23
    /// Smaller amounts count as even print, as far as the typeface is known: drawn flat receipts reach .026 at most.
    private static let least = 0.03
    /// Number of standard errors by which an amount must differ from 0. With 1.5, 21 of the 60 pages gain in MS-SSIM and three
    /// lose; with 2 it is 18 and one.
    private static let leastDeviations = 1.5
}

/// Fits the sizes of words by sizes of rows, a proportion of the typeface, and a stretch of the page.
private struct Fit {
    let amount: SIMD2<Double>
    /// Standard errors.
    let error: SIMD2<Double>
    /// How badly the words' widths fit; used to compare typefaces.
    let cost: Double

    /// The unknowns that all rows share: the stretch along x and y, the typeface's proportion, the rows' usual size.
    private static let shared = 4
    private static let leastWords = 10
    /// Standard deviation of a word's width from its typeface's, for four letters; it shrinks with the root of their number, up
    /// to eight.
    private static let widthNoise = (deviation: 0.10, letters: 4.0, mostLetters: 8.0)
    /// Standard deviation of a height: one pixel is a twentieth of letters 20 pixels high.
    private static let heightNoise = 0.07
    /// Standard deviation of a row's size from the usual size; headings are outliers.
    private static let rowNoise = 0.04
    /// The usual size of a stretch.
    private static let usualStretch = 0.08
    private static let loss = RobustLoss(.cauchy, cut: 1.5)
    private static let sweeps = 25

    init?(_ words: [PrintStretch.Word]) {
        guard words.count >= Self.leastWords else { return nil }
        let rows = Dictionary(grouping: words.indices) { words[$0].row }.sorted { $0.key < $1.key }.map(
            \.value)
        let waves = words.map { SIMD2(cos(.pi * $0.place.x), cos(.pi * $0.place.y)) }
        let widthNoise = words.map { word in
            Self.widthNoise.deviation
                * (Self.widthNoise.letters / min(Double(max(word.letters, 1)), Self.widthNoise.mostLetters))
                .squareRoot()
        }
        // The weights of the residuals, which are measured in their deviations.
        var weights = (
            widths: [Double](repeating: 1, count: words.count),
            heights: [Double](repeating: 1, count: words.count),
            rows: [Double](repeating: 1, count: rows.count)
        )
        var solution = [Double](repeating: 0, count: Self.shared)
        var inverse = Matrix(rows: Self.shared, columns: Self.shared)
        var cost = 0.0
        for _ in 0..<Self.sweeps {
            var system = Matrix(rows: Self.shared, columns: Self.shared)
            var right = [Double](repeating: 0, count: Self.shared)
            for i in 0..<2 { system[i, i] = 1 / (Self.usualStretch * Self.usualStretch) }
            // Each row's own size is eliminated: it is coupled to the shared unknowns only.
            var eliminated: [(pivot: Double, coupling: [Double], right: Double)] = []
            for (index, row) in rows.enumerated() {
                var coupling = [Double](repeating: 0, count: Self.shared)
                let rowWeight = weights.rows[index] / (Self.rowNoise * Self.rowNoise)
                var (pivot, rowRight) = (rowWeight, 0.0)
                system[3, 3] += rowWeight
                coupling[3] -= rowWeight
                for word in row {
                    let wide = weights.widths[word] / (widthNoise[word] * widthNoise[word])
                    let high = weights.heights[word] / (Self.heightNoise * Self.heightNoise)
                    let (wave, size) = (waves[word], words[word].size)
                    system[0, 0] += wide * wave.x * wave.x
                    system[2, 0] += wide * wave.x
                    system[2, 2] += wide
                    system[1, 1] += high * wave.y * wave.y
                    right[0] += wide * wave.x * size.x
                    right[1] += high * wave.y * size.y
                    right[2] += wide * size.x
                    coupling[0] += wide * wave.x
                    coupling[1] += high * wave.y
                    coupling[2] += wide
                    pivot += wide + high
                    rowRight += wide * size.x + high * size.y
                }
                for i in 0..<Self.shared {
                    right[i] -= coupling[i] * rowRight / pivot
                    for j in 0...i { system[i, j] -= coupling[i] * coupling[j] / pivot }
                }
                eliminated.append((pivot, coupling, rowRight))
            }
            do throws(LinearAlgebraError) {
                let factor = try CholeskyFactorization(of: system)
                solution = try factor.solve(right)
                inverse = try factor.solve(.identity(Self.shared))
            } catch {
                return nil
            }
            cost = 0
            for (index, row) in rows.enumerated() {
                let (pivot, coupling, rowRight) = eliminated[index]
                let size = (rowRight - zip(coupling, solution).reduce(0) { $0 + $1.0 * $1.1 }) / pivot
                weights.rows[index] = Self.weight((size - solution[3]) / Self.rowNoise)
                for word in row {
                    let wide =
                        words[word].size.x - size - solution[2] - solution[0] * waves[word].x
                    let high = words[word].size.y - size - solution[1] * waves[word].y
                    weights.widths[word] = Self.weight(wide / widthNoise[word])
                    weights.heights[word] = Self.weight(high / Self.heightNoise)
                    cost -= log(weights.widths[word])
                }
            }
        }
        guard solution.allSatisfy(\.isFinite) else { return nil }
        amount = SIMD2(solution[0], solution[1])
        error = SIMD2(inverse[0, 0].squareRoot(), inverse[1, 1].squareRoot())
        self.cost = cost
    }

    private static func weight(_ residual: Double) -> Double { loss.weight(residual / loss.cut) }
}

extension UnrolledSheet {
    /// Whether print on the sheet may be stretched: its shape comes from its sides alone, and they are not straight lines as on
    /// a flat sheet.
    package var mayBeStretched: Bool {
        guard depthFit == nil, let rectangle else { return false }
        return method != .corners || showsCurve || rectangle.greatestMove >= Self.leastMove
    }

    /// The sides of photographed sheets that lie flat move by at most .034 of their width, and by .01 in the median; on sheets
    /// below this limit the print is even.
    private static let leastMove = 0.015

    /// Removes the stretch that the sheet's print shows.
    /// - Parameter frame: the page on which the print was seen.
    package func evened(_ stretch: PrintStretch, on frame: PageFrame) -> UnrolledSheet {
        var sheet = self
        sheet.unrolling = unrolling.moved(showing: frame) { flat in
            frame.flatPosition(at: stretch.evened(frame.offset(of: flat) / frame.size) * frame.size)
        }
        sheet.stretch = stretch
        return sheet
    }
}

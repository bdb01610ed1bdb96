import LinearAlgebra
import Platform
import RobustStatistics

/// How much wider print is shown at one side of a page than at the other, and higher at one end, as its words tell.
///
/// Words of one typeface and size are as wide and as high as their letters say wherever they stand. A sheet that is made flat by its
/// sides alone has the right border, but a curl's or a fold's slope in between is a model's: print is too wide where the sheet
/// faced the camera, and too narrow where it turned away. What is at a share t of the page is shown at
///
///     q = t + c sin(π t) / π
///
/// along x and along y, so that lengths there are 1 + c cos(π t) times as long; both ends stay. The two c are fitted to the
/// widths and heights of all words, with a size of each row that most rows share.
///
/// Of 60 photographed pages (twelve kinds, five documents) two such numbers, taken from where words stand on the original, explain
/// three quarters of how far words lie from where they should: the median goes from 14 to 4 pixels of 923. Estimated from the
/// words' sizes alone they have an error of .055.
package struct PrintStretch: Equatable, Sendable {
    /// A word's place and size.
    package struct Word: Sendable {
        /// Its middle, as shares of the page's width and height.
        package let place: SIMD2<Double>
        /// Logarithms of its width and of its height over those that it has at size 1 in some typeface.
        package let size: SIMD2<Double>
        /// The row that it stands in.
        package let row: Int
        /// How many letters it has.
        package let letters: Int

        /// A word from its parts.
        package init(place: SIMD2<Double>, size: SIMD2<Double>, row: Int, letters: Int) {
            (self.place, self.size, self.row, self.letters) = (place, size, row, letters)
        }
    }

    /// c along x and along y; 0 where the words do not tell.
    package let amount: SIMD2<Double>

    /// What words tell.
    /// - Parameter typefaces: the same words measured against each of some typefaces; the one that they fit best counts.
    /// - Returns: nil where they are too few, or tell of no stretch that is surer than chance.
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

    /// A stretch of known amount, within `greatest`.
    init(amount: SIMD2<Double>) { self.amount = amount }

    /// Where a place of the page, in shares of its width and height, lies without the stretch. What lies beyond the page stays.
    package func evened(_ share: SIMD2<Double>) -> SIMD2<Double> {
        func along(_ t: Double, _ amount: Double) -> Double {
            (0...1).contains(t) ? t - amount * sin(.pi * t) / .pi : t
        }
        return SIMD2(along(share.x, amount.x), along(share.y, amount.y))
    }

    /// Lengths vary by a factor of 1.6 then, the most that a surface without depth may have.
    private static let greatest = 0.23
    /// Below this print is as it should be, as far as its typeface is known: drawn flat receipts come to .026 at most.
    private static let least = 0.03
    /// By how many of its standard errors an amount must differ from 0. Of the 60 pages 21 gain by 1.5 in MS-SSIM and three lose;
    /// by 2 it is 18 and one.
    private static let leastDeviations = 1.5
}

/// The sizes of words as sizes of rows, a proportion of the typeface, and a stretch of the page.
private struct Fit {
    let amount: SIMD2<Double>
    /// Standard errors.
    let error: SIMD2<Double>
    /// How badly the words' widths fit: what tells one typeface from another.
    let cost: Double

    /// The unknowns that all rows share: the stretch along x and y, the typeface's proportion, the rows' usual size.
    private static let shared = 4
    private static let leastWords = 10
    /// Deviation of a width from its typeface's, for four letters; it shrinks with the root of their number, up to eight.
    private static let widthNoise = (deviation: 0.10, letters: 4.0, mostLetters: 8.0)
    /// Deviation of a height: of letters 20 pixels high one is a twentieth.
    private static let heightNoise = 0.07
    /// Deviation of a row's size from the usual one; headings are outliers.
    private static let rowNoise = 0.04
    /// How large a stretch is usually.
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
        // Residuals over their deviations, and what they weigh.
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
            // Each row's own size is eliminated: it meets the shared unknowns only.
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
    /// Whether print may be stretched on it: its sides alone tell its shape, and they are no straight lines, as those of a flat sheet are.
    package var mayBeStretched: Bool {
        guard depthFit == nil, let rectangle else { return false }
        return method != .corners || rectangle.greatestMove >= Self.leastMove
    }

    /// The sides of photographed sheets that lie flat come to .034 of their width at most, and to .01 in the median; print on those below
    /// this is even.
    private static let leastMove = 0.015

    /// The sheet without the stretch that its print shows.
    /// - Parameter frame: the page that the print was seen on.
    package func evened(_ stretch: PrintStretch, on frame: PageFrame) -> UnrolledSheet {
        var sheet = self
        sheet.unrolling = unrolling.moved(showing: frame) { flat in
            frame.flatPosition(at: stretch.evened(frame.offset(of: flat) / frame.size) * frame.size)
        }
        sheet.stretch = stretch
        return sheet
    }
}

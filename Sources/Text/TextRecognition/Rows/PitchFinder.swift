import Platform
import PrintDetection
import RobustStatistics

/// Finds the pitch of fixed-width type on a page, or that there is none.
///
/// The distances between the letters of a row are whole multiples of the pitch p, apart from where in its cell each
/// letter stands. So the mean of cos(2 pi d / p) over the distances d is near 1 at the pitch and near 0 for
/// proportional type. Only near letters are compared, so that slight local stretch of the sheet does not matter.
struct PitchFinder {
    /// The page's pitch in pixels; nil for proportional type.
    let pitch: Double?
    /// The mean of the cosines at the best pitch, -1 to 1.
    let coherence: Double

    private typealias Tuning = ReadingTuning.Pitch

    init(rows: [PrintedRow], letterHeight: Double) {
        let distances = Self.distances(in: rows, letterHeight: letterHeight)
        guard distances.count >= Tuning.leastDistances, letterHeight > 0 else {
            (pitch, coherence) = (nil, 0)
            return
        }
        let peak = Self.peak(of: distances, letterHeight: letterHeight)
        coherence = peak.score
        pitch = peak.score >= Tuning.leastCoherence ? peak.pitch : nil
    }

    /// Returns the distances from each letter of a row to the next few.
    private static func distances(in rows: [PrintedRow], letterHeight: Double) -> [Double] {
        var distances: [Double] = []
        for row in rows where row.letterHeight < Tuning.tallestRow * letterHeight {
            let middles = row.stretches.filter { $0.width < Tuning.widestSample * letterHeight }.map(\.middle)
            for index in middles.indices {
                for next in middles[(index + 1)...].prefix(Tuning.nextLetters)
                where next - middles[index] < Tuning.farthestSample * letterHeight {
                    distances.append(next - middles[index])
                }
            }
        }
        return distances
    }

    /// Returns the pitch with the greatest mean cosine; of several that fit about as well, the largest.
    private static func peak(
        of distances: [Double], letterHeight: Double
    ) -> (pitch: Double, score: Double) {
        let step = max(distances.count / Tuning.mostDistances, 1)
        let sample = stride(from: 0, to: distances.count, by: step).map { distances[$0] }
        var scores: [(pitch: Double, score: Double)] = []
        var candidate = Tuning.leastPitch * letterHeight
        while candidate < Tuning.greatestPitch * letterHeight {
            let frequency = 2 * Double.pi / candidate
            scores.append((candidate, sample.reduce(0) { $0 + cos($1 * frequency) } / Double(sample.count)))
            candidate *= Tuning.searchStep
        }
        let best = scores.max { $0.score < $1.score } ?? (letterHeight, 0)
        // Half the pitch fits as well where letters stand in the middle of their cells: take the largest that fits.
        let largest = scores.last { $0.score > Tuning.nearlyBest * best.score } ?? best
        return scores.filter { abs($0.pitch / largest.pitch - 1) < Tuning.peakWidth }
            .max { $0.score < $1.score } ?? best
    }

    /// The cells of one row: the page's pitch, or twice it for a row of double width, fitted to the row's letters.
    func cells(of row: PrintedRow) -> CharacterPitch? {
        guard let pagePitch = pitch else { return nil }
        let stretches = row.stretches
        guard !stretches.isEmpty else { return nil }
        // Letters fill most of their cells: with the single pitch, wide ones would fill two.
        let usual = stretches.map(\.width).upperMedian()
        let isDouble =
            usual > Tuning.doubleWidth * pagePitch && stretches.count >= Tuning.leastDoubleLetters
        let pitch = isDouble ? 2 * pagePitch : pagePitch
        return Self.fit(Self.numbered(stretches, pitch: pitch), pitch)
    }

    /// Returns the cell that each stretch begins in, and the middle of that cell according to the stretch. Cells are
    /// counted from letter to letter, so that slight stretch of the sheet does not add up.
    private static func numbered(
        _ stretches: [PrintedStretch], pitch: Double
    ) -> [(cell: Double, x: Double)] {
        var cells: [(cell: Double, x: Double)] = []
        var cell = 0.0
        var last: PrintedStretch?
        for stretch in stretches {
            // A wide stretch counts from its near end.
            let isWide = max(stretch.width - Tuning.widestLetter * pitch, 0) > 0
            let x = isWide ? stretch.left + Tuning.usualMiddle * pitch : stretch.middle
            if let last, stretch != stretches[0] {
                let wasWide = last.width > Tuning.widestLetter * pitch
                let from = wasWide ? last.right - Tuning.usualMiddle * pitch : last.middle
                let before = wasWide ? ((last.width / pitch) - 2 * Tuning.usualMiddle).rounded() : 0
                cell += before + ((x - from) / pitch).rounded()
            }
            cells.append((cell, x))
            last = stretch
        }
        return cells
    }

    /// Fits a straight line through the cells' middles.
    private static func fit(_ cells: [(cell: Double, x: Double)], _ pitch: Double) -> CharacterPitch {
        let count = Double(cells.count)
        let meanCell = cells.reduce(0) { $0 + $1.cell } / count
        let meanX = cells.reduce(0) { $0 + $1.x } / count
        var (cc, cx) = (0.0, 0.0)
        for (cell, x) in cells {
            cc += (cell - meanCell) * (cell - meanCell)
            cx += (cell - meanCell) * (x - meanX)
        }
        // A few letters close together determine the pitch less well than the page does.
        let fitted = cc > 0 && cells.count >= Tuning.leastFitted ? cx / cc : pitch
        let own = abs(fitted / pitch - 1) < Tuning.greatestStretch ? fitted : pitch
        return CharacterPitch(pitch: own, origin: meanX - meanCell * own)
    }
}

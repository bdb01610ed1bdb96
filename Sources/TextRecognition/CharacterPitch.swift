import Foundation

/// The fixed distance of a row's characters, as receipt printers and typewriters set them.
///
/// Character cells are `pitch` wide; cell k has its middle at `origin + k · pitch`.
struct CharacterPitch: Equatable {
    /// Width of a cell in pixels.
    var pitch: Double
    /// Middle of cell 0 in pixels.
    var origin: Double

    /// The middle of a cell.
    func middle(of cell: Int) -> Double { origin + Double(cell) * pitch }

    /// The cell in whose width a column lies.
    func cell(at x: Double) -> Int { Int(((x - origin) / pitch).rounded()) }

    /// The cells that a stretch of print covers: one, or several where letters touch.
    func cells(of stretch: PrintedStretch) -> ClosedRange<Int> {
        guard stretch.width > 1.3 * pitch else {
            let only = cell(at: stretch.middle)
            return only...only
        }
        let first = cell(at: stretch.left + 0.4 * pitch)
        return first...max(first, cell(at: stretch.right - 0.4 * pitch))
    }
}

/// A part of a row without blank columns: a letter, or several that touch.
struct PrintedStretch: Equatable {
    /// Left edge in pixels.
    var left: Double
    /// Right edge in pixels.
    var right: Double

    var width: Double { right - left }
    var middle: Double { (left + right) / 2 }
}

extension PrintedRow {
    /// The row's print from left to right, marks above one another joined.
    var stretches: [PrintedStretch] {
        var stretches: [PrintedStretch] = []
        for mark in marks {
            if let last = stretches.last, Double(mark.left) <= last.right {
                stretches[stretches.count - 1].right = max(last.right, Double(mark.right))
            } else {
                stretches.append(PrintedStretch(left: Double(mark.left), right: Double(mark.right)))
            }
        }
        return stretches
    }
}

/// Finds the pitch of fixed-width type on a page, or that there is none.
///
/// The distances between the letters of a row are whole multiples of the pitch p, give or take where in its cell a letter
/// stands: the mean of cos(2 pi d / p) over the distances d is near 1 at the pitch and near 0 for proportional type.
/// Only near letters are compared, so that a sheet that is stretched a little here and there does not matter.
struct PitchFinder {
    /// The page's pitch in pixels; nil for proportional type.
    let pitch: Double?
    /// The mean of the cosines at the best pitch, -1 to 1.
    let coherence: Double

    /// The least coherence of fixed-width type. Proportional type, with as many letters as a page has, stays below 0.3.
    static let leastCoherence = 0.45

    init(rows: [PrintedRow], letterHeight: Double) {
        var distances: [Double] = []
        for row in rows where row.letterHeight < 1.6 * letterHeight {
            let middles = row.stretches.filter { $0.width < 1.3 * letterHeight }.map(\.middle)
            for index in middles.indices {
                for next in middles[(index + 1)...].prefix(5) where next - middles[index] < 6 * letterHeight {
                    distances.append(next - middles[index])
                }
            }
        }
        guard distances.count >= 24, letterHeight > 0 else {
            (pitch, coherence) = (nil, 0)
            return
        }
        // More distances than this tell nothing new.
        let step = max(distances.count / 1500, 1)
        let sample = stride(from: 0, to: distances.count, by: step).map { distances[$0] }
        var scores: [(pitch: Double, score: Double)] = []
        var candidate = 0.4 * letterHeight
        while candidate < 1.5 * letterHeight {
            let frequency = 2 * Double.pi / candidate
            scores.append((candidate, sample.reduce(0) { $0 + cos($1 * frequency) } / Double(sample.count)))
            candidate *= 1.004
        }
        let best = scores.max { $0.score < $1.score } ?? (letterHeight, 0)
        // Half the pitch fits as well where letters stand in the middle of their cells: take the largest that fits.
        let largest = scores.last { $0.score > 0.93 * best.score } ?? best
        let peak =
            scores.filter { abs($0.pitch / largest.pitch - 1) < 0.03 }.max { $0.score < $1.score } ?? best
        coherence = peak.score
        pitch = peak.score >= Self.leastCoherence ? peak.pitch : nil
    }

    /// The cells of one row: the page's pitch, or twice it for a row of double width, fitted to the row's letters.
    func cells(of row: PrintedRow) -> CharacterPitch? {
        guard let pagePitch = pitch else { return nil }
        let stretches = row.stretches
        guard let first = stretches.first else { return nil }
        // Letters fill most of their cells: with the single pitch, wide ones would fill two.
        let widths = stretches.map(\.width).sorted()
        let usual = widths[widths.count / 2]
        let pitch = usual > 1.15 * pagePitch && stretches.count >= 3 ? 2 * pagePitch : pagePitch
        // From letter to letter, so that a little stretch of the sheet does not add up; then a straight line through all.
        var cells: [(cell: Double, x: Double)] = []
        var cell = 0.0
        var last = first
        for stretch in stretches {
            // A wide stretch counts from its near end.
            let wide = max(stretch.width - 1.3 * pitch, 0) > 0
            let x = wide ? stretch.left + 0.45 * pitch : stretch.middle
            let from = last.width > 1.3 * pitch ? last.right - 0.45 * pitch : last.middle
            let before = last.width > 1.3 * pitch ? ((last.width / pitch) - 0.9).rounded() : 0
            if stretch != first { cell += before + ((x - from) / pitch).rounded() }
            cells.append((cell, x))
            last = stretch
        }
        let count = Double(cells.count)
        let meanCell = cells.reduce(0) { $0 + $1.cell } / count
        let meanX = cells.reduce(0) { $0 + $1.x } / count
        var (cc, cx) = (0.0, 0.0)
        for (cell, x) in cells {
            cc += (cell - meanCell) * (cell - meanCell)
            cx += (cell - meanCell) * (x - meanX)
        }
        // Few letters close together do not know the pitch better than the page does.
        let fitted = cc > 0 && cells.count >= 6 ? cx / cc : pitch
        let own = abs(fitted / pitch - 1) < 0.04 ? fitted : pitch
        return CharacterPitch(pitch: own, origin: meanX - meanCell * own)
    }
}

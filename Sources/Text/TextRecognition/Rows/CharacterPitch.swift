import Platform
import RobustStatistics

/// The fixed distance between a row's characters, as receipt printers and typewriters set them.
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
        guard stretch.width > ReadingTuning.Pitch.widestLetter * pitch else {
            let only = cell(at: stretch.middle)
            return only...only
        }
        let first = cell(at: stretch.left + ReadingTuning.Pitch.nearestMiddle * pitch)
        return first...max(first, cell(at: stretch.right - ReadingTuning.Pitch.nearestMiddle * pitch))
    }
}

import Foundation

/// The fixed distance of a row's characters, as receipt printers and typewriters set them.
///
/// Character cells are `pitch` wide; cell k has its middle at `origin + k · pitch`.
struct CharacterPitch: Equatable {
    /// Width of a cell in pixels.
    var pitch: Double
    /// Middle of cell 0 in pixels.
    var origin: Double
    /// How well the marks keep to the cells: 1 for perfectly, about 0 for not at all.
    var coherence: Double

    /// The cell in whose width a column lies.
    func cell(at x: Double) -> Int { Int(((x - origin) / pitch).rounded()) }

    /// The last cell that a stretch of print reaches into: its own, if it is no wider than a cell.
    func cell(at middle: Double, lastOf stretch: (from: Double, to: Double)) -> Int {
        stretch.to - stretch.from < 1.25 * pitch ? cell(at: middle) : cell(at: stretch.to - 0.4 * pitch)
    }

    /// The first cell that a stretch of print reaches into.
    func cell(at middle: Double, firstOf stretch: (from: Double, to: Double)) -> Int {
        stretch.to - stretch.from < 1.25 * pitch ? cell(at: middle) : cell(at: stretch.from + 0.4 * pitch)
    }
}

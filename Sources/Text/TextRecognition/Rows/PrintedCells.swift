import Imaging
import PrintDetection

/// The printed character cells of a row of fixed-width type.
struct PrintedCells {
    let pitch: CharacterPitch
    /// The cells that bear print, ascending.
    let indices: [Int]
    /// The print in each of them, in the page's pixels.
    let boxes: [Box]

    /// Whether the row keeps to its pitch: false for a logo's letters or a line in other type.
    let isRegular: Bool

    init(row: PrintedRow, pitch: CharacterPitch) {
        self.pitch = pitch
        var boxes: [Int: Box] = [:]
        var deviation = 0.0
        var counted = 0.0
        for stretch in row.stretches {
            let cells = pitch.cells(of: stretch)
            for cell in cells {
                let left =
                    cells.count == 1
                    ? stretch.left : max(stretch.left, pitch.middle(of: cell) - pitch.pitch / 2)
                let right =
                    cells.count == 1
                    ? stretch.right : min(stretch.right, pitch.middle(of: cell) + pitch.pitch / 2)
                let marks = row.marks.filter { Double($0.left) < right && Double($0.right) > left }
                let top = marks.map(\.top).min() ?? Int(row.box.top)
                let bottom = marks.map(\.bottom).max() ?? Int(row.box.bottom)
                let box = Box(
                    left: left, top: Double(top), right: max(right, left + 1), bottom: Double(bottom))
                boxes[cell] = boxes[cell]?.union(box) ?? box
            }
            if cells.count == 1 {
                let offset = (stretch.middle - pitch.middle(of: cells.lowerBound)) / pitch.pitch
                deviation += offset * offset
                counted += 1
            }
        }
        indices = boxes.keys.sorted()
        self.boxes = indices.compactMap { boxes[$0] }
        isRegular = counted > 0 && (deviation / counted).squareRoot() < ReadingTuning.Cells.greatestDeviation
    }

    /// Assigns a symbol of a reading to each printed cell, nil for none: the cheapest monotone assignment.
    ///
    /// A symbol costs the square of its distance from the cell's middle in pitches. A symbol without a cell, or a cell
    /// without a symbol, costs as much as an offset of a little over half a cell. Dynamic programming over symbols and
    /// cells (Needleman & Wunsch 1970).
    func assign(_ symbols: [ReadSymbol]) -> [Int?] {
        let (n, m) = (indices.count, symbols.count)
        guard n > 0, m > 0 else { return Array(repeating: nil, count: n) }
        let skip = ReadingTuning.Cells.costOfNone
        let places = symbols.map { ($0.box.left + $0.box.right) / 2 }
        let middles = zip(indices, boxes).map { (pitch.middle(of: $0) + $1.left / 2 + $1.right / 2) / 2 }
        var cost = [Double](repeating: 0, count: (n + 1) * (m + 1))
        var step = [UInt8](repeating: 0, count: cost.count)
        for i in 0...n {
            for j in 0...m where i + j > 0 {
                let at = i * (m + 1) + j
                var best = Double.infinity
                if i > 0, j > 0 {
                    let distance = min(
                        abs(places[j - 1] - middles[i - 1]) / pitch.pitch, ReadingTuning.Cells.farthestSymbol)
                    best = cost[at - m - 2] + distance * distance
                    step[at] = 0
                }
                if i > 0, cost[at - m - 1] + skip < best {
                    best = cost[at - m - 1] + skip
                    step[at] = 1
                }
                if j > 0, cost[at - 1] + skip < best {
                    best = cost[at - 1] + skip
                    step[at] = 2
                }
                cost[at] = best
            }
        }
        var assigned = [Int?](repeating: nil, count: n)
        var (i, j) = (n, m)
        while i > 0 || j > 0 {
            switch step[i * (m + 1) + j] {
            case 0:
                (i, j) = (i - 1, j - 1)
                assigned[i] = j
            case 1: i -= 1
            default: j -= 1
            }
        }
        return assigned
    }
}

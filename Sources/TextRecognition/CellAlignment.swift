import Foundation
import Imaging

/// The printed character cells of a row of fixed-width type.
struct PrintedCells {
    let pitch: CharacterPitch
    /// The cells that bear print, ascending.
    let indices: [Int]
    /// The print in each of them, in the page's pixels.
    let boxes: [TextBox]

    /// Whether the row keeps to its pitch: false for a logo's letters or a line in other type.
    let isRegular: Bool

    init(row: PrintedRow, pitch: CharacterPitch) {
        self.pitch = pitch
        var boxes: [Int: TextBox] = [:]
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
                let box = TextBox(
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
        // Evenly spread offsets have 0.29; letters that stand anywhere in their cells stay below 0.2.
        isRegular = counted > 0 && (deviation / counted).squareRoot() < 0.22
    }

    /// Which symbol of a reading belongs to each printed cell, nil for none: the cheapest monotone assignment.
    ///
    /// A symbol costs the square of its distance from the cell's middle in pitches; one left over, or a cell without one,
    /// costs as much as half a cell and a bit. Dynamic programming over symbols and cells (Needleman & Wunsch 1970).
    func assign(_ symbols: [TesseractEngine.Symbol]) -> [Int?] {
        let (n, m) = (indices.count, symbols.count)
        guard n > 0, m > 0 else { return Array(repeating: nil, count: n) }
        let skip = 0.45
        let places = symbols.map { ($0.box.left + $0.box.right) / 2 }
        let middles = zip(indices, boxes).map { (pitch.middle(of: $0) + $1.left / 2 + $1.right / 2) / 2 }
        var cost = [Double](repeating: 0, count: (n + 1) * (m + 1))
        var step = [UInt8](repeating: 0, count: cost.count)
        for i in 0...n {
            for j in 0...m where i + j > 0 {
                let at = i * (m + 1) + j
                var best = Double.infinity
                if i > 0, j > 0 {
                    let distance = min(abs(places[j - 1] - middles[i - 1]) / pitch.pitch, 1.2)
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

/// What several readings of one row say about each printed cell.
struct CellVotes {
    let cells: PrintedCells
    /// For each cell the characters read there with the sum of their weights.
    private(set) var votes: [[String: Double]]
    /// Readings that took part.
    private(set) var readings = 0

    init(cells: PrintedCells) {
        self.cells = cells
        votes = Array(repeating: [:], count: cells.indices.count)
    }

    /// Counts a reading.
    mutating func add(_ reading: RowReading) {
        readings += 1
        for (cell, symbol) in cells.assign(reading.symbols).enumerated() {
            guard let symbol else {
                votes[cell]["", default: 0] += Self.weightOfNothing
                continue
            }
            let read = reading.symbols[symbol]
            votes[cell][read.text, default: 0] += Self.weight(read.confidence)
        }
    }

    /// A symbol that tesseract is sure of counts for several that it is not.
    private static func weight(_ confidence: Double) -> Double { 0.02 + pow(confidence, 3) }
    /// There is print in the cell, so nothing read is a weak statement.
    private static let weightOfNothing = 0.25

    /// The winner in a cell with its share of the weights.
    func winner(of cell: Int) -> (text: String, share: Double) {
        let total = votes[cell].values.reduce(0, +)
        // Equal weights are decided by the text, so that the answer does not depend on the dictionary's order.
        let best = votes[cell].max { ($0.value, $1.key) < ($1.value, $0.key) }
        guard let best, total > 0 else { return ("", 0) }
        return (best.key, best.value / total)
    }

    /// The characters read in a cell with their shares of the weights.
    func shares(of cell: Int) -> [String: Double] {
        let total = votes[cell].values.reduce(0, +)
        return total > 0 ? votes[cell].mapValues { $0 / total } : [:]
    }

    /// Makes another character the winner of a cell, with no more confidence than before.
    mutating func overrule(_ cell: Int, with text: String) {
        let most = votes[cell].values.max() ?? 0
        votes[cell] = [text: most]
    }

    /// Whether the readings agree on every cell with good confidence.
    ///
    /// A stop in one and a comma in the other is no disagreement here: `PeriodOrComma` measures which it is.
    var isSettled: Bool {
        votes.indices.allSatisfy { cell in
            let total = votes[cell].values.reduce(0, +)
            let (text, share) = winner(of: cell)
            if text == "." || text == "," {
                let marks = (votes[cell]["."] ?? 0) + (votes[cell][","] ?? 0)
                return marks > 0.8 * total
            }
            return !text.isEmpty && share > 0.8 && total > 0.6 * Double(readings)
        }
    }

    /// The words: cells in a row without an empty one between.
    func words() -> [RecognizedWord] {
        var words: [RecognizedWord] = []
        var confidences: [Double] = []
        var lastCell: Int?
        func close() {
            guard !words.isEmpty, !confidences.isEmpty else { return }
            words[words.count - 1].confidence = confidences.reduce(0, +) / Double(confidences.count)
            confidences = []
        }
        for (index, cell) in cells.indices.enumerated() {
            let (text, share) = winner(of: index)
            guard !text.isEmpty else { continue }
            let weight = min((votes[index][text] ?? 0) / Double(max(readings, 1)), 1) * share
            if let lastCell, cell - lastCell == 1, !words.isEmpty {
                words[words.count - 1].text += text
                words[words.count - 1].box = words[words.count - 1].box.union(cells.boxes[index])
            } else {
                close()
                words.append(RecognizedWord(text: text, confidence: 0, box: cells.boxes[index]))
            }
            confidences.append(weight)
            lastCell = cell
        }
        close()
        return words
    }
}

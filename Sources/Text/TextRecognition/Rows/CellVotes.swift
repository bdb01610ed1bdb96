import Platform
import Imaging

/// What several readings of one row say about each printed cell.
struct CellVotes {
    let cells: PrintedCells
    /// For each cell, the characters read there with the sums of their weights.
    private(set) var votes: [[String: Double]]
    /// Number of readings counted.
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
                votes[cell]["", default: 0] += Tuning.weightOfNothing
                continue
            }
            let read = reading.symbols[symbol]
            votes[cell][read.text, default: 0] += Self.weight(read.confidence)
        }
    }

    private typealias Tuning = ReadingTuning.Cells

    private static func weight(_ confidence: Double) -> Double {
        Tuning.leastWeight + pow(confidence, Tuning.confidencePower)
    }

    /// Returns the winning character of a cell with its share of the weights.
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

    /// Whether one reading is enough: the letters stand in their cells, and each is read without a doubt.
    var isSurelyRead: Bool { cells.isRegular && agree(withWeight: Tuning.sureWeight) }

    /// Whether the readings agree on every cell with good confidence.
    var isSettled: Bool { agree(withWeight: Tuning.settledWeight) }

    /// Whether the readings agree on every cell, and the mean weight of each cell per reading exceeds `weight`.
    ///
    /// A stop in one reading and a comma in another is no disagreement here: `PeriodOrComma` measures which it is.
    private func agree(withWeight weight: Double) -> Bool {
        votes.indices.allSatisfy { cell in
            let total = votes[cell].values.reduce(0, +)
            let (text, share) = winner(of: cell)
            if text == "." || text == "," {
                let marks = (votes[cell]["."] ?? 0) + (votes[cell][","] ?? 0)
                return marks > Tuning.settledShare * total
            }
            return !text.isEmpty && share > Tuning.settledShare
                && total > weight * Double(readings)
        }
    }

    /// Returns the words: neighbouring cells without an empty one between.
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

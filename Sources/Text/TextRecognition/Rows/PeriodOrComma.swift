import Platform
import RobustStatistics

/// Tells full stops from commas by where they end: a stop stands on the base line, a comma hangs below it.
///
/// At the size that tesseract reads, the two differ by a pixel or two, and it takes the fat stops of some printers for
/// commas all down a column. On the page itself the difference is plain.
enum PeriodOrComma {
    private typealias Tuning = ReadingTuning.Marks

    /// Settles the cells of a row that were read as a stop or a comma.
    static func settle(_ votes: inout CellVotes, letterHeight: Double) {
        let cells = votes.cells
        for cell in cells.indices.indices {
            let read = votes.winner(of: cell).text
            guard read == "." || read == "," else { continue }
            guard let baseline = baseline(near: cell, in: cells, letterHeight: letterHeight) else { continue }
            let box = cells.boxes[cell]
            // Anything taller is no mark of punctuation, whatever it was read as.
            guard box.height < Tuning.tallestMark * letterHeight else { continue }
            let descent = (box.bottom - baseline) / letterHeight
            // A comma hangs well below the base line, a stop hardly; between the two the readings decide.
            if descent >= Tuning.leastDescent {
                votes.overrule(cell, with: ",")
            } else if descent <= Tuning.mostDescent {
                votes.overrule(cell, with: ".")
            }
        }
    }

    /// Returns where the tall characters around a cell end: the median, since about one in six has a tail.
    private static func baseline(near cell: Int, in cells: PrintedCells, letterHeight: Double) -> Double? {
        let feet = cells.indices.indices.filter {
            $0 != cell && cells.boxes[$0].height > Tuning.tallestMark * letterHeight
        }
        .sorted {
            abs(cells.indices[$0] - cells.indices[cell]) < abs(cells.indices[$1] - cells.indices[cell])
        }
        .prefix(Tuning.neighbors).map { cells.boxes[$0].bottom }
        return feet.isEmpty ? nil : feet.upperMedian()
    }
}

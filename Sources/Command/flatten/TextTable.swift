/// A table for people: columns of text side by side. Cells contain untrusted names, so their control characters are made
/// visible before they are measured.
struct TextTable {
    /// How cells are aligned in their column.
    enum Alignment {
        case leading, trailing
    }

    private let columns: [Alignment]
    private var rows: [[String]]

    /// - Parameter columns: each column's title and alignment.
    init(_ columns: [(title: String, alignment: Alignment)]) {
        self.columns = columns.map(\.alignment)
        rows = [columns.map(\.title)]
    }

    /// - Parameter cells: one for each column.
    mutating func add(_ cells: [String]) { rows.append(cells.map(\.visible)) }

    /// Whether there are only titles.
    var isEmpty: Bool { rows.count == 1 }

    /// Widest cell that counts for its column's width: a wider one must not push all others aside.
    private static let mostWidth = 40

    /// The lines, titles first.
    var lines: [String] {
        let widths = columns.indices.map { column in
            rows.map { $0[column].terminalWidth }.filter { $0 <= Self.mostWidth }.max() ?? 0
        }
        return rows.map { row in
            let line = columns.indices.map { column in
                let cell = row[column]
                let padding = String(repeating: " ", count: max(widths[column] - cell.terminalWidth, 0))
                return columns[column] == .leading ? cell + padding : padding + cell
            }.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}

extension StringProtocol {
    /// Number of terminal columns that the text takes: two for a wide East Asian character or a pictogram, none for a
    /// combining mark.
    var terminalWidth: Int { unicodeScalars.reduce(0) { $0 + $1.terminalWidth } }
}

extension Unicode.Scalar {
    fileprivate var terminalWidth: Int {
        if isASCII { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        // Wide and full-width characters by Unicode's EastAsianWidth.txt, in whole blocks.
        switch value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}

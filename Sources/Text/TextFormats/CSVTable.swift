import ScalarText

/// Rows of comma-separated values (RFC 4180): UTF-8, one row per line, ended by CR LF.
///
/// Spreadsheets treat a cell that begins with = + - @ as a formula, which may access files and the network; text on a receipt
/// comes from a stranger. Such a cell is prefixed with an apostrophe, as OWASP ("CSV Injection") advises, unless it is a plain
/// number or a telephone number, which compute nothing. Control characters become spaces, so that each row is one line.
package enum CSVTable {
    /// Returns the row of these cells with its line ending.
    package static func row(_ cells: [String]) -> String { row(cells, guardsFormulas: true) }

    /// Returns the row of these cells with its line ending.
    /// - Parameter guardsFormulas: whether cells that look like a formula get an apostrophe; without it, only programs should
    ///   read the table.
    package static func row(_ cells: [String], guardsFormulas: Bool) -> String {
        cells.map { cell($0, guardsFormulas: guardsFormulas) }.joined(separator: ",") + "\r\n"
    }

    private static func cell(_ text: String, guardsFormulas: Bool) -> String {
        var cell = String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 }))
        if guardsFormulas, isTakenForFormula(cell) { cell = "'" + cell }
        guard cell.unicodeScalars.contains(where: ",\"';".unicodeScalars.contains) else { return cell }
        return "\"" + cell.replacingScalars("\"", with: "\"\"") + "\""
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        [.control, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
    }

    /// Skips leading white space, as some programs do. Japanese spreadsheets accept the full-width forms of the same signs.
    private static func isTakenForFormula(_ cell: String) -> Bool {
        guard let first = cell.unicodeScalars.first(where: { !$0.properties.isWhitespace }),
            "=+-@＝＋－＠".unicodeScalars.contains(first)
        else { return false }
        return !isNumber(cell)
    }

    /// Whether a cell is a single number: -3.50, or +493012345678 as in addresses. A spreadsheet computes nothing from it but
    /// the number. Only digits may follow a plus: a hyphen computes ("+49-30" is 19), a space may be an operator (Excel's
    /// intersection of cells), and brackets and slashes compute too.
    private static func isNumber(_ cell: String) -> Bool {
        cell.wholeMatch(of: /-[0-9]+(\.[0-9]+)?|\+[0-9]+/.matchingSemantics(.unicodeScalar)) != nil
    }
}

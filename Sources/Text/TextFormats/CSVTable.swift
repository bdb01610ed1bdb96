import ScalarText

/// Rows of comma-separated values (RFC 4180): UTF-8, a line each, ended by CR LF.
///
/// Spreadsheets take a cell that begins with = + - @ for a formula, which may reach files and the net; what stands on a
/// receipt is a stranger's. Such a cell gets an apostrophe before it, as OWASP ("CSV Injection") advises, unless it is
/// a plain number or a telephone number: those compute nothing. Control characters become blanks, so that each row is one
/// line.
package enum CSVTable {
    /// The row of these cells with its end.
    package static func row(_ cells: [String]) -> String { row(cells, guardsFormulas: true) }

    /// The row of these cells with its end.
    /// - Parameter guardsFormulas: whether what a spreadsheet would take for a formula gets its apostrophe; without, only programs
    ///   should read the table.
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

    /// Blanks before the sign are passed over, as some programs do. The wide forms are what Japanese spreadsheets take for
    /// the same signs.
    private static func isTakenForFormula(_ cell: String) -> Bool {
        guard let first = cell.unicodeScalars.first(where: { !$0.properties.isWhitespace }),
            "=+-@＝＋－＠".unicodeScalars.contains(first)
        else { return false }
        return !isNumber(cell)
    }

    /// Whether a cell is one number: -3.50, or +493012345678 as addresses have it. A spreadsheet makes at most the number of
    /// it. Nothing but digits may follow a plus: a hyphen computes ("+49-30" is 19), a blank may be an operator (Excel's
    /// intersection of cells), and brackets and slashes compute too.
    private static func isNumber(_ cell: String) -> Bool {
        cell.wholeMatch(of: /-[0-9]+(\.[0-9]+)?|\+[0-9]+/.matchingSemantics(.unicodeScalar)) != nil
    }
}

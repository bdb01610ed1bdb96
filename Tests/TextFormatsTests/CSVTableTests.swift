import Testing

@testable import TextFormats

/// Cells as they stand in a file of comma-separated values.
@Suite struct CSVTableTests {
    @Test("Cells are quoted where RFC 4180 asks for it, and a row ends with CR LF")
    func quoting() {
        #expect(CSVTable.row(["a", "", "3.50"]) == "a,,3.50\r\n")
        #expect(CSVTable.row(["a,b", "say \"no\""]) == "\"a,b\",\"say \"\"no\"\"\"\r\n")
        #expect(
            CSVTable.row(["\u{FC}n\u{EF}\u{E7}\u{F6}de \u{5408}\u{8A08}"])
                == "\u{FC}n\u{EF}\u{E7}\u{F6}de \u{5408}\u{8A08}\r\n")
        // Where the decimal sign is a comma, a semicolon parts the cells.
        #expect(CSVTable.row(["a;b"]) == "\"a;b\"\r\n")
    }

    @Test("A row is one line, whatever its cells hold")
    func oneLine() {
        #expect(CSVTable.row(["a\r\nb", "c\td\u{0}\u{85}\u{2028}"]) == "a  b,c d   \r\n")
    }

    /// Among them what OWASP's page on CSV injection gives as examples.
    @Test(
        "What a spreadsheet would take for a formula begins with an apostrophe",
        arguments: [
            "=1+1", "+41 44 123 45 67", "+49-30", "+49(30)", "+1e5", "+1.5", "+", "+49;1", "+49A1",
            "+49\u{301}", "++49", "-2+3+cmd|' /C calc'!A0", "@SUM(1)", "\t=1", "\r=1", " =1",
            "\u{FF1D}1",
            "=HYPERLINK(\"http://x\",\"total\")", "-", "--1", "-1e5", "-.5", "=",
        ])
    func formulas(text: String) {
        let row = CSVTable.row([text])
        #expect(row.hasPrefix("\"'") && row.hasSuffix("\"\r\n"), "\(row)")
    }

    @Test("For programs alone no cell gets an apostrophe; quotation stays") func unguarded() {
        #expect(CSVTable.row(["=1+1", "@a,b"], guardsFormulas: false) == "=1+1,\"@a,b\"\r\n")
    }

    @Test(
        "Numbers, dates and words stay as they are",
        arguments: ["-3.50", "-12", "+493012345678", "+1", "2025-02-13", "a=b", "7-Eleven", "O=K"])
    func plain(text: String) {
        #expect(CSVTable.row([text]) == text + "\r\n")
    }
}

import Testing

@testable import flatten

@Suite struct TextTableTests {
    @Test("Columns stand below each other whatever the cells hold")
    func columns() {
        var table = TextTable([("NAME", .leading), ("COUNT", .trailing)])
        for name in ["a", "tab\there", "two\nlines", "\u{1B}[2J", "caf\u{65}\u{301}", "領収書"] {
            table.add([name, "7"])
        }
        let lines = table.lines
        #expect(lines[0] == "NAME        COUNT")
        #expect(lines.map(\.terminalWidth) == lines.map { _ in 17 })
        #expect(lines[2] == "tab\\there       7" && lines[3] == "two\\nlines      7")
        #expect(lines[4] == "\\u{1B}[2J       7")
        #expect(lines[6] == "領収書          7")
    }

    @Test("A cell that is very wide moves its own row alone, and no line ends in blanks")
    func wide() {
        var table = TextTable([("NAME", .leading), ("NOTE", .leading)])
        table.add([String(repeating: "x", count: 100), "n"])
        table.add(["a", ""])
        table.add(["b", "m"])
        #expect(table.lines == ["NAME  NOTE", String(repeating: "x", count: 100) + "  n", "a", "b     m"])
    }
}

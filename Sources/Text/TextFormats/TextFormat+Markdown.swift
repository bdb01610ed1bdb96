import Imaging
import Platform
import RobustStatistics
import TextRecognition

/// Markdown with GitHub's tables: rows as lines, tables as tables, large print as headings.
struct MarkdownText {
    let string: String

    /// A row this many times as high as the page's usual rows is a heading.
    private static let headingHeight = 1.5
    /// Minimum number of letters in a heading: a large amount is none.
    private static let leastLetters = 3
    /// Share of a column's filled cells that must hold a number for the column to be right-aligned.
    private static let shareOfNumbers = 0.6

    init(_ text: RecognizedText) {
        let lines = text.lines
        var tables = text.tables[...]
        let ends = text.blocks.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.lines.count) }
        let heights = lines.map { line in line.words.map(\.box.height).upperMedian() }
        let usual = heights.upperMedian()
        var parts: [String] = []
        var paragraph: [String] = []
        func endParagraph() {
            // Each row ends in a line break: a backslash at the end of the row before.
            if !paragraph.isEmpty { parts.append(paragraph.joined(separator: "\\\n")) }
            paragraph = []
        }
        var index = 0
        while index < lines.count {
            if ends.contains(index) { endParagraph() }
            if let table = tables.first, table.lines.lowerBound == index {
                endParagraph()
                parts.append(Self.table(table))
                tables.removeFirst()
                index = table.lines.upperBound
                continue
            }
            let line = Self.escaped(lines[index].text)
            let isHeading =
                heights[index] > Self.headingHeight * usual
                && lines[index].text.count(where: \.isLetter) >= Self.leastLetters
            if isHeading {
                endParagraph()
                parts.append("## " + line)
            } else {
                paragraph.append(Self.withoutMark(line))
            }
            index += 1
        }
        endParagraph()
        string = parts.map { $0 + "\n" }.joined(separator: "\n")
    }

    // MARK: Tables

    private static func table(_ table: RecognizedTable) -> String {
        let columns = table.rows.first?.count ?? 0
        let isNumeric = (0..<columns).map { column in
            let filled = table.rows.map { $0[column].text }.filter { !$0.isEmpty }
            return !filled.isEmpty
                && Double(filled.count(where: isNumber)) >= shareOfNumbers * Double(filled.count)
        }
        var rows = table.rows.map { $0.map { escaped($0.text) } }
        // A table must have a heading. The first row is the heading if it holds no number and other rows do.
        let isHeading = isNumeric.contains(true) && !table.rows[0].contains { isNumber($0.text) }
        let heading = isHeading ? rows.removeFirst() : [String](repeating: "", count: columns)
        let rule = isNumeric.map { $0 ? "---:" : "---" }
        return ([heading, rule] + rows).map { "| " + $0.joined(separator: " | ") + " |" }
            .joined(separator: "\n")
    }

    /// Whether a cell is a number with at most a currency or a tax letter.
    private static func isNumber(_ cell: String) -> Bool {
        cell.contains(where: \.isNumber) && cell.count(where: \.isLetter) <= 3
    }

    // MARK: Escapes

    /// Escapes text so that Markdown treats it as plain text (CommonMark 0.31, 2.4), in one line.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case "\\", "`", "*", "_", "[", "]", "|", "~", "#", ">", "$": escaped += "\\" + String(scalar)
            default:
                let isBlank =
                    scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
                escaped += isBlank ? " " : String(scalar)
            }
        }
        return escaped
    }

    /// Escapes a leading mark, or the mark after a leading number, so that the line begins no list, rule or underline.
    private static func withoutMark(_ line: String) -> String {
        let scalars = line.unicodeScalars
        let digits = scalars.prefix { ("0"..."9").contains($0) }
        let rest = scalars[digits.endIndex...]
        guard let mark = rest.first else { return line }
        let isMark = digits.isEmpty ? ["-", "+", "="].contains(mark) : [".", ")"].contains(mark)
        guard isMark else { return line }
        return String(digits) + "\\" + String(rest)
    }
}

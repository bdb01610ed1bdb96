import Platform

/// Columns of amounts: the amounts of one end at the same place and have the same decimal mark.
enum AmountColumn {
    /// Corrects decimal marks that were read differently from the rest of their column.
    /// - Parameter tolerance: how far apart the ends of one column's amounts may lie, in pixels.
    static func unifyDecimalMarks(in lines: inout [RecognizedLine], tolerance: Double) {
        struct Amount {
            var line: Int
            var word: Int
            var right: Double
            var mark: Character
        }
        var amounts: [Amount] = []
        for (index, line) in lines.enumerated() {
            for (place, word) in line.words.enumerated() {
                if let mark = decimalMark(of: word.text) {
                    amounts.append(Amount(line: index, word: place, right: word.box.right, mark: mark))
                }
            }
        }
        for amount in amounts {
            let column = amounts.filter { abs($0.right - amount.right) <= tolerance }
            let points = column.count { $0.mark == "." }
            let commas = column.count - points
            // At least three of four must agree: a column with half of each says nothing.
            guard column.count >= ReadingTuning.Layout.leastColumn,
                max(points, commas) >= ReadingTuning.Layout.clearMajority * min(points, commas)
            else { continue }
            let mark: Character = points > commas ? "." : ","
            guard amount.mark != mark else { continue }
            var text = Array(lines[amount.line].words[amount.word].text)
            guard let place = text.lastIndex(where: { ".,".contains($0) }) else { continue }
            text[place] = mark
            lines[amount.line].words[amount.word].text = String(text)
        }
    }

    /// Returns the decimal mark of a word such as "1.234,50" or "$12.50", nil for other words.
    static func decimalMark(of word: String) -> Character? {
        guard let match = word.wholeMatch(of: #/[^\d.,]?\d{1,3}(?:([.,])\d{3})*([.,])\d{2}[^\d.,]?/#),
            let mark = match.2.first
        else { return nil }
        // "1,234,50" would use one mark both to group and to divide.
        return match.1?.first == mark ? nil : mark
    }
}

import Imaging

/// Puts words into rows and rows into blocks: the reading order of a receipt, where an amount at the right belongs to the
/// label at the left, whatever lies between.
enum RowLayout {
    /// tesseract's lines, joined where they stand beside each other in one row, from the top.
    static func rows(of words: some Sequence<TesseractEngine.Word>) -> [RecognizedLine] {
        var lines: [[RecognizedWord]] = []
        for word in words {
            let recognized = RecognizedWord(text: word.text, confidence: word.confidence, box: word.box)
            if word.startsLine || lines.isEmpty {
                lines.append([recognized])
            } else {
                lines[lines.count - 1].append(recognized)
            }
        }
        return join(lines.map(RecognizedLine.init(words:)))
    }

    /// Joins lines that share a row: most of the lower one's height is common, and they do not overlap sideways.
    static func join(_ lines: [RecognizedLine]) -> [RecognizedLine] {
        var rows: [RecognizedLine] = []
        for line in lines.sorted(by: { middle($0.box) < middle($1.box) }) {
            if let last = rows.last, shareRow(last.box, line.box) {
                rows[rows.count - 1] = RecognizedLine(
                    words: (last.words + line.words).sorted { $0.box.left < $1.box.left })
            } else {
                rows.append(line)
            }
        }
        return rows
    }

    private static func middle(_ box: TextBox) -> Double { (box.top + box.bottom) / 2 }

    private static func shareRow(_ a: TextBox, _ b: TextBox) -> Bool {
        let common = min(a.bottom, b.bottom) - max(a.top, b.top)
        let apart = a.right <= b.left + 1 || b.right <= a.left + 1
        return apart && common > 0.5 * min(a.height, b.height)
    }

    /// Rows in blocks: a new block begins where the distance to the row above is well over the usual one.
    static func blocks(of rows: [RecognizedLine]) -> [RecognizedBlock] {
        guard rows.count > 1 else { return rows.isEmpty ? [] : [RecognizedBlock(lines: rows)] }
        let pitches = zip(rows, rows.dropFirst()).map { middle($1.box) - middle($0.box) }
        let usual = pitches.sorted()[(pitches.count - 1) / 2]
        var blocks = [[rows[0]]]
        for (row, pitch) in zip(rows.dropFirst(), pitches) {
            // An empty line doubles the distance; letters of other sizes change it by less than half.
            if pitch > 1.6 * usual {
                blocks.append([row])
            } else {
                blocks[blocks.count - 1].append(row)
            }
        }
        return blocks.map(RecognizedBlock.init(lines:))
    }
}

extension RowLayout {
    /// Whether a page was read, bore print that was not, or is empty.
    static func legibility(of rows: [RecognizedLine], on page: GrayImage) -> RecognizedText.Legibility {
        let characters = rows.reduce(0) { $0 + $1.words.reduce(0) { $0 + $1.text.count } }
        // Specks and folds give a few characters of low confidence; print that was read has some of high confidence.
        let sure = rows.contains {
            $0.words.contains { $0.confidence > 0.5 && $0.text.contains(where: isLetterOrDigit) }
        }
        if characters > 0, sure { return .readable }
        // A row of a few letters covers more than this; grain and single specks cover less.
        return Ink(of: page).share > 0.0005 ? .unreadable : .empty
    }

    private static func isLetterOrDigit(_ character: Character) -> Bool {
        character.isLetter || character.isNumber
    }
}

extension RecognizedLine {
    /// Whether the row is a rule of one sign over and over, such as "=====" (which may be read as "SSSSsss"), not text.
    var isRule: Bool {
        let signs = words.map { $0.text.lowercased() }.joined()
        let different = Set(signs)
        if different.isSubset(of: ["-", "=", "_", "~", "—", "–"]) { return true }
        return signs.count >= 10 && different.count <= 2 && !different.contains { $0.isNumber }
    }
}

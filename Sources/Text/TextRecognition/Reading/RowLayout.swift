import Imaging
import PrintDetection
import RobustStatistics

/// Puts words into rows and rows into blocks, in the reading order of a receipt: an amount at the right belongs to the
/// label at the left, whatever lies between.
package enum RowLayout {
    private typealias Tuning = ReadingTuning.Layout

    /// Joins lines of one row: they stand beside each other and share most of the smaller of their heights.
    static func join(_ lines: [RecognizedLine]) -> [RecognizedLine] {
        var rows: [RecognizedLine] = []
        for line in lines.sorted(by: { $0.box.centerY < $1.box.centerY }) {
            if let last = rows.last, shareRow(last.box, line.box) {
                rows[rows.count - 1] = RecognizedLine(
                    words: (last.words + line.words).sorted { $0.box.left < $1.box.left })
            } else {
                rows.append(line)
            }
        }
        return rows
    }

    private static func shareRow(_ a: Box, _ b: Box) -> Bool {
        let common = min(a.bottom, b.bottom) - max(a.top, b.top)
        return areBeside(a, b) && common > Tuning.leastSharedHeight * min(a.height, b.height)
    }

    /// Returns the share of the smaller height that two boxes have in common if they stand beside each other, else 0.
    static func sharedHeight(_ a: Box, _ b: Box) -> Double {
        guard areBeside(a, b) else { return 0 }
        return (min(a.bottom, b.bottom) - max(a.top, b.top)) / min(a.height, b.height)
    }

    private static func areBeside(_ a: Box, _ b: Box) -> Bool {
        a.right <= b.left + Tuning.greatestOverlap || b.right <= a.left + Tuning.greatestOverlap
    }

    /// Groups rows into blocks: a new block begins where the distance to the row above is well over the usual one.
    package static func blocks(of rows: [RecognizedLine]) -> [RecognizedBlock] {
        guard rows.count > 1 else { return rows.isEmpty ? [] : [RecognizedBlock(lines: rows)] }
        let pitches = zip(rows, rows.dropFirst()).map { $1.box.centerY - $0.box.centerY }
        let usual = pitches.ranked((pitches.count - 1) / 2)
        var blocks = [[rows[0]]]
        for (row, pitch) in zip(rows.dropFirst(), pitches) {
            if pitch > Tuning.blockDistance * usual {
                blocks.append([row])
            } else {
                blocks[blocks.count - 1].append(row)
            }
        }
        return blocks.map(RecognizedBlock.init(lines:))
    }
}

extension RowLayout {
    /// Whether a page was read, has print that was not read, or is empty.
    /// - Parameter share: the share of the page's print that was surely read.
    static func legibility(
        of rows: [RecognizedLine], on page: TextPage, share: Double?
    ) -> RecognizedText.Legibility {
        let characters = rows.reduce(0) { $0 + $1.words.reduce(0) { $0 + $1.text.count } }
        let sure = rows.contains {
            $0.words.contains {
                $0.confidence > Tuning.sureConfidence && $0.text.contains(where: isLetterOrDigit)
            }
        }
        let isNextToNothing =
            RecognizedText.sureCharacters(in: rows) < Tuning.fewCharacters
            && share.map { $0 < Tuning.leastShareRead } == true
        if characters > 0, sure, !isNextToNothing { return .readable }
        return page.marks.ink.share > Tuning.leastInk ? .unreadable : .empty
    }

    /// Returns the surely read letters and digits per mark of a letter's size, at most 1; nil where there are no such
    /// marks.
    static func shareRead(of rows: [RecognizedLine], on page: TextPage) -> Double? {
        let marks = page.rim?.print(among: page.marks.marks) ?? page.marks.marks
        let letters = PrintedRowFinder(marks: marks).letters.count
        return letters == 0 ? nil : min(RecognizedText.sureCharacters(in: rows) / Double(letters), 1)
    }

    private static func isLetterOrDigit(_ character: Character) -> Bool {
        character.isLetter || character.isNumber
    }
}

extension RecognizedLine {
    /// Forms rows of words in any order, from the top and each from left to right: for engines that find only words.
    ///
    /// Each word joins the row whose last word stands left of it and shares most of its height, if they share more than
    /// half of the smaller height; so rows may rise and fall a little.
    public static func rows(of words: [RecognizedWord]) -> [RecognizedLine] {
        var rows: [[RecognizedWord]] = []
        for word in words.sorted(by: { $0.box.left < $1.box.left }) {
            let shared = rows.map { row in row.last.map { RowLayout.sharedHeight($0.box, word.box) } ?? 0 }
            let nearest = rows.indices.max { shared[$0] < shared[$1] }
            if let nearest, shared[nearest] > ReadingTuning.Layout.leastSharedHeight {
                rows[nearest].append(word)
            } else {
                rows.append([word])
            }
        }
        return rows.map(RecognizedLine.init(words:)).sorted { $0.box.centerY < $1.box.centerY }
    }

    /// Whether the row is print. Pen strokes, stamps, specks and the rims of sheets are read as a few unsure
    /// characters, and rules as one sign repeated.
    var isPrint: Bool {
        typealias Tuning = ReadingTuning.Layout
        let confidence = confidence
        let count = words.reduce(0) { $0 + $1.text.count }
        let isSure =
            confidence > Tuning.surePrint || confidence * Double(count) > Tuning.leastSureCharacters
        return isSure && !isRule
    }

    /// Whether the row is a rule of one repeated sign, such as "=====" (which may be read as "SSSSsss"), not text.
    var isRule: Bool {
        let signs = words.map { $0.text.lowercased() }.joined()
        let different = Set(signs)
        typealias Tuning = ReadingTuning.Layout
        let drawn = signs.count { ["-", "=", "_", "~", "—", "–"].contains($0) }
        if Double(drawn) >= Tuning.shareOfRuleSigns * Double(signs.count) { return true }
        guard signs.count >= Tuning.leastRule, !different.contains(where: \.isNumber) else { return false }
        if different.count <= Tuning.mostSigns { return true }
        let counts = different.map { sign in signs.count { $0 == sign } }.sorted(by: >)
        let most = counts.prefix(Tuning.mostLettersOfRule).reduce(0, +)
        return confidence < Tuning.surelyLetters
            && Double(most) >= Tuning.shareOfLetters * Double(signs.count)
    }
}

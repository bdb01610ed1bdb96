import Imaging
import TextRecognition

/// Words of a business card that stand together in one row.
struct CardRow {
    let row: PrintedRow
    let box: Box
    /// The height of its letters in pixels, ascenders and descenders included where it has some.
    let height: Double
    /// The words in folded letters.
    let folded: [String]
    /// Whether a mail or web address or a telephone number stands in it.
    var holdsReach = false

    var text: String { row.text }

    init(_ words: [RecognizedWord]) {
        row = PrintedRow(words)
        box = ReceiptFieldParser.box(of: words)
        // The tallest word but one in a long row: accents and brackets make single words tall.
        let heights = words.map(\.box.height).sorted()
        height = heights[max(heights.count * 3 / 4 - 1, heights.count / 2)]
        folded = Vocabulary.words(of: row.text)
    }

    /// How many words are of a meaning.
    func count(_ meaning: CardWords.Meaning) -> Int { CardWords.shared.count(meaning, in: folded) }

    /// Whether another row stands close below, in the same column.
    func isAbove(_ other: CardRow, within gap: Double) -> Bool {
        let distance = other.box.top - box.bottom
        let overlap = min(box.right, other.box.right) - max(box.left, other.box.left)
        return other.box.top > box.centerY && distance < gap * max(height, other.height)
            && overlap > -max(height, other.height)
    }

    /// The words in capitals at its start, where words in small letters follow: "PETE HODGSON glorified typist". Nil where none do, or a
    /// name goes on with them.
    var capitalisedStart: CardRow? {
        let start = row.words.prefix { $0.text.first?.isUppercase == true }
        guard (2...4).contains(start.count), let next = row.words.dropFirst(start.count).first?.text,
            next.first?.isLowercase == true, !PersonName.isParticle(next)
        else { return nil }
        return CardRow(Array(start))
    }

    /// The parts that commas and bars divide: "Anna Huber | Director".
    var parts: [CardRow] {
        var parts: [[RecognizedWord]] = [[]]
        for word in row.words {
            if ["|", "-", "–", "—", "•", "·", "/", "I"].contains(word.text),
                !(word.text == "I" && parts.count > 1)
            {
                parts.append([])
                continue
            }
            parts[parts.count - 1].append(word)
            if word.text.hasSuffix(",") || word.text.hasSuffix("|") { parts.append([]) }
        }
        let filled = parts.filter { !$0.isEmpty }
        return filled.count < 2 ? [self] : filled.map(CardRow.init)
    }
}

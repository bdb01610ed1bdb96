import Imaging
import TextRecognition

/// Words of a business card that form one row.
struct CardRow {
    let row: RowText
    let box: Box
    /// The height of its letters in pixels, including ascenders and descenders if it has any.
    let height: Double
    /// The words in folded letters.
    let folded: [String]
    /// Whether the row holds a mail address, a web address or a telephone number.
    var holdsReach = false

    var text: String { row.text }

    init(_ words: [RecognizedWord]) {
        row = RowText(words)
        box = ReceiptFieldParser.box(of: words)
        // About the upper quartile, and at least the median: accents and brackets make single words tall.
        let heights = words.map(\.box.height).sorted()
        height = heights[max(heights.count * 3 / 4 - 1, heights.count / 2)]
        folded = Vocabulary.words(of: row.text)
    }

    /// Counts the words with this meaning.
    func count(_ meaning: CardWords.Meaning) -> Int { CardWords.shared.count(meaning, in: folded) }

    /// Whether another row is close below, in the same column.
    func isAbove(_ other: CardRow, within gap: Double) -> Bool {
        let distance = other.box.top - box.bottom
        let overlap = min(box.right, other.box.right) - max(box.left, other.box.left)
        return other.box.top > box.centerY && distance < gap * max(height, other.height)
            && overlap > -max(height, other.height)
    }

    /// The capitalised words at its start, if words in lower case follow: "PETE HODGSON glorified typist". Nil if none follow,
    /// or if the next word is a name particle.
    var capitalisedStart: CardRow? {
        let start = row.words.prefix { $0.text.first?.isUppercase == true }
        guard (2...4).contains(start.count), let next = row.words.dropFirst(start.count).first?.text,
            next.first?.isLowercase == true, !PersonName.isParticle(next)
        else { return nil }
        return CardRow(Array(start))
    }

    /// The parts of the row between commas and bars: "Anna Huber | Director".
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

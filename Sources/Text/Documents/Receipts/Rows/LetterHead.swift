import Imaging
import TextRecognition

/// The head of a letter, as invoices have one, above the table of what is sold: rows of it stand side by side, the seller's address
/// beside the buyer's.
struct LetterHead {
    /// The page's text, the head's columns one below the other, each a block.
    let text: RecognizedText

    /// The width of a letter's print in heights of its usual row, at least. Tills' rolls have 12 to 26 (84 photographs of receipts),
    /// invoices and letters as PDF 37 to 84 (210 files).
    private static let leastWidth = 32.0
    /// The paper between two columns in heights of a usual row, at least: blanks between words have a third.
    private static let leastGap = 2.0
    /// The paper between two rows of a block in heights of a usual row, at most.
    private static let greatestLeading = 1.2
    /// The columns of a head at most: more are a table's.
    private static let mostColumns = 3
    /// The captions that the heading of a table has at least.
    private static let fewestCaptions = 3

    /// The head of a page that is a letter; nil for any other.
    init?(_ text: RecognizedText, style: NumberStyle) {
        let lines = text.lines
        let metrics = PageMetrics(lines.map(\.box))
        guard metrics.bounds.width >= Self.leastWidth * metrics.usualHeight else { return nil }
        let cells = lines.prefix(Self.end(of: lines, style: style))
            .map { Self.cells(of: $0, gap: Self.leastGap * metrics.usualHeight, style: style) }
            .prefix { $0.count <= Self.mostColumns }
        guard cells.contains(where: { $0.count > 1 }) else {
            self.text = text
            return
        }
        var read = text
        read.blocks = Self.blocks(of: Array(cells), height: metrics.usualHeight)
        var place = 0
        for block in text.blocks {
            let rest = block.lines.dropFirst(max(cells.count - place, 0))
            if !rest.isEmpty { read.blocks.append(RecognizedBlock(lines: Array(rest))) }
            place += block.lines.count
        }
        self.text = read
    }

    /// How many lines stand above the table: up to its heading or, without one, to the first amount; none where there is no amount.
    private static func end(of lines: [RecognizedLine], style: NumberStyle) -> Int {
        lines.firstIndex { line in
            let tokens = Vocabulary.shared.tokens(of: line.text)
            let captions = Vocabulary.shared.findings(in: tokens, text: line.text).filter {
                $0.phrase.meaning == .columns
            }
            return Set(captions.map(\.tokens.lowerBound)).count >= fewestCaptions
        }
            ?? lines.firstIndex {
                let row = ReceiptRow(splitting: $0.words, style: style, acceptsBare: false)
                return row.amount?.isCertain == true && !row.holdsDate
            } ?? 0
    }

    /// The parts of a line that wide paper sets apart, but for a label and the number that it labels, and an amount.
    private static func cells(of line: RecognizedLine, gap: Double, style: NumberStyle) -> [RecognizedLine] {
        var cells: [[RecognizedWord]] = []
        for word in line.words {
            if let last = cells.last?.last, word.box.left - last.box.right < gap {
                cells[cells.count - 1].append(word)
            } else {
                cells.append([word])
            }
        }
        var joined: [[RecognizedWord]] = []
        for cell in cells {
            let isAmount = cell.count == 1 && PrintedAmount(cell[0].text, style: style)?.isCertain == true
            if let last = joined.last, isAmount || isLabel(last) && isLabelled(cell) {
                joined[joined.count - 1] += cell
            } else {
                joined.append(cell)
            }
        }
        return joined.map(RecognizedLine.init)
    }

    private static func text(of words: [RecognizedWord]) -> String {
        words.map(\.text).joined(separator: " ")
    }

    /// Whether a cell names a number, a day or a sum: "Invoice date", "Date of issue", "Kundennummer:".
    private static func isLabel(_ words: [RecognizedWord]) -> Bool {
        let text = text(of: words)
        if text.last == ":" { return true }
        guard !text.contains(where: \.isNumber) else { return false }
        let tokens = Vocabulary.shared.tokens(of: text)
        return Vocabulary.shared.findings(in: tokens, text: text).contains {
            labels.contains($0.phrase.meaning)
                && ($0.tokens.upperBound == tokens.count
                    || $0.tokens.lowerBound == 0 && tokens.count <= mostWordsOfLabel)
        }
    }

    private static let mostWordsOfLabel = 4
    private static let labels: Set<Meaning> = [
        .date, .time, .number, .invoice, .receipt, .order, .taxNumber, .registration, .phone, .fax, .mail,
        .web,
        .total, .payable, .subtotal, .paid,
    ]

    /// Whether a cell is what a label names: it has digits, and no label of its own.
    private static func isLabelled(_ words: [RecognizedWord]) -> Bool {
        let text = text(of: words)
        guard text.contains(where: \.isNumber), !text.contains(":") else { return false }
        let tokens = Vocabulary.shared.tokens(of: text)
        return !Vocabulary.shared.findings(in: tokens, text: text).contains {
            $0.tokens.lowerBound == 0 && labels.contains($0.phrase.meaning)
        }
    }

    /// Cells one below the other as blocks, in the order in which they begin.
    private static func blocks(of rows: [[RecognizedLine]], height: Double) -> [RecognizedBlock] {
        var blocks: [[RecognizedLine]] = []
        /// Those that the next row may go on.
        var open: [Int] = []
        for row in rows {
            var next: [Int] = []
            for cell in row {
                let above = open.filter { place in
                    guard let last = blocks[place].last else { return false }
                    let leading = cell.box.top - last.box.bottom
                    return leading < greatestLeading * height && leading > -height
                        && blocks[place].contains {
                            $0.box.left < cell.box.right && cell.box.left < $0.box.right
                        }
                }
                // What stands below two blocks is of neither.
                if above.count == 1, !next.contains(above[0]) {
                    blocks[above[0]].append(cell)
                    next.append(above[0])
                } else {
                    blocks.append([cell])
                    next.append(blocks.count - 1)
                }
            }
            // A block beside which others went on is open still.
            let top = row.map(\.box.top).min() ?? 0
            open =
                next
                + open.filter { place in
                    !next.contains(place)
                        && (blocks[place].last.map { top - $0.box.bottom < greatestLeading * height } ?? false)
                }
        }
        return blocks.map(RecognizedBlock.init)
    }
}

extension [ReceiptRow] {
    /// The rows of a letter that tell who buys: from their label to the end of its block, or all of the next one.
    /// - Parameter blocks: the letter's, whose lines the rows are.
    func ofBuyer(in blocks: [RecognizedBlock]) -> Set<Int> {
        var (found, place): (Set<Int>, Int) = ([], 0)
        var isLabelled = false
        for block in blocks {
            let lines = place..<(place + block.lines.count)
            place = lines.upperBound
            guard lines.upperBound <= count else { break }
            if isLabelled { found.formUnion(lines) }
            isLabelled = false
            guard let label = lines.first(where: { self[$0].names(LetterWords.shared.buyer) }) else {
                continue
            }
            found.formUnion(label..<lines.upperBound)
            isLabelled = label + 1 == lines.upperBound && !self[label].text.dropLast().contains(":")
        }
        return found
    }
}

extension ReceiptRow {
    /// Whether all of the row, or all before its colon, is phrases of a list.
    func names(_ phrases: Set<[String]>) -> Bool {
        LetterWords.areAll(Vocabulary.words(of: String(text.prefix { $0 != ":" })), in: phrases)
    }
}

import Imaging
import TextRecognition

/// A page that is a letter, as invoices are, and no till's strip: above the table of what is sold the seller's address stands beside
/// the buyer's, and below it the sums beside a table of taxes.
struct LetterPage {
    /// The page's text in the order in which it is meant: of the head each column a block, of the foot the sums below what is beside
    /// them.
    let text: RecognizedText

    /// The width of a letter's print in heights of its usual row, at least. Tills' rolls have 12 to 26 (84 photographs of receipts),
    /// invoices and letters as PDF 37 to 84 (210 files).
    private static let leastWidth = 32.0
    /// The paper between two columns in heights of a usual row, at least: blanks between words have a third.
    private static let leastGap = 2.0
    /// The paper between two rows of a block in heights of a usual row, at most.
    private static let greatestLeading = 1.2
    /// The columns of a head at most, and those without letters where there are so many: more are a table's.
    private static let (mostColumns, mostNumbers) = (4, 1)
    /// The captions that the heading of a table has at least.
    private static let fewestCaptions = 3

    /// A page that is a letter; nil for any other.
    /// - Parameter isInOrder: whether the text is in that order already, as that of pages that were read one by one.
    init?(_ text: RecognizedText, style: NumberStyle, isInOrder: Bool = false) {
        let lines = text.lines
        let metrics = PageMetrics(lines.map(\.box))
        guard metrics.bounds.width >= Self.leastWidth * metrics.usualHeight else { return nil }
        guard !isInOrder else {
            self.text = text
            return
        }
        let gap = Self.leastGap * metrics.usualHeight
        let end = Self.end(of: lines, style: style)
        let head = lines.prefix(end).map { Self.cells(of: $0, gap: gap, style: style) }
            .prefix { !Self.isOfTable($0) }
        var read = text
        read.blocks = []
        var place = 0
        if head.contains(where: { $0.count > 1 }) {
            read.blocks = Self.blocks(of: Array(head), height: metrics.usualHeight)
            place = head.count
        }
        var rest = 0
        for block in text.blocks {
            let lines = Array(block.lines.dropFirst(max(place - rest, 0)))
            // Of a page without a table nothing says where the foot begins.
            let parted = end == 0 ? lines : Self.sumsApart(in: lines, gap: gap, style: style)
            if !parted.isEmpty { read.blocks.append(RecognizedBlock(lines: parted)) }
            rest += block.lines.count
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

    private static func isOfTable(_ cells: [RecognizedLine]) -> Bool {
        cells.count > mostColumns
            || cells.count == mostColumns
                && cells.count { !$0.text.contains(where: \.isLetter) } > mostNumbers
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
            if let last = joined.last,
                isAmount || isLabel(last) && isLabelled(cell) || isValue(cell, of: last)
            {
                joined[joined.count - 1] += cell
            } else {
                joined.append(cell)
            }
        }
        return joined.map(RecognizedLine.init)
    }

    /// Lines with the sums that stand beside others, "VAT 20% 81.90 16.38" and "Total taxes 46.25", each in a row below them.
    private static func sumsApart(in lines: [RecognizedLine], gap: Double, style: NumberStyle)
        -> [RecognizedLine]
    {
        var (kept, others, sums): ([RecognizedLine], [RecognizedLine], [RecognizedLine]) = ([], [], [])
        for line in lines {
            if let place = startOfSum(in: line, gap: gap, style: style) {
                others.append(RecognizedLine(words: Array(line.words[..<place])))
                sums.append(RecognizedLine(words: Array(line.words[place...])))
            } else if let last = sums.last, line.box.left > last.box.left - gap {
                sums.append(line)
            } else if let last = sums.last, line.box.right < last.box.left {
                others.append(line)
            } else {
                kept += others + sums + [line]
                (others, sums) = ([], [])
            }
        }
        return kept + others + sums
    }

    /// The word with which a sum begins that wide paper parts from other words or sums before it; nil without one.
    private static func startOfSum(in line: RecognizedLine, gap: Double, style: NumberStyle) -> Int? {
        guard let last = line.words.last, last.text.contains(where: \.isNumber) || line.words.count > 3 else {
            return nil
        }
        return line.words.indices.dropFirst().first { place in
            guard line.words[place].box.left - line.words[place - 1].box.right >= gap,
                line.words[..<place].contains(where: { $0.text.contains(where: \.isLetter) })
            else { return false }
            let before = ReceiptRow(splitting: Array(line.words[..<place]), style: style, acceptsBare: false)
            let row = ReceiptRow(splitting: Array(line.words[place...]), style: style, acceptsBare: false)
            // Beside them stand captions or other sums, and no name of a thing.
            return row.amount?.isCertain == true && before.meanings.contains(anyOf: sums + [.columns])
                && row.findings.contains { $0.tokens.lowerBound == 0 && sums.contains($0.phrase.meaning) }
        }
    }

    /// What sums are called.
    private static let sums: [Meaning] = [
        .total, .payable, .subtotal, .exclusive, .inclusive, .tax, .discount, .rounding, .paid,
    ]

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

    /// Whether a cell is what stands behind a label's colon, "Name:" and "Oak and Ash", and no column beside "Bill to:".
    private static func isValue(_ words: [RecognizedWord], of label: [RecognizedWord]) -> Bool {
        guard label.last?.text.last == ":", !text(of: words).contains(":") else { return false }
        let named = Vocabulary.words(of: text(of: label))
        return !LetterWords.areAll(named, in: LetterWords.shared.buyer)
            && !LetterWords.areAll(named, in: LetterWords.shared.seller)
    }

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

import Imaging
import TextRecognition

/// A page that is a letter, as invoices are, and no till's strip: above the table of what is sold the seller's address stands beside
/// the buyer's, and below it the sums beside a table of taxes.
struct LetterPage {
    /// The page's text in the order in which it is meant: of the head each column a block, below it the sums below what is beside them.
    let text: RecognizedText

    /// The width of a letter's print in heights of its usual row, at least. Tills' rolls have 12 to 26 (84 photographs of receipts),
    /// invoices and letters as PDF 37 to 84 (210 files).
    private static let leastWidth = 32.0
    /// The paper between two columns in heights of a usual row, at least: blanks between words have a third.
    private static let leastGap = 2.0
    /// The paper between two rows of a block in heights of a usual row, at most. Between rows of the heads of 280 PDFs it is mostly up to
    /// 1.1, and 1.6 and more where a row is left blank.
    private static let greatestLeading = 1.2
    /// The columns of a head at most, as more are a table's; of so many one at most may be without letters.
    private static let (mostColumns, mostNumbers) = (4, 1)
    /// The captions that the heading of a table has at least: "Invoice date" and "Amount" stand in heads too.
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
        var passed = 0
        for block in text.blocks {
            let lines = Array(block.lines.dropFirst(max(place - passed, 0)))
            // Of a page without a table nothing says where the foot begins.
            let parted = end == 0 ? lines : Self.sumsApart(in: lines, gap: gap, style: style)
            if !parted.isEmpty { read.blocks.append(RecognizedBlock(lines: parted)) }
            passed += block.lines.count
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
        guard ReceiptRow(splitting: line.words, style: style, acceptsBare: false).amount?.isCertain == true
        else {
            return nil
        }
        let gaps = line.words.indices.dropFirst().filter {
            line.words[$0].box.left - line.words[$0 - 1].box.right >= gap
        }
        return gaps.suffix(mostGaps).first { place in
            guard line.words[..<place].contains(where: { $0.text.contains(where: \.isLetter) }) else {
                return false
            }
            let before = ReceiptRow(splitting: Array(line.words[..<place]), style: style, acceptsBare: false)
            let row = ReceiptRow(splitting: Array(line.words[place...]), style: style, acceptsBare: false)
            // Beside them stand captions or other sums, and no name of a thing.
            return row.amount?.isCertain == true && before.meanings.contains(anyOf: sums + [.columns])
                && row.findings.contains { $0.tokens.lowerBound == 0 && sums.contains($0.phrase.meaning) }
        }
    }

    /// Gaps from a line's end that are looked at: tables of taxes have four columns.
    private static let mostGaps = 6
    /// What sums are called.
    private static let sums: [Meaning] = [
        .total, .payable, .subtotal, .exclusive, .inclusive, .tax, .discount, .rounding, .paid,
    ]

    /// Whether a cell names a number, a day or a sum: "Invoice date", "Date of issue", "Kundennummer:".
    private static func isLabel(_ words: [RecognizedWord]) -> Bool {
        let text = RecognizedLine(words: words).text
        if text.last == ":" { return true }
        guard !text.contains(where: \.isNumber) else { return false }
        let tokens = Vocabulary.shared.tokens(of: text)
        return Vocabulary.shared.findings(in: tokens, text: text).contains {
            labels.contains($0.phrase.meaning)
                && ($0.tokens.upperBound == tokens.count
                    || $0.tokens.lowerBound == 0 && tokens.count <= mostWordsOfLabel)
        }
    }

    /// Words of a label at most: "Date of issue", "Numero de la factura".
    private static let mostWordsOfLabel = 4
    private static let labels: Set<Meaning> = [
        .date, .time, .number, .invoice, .receipt, .order, .taxNumber, .registration, .phone, .fax, .mail,
        .web,
        .total, .payable, .subtotal, .paid,
    ]

    /// Whether a cell is what stands behind a label's colon, "Name:" and "Oak and Ash", and no column beside "Bill to:".
    private static func isValue(_ words: [RecognizedWord], of label: [RecognizedWord]) -> Bool {
        guard label.last?.text.last == ":", !RecognizedLine(words: words).text.contains(":") else {
            return false
        }
        let named = Vocabulary.words(of: RecognizedLine(words: label).text)
        return !LetterWords.areAll(named, in: LetterWords.shared.buyer)
            && !LetterWords.areAll(named, in: LetterWords.shared.seller)
    }

    /// Whether a cell is what a label names: it has digits, and no label of its own.
    private static func isLabelled(_ words: [RecognizedWord]) -> Bool {
        let text = RecognizedLine(words: words).text
        guard text.contains(where: \.isNumber), !text.contains(":") else { return false }
        let tokens = Vocabulary.shared.tokens(of: text)
        return !Vocabulary.shared.findings(in: tokens, text: text).contains {
            $0.tokens.lowerBound == 0 && labels.contains($0.phrase.meaning)
        }
    }

    private static func overlap(_ one: RecognizedLine, _ other: RecognizedLine) -> Bool {
        one.box.left < other.box.right && other.box.left < one.box.right
    }

    /// Cells one below the other as blocks, in the order in which they begin.
    private static func blocks(of rows: [[RecognizedLine]], height: Double) -> [RecognizedBlock] {
        var blocks: [[RecognizedLine]] = []
        /// Those that the next row may go on.
        var open: [Int] = []
        for row in rows {
            var next: [Int] = []
            for cell in row {
                var above = open.filter { place in
                    guard let last = blocks[place].last else { return false }
                    let leading = cell.box.top - last.box.bottom
                    return leading < greatestLeading * height && leading > -height
                        && blocks[place].contains { overlap($0, cell) }
                }
                if above.count > 1 {
                    above = above.filter { blocks[$0].last.map { overlap($0, cell) } ?? false }
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
    /// The rows of a letter that tell who buys: from their label to the end of its block, or to a label of who sells; where nothing stands
    /// below it there, the next block that does.
    /// - Parameter blocks: the letter's, whose lines the rows are.
    func ofBuyer(in blocks: [RecognizedBlock]) -> Set<Int> {
        var places: [Range<Int>] = []
        for block in blocks {
            places.append((places.last?.upperBound ?? 0)..<(places.last?.upperBound ?? 0) + block.lines.count)
        }
        guard places.last?.upperBound ?? 0 <= count else { return [] }
        var found: Set<Int> = []
        for (index, lines) in places.enumerated() {
            guard let label = lines.first(where: { self[$0].names(LetterWords.shared.buyer) }) else {
                continue
            }
            let end =
                lines.first { $0 > label && self[$0].names(LetterWords.shared.seller) } ?? lines.upperBound
            found.formUnion(label..<end)
            guard label + 1 == lines.upperBound, !self[label].text.dropLast().contains(":") else { continue }
            let below = blocks.indices.first {
                $0 > index && blocks[$0].box.left < self[label].box.right
                    && self[label].box.left < blocks[$0].box.right
            }
            if let below { found.formUnion(places[below]) }
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

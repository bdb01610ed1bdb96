import Imaging
import TextRecognition

/// A page that is a letter, such as an invoice, and not a till's strip. Above the table of items the seller's address stands
/// beside the buyer's; below it the sums stand beside a table of taxes.
struct LetterPage {
    /// The page's text in reading order: each column of the head is a block, and below it sums follow what stands beside them.
    let text: RecognizedText

    /// Least width of a letter's print, in heights of its usual row. Tills' rolls have 12 to 26 (84 photographs of receipts),
    /// invoices and letters as PDF 37 to 84 (210 files).
    private static let leastWidth = 32.0
    /// Least gap between two columns, in heights of a usual row; blanks between words have a third of a height.
    private static let leastGap = 2.0
    /// Largest gap between two rows of a block, in heights of a usual row. Between rows of the heads of 280 PDFs it is mostly up
    /// to 1.1, and 1.6 and more where a row is left blank.
    private static let greatestLeading = 1.2
    /// Most columns of a head, because more are a table's; and how many of that many may be without letters.
    private static let (mostColumns, mostNumbers) = (4, 1)
    /// Fewest captions in the heading of a table: "Invoice date" and "Amount" stand in heads too.
    private static let fewestCaptions = 3

    /// A page that is a letter; nil for any other.
    /// - Parameter isInOrder: whether the text is in reading order already, like that of pages that were read one by one.
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
            // Without a table nothing tells where the foot begins.
            let parted = end == 0 ? lines : Self.sumsApart(in: lines, gap: gap, style: style)
            if !parted.isEmpty { read.blocks.append(RecognizedBlock(lines: parted)) }
            passed += block.lines.count
        }
        self.text = read
    }

    /// Number of lines above the table: up to its heading or, without one, to the first amount; 0 where there is no amount.
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

    /// Splits a line at wide gaps, but keeps a label with the value behind it, and an amount with what stands before it.
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

    /// Moves sums that stand beside others, "VAT 20% 81.90 16.38" and "Total taxes 46.25", into rows of their own below them.
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

    /// Index of the word that begins a sum behind a wide gap, with other words or sums before it; nil if there is none.
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
            // Before such a sum stand captions or other sums, and no item's name.
            return row.amount?.isCertain == true && before.meanings.contains(anyOf: sums + [.columns])
                && row.findings.contains { $0.tokens.lowerBound == 0 && sums.contains($0.phrase.meaning) }
        }
    }

    /// Number of gaps that are tried, from a line's end: tables of taxes have four columns.
    private static let mostGaps = 6
    /// Meanings of words for sums.
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

    /// Most words of a label: "Date of issue", "Numero de la factura".
    private static let mostWordsOfLabel = 4
    private static let labels: Set<Meaning> = [
        .date, .time, .number, .invoice, .receipt, .order, .taxNumber, .registration, .phone, .fax, .mail,
        .web,
        .total, .payable, .subtotal, .paid,
    ]

    /// Whether a cell is the value of a label with a colon, "Oak and Ash" behind "Name:", and not a column beside "Bill to:".
    private static func isValue(_ words: [RecognizedWord], of label: [RecognizedWord]) -> Bool {
        guard label.last?.text.last == ":", !RecognizedLine(words: words).text.contains(":") else {
            return false
        }
        let named = Vocabulary.words(of: RecognizedLine(words: label).text)
        return !LetterWords.areAll(named, in: LetterWords.shared.buyer)
            && !LetterWords.areAll(named, in: LetterWords.shared.seller)
    }

    /// Whether a cell is the value of a label: it has digits, and no label of its own.
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

    /// Joins cells below one another to blocks, ordered by their first cells.
    private static func blocks(of rows: [[RecognizedLine]], height: Double) -> [RecognizedBlock] {
        var blocks: [[RecognizedLine]] = []
        /// The blocks that the next row may continue.
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
                // A cell below two blocks belongs to neither.
                if above.count == 1, !next.contains(above[0]) {
                    blocks[above[0]].append(cell)
                    next.append(above[0])
                } else {
                    blocks.append([cell])
                    next.append(blocks.count - 1)
                }
            }
            // A block that the row did not continue stays open if the row is close below it.
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
    /// The rows of a letter that name the buyer: from the buyer's label to the end of its block, or to a seller's label. Where
    /// nothing stands below the label in its block, the next block below it is included.
    /// - Parameter blocks: the letter's blocks, whose lines are the rows.
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
    /// Whether the row, or its part before a colon, consists of phrases of a list.
    func names(_ phrases: Set<[String]>) -> Bool {
        LetterWords.areAll(Vocabulary.words(of: String(text.prefix { $0 != ":" })), in: phrases)
    }
}

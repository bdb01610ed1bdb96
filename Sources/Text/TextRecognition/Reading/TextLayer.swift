package import Diagnostics
import Imaging
import PrintDetection

/// The words that a document itself holds for a page, checked against what the page shows.
///
/// Programs that write documents know their words. Yet a layer may belong to another page, come from a poor recognition
/// of a scan long ago, or use fonts whose codes are no characters. So a layer is accepted only where its words lie on
/// print, consist of characters, and agree with a few rows that are read to compare. Print without words in the layer,
/// as in a picture on the page, is read.
package struct TextLayer: Sendable {
    /// The words, with their places on the page that is read.
    package var words: [RecognizedWord]

    /// A layer of words in any order.
    package init(words: [RecognizedWord]) { self.words = words }

    /// Thresholds that separate a good layer from bad ones on a few pages made for this: a shifted one, one of wrong
    /// codes, one of other words. Not measured on real documents.
    private enum Tuning {
        /// No page has more words than this: A4 in letters of 4 points takes 6,000.
        static let mostWords = 10_000
        /// Least share of the words that lie on print.
        static let leastOnPrint = 0.6
        /// Greatest share of meaningless characters: replacement characters, control codes, codes of private use.
        static let mostMeaningless = 0.05
        /// Rows that are read to compare; fewest and most letters and digits that are compared of each; and the least
        /// share of these that is read in the same order. Rows of other words share 0.3.
        static let comparedRows = 3
        static let leastCompared = 8
        static let mostCompared = 120
        static let leastAlike = 0.5
        /// Least share of plain Latin characters for a row to be compared: not every engine reads others.
        static let leastLatin = 0.8
        /// Letters without words, and their share of all letters, from which on the page is read too.
        static let leastLettersLeft = 12
        static let leastShareLeft = 0.03
        /// How far the piece that is read reaches above and below a row's box, as a share of the row's height.
        static let reach = 0.15
        /// Side of the cells by which words and letters are compared, in pixels.
        static let cell = 4
    }

    /// What was decided about a layer.
    package enum Outcome: Equatable, Sendable {
        /// Its words are the page's text.
        case taken
        /// Its words are part of the page's text, and the rest of the print was read.
        case completed
        /// It was refused for this reason, and the page was read.
        case refused(String)
    }

    /// Returns the page's text: the layer's, as far as it is good.
    /// - Throws: what the engine throws.
    package func text(
        of page: TextPage, recognizer: TextRecognizer, context: ReadingContext
    ) throws(FlatteningError) -> (text: RecognizedText, outcome: Outcome) {
        let letters = PrintedRowFinder(marks: page.marks.marks).letters.map(\.box)
        let rows = words.count <= Tuning.mostWords ? RecognizedLine.rows(of: words) : []
        if let fault = try fault(
            of: rows, letters: letters, page, recognizer.engine.ofLatinLetters, context)
        {
            return (try recognizer.recognize(page, context: context), .refused(fault))
        }
        let covered = Cells(of: words.map(\.box), on: page.picture.size)
        let left = letters.count { !covered.contains($0.centerX, $0.centerY) }
        guard left >= Tuning.leastLettersLeft,
            Double(left) >= Tuning.leastShareLeft * Double(letters.count)
        else {
            return (text(of: rows, page, recognizer), .taken)
        }
        let read = try recognizer.recognize(page, context: context)
        let others = read.words.filter { !covered.contains($0.box.centerX, $0.box.centerY) }
        var text = text(of: RecognizedLine.rows(of: words + others), page, recognizer)
        text.unreadRows = read.unreadRows
        return (text, others.isEmpty ? .taken : .completed)
    }

    private func text(
        of rows: [RecognizedLine], _ page: TextPage, _ recognizer: TextRecognizer
    ) -> RecognizedText {
        RecognizedText(
            blocks: RowLayout.blocks(of: rows), pageSize: page.picture.size,
            pixelsPerMillimeter: page.pixelsPerMillimeter,
            language: recognizer.engine.languages.joined(separator: "+"),
            legibility: rows.isEmpty ? .empty : .readable, reader: recognizer.engine.name)
    }

    /// Returns why the layer is refused; nil if it is good.
    private func fault(
        of rows: [RecognizedLine], letters: [Box], _ page: TextPage, _ engine: any TextEngine,
        _ context: ReadingContext
    ) throws(FlatteningError) -> String? {
        guard words.count <= Tuning.mostWords else {
            return "it has \(words.count) words, more than a page can"
        }
        let characters = words.flatMap(\.text.unicodeScalars)
        let meaningless = characters.count(where: Self.isMeaningless)
        guard Double(meaningless) <= Tuning.mostMeaningless * Double(characters.count) else {
            return "\(meaningless) of its \(characters.count) characters are none"
        }
        let print = Cells(of: letters, on: page.picture.size)
        let onPrint = words.count { print.touches($0.box) }
        guard Double(onPrint) >= Tuning.leastOnPrint * Double(words.count) else {
            return "\(words.count - onPrint) of its \(words.count) words do not lie on print"
        }
        let alike = try likeness(of: rows, page, engine, context)
        guard alike.map({ $0 >= Tuning.leastAlike }) ?? true else {
            return "the page's rows read otherwise"
        }
        return nil
    }

    private static func isMeaningless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .privateUse, .surrogate, .unassigned: true
        default: scalar == "\u{FFFD}"
        }
    }

    // MARK: - Reading to compare

    /// Returns the share of the layer's longest rows that is read as they say; nil where none can be compared.
    private func likeness(
        of rows: [RecognizedLine], _ page: TextPage, _ engine: any TextEngine, _ context: ReadingContext
    ) throws(FlatteningError) -> Double? {
        let rows = rows.map { (row: $0, signs: Self.signs(in: $0.text)) }
            .filter { $0.signs.count >= Tuning.leastCompared && Self.isLatin($0.signs) }
            .sorted { $0.signs.count > $1.signs.count }.prefix(Tuning.comparedRows)
        var (common, all) = (0, 0)
        for (row, signs) in rows {
            let reach = row.box.height * Tuning.reach
            guard
                let piece = page.picture.piece(
                    Box(
                        left: row.box.left - row.box.height, top: row.box.top - reach,
                        right: row.box.right + row.box.height, bottom: row.box.bottom + reach))
            else { continue }
            let read = try engine.lines(on: TextPage(piece), context: context)
            let other = Self.signs(in: read.map(\.text).joined())
            guard !other.isEmpty, Self.isLatin(other) else { continue }
            common += Self.commonCount(signs, other)
            all += signs.count
        }
        return all == 0 ? nil : Double(common) / Double(all)
    }

    /// Returns the letters and digits of a row, by which it is compared.
    private static func signs(in text: String) -> [Character] {
        Array(text.lowercased().filter { $0.isLetter || $0.isNumber }.prefix(Tuning.mostCompared))
    }

    private static func isLatin(_ signs: [Character]) -> Bool {
        Double(signs.count(where: \.isASCII)) >= Tuning.leastLatin * Double(signs.count)
    }

    /// Returns how many signs two rows have in common in the same order: the length of their longest common
    /// subsequence.
    private static func commonCount(_ a: [Character], _ b: [Character]) -> Int {
        var last = [Int](repeating: 0, count: b.count + 1)
        for sign in a {
            var diagonal = 0
            for index in b.indices {
                let above = last[index + 1]
                last[index + 1] = sign == b[index] ? diagonal + 1 : max(above, last[index])
                diagonal = above
            }
        }
        return last[b.count]
    }

    /// Which parts of a page are covered by boxes, to within a few pixels.
    private struct Cells {
        private let columns: Int
        private let rows: Int
        private var covered: [Bool]

        init(of boxes: [Box], on size: PixelSize) {
            (columns, rows) = (size.width / Tuning.cell + 1, size.height / Tuning.cell + 1)
            covered = [Bool](repeating: false, count: columns * rows)
            for box in boxes {
                let across = Self.range(box.left, box.right, columns)
                for row in Self.range(box.top, box.bottom, rows) {
                    for column in across { covered[row * columns + column] = true }
                }
            }
        }

        private static func range(_ from: Double, _ to: Double, _ count: Int) -> Range<Int> {
            func cell(_ place: Double) -> Int {
                Int(min(max(place / Double(Tuning.cell), 0), Double(count)))
            }
            return cell(from)..<max(min(cell(to) + 1, count), cell(from))
        }

        func contains(_ x: Double, _ y: Double) -> Bool { touches(Box(left: x, top: y, right: x, bottom: y)) }

        func touches(_ box: Box) -> Bool {
            let across = Self.range(box.left, box.right, columns)
            return Self.range(box.top, box.bottom, rows).contains { row in
                across.contains { covered[row * columns + $0] }
            }
        }
    }
}

extension GrayImage {
    /// Returns the part of the image inside a box; nil if it is empty.
    fileprivate func piece(_ box: Box) -> GrayImage? {
        func side(_ from: Double, _ to: Double, _ count: Int) -> Range<Int> {
            let first = Int(min(max(from.rounded(.down), 0), Double(count)))
            return first..<max(Int(min(max(to.rounded(.up), 0), Double(count))), first)
        }
        let (columns, rows) = (side(box.left, box.right, width), side(box.top, box.bottom, height))
        guard !columns.isEmpty, !rows.isEmpty else { return nil }
        var piece = GrayImage(width: columns.count, height: rows.count, filledWith: 255)
        for (index, y) in rows.enumerated() {
            for (place, x) in columns.enumerated() { piece[x: place, y: index] = self[x: x, y: y] }
        }
        return piece
    }
}

public import TextRecognition
import Imaging
import Platform

/// A receipt together with the pages of its document that it covers.
///
/// A page continues the one before it where the print says so: by page numbers ("2 of 3"), by the same receipt or invoice number,
/// or by a sum that is carried over. It also does so if it has a total but no head of its own, and the page before ends without a
/// total.
public struct PagedReceipt: Sendable {
    /// Which pages of a document are one receipt.
    public enum Joining: String, CaseIterable, Codable, Sendable {
        /// Joins pages where the print says that they are one receipt.
        case auto
        /// Joins all pages.
        case all
        /// Makes each page a receipt of its own.
        case none
    }

    /// What was read on one page of a document.
    public struct Page: Codable, Sendable {
        /// Its number in the document, from 1.
        public var number: Int
        /// What was read on it.
        public var text: RecognizedText

        /// A page from its parts.
        public init(number: Int, text: RecognizedText) {
            self.number = number
            self.text = text
        }
    }

    /// The numbers of its pages, ascending, at least one.
    public let pages: [Int]
    /// The receipt's fields; where it has several pages, each value has its `page`, and its box is on that page.
    public let fields: ReceiptFields

    /// Groups pages, in their order, into receipts; each page is in one of them. O(words).
    public static func receipts(
        on pages: [Page], joining: Joining = .auto
    ) -> [PagedReceipt] {
        receipts(on: pages, joining: joining, context: ReceiptContext())
    }

    /// The same, with what is known about the receipts besides the print.
    package static func receipts(
        on pages: [Page], joining: Joining, context: ReceiptContext
    ) -> [PagedReceipt] {
        var groups: [[ReadPage]] = []
        for page in pages {
            let read = ReadPage(page, context: context)
            if let last = groups.last?.last, joins(last, read, joining) {
                groups[groups.count - 1].append(read)
            } else {
                groups.append([read])
            }
        }
        return groups.map { PagedReceipt(of: $0, context: context) }
    }

    private static func joins(_ last: ReadPage, _ next: ReadPage, _ joining: Joining) -> Bool {
        switch joining {
        case .all: true
        case .none: false
        case .auto: next.continues(last)
        }
    }

    private init(of group: [ReadPage], context: ReceiptContext) {
        pages = group.map(\.page.number)
        if group.count == 1 {
            fields = group[0].fields
        } else {
            let joined = JoinedText(group)
            var parser = ReceiptFieldParser(text: joined.text, context: context, isWhole: true)
            fields = parser.parse().onPages { joined.place(of: $0) }
        }
    }
}

/// A page with the fields read from it alone.
struct ReadPage {
    /// The page, its text in the order of the rows.
    let page: PagedReceipt.Page
    let rows: [ReceiptRow]
    let marks: PageNumbering
    let fields: ReceiptFields
    /// Whether the page has a date of its own, and not only those of orders, deliveries and payments.
    private let hasOwnDay: Bool
    private let isLetter: Bool

    init(_ page: PagedReceipt.Page, context: ReceiptContext) {
        var parser = ReceiptFieldParser(text: page.text, context: context)
        self.page = PagedReceipt.Page(number: page.number, text: parser.text)
        fields = parser.parse()
        hasOwnDay = fields.date != nil && !parser.tellsOtherDaysAlone
        rows = parser.rows
        isLetter = parser.isLetter
        marks = parser.marks
    }

    private var saysTotal: Bool { rows.contains { $0.saysTotal && $0.amount != nil } }
    private var documentNumber: String? { (fields.invoiceNumber ?? fields.receiptNumber)?.value }

    /// The tokens of rows whose numbers distinguish this receipt from others of its shop.
    private var numberRows: Set<[String]> {
        Set(
            rows.filter { row in
                row.meanings.contains(anyOf: [.invoice, .receipt, .order]) && !row.holdsDate
                    && !row.meanings.contains(anyOf: [.taxNumber, .registration, .phone])
                    && row.tokens.contains {
                        $0.count >= Self.shortestNumber && $0.contains(where: \.isNumber)
                    }
            }.map(\.tokens))
    }

    /// Fewest digits and letters of a number that two receipts do not share by chance.
    private static let shortestNumber = 4

    /// Whether the last sum of the page before is the first of this one, and both call it carried over.
    private func carriesOn(from last: ReadPage) -> Bool {
        func sum(_ row: ReceiptRow?) -> Decimal? {
            guard let row, let amount = row.amount,
                PageWords.shared.carries(Vocabulary.words(of: row.labelText), isAtEnd: true)
            else { return nil }
            return amount.value
        }
        let out = sum(last.rows.last { $0.amount != nil })
        return out != nil && out == sum(rows.first { $0.amount != nil })
    }

    /// Whether this page's head differs from another page's.
    private func isUnlike(_ other: ReadPage) -> Bool {
        func differ(_ one: String?, _ two: String?) -> Bool { one != nil && two != nil && one != two }
        return differ(documentNumber, other.documentNumber)
            || differ(fields.date?.value, other.fields.date?.value)
            || differ(fields.merchant?.value, other.fields.merchant?.value)
    }

    /// Whether this page belongs to the same receipt as the one before it.
    func continues(_ last: ReadPage) -> Bool {
        guard !rows.isEmpty, !last.rows.isEmpty else { return false }
        if let own = marks.number, let before = last.marks.number {
            guard own.number == before.number + 1 else { return false }
            // Pages with the same page count may still be separate receipts of a pile.
            if let count = own.count, let countBefore = before.count {
                return count == countBefore && !(last.saysTotal && saysTotal && isUnlike(last))
            }
            return !last.saysTotal
        }
        if marks.number?.number == 1 { return false }
        if let before = last.marks.number, before.number == before.count { return false }
        // The same receipt twice: the shop's copy and the customer's.
        if let own = fields.total?.value, own == last.fields.total?.value { return false }
        if !numberRows.isDisjoint(with: last.numberRows) || carriesOn(from: last) { return true }
        if let own = documentNumber, let before = last.documentNumber { return own == before }
        if last.marks.goesOn || marks.isContinuation { return true }
        // The page before has items, or the head of an invoice, and no total; this page has a total and no head.
        let isOpen = !last.fields.items.isEmpty || last.isLetter && last.documentNumber != nil
        return isOpen && !last.saysTotal && saysTotal
            && !hasOwnDay && documentNumber == nil && !hasOtherSeller(than: last)
    }

    /// Whether the page has another seller than the one before it. On a letter's further pages a caption may look like a name, so
    /// there only a name with a legal form counts.
    private func hasOtherSeller(than last: ReadPage) -> Bool {
        guard let own = fields.merchant?.value, own != last.fields.merchant?.value else { return false }
        return !isLetter
            || Vocabulary.shared.phrases(ofName: own).findings.contains { $0.phrase.meaning == .company }
    }
}

/// The text of a receipt's pages, one below the other as on one long sheet, without what pages repeat and carry over.
struct JoinedText {
    let text: RecognizedText
    private let parts: [Part]

    /// A page's place in the joined text.
    private struct Part {
        let number: Int
        /// The page's top edge, in pixels of the first page.
        let top: Double
        /// Pixels of the first page for each pixel of this page.
        let scale: Double
    }

    init(_ pages: [ReadPage]) {
        var (blocks, parts): ([RecognizedBlock], [Part]) = ([], [])
        var (top, width) = (0.0, 0)
        let first = pages[0].page.text
        var seen: Set<[String]> = []
        for (index, page) in pages.enumerated() {
            let own = page.page.text
            let scale: Double =
                if let wanted = first.pixelsPerMillimeter, let density = own.pixelsPerMillimeter {
                    wanted / density
                } else {
                    Double(first.pageWidth) / Double(max(own.pageWidth, 1))
                }
            parts.append(Part(number: page.page.number, top: top, scale: scale))
            let left = page.leftOut(
                after: seen, isFirst: index == 0, isLast: index + 1 == pages.count)
            var place = 0
            for block in own.blocks {
                var lines: [RecognizedLine] = []
                for line in block.lines {
                    if !left.contains(place) { lines.append(line.moved(by: top, scale: scale)) }
                    place += 1
                }
                if !lines.isEmpty { blocks.append(RecognizedBlock(lines: lines)) }
            }
            seen.formUnion(page.rows.map(\.tokens))
            width = max(width, Int(Double(own.pageWidth) * scale))
            top += Double(own.pageHeight) * scale
        }
        self.parts = parts
        text = RecognizedText(
            blocks: blocks, pageSize: PixelSize(width: max(width, 1), height: max(Int(top), 1)),
            pixelsPerMillimeter: first.pixelsPerMillimeter, language: first.language,
            legibility: first.legibility, reader: first.reader)
    }

    /// The page that a box of the joined text stands on, and the box on that page.
    func place(of box: Box) -> (page: Int, box: Box) {
        let part = parts.last { $0.top <= box.centerY } ?? parts[0]
        return (
            part.number,
            Box(
                left: box.left / part.scale, top: (box.top - part.top) / part.scale,
                right: box.right / part.scale, bottom: (box.bottom - part.top) / part.scale)
        )
    }
}

extension ReadPage {
    /// The rows that are left out of the joined text: rows without an amount that an earlier page has too, such as running heads
    /// and feet; page numbers; and sums that are carried from page to page.
    fileprivate func leftOut(after seen: Set<[String]>, isFirst: Bool, isLast: Bool) -> Set<Int> {
        let amounts = rows.indices.filter { rows[$0].amount != nil }
        return Set(
            rows.indices.filter { index in
                let row = rows[index]
                if row.amount == nil {
                    return seen.contains(row.tokens) || PageNumbering.isNumberAlone(row)
                        || marks.carriedRows.contains(index)
                }
                let isAtEnd = index == amounts.first && !isFirst || index == amounts.last && !isLast
                return PageWords.shared.carries(
                    Vocabulary.words(of: row.labelText), isAtEnd: isAtEnd)
            })
    }
}

extension RecognizedLine {
    fileprivate func moved(by top: Double, scale: Double) -> RecognizedLine {
        RecognizedLine(
            words: words.map { word in
                var moved = word
                moved.box = Box(
                    left: word.box.left * scale, top: word.box.top * scale + top,
                    right: word.box.right * scale, bottom: word.box.bottom * scale + top)
                return moved
            })
    }
}

extension ReceiptFields {
    /// Returns the fields with each box placed on its page.
    fileprivate func onPages(_ place: (Box) -> (page: Int, box: Box)) -> ReceiptFields {
        var moved = self
        func move<Value>(_ field: inout Field<Value>?) {
            guard let box = field?.box else { return }
            let found = place(box)
            field?.page = found.page
            field?.box = found.box
        }
        for name in ReceiptFieldName.allCases {
            switch name.property {
            case .text(let path): move(&moved[keyPath: path])
            case .amount(let path): move(&moved[keyPath: path])
            }
        }
        for index in moved.items.indices {
            let found = place(items[index].box)
            (moved.items[index].page, moved.items[index].box) = (found.page, found.box)
        }
        for index in moved.taxLines.indices {
            let found = place(taxLines[index].box)
            (moved.taxLines[index].page, moved.taxLines[index].box) = (found.page, found.box)
        }
        for index in moved.payments.indices {
            let found = place(payments[index].box)
            (moved.payments[index].page, moved.payments[index].box) = (found.page, found.box)
        }
        return moved
    }
}

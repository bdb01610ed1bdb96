import Imaging
import TextRecognition
import Platform

/// Picks the fields out of a receipt's rows.
///
/// The row model says what each row is for; rules of grammar (dates, amounts, numbers) read the value; sums, payment and tax
/// say which of several totals is meant. What is not sure enough is left out.
struct ReceiptFieldParser {
    /// What was read, in the order in which it is meant: a letter's head column by column.
    let text: RecognizedText
    /// Whether the page is a letter, as invoices are.
    let isLetter: Bool
    let style: NumberStyle
    let rows: [ReceiptRow]
    /// Whether most of the print was not read: only what words say counts, for the look of the rest is that of other words.
    let isMostlyUnread: Bool
    /// The rows of a letter that say who buys.
    let buyerRows: Set<Int>
    /// What the page says of its place among others.
    let marks: PageMarks
    /// The currencies' signs on the page.
    let signs: CurrencySigns
    /// The country that the page is from, where that is clear.
    let country: (country: Country, lead: Int)?
    /// Where it may be from.
    let origin: Country.Origin?
    var fields = ReceiptFields()
    /// Rows among the items whose amounts are in other items' already.
    var asides: Set<Int> = []
    /// What spoke for each field, given or not.
    private(set) var evidence: [ReceiptFieldName: Evidence] = [:]
    /// How sure fields are that its reader's words speak for.
    let calibration: Calibration
    /// What is known besides the print.
    let context: ReceiptContext
    private let givesAll: Bool

    /// - Parameters:
    ///   - context: what is known besides the print.
    ///   - isWhole: whether the text is a receipt's from its head to its end, whatever it says of pages.
    ///   - givesAll: also gives what is not sure, for calibration.
    init(
        text: RecognizedText, context: ReceiptContext, isWhole: Bool = false, givesAll: Bool = false
    ) {
        self.context = context
        self.givesAll = givesAll
        calibration = Calibration.of(reader: text.reader)
        isMostlyUnread = text.isMostlyUnread
        style = NumberStyle(words: text.words.map(\.text))
        let letter = LetterPage(text, style: style, isInOrder: isWhole)
        let text = letter?.text ?? text
        (self.text, isLetter) = (text, letter != nil)
        var rows = [ReceiptRow].classified(text, style: style)
        marks = isWhole ? .none : PageMarks(rows)
        if !isMostlyUnread { rows.takeThings(style: style) }
        for index in marks.carriedRows where rows[index].amount != nil { rows[index].setAside() }
        self.rows = rows
        buyerRows = isLetter ? rows.ofBuyer(in: text.blocks) : []
        let printed = CurrencySigns(rows, style: style)
        origin = Country.origin(of: rows, signs: printed)
        country = origin.flatMap { $0.lead > 0 ? ($0.country, $0.lead) : nil }
        signs = printed.read(in: country?.country.code)
    }

    mutating func parse() -> ReceiptFields {
        findDateAndTime()
        findCurrency()
        findPlace()
        findItems()
        findSums()
        takeFormerCurrency()
        findSeller()
        findContact()
        findPayment()
        findReceiptNumber()
        leaveOutUnreadItems()
        compareSums()
        findBrand()
        fields.missing = reasonsForMissing()
        return fields
    }

    /// A field from what speaks for it; nil if that is too little.
    mutating func field<Value>(
        _ name: ReceiptFieldName, _ value: Value, _ found: Evidence
    ) -> ReceiptFields.Field<Value>? {
        evidence[name] = found
        let confidence = calibration.confidence(name, found)
        guard givesAll || confidence >= calibration.leastConfidence(name) else { return nil }
        return .init(
            value: value, confidence: confidence, printed: found.words.map(\.text).joined(separator: " "),
            box: Self.box(of: found.words))
    }

    static func box(of words: [RecognizedWord]) -> Box {
        Box.enclosing(words.lazy.map(\.box)) ?? Box(left: 0, top: 0, right: 0, bottom: 0)
    }

    /// The rows of a class, with their places on the page.
    func rows(_ classes: RowClass...) -> [(index: Int, row: ReceiptRow)] {
        rows.indices.filter { classes.contains(rows[$0].rowClass) }.map { ($0, rows[$0]) }
    }
}

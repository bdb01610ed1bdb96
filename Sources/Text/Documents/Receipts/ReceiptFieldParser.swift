import Imaging
import TextRecognition
import Platform

/// Picks the fields out of a receipt's rows.
///
/// The row model says what each row is for; rules of grammar (dates, amounts, numbers) read the value; sums, payment and tax
/// say which of several totals is meant. What is not sure enough is left out.
struct ReceiptFieldParser {
    /// The text in reading order: a letter's head column by column.
    let text: RecognizedText
    /// Whether the page is a letter, as invoices are.
    let isLetter: Bool
    let style: NumberStyle
    let rows: [ReceiptRow]
    /// Whether most of the print was not read. Then only what words say counts, because the rest looks like other words.
    let isMostlyUnread: Bool
    /// The rows of a letter that name the buyer.
    let buyerRows: Set<Int>
    /// What the page tells about its place among other pages.
    let marks: PageNumbering
    /// The currencies' signs on the page.
    let signs: CurrencySigns
    /// The country that the page is from and its lead over the next one, in marks; nil where that is not clear.
    let country: (country: Country, lead: Int)?
    /// Where the page may be from; nil where too little tells.
    let origin: Country.Origin?
    var fields = ReceiptFields()
    /// Rows among the items whose amounts other items already include.
    var asides: Set<Int> = []
    /// The evidence for each field, whether it is given or not.
    private(set) var evidence: [ReceiptFieldName: Evidence] = [:]
    /// Computes confidences for words of the engine that read the text.
    let calibration: Calibration
    /// What is known besides the print.
    let context: ReceiptContext
    private let givesAll: Bool
    private let isWhole: Bool
    /// What other readers read on the page.
    private let otherReadings: [RecognizedText]

    /// - Parameters:
    ///   - context: what is known besides the print.
    ///   - isWhole: whether the text is a complete receipt, whatever it says about pages.
    ///   - givesAll: whether fields that are not sure enough are given too, for calibration.
    init(
        text: RecognizedText, context: ReceiptContext, isWhole: Bool = false, givesAll: Bool = false
    ) {
        self.context = context
        self.givesAll = givesAll
        self.isWhole = isWhole
        otherReadings = text.otherReadings ?? []
        calibration = Calibration.of(reader: text.reader)
        isMostlyUnread = text.isMostlyUnread
        style = NumberStyle(words: text.words.map(\.text))
        let letter = LetterPage(text, style: style, isInOrder: isWhole)
        let text = letter?.text ?? text
        (self.text, isLetter) = (text, letter != nil)
        var rows = [ReceiptRow].classified(text, style: style)
        marks = isWhole ? .none : PageNumbering(rows)
        if !isMostlyUnread { rows.takeThings(style: style) }
        for index in marks.carriedRows where rows[index].amount != nil { rows[index].setAside() }
        self.rows = rows
        buyerRows = isLetter ? rows.ofBuyer(in: text.blocks) : []
        let printed = CurrencySigns(rows, style: style)
        origin = Country.origin(of: rows, signs: printed, hasThousandths: style.hasThousandths)
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
        findAddress()
        findContact()
        findPayment()
        findReceiptNumber()
        leaveOutUnreadItems()
        let areOthersItems = takeOtherReadings()
        compareSums(raisesItems: !areOthersItems)
        findBrand()
        fields.missing = reasonsForMissing()
        return fields
    }

    /// Takes what is surer in other readings, which know from this one what country the page is from. For calibration, each
    /// reading stands alone.
    /// - Returns: whether the items are those of another reading, which has compared them with its sums.
    private mutating func takeOtherReadings() -> Bool {
        guard !givesAll else { return false }
        let hadItems = !fields.items.isEmpty
        var context = context
        context.country = country?.country.code ?? context.country
        for reading in otherReadings {
            var parser = ReceiptFieldParser(text: reading, context: context, isWhole: isWhole)
            var other = parser.parse()
            other.leaveOutNames(of: reading, surerIn: text)
            fields.takeSurer(of: other)
        }
        return !hadItems && !fields.items.isEmpty
    }

    /// Makes a field from its evidence; nil if its confidence is too low.
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

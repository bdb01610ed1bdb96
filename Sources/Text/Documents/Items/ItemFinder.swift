package import Platform
package import TextRecognition
import Imaging

extension RecognizedText {
    /// Finds links, mail addresses, telephone numbers, dates, times, prices, addresses, flight and parcel numbers, in reading
    /// order. O(words).
    /// - Parameters:
    ///   - region: ISO 3166-1, two letters: the country for telephone numbers without country code; nil derives it from the page
    ///     and its language.
    ///   - context: what is known apart from the printed text.
    package func items(
        region: String? = nil, context: ReceiptContext = ReceiptContext()
    ) -> [RecognizedItem] {
        ItemFinder(text: self, region: region, context: context).items()
    }
}

/// Finds items row by row; text taken by one item is not searched for another.
struct ItemFinder {
    /// A gap of this many word heights separates columns in a row: a label's colon may be far from its word, columns are farther
    /// apart. Receipts print up to 2.5 heights between label and colon.
    private static let columnGap = 3.0

    private let lines: [RecognizedLine]
    private let parser: ReceiptFieldParser
    private let region: String?
    private let dateOrder: PrintedDate.Order
    private let fields: ReceiptFields
    private let contact: Contact

    init(text: RecognizedText, region: String?, context: ReceiptContext) {
        lines = text.lines
        var parser = ReceiptFieldParser(text: text, context: context)
        self.region =
            region ?? PageRegion.find(in: text, country: parser.country?.country.code) ?? context.country
        let half = parser.rows.lazy.filter(\.holdsTime).compactMap { PrintedDate.findTime(in: $0.text) }.first
        dateOrder = parser.dateOrder(hasTwelveHours: half?.isTwelveHours)
        fields = parser.parse()
        contact = Contact(of: text, region: self.region)
        self.parser = parser
    }

    func items() -> [RecognizedItem] {
        var found = lines.flatMap { line in
            line.columns(gap: Self.columnGap).map(RowText.init)
                .filter { $0.text.count <= RowText.longest }.flatMap(items(in:))
        }
        if let address = address() {
            let place = found.firstIndex { $0.box.top > address.box.centerY } ?? found.endIndex
            found.insert(address, at: place)
        }
        return found
    }

    /// Returns the seller's address of a receipt, or the address of a card for other pages.
    private func address() -> RecognizedItem? {
        if fields.total != nil || fields.items.count > 1 {
            return fields.address.map {
                RecognizedItem(
                    kind: .address, value: $0.value, printed: $0.printed, confidence: $0.confidence,
                    box: $0.box)
            }
        }
        return contact.address.flatMap { reading in
            reading.box.map {
                RecognizedItem(
                    kind: .address, value: reading.value.full, printed: reading.printed,
                    confidence: reading.confidence, box: $0)
            }
        }
    }

    private func items(in row: RowText) -> [RecognizedItem] {
        var taken: [Range<String.Index>] = []
        var found: [(start: String.Index, item: RecognizedItem)] = []
        func isFree(_ range: Range<String.Index>) -> Bool { !taken.contains { $0.overlaps(range) } }
        func add(
            _ kind: RecognizedItem.Kind, _ value: String, at range: Range<String.Index>, certainty: Double
        ) {
            taken.append(range)
            found.append(
                (range.lowerBound, item(kind, value, words: row.words(of: range), certainty: certainty)))
        }
        for mail in PrintedMail.all(in: row.text) {
            add(.email, mail.address, at: mail.range, certainty: mail.isRepaired ? Certainty.repaired : 1)
        }
        for link in PrintedLink.all(in: row.text, besides: taken) {
            add(.url, link.url, at: link.range, certainty: link.isRepaired ? Certainty.repaired : 1)
        }
        for parcel in PrintedParcel.all(in: row.text) where isFree(parcel.range) {
            add(.parcel, parcel.number, at: parcel.range, certainty: 1)
        }
        for flight in PrintedFlight.all(in: row.text) where isFree(flight.range) {
            add(.flight, flight.number, at: flight.range, certainty: 1)
        }
        // Dates come before numbers without a label: both have digits in groups.
        let dates = PrintedDate.all(in: row.text, order: dateOrder)
        for phone in PrintedPhone.all(
            in: row.text, region: region,
            isFree: { range in isFree(range) && !dates.contains { $0.range.overlaps(range) } })
        {
            add(
                .phone, phone.number?.e164 ?? String(phone.printed),
                at: phone.range,
                certainty: phone.number == nil
                    ? Certainty.unknownRegion : phone.isRepaired ? Certainty.repaired : 1)
        }
        for (date, range) in dates where !taken.contains(where: { $0.overlaps(range) }) {
            add(.date, date.iso, at: range, certainty: date.isAmbiguous ? Certainty.ambiguous : 1)
        }
        if let (time, printed, _) = PrintedDate.findTime(in: row.text),
            let range = row.text.firstRange(of: printed), isFree(range)
        {
            add(.time, time, at: range, certainty: 1)
        }
        let takenWords = Set(taken.flatMap { row.places(of: $0) })
        for price in PrintedPrice.all(
            in: row.words, style: parser.style, isFree: { !takenWords.contains($0) })
        {
            let words = Array(row.words[price.words])
            var item = item(.price, price.amount.value.description, words: words, certainty: 1)
            item.currency =
                price.amount.isOpen ? fields.currency?.value ?? price.amount.currency : price.amount.currency
            found.append((row.start(of: price.words.lowerBound), item))
        }
        return found.sorted { $0.start < $1.start }.map(\.item)
    }

    private func item(
        _ kind: RecognizedItem.Kind, _ value: String, words: [RecognizedWord], certainty: Double
    ) -> RecognizedItem {
        RecognizedItem(
            kind: kind, value: value, printed: words.map(\.text).joined(separator: " "),
            confidence: certainty * RecognizedText.meanConfidence(of: words),
            box: ReceiptFieldParser.box(of: words))
    }
}

/// Factors that multiply an item's confidence. They are judgements, not measurements: they rank certain items above uncertain
/// ones.
enum Certainty {
    /// Spaces were removed, or marks corrected.
    static let repaired = 0.8
    /// A telephone number whose country is unknown.
    static let unknownRegion = 0.6
    /// A date whose day and month could be swapped.
    static let ambiguous = 0.9
    /// A postal address: its beginning and end are less certain than its rows.
    static let address = 0.9
}

extension PrintedDate {
    /// Finds all dates in a line of text with their ranges, in no particular order.
    static func all(in text: String, order: Order) -> [(date: PrintedDate, range: Range<String.Index>)] {
        guard text.contains(where: \.isNumber) else { return [] }
        var found: [(PrintedDate, Range<String.Index>)] = []
        // Replaces each date found with placeholders of equal length, so that it is not found again.
        var rest = text
        while let (date, printed) = find(in: rest, order: order), !printed.isEmpty,
            let hidden = rest.firstRange(of: printed)
        {
            let start = rest.distance(from: rest.startIndex, to: hidden.lowerBound)
            let range = text.index(text.startIndex, offsetBy: start)
            found.append((date, range..<text.index(range, offsetBy: printed.count)))
            rest.replaceSubrange(hidden, with: String(repeating: "\u{FFFC}", count: printed.count))
        }
        return found
    }
}

package import TextRecognition
import Platform

extension Contact {
    /// Finds the contact in the text of a business card. Quadratic in the parts of its rows.
    ///
    /// Mail addresses, web addresses and telephone numbers are found by form. Points decide which row is the person, the firm
    /// and the job: from the part of the mail address before "@", its host, legal forms, titles, and the size of the letters. A
    /// row with few points is none of them.
    /// - Parameters:
    ///   - text: read from one card, in any language whose words are in the vocabulary: English, German, French, Spanish,
    ///     Italian, Portuguese, Dutch.
    ///   - region: ISO 3166-1, two letters: the country for numbers without country code; nil takes it from the card.
    package init(of text: RecognizedText, region: String? = nil) {
        guard !text.isEmpty, text.lines.count <= ContactFinder.mostRows else {
            self.init()
            return
        }
        var finder = ContactFinder(text: text, region: region ?? PageRegion.find(in: text, country: nil))
        self = finder.find()
    }
}

extension RecognizedText {
    /// Possible names of a business card's person, more than a contact holds; used to hide them.
    var possibleNames: [Contact.Reading<Contact.Name>] {
        guard !isEmpty, lines.count <= ContactFinder.mostRows else { return [] }
        var finder = ContactFinder(text: self, region: PageRegion.find(in: self, country: nil))
        _ = finder.find()
        return finder.possibleNames
    }
}

/// Finds a card's values in its rows.
struct ContactFinder {
    /// Gaps in letter heights: one that separates columns, and the largest between a label and its number.
    enum Gap {
        static let column = 1.0
        /// The column gap in units of the card's median space: in monospaced or widely set type, words are farther apart than
        /// letters are high.
        static let blanks = 1.8
        static let label = 3.0
    }

    /// Most rows of a page that may be a business card: drawn ones have up to 14, both sides of a real one perhaps 40.
    static let mostRows = 60

    let text: RecognizedText
    let region: String?
    var rows: [CardRow] = []
    var contact = Contact()
    /// Every row that may be a person's name, even when none is sure enough, or several are equally likely, so that none is
    /// given.
    var possibleNames: [Contact.Reading<Contact.Name>] = []
    /// Folded names of hosts without their top-level domains: "huber-soehne".
    var hosts: [String] = []

    init(text: RecognizedText, region: String?) {
        self.text = text
        self.region = region
    }

    mutating func find() -> Contact {
        findReach()
        let gap = max(Gap.column, Gap.blanks * Self.usualBlank(in: text))
        rows = text.lines.flatMap { line in line.columns(gap: gap).map(CardRow.init) }
            .filter { $0.text.count <= RowText.longest }
        for index in rows.indices {
            let printed = rows[index].box
            let reach =
                contact.emails.compactMap(\.box) + contact.urls.compactMap(\.box)
                + contact.phones.compactMap(\.box)
            rows[index].holdsReach = reach.contains { box in
                box.left < printed.right && printed.left < box.right && box.top < printed.bottom
                    && printed.top < box.bottom
            }
        }
        hosts = (contact.emails.map(\.value) + contact.urls.map(\.value)).compactMap(Self.firm(ofHost:))
        var used: Set<Int> = []
        if let (address, places) = PrintedAddress.find(in: rows) {
            used.formUnion(places)
            contact.address = reading(
                address, of: places.flatMap { rows[$0].row.words }, rows: places,
                certainty: Certainty.address)
        }
        findPersonAndFirm(besides: used)
        return contact
    }

    /// Returns the median space between words, in letter heights; 0 if there are none.
    private static func usualBlank(in text: RecognizedText) -> Double {
        let blanks = text.lines.flatMap { line in
            zip(line.words, line.words.dropFirst()).map { left, right in
                (right.box.left - left.box.right) / max(min(left.box.height, right.box.height), 1)
            }
        }.sorted()
        return blanks.isEmpty ? 0 : blanks[blanks.count / 2]
    }

    /// Creates a value with the confidence and place of the words it was read from.
    func reading<Value>(
        _ value: Value, of words: [RecognizedWord], rows places: [Int] = [], certainty: Double
    ) -> Contact.Reading<Value> {
        let printed =
            places.count > 1
            ? places.map { rows[$0].text }.joined(separator: "\n") : words.map(\.text).joined(separator: " ")
        return Contact.Reading(
            value, confidence: certainty * RecognizedText.meanConfidence(of: words), printed: printed,
            box: ReceiptFieldParser.box(of: words))
    }
}

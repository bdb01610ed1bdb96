package import Imaging
package import TextRecognition
import Platform

/// What a receipt can say about a person.
public enum PersonalData: String, CaseIterable, Hashable, Sendable {
    /// Numbers of payment cards: 13 to 19 digits that pass Luhn's check (ISO/IEC 7812-1), or four groups of four, which is
    /// how cards print them, so that one misread digit does not give the others away.
    case cards
    /// What follows words such as "cashier", "served by", "customer", and the person of a business card.
    case names
    /// Telephone numbers, the seller's too.
    case phones
    /// Mail addresses, the seller's too.
    case emails
    /// Faces.
    case faces
    /// Machine-readable zones, and words elsewhere that say the same names, numbers and days.
    case mrz
    /// Bar codes and two-dimensional codes, and what is printed of them in letters and digits.
    case codes

    /// What must have been looked for, besides the text, to hide it; nil for what is found in text alone.
    package var content: SheetContent? {
        switch self {
        case .cards, .names, .phones, .emails: nil
        case .faces: .faces
        case .mrz: .mrz
        case .codes: .codes
        }
    }
}

extension RecognizedText {
    /// The same text with each letter and digit of every word that holds personal data replaced by "*".
    ///
    /// What was not read is not found: this lowers the risk of passing data on, it does not end it. A number that is no
    /// card's passes Luhn's check once in ten times and is then taken for one. O(words).
    /// - Returns: the text, and the boxes of the words that were changed.
    package func redacted(
        _ kinds: Set<PersonalData>, hiding hidden: HiddenContent = HiddenContent()
    ) -> (text: RecognizedText, boxes: [Box]) {
        var boxes: [Box] = []
        var hidden = hidden
        if kinds.contains(.emails) { hidden.boxes += items().filter { $0.kind == .email }.map(\.box) }
        if kinds.contains(.phones) { hidden.boxes += items().filter { $0.kind == .phone }.map(\.box) }
        if kinds.contains(.names) { hidden.boxes += namesOfCard }
        var text = self
        text.blocks = blocks.map { block in
            RecognizedBlock(
                lines: block.lines.map { line in
                    var found = kinds.reduce(into: Set<Int>()) { $0.formUnion(line.indices(of: $1)) }
                    found.formUnion(hidden.words(of: line))
                    guard !found.isEmpty else { return line }
                    var words = line.words
                    for index in found.sorted() {
                        boxes.append(words[index].box)
                        words[index].text = String(
                            words[index].text.map { $0.isLetter || $0.isNumber ? "*" : $0 })
                    }
                    return RecognizedLine(words: words)
                })
        }
        return (text, boxes)
    }
}

extension RecognizedText {
    /// Where a business card names its person. A receipt names none in that way, though it too has a telephone number.
    private var namesOfCard: [Box] {
        let fields = ReceiptFields(of: self)
        guard fields.total == nil, fields.items.isEmpty else { return [] }
        let contact = Contact(of: self)
        return contact.names.compactMap(\.box)
    }

    /// Whether a payment card's number was read.
    package var hasCardNumber: Bool { lines.contains { !$0.indices(of: .cards).isEmpty } }
}

extension RecognizedLine {
    /// Which words hold personal data of a kind.
    fileprivate func indices(of kind: PersonalData) -> Set<Int> {
        switch kind {
        case .cards: cardNumbers
        case .names: names
        case .phones: phoneNumbers
        case .emails: mailAddresses
        case .faces, .mrz, .codes: []
        }
    }

    // MARK: - Cards

    /// Digits that stand together, and the word that they stand in.
    private struct DigitGroup {
        var word: Int
        var digits: [Int]
    }

    private var cardNumbers: Set<Int> {
        var found: Set<Int> = []
        var run: [DigitGroup] = []
        func search() {
            for first in run.indices {
                var digits: [Int] = []
                for last in first..<run.count {
                    digits += run[last].digits
                    guard digits.count <= 19 else { break }
                    let groups = run[first...last]
                    if digits.count >= 13 && Self.passesLuhn(digits)
                        || groups.count == 4 && groups.allSatisfy({ $0.digits.count == 4 })
                    {
                        found.formUnion(groups.map(\.word))
                    }
                }
            }
            run = []
        }
        for (index, word) in words.enumerated() {
            for piece in word.text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
                if let digits = Self.digits(of: piece) {
                    run.append(DigitGroup(word: index, digits: digits))
                } else {
                    search()
                }
            }
        }
        search()
        return found
    }

    /// Digits, and letters that are easily read for digits, if most are digits; nil for anything else.
    private static func digits(of piece: Substring) -> [Int]? {
        let lookalikes: [Character: Int] = [
            "O": 0, "o": 0, "D": 0, "Q": 0, "I": 1, "l": 1, "i": 1, "Z": 2, "z": 2, "S": 5, "s": 5, "G": 6,
            "B": 8,
        ]
        guard 2 * piece.count(where: \.isWholeNumber) >= piece.count else { return nil }
        var digits: [Int] = []
        for character in piece {
            guard let digit = character.wholeNumberValue ?? lookalikes[character], digit < 10 else {
                return nil
            }
            digits.append(digit)
        }
        return digits
    }

    /// Luhn's check: from the right every second digit counts double, its own digits added up; the sum ends in 0.
    private static func passesLuhn(_ digits: [Int]) -> Bool {
        let sum = digits.reversed().enumerated().reduce(0) { sum, entry in
            let value = entry.offset.isMultiple(of: 2) ? entry.element : 2 * entry.element
            return sum + (value > 9 ? value - 9 : value)
        }
        // Zeros pass too, but no card has them alone.
        return sum > 0 && sum.isMultiple(of: 10)
    }

    // MARK: - Telephone numbers

    private var phoneNumbers: Set<Int> {
        let labelled =
            #/(?i)(?:\b(?:tel|phone|ph|fon|telefon|tél|telephone|téléphone|tlf|fax|mobile?|mob|cell)\b|電話)[.:\s]*(\+?[\d(][\d\s()\/.\-]{5,}\d)/#
        let plain = #/(\+\d[\d\s()\/.\-]{7,}\d|\(\d{3}\)\s?\d{3}[\s.\-]\d{4}|\b\d{3}[.\-]\d{3}[.\-]\d{4}\b)/#
        var found: Set<Int> = []
        let text = self.text
        for match in text.matches(of: labelled) { found.formUnion(words(at: match.1, of: text)) }
        for match in text.matches(of: plain) { found.formUnion(words(at: match.1, of: text)) }
        return found
    }

    /// The words that a part of the line's text touches.
    private func words(at part: Substring, of text: String) -> Set<Int> {
        let start = text.distance(from: text.startIndex, to: part.startIndex)
        let end = text.distance(from: text.startIndex, to: part.endIndex)
        var found: Set<Int> = []
        var position = 0
        for (index, word) in words.enumerated() {
            if position < end, position + word.text.count > start { found.insert(index) }
            position += word.text.count + 1
        }
        return found
    }

    // MARK: - Mail addresses

    /// Words that have the shape of one, whether or not there is such a domain: better hidden than not.
    private var mailAddresses: Set<Int> {
        Set(words.indices.filter { words[$0].text.contains(#/[^\s@]@[^\s@]+\.\p{L}{2,}/#) })
    }

    // MARK: - Names

    /// The words that a name follows, each phrase in folded words.
    private static let nameLabels: [[String]] = [
        "cashier", "clerk", "server", "served by", "your server", "waiter", "waitress", "host", "operator",
        "associate", "customer", "cardholder", "card holder", "guest", "name", "member", "attendant",
        "kassierer", "kassiererin", "bediener", "bedient von", "bediente sie", "kunde", "kundin",
        "mitarbeiter",
        "caissier", "caissiere", "servi par", "serveur", "serveuse", "client", "cliente", "nom",
        "cajero", "cajera", "le atendio", "atendido por", "nombre", "cassiere", "operatore", "nome",
        "kassamedewerker", "medewerker", "klant", "bediend door", "naam",
    ].map { $0.split(separator: " ").map(String.init) }

    private var names: Set<Int> {
        // A word can hold the label and the name: "Cashier:Anna".
        let pieces = words.enumerated().flatMap { index, word in
            Vocabulary.words(of: word.text).map { (word: index, text: $0) }
        }
        var found: Set<Int> = []
        for start in pieces.indices {
            for label in Self.nameLabels where pieces[start...].map(\.text).starts(with: label) {
                // A first name, perhaps a second and a family name; numbers and amounts are something else.
                for piece in pieces[(start + label.count)...].prefix(3) {
                    guard !piece.text.contains(where: \.isNumber) else { break }
                    found.insert(piece.word)
                }
            }
        }
        return found
    }
}

package import Imaging
package import TextRecognition
import Platform

/// Kinds of personal data on a sheet.
public enum PersonalData: String, CaseIterable, Hashable, Sendable {
    /// Numbers of payment cards: 13 to 19 digits that pass Luhn's check (ISO/IEC 7812-1). Four groups of four digits, as cards
    /// print them, count even without the check, so that one misread digit does not expose the others. A number may continue in
    /// the next row.
    case cards
    /// Names after words such as "cashier", "served by", "customer", and the person of a business card; hidden wherever they are
    /// printed.
    case names
    /// Telephone numbers, the seller's too, and every other group of 7 to 15 digits, unless it is a date, an amount, or a card,
    /// receipt, invoice, tax or register number.
    case phones
    /// Mail addresses, the seller's too, also as part of a web address.
    case emails
    /// Faces.
    case faces
    /// Machine-readable zones, and words elsewhere that repeat their names, numbers and days.
    case mrz
    /// Bar codes and two-dimensional codes, and words that print their content in letters and digits.
    case codes
    /// Areas that a person marked. Nothing is searched for.
    case areas

    /// The kinds that are found by searching.
    package static let sought = allCases.filter { $0 != .areas }

    /// The content that must be searched for, besides the text, to hide this kind; nil if the text is enough.
    package var content: SheetContent? {
        switch self {
        case .cards, .names, .phones, .emails, .areas: nil
        case .faces: .faces
        case .mrz: .mrz
        case .codes: .codes
        }
    }
}

/// A text without personal data, and what was hidden in it.
package struct RedactedText: Sendable {
    /// The text with asterisks.
    package var text: RecognizedText
    /// The boxes of the words that were changed.
    package var boxes: [Box] = []
    /// The hidden data, for checking written output. It contains the data itself, so it must stay within the process.
    package var hidden: [PersonalData: HiddenContent]
    /// How often each kind was hidden; adjacent words count once.
    package var counts: [PersonalData: Int] = [:]
}

extension RecognizedText {
    /// The same text with each letter and digit of every word that holds personal data replaced by "*".
    ///
    /// Names, numbers and mail addresses are hidden wherever they are read, not only where they were found: see `HiddenNames`,
    /// `HiddenNumbers` and `HiddenAddresses`. A business card is searched for names until it has none. Data that was not read is
    /// not found: this lowers the risk of passing data on but does not remove it. One in ten other numbers passes Luhn's check
    /// and is taken for a card number. O(words) for each name found.
    /// - Parameter known: content found outside the text.
    package func redacted(
        _ kinds: Set<PersonalData>, hiding known: [PersonalData: HiddenContent] = [:]
    ) -> RedactedText {
        var hidden = known
        // Also what only another reader read right.
        let readings = [self] + (otherReadings ?? [])
        for kind in kinds {
            for text in readings {
                hidden[kind, default: HiddenContent()].add(kind, of: text)
            }
        }
        guard kinds.contains(.names), mayNamePerson else { return hiding(hidden, known) }
        // Mail addresses help to recognize names, so they are hidden only after all names.
        for shown in [[.names], Array(hidden.keys)] {
            for _ in 0..<Self.mostNames {
                let names = readings.flatMap {
                    $0.hiding(hidden.filter { shown.contains($0.key) }, known).text.possibleNames
                }
                guard !names.isEmpty else { break }
                for name in names {
                    hidden[.names]?.boxes += name.box.map { [$0] } ?? []
                    hidden[.names]?.hide(name: name.value.given + " " + name.value.family)
                }
            }
        }
        return hiding(hidden, known)
    }

    /// Largest number of searches for names on a card: both sides of a card and a signature, with a few to spare.
    private static let mostNames = 8

    /// Hides the words that lie in boxes or match the hidden content.
    /// - Parameter known: content found outside the text; it is counted where it was found.
    private func hiding(
        _ hidden: [PersonalData: HiddenContent], _ known: [PersonalData: HiddenContent]
    ) -> RedactedText {
        var hidden = hidden
        var redacted = RedactedText(text: self, hidden: hidden)
        redacted.text.otherReadings = nil
        // What another reader read hides what stands here in its place.
        for line in (otherReadings ?? []).flatMap(\.lines) {
            for (kind, content) in hidden {
                let boxes = content.words(of: line).map { line.words[$0].box }
                hidden[kind]?.boxes += boxes
                redacted.boxes += boxes
            }
        }
        redacted.text.blocks = blocks.map { block in
            RecognizedBlock(
                lines: block.lines.map { line in
                    var words = line.words
                    var changed: Set<Int> = []
                    for kind in PersonalData.allCases {
                        guard let content = hidden[kind] else { continue }
                        let found = content.words(of: line).subtracting(changed)
                        changed.formUnion(found)
                        let counted = found.subtracting(known[kind]?.places(in: line) ?? [])
                        let runs = counted.count { !counted.contains($0 - 1) }
                        if runs > 0 { redacted.counts[kind, default: 0] += runs }
                    }
                    guard !changed.isEmpty else { return line }
                    for index in changed.sorted() {
                        redacted.boxes.append(words[index].box)
                        words[index].text = String(
                            words[index].text.map { $0.isLetter || $0.isNumber ? "*" : $0 })
                    }
                    return RecognizedLine(words: words)
                })
        }
        return redacted
    }

    /// Whether it may be a business card. A receipt does not name a person as a card does, though it too has a telephone number.
    private var mayNamePerson: Bool {
        let fields = ReceiptFields(of: self)
        return fields.total == nil && fields.items.isEmpty
    }

    /// Whether a payment card's number was read.
    package var hasCardNumber: Bool { lines.contains { !CardNumbers(in: [$0]).numbers.isEmpty } }
}

extension HiddenContent {
    /// Adds the content of one kind found in a text.
    fileprivate mutating func add(_ kind: PersonalData, of text: RecognizedText) {
        let lines = text.lines
        func hide(_ words: Set<Int>, in row: Int) { boxes += words.map { lines[row].words[$0].box } }
        switch kind {
        case .cards:
            let cards = CardNumbers(in: lines)
            for (row, words) in cards.places { hide(words, in: row) }
            for number in cards.numbers { self.hide(number: number) }
        case .phones:
            for item in text.items() where item.kind == .phone {
                boxes.append(item.box)
                self.hide(number: item.value)
            }
            for (row, line) in lines.enumerated() {
                for words in line.phoneNumbers {
                    hide(words, in: row)
                    self.hide(number: words.sorted().map { line.words[$0].text }.joined())
                }
            }
            let possible = PossiblePhones(in: text)
            for (row, words) in possible.places { hide(words, in: row) }
            for number in possible.numbers { self.hide(number: number) }
        case .emails:
            for item in text.items() where item.kind == .email {
                boxes.append(item.box)
                self.hide(address: item.value)
            }
            for (row, line) in lines.enumerated() {
                hide(line.mailAddresses, in: row)
                for index in line.mailAddresses { self.hide(address: line.words[index].text) }
            }
        case .names:
            for (row, line) in lines.enumerated() {
                for (words, name) in line.names {
                    hide(words, in: row)
                    self.hide(name: name)
                }
            }
        case .faces, .mrz, .codes, .areas: break
        }
    }
}

extension RecognizedLine {
    // MARK: - Telephone numbers

    /// The words of each number recognized by a label or by its form.
    fileprivate var phoneNumbers: [Set<Int>] {
        let labelled =
            #/(?i)(?:\b(?:tel|phone|ph|fon|telefon|tél|telephone|téléphone|tlf|fax|mobile?|mob|cell)\b|電話)[.:\s]*(\+?[\d(][\d\s()\/.\-]{5,}\d)/#
        let plain = #/(\+\d[\d\s()\/.\-]{7,}\d|\(\d{3}\)\s?\d{3}[\s.\-]\d{4}|\b\d{3}[.\-]\d{3}[.\-]\d{4}\b)/#
        let text = self.text
        return text.matches(of: labelled).map { words(at: $0.1, of: text) }
            + text.matches(of: plain).map { words(at: $0.1, of: text) }
    }

    /// Returns the words that a part of the line's text touches.
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

    /// Words shaped like a mail address, whether or not the domain exists: it is better to hide too much.
    fileprivate var mailAddresses: Set<Int> {
        Set(words.indices.filter { words[$0].text.contains(#/[^\s@]@[^\s@]+\.\p{L}{2,}/#) })
    }

    // MARK: - Names

    /// Labels before a name, each a phrase of folded words.
    private static let nameLabels: [[String]] = [
        "cashier", "clerk", "server", "served by", "your server", "waiter", "waitress", "host", "operator",
        "associate", "customer", "cardholder", "card holder", "guest", "name", "member", "attendant",
        "kassierer", "kassiererin", "bediener", "bedient von", "bediente sie", "kunde", "kundin",
        "mitarbeiter",
        "caissier", "caissiere", "servi par", "serveur", "serveuse", "client", "cliente", "nom",
        "cajero", "cajera", "le atendio", "atendido por", "nombre", "cassiere", "operatore", "nome",
        "kassamedewerker", "medewerker", "klant", "bediend door", "naam",
    ].map { $0.split(separator: " ").map(String.init) }

    /// The words after each label, and the name they form.
    fileprivate var names: [(words: Set<Int>, name: String)] {
        // A word can hold the label and the name: "Cashier:Anna".
        let pieces = words.enumerated().flatMap { index, word in
            Vocabulary.words(of: word.text).map { (word: index, text: $0) }
        }
        var found: [(words: Set<Int>, name: String)] = []
        for start in pieces.indices {
            for label in Self.nameLabels where pieces[start...].map(\.text).starts(with: label) {
                // A first name, perhaps a second and a family name; words with digits are something else.
                let named = pieces[(start + label.count)...].prefix(3).prefix {
                    !$0.text.contains(where: \.isNumber)
                }
                guard !named.isEmpty else { continue }
                found.append((Set(named.map(\.word)), named.map(\.text).joined(separator: " ")))
            }
        }
        return found
    }
}

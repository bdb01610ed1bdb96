package import Imaging
package import TextRecognition

/// What is to be hidden on a sheet of one kind of personal data.
package struct HiddenContent: Sendable {
    /// Where it stands, in pixels of the page: words there are hidden too.
    package var boxes: [Box] = []
    /// What codes say: what is printed of them in letters and digits is hidden too.
    package var codes: [String] = []
    /// What a zone says: words that say the same elsewhere are hidden too.
    private var words: [[Character]] = []
    /// Days: however they are printed.
    private var days: [HiddenDay] = []
    private var names = HiddenNames()
    private var numbers = HiddenNumbers()
    private var addresses = HiddenAddresses()

    /// Whether the boxes are areas that a person marked.
    private var isMarked = false

    /// Nothing.
    package init() {}

    /// What stands in areas that a person marked. A word that one touches is hidden whole; one of a neighbouring row, of which
    /// less than a third of the height lies in it, is not.
    package init(areas: [Box]) {
        boxes = areas
        isMarked = true
    }

    /// The share of a word's height from which on a marked area is of its row, and of a word from which on another box hides it.
    private static let (shareOfHeight, shareOfWord) = (1.0 / 3, 0.5)

    /// Hides what a machine-readable zone says of a person.
    package mutating func hide(_ zone: MachineReadableZone) {
        for text in [zone.surname, zone.givenNames, zone.number] + zone.optionalData {
            words += SpelledWords.words(of: text ?? "").filter { $0.count > 1 }
        }
        days += [zone.birthDate, zone.expiryDate].compactMap { $0.flatMap { HiddenDay($0.description) } }
    }

    /// Hides a person's name wherever it stands.
    mutating func hide(name: String) { names.hide(name) }
    /// Hides a number of a telephone or card wherever it stands.
    mutating func hide(number: String) { numbers.hide(number) }
    /// Hides a mail address wherever it stands.
    mutating func hide(address: String) { addresses.hide(address) }

    /// Letters that a word must share with a code to be its print: shorter ones are other words.
    private static let shortestOfCode = 4

    /// Letters from which on a word that was cut or joined is still known.
    private static let shortestPart = 4
    /// Letters of which one may be misread, left out or put in, the last ones begun: "ERIKA" was read as "ERA A". Better hidden
    /// than not, on a sheet with a zone.
    private static let lettersOfAMistake = 3

    /// Whether a word is one of the zone's, whole or in part, or misread.
    private func isOfZone(_ word: [Character]) -> Bool {
        words.contains { known in
            if known == word { return true }
            guard min(known.count, word.count) >= Self.shortestPart else { return false }
            if String(known).contains(String(word)) || String(word).contains(String(known)) { return true }
            return Self.isReading(word, of: known)
        }
    }

    /// Whether letters may be a misread word.
    private static func isReading(_ letters: [Character], of known: [Character]) -> Bool {
        min(known.count, letters.count) >= shortestPart
            && SpelledWords.mistakes(in: letters, for: known) <= (known.count + 1) / lettersOfAMistake
    }

    /// Which words of a line are hidden: those that stand in a box, at least half of them, or say what is hidden.
    func words(of line: RecognizedLine) -> Set<Int> {
        var found = places(in: line)
        found.formUnion(line.words.indices.filter { isSaid(line.words[$0].text) })
        found.formUnion(HiddenDay.words(of: line, thatSayOneOf: days))
        // A name that was read as two words.
        for index in line.words.indices.dropLast() where found.isDisjoint(with: [index, index + 1]) {
            let joined = line.words[index...index + 1].flatMap { SpelledWords.words(of: $0.text).joined() }
            if words.contains(where: { Self.isReading(joined, of: $0) }) {
                found.formUnion([index, index + 1])
            }
        }
        found.formUnion(names.words(of: line, isExact: false))
        found.formUnion(numbers.words(of: line))
        found.formUnion(addresses.words(of: line))
        return found
    }

    /// Which words of a line stand in a box.
    func places(in line: RecognizedLine) -> Set<Int> {
        Set(line.words.indices.filter { isThere(line.words[$0].box) })
    }

    private func isThere(_ word: Box) -> Bool {
        let area = max(word.width * word.height, 1)
        return boxes.contains { box in
            let across = min(box.right, word.right) - max(box.left, word.left)
            let down = min(box.bottom, word.bottom) - max(box.top, word.top)
            guard across > 0, down > 0 else { return false }
            return isMarked
                ? down >= Self.shareOfHeight * word.height : across * down >= Self.shareOfWord * area
        }
    }

    private func isSaid(_ text: String) -> Bool {
        if SpelledWords.words(of: text).contains(where: isOfZone) { return true }
        let letters = Vocabulary.words(of: text).joined()
        return letters.count >= Self.shortestOfCode && letters.contains(where: \.isNumber)
            && codes.contains { Vocabulary.words(of: $0).joined().contains(letters) }
    }

    /// A code is recognised by a part of its content if that part has at least this many letters and digits.
    private static let shortestOfWrittenCode = 7

    /// Whether words that were written say what is hidden, without a fault: what only looks like it was another word.
    func isSaidExactly(by line: RecognizedLine) -> Bool {
        if !names.words(of: line, isExact: true).isEmpty || !numbers.words(of: line).isEmpty
            || !addresses.words(of: line).isEmpty || !HiddenDay.words(of: line, thatSayOneOf: days).isEmpty
        {
            return true
        }
        let known = Set(words.filter { $0.count >= Self.shortestPart })
        let codes = codes.map { Vocabulary.words(of: $0).joined() }
        return line.words.contains { word in
            if SpelledWords.words(of: word.text).contains(where: known.contains) { return true }
            let letters = Vocabulary.words(of: word.text).joined()
            return letters.count >= Self.shortestOfWrittenCode && letters.contains(where: \.isNumber)
                && codes.contains { $0.contains(letters) }
        }
    }
}

extension [PersonalData: HiddenContent] {
    /// Where a text says what is hidden, whatever stands in the boxes: each place the words that stand side by side.
    package func places(in text: RecognizedText) -> [(kind: PersonalData, boxes: [Box])] {
        var said = self
        for kind in keys { said[kind]?.boxes = [] }
        return said.flatMap { kind, content in
            text.lines.flatMap { line in
                let found = content.words(of: line)
                return found.filter { !found.contains($0 - 1) }.sorted().map { first in
                    (kind, (first...).prefix(while: found.contains).map { line.words[$0].box })
                }
            }
        }
    }

    /// The kinds of what is hidden that a text says, row by row, spelled without a fault. O(words times what is hidden).
    package func kindsSaid(in text: String) -> Set<PersonalData> {
        var said: Set<PersonalData> = []
        for row in text.split(whereSeparator: \.isNewline) {
            let words = row.split(whereSeparator: \.isWhitespace).map {
                RecognizedWord(
                    text: String($0), confidence: 1, box: Box(left: 0, top: 0, right: 0, bottom: 0))
            }
            guard !words.isEmpty else { continue }
            let line = RecognizedLine(words: words)
            for (kind, content) in self where !said.contains(kind) && content.isSaidExactly(by: line) {
                said.insert(kind)
            }
        }
        return said
    }
}

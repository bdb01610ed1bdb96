package import Imaging
package import TextRecognition

/// What to hide on a sheet for one kind of personal data.
package struct HiddenContent: Sendable {
    /// Its places, in pixels of the page; words there are hidden too.
    package var boxes: [Box] = []
    /// The content of codes; words that print it in letters and digits are hidden too.
    package var codes: [String] = []
    /// The words of a zone; the same words elsewhere are hidden too.
    private var words: [[Character]] = []
    /// Days to hide, however they are printed.
    private var days: [HiddenDay] = []
    private var names = HiddenNames()
    private var numbers = HiddenNumbers()
    private var addresses = HiddenAddresses()

    /// Whether the boxes are areas that a person marked.
    private var isMarked = false

    /// Creates content that hides nothing.
    package init() {}

    /// Hides areas that a person marked. A word that an area touches is hidden whole, unless less than a third of its height
    /// lies in the area: then it belongs to a neighbouring row.
    package init(areas: [Box]) {
        boxes = areas
        isMarked = true
    }

    /// The share of a word's height that a marked area must cover to hide it, and the share of a word's area that any other box
    /// must cover.
    private static let (shareOfHeight, shareOfWord) = (1.0 / 3, 0.5)

    /// Hides the personal data of a machine-readable zone.
    package mutating func hide(_ zone: MachineReadableZone) {
        for text in [zone.surname, zone.givenNames, zone.number] + zone.optionalData {
            words += SpelledWords.words(of: text ?? "").filter { $0.count > 1 }
        }
        days += [zone.birthDate, zone.expiryDate].compactMap { $0.flatMap { HiddenDay($0.description) } }
    }

    /// Hides a person's name wherever it is printed.
    mutating func hide(name: String) { names.hide(name) }
    /// Hides a telephone or card number wherever it is printed.
    mutating func hide(number: String) { numbers.hide(number) }
    /// Hides a mail address wherever it is printed.
    mutating func hide(address: String) { addresses.hide(address) }

    /// Minimum length of a word to be recognized as part of a code; shorter ones may be other words.
    private static let shortestOfCode = 4

    /// Minimum length at which a cut or joined word is still recognized.
    private static let shortestPart = 4
    /// One wrong, missing or extra letter is allowed per this many letters of a word plus one: "ERIKA" was read as "ERA A". On a
    /// sheet with a zone it is better to hide too much than too little.
    private static let lettersOfAMistake = 3

    /// Whether a word is one of the zone's, whole, in part, or misread.
    private func isOfZone(_ word: [Character]) -> Bool {
        words.contains { known in
            if known == word { return true }
            guard min(known.count, word.count) >= Self.shortestPart else { return false }
            if String(known).contains(String(word)) || String(word).contains(String(known)) { return true }
            return Self.isReading(word, of: known)
        }
    }

    /// Whether letters may be a misreading of a known word.
    private static func isReading(_ letters: [Character], of known: [Character]) -> Bool {
        min(known.count, letters.count) >= shortestPart
            && SpelledWords.mistakes(in: letters, for: known) <= (known.count + 1) / lettersOfAMistake
    }

    /// Returns the words of a line to hide: those at least half in a box, and those that match the hidden content.
    func words(of line: RecognizedLine) -> Set<Int> {
        var found = places(in: line)
        found.formUnion(line.words.indices.filter { isSaid(line.words[$0].text) })
        found.formUnion(HiddenDay.words(of: line, thatSayOneOf: days))
        // A name may have been read as two words.
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

    /// Returns the words of a line that lie in a box.
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

    /// Whether written words contain the hidden content exactly; a word that is merely similar is another word.
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
    /// Returns the places where a text contains the hidden content, without regard to the boxes; adjacent words form one place.
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

    /// Returns the kinds of hidden content that a text contains, row by row, spelled exactly. O(words times hidden content).
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

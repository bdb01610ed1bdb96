package import Imaging
import TextRecognition

/// What is to be hidden on a sheet, besides what its text alone tells.
package struct HiddenContent: Sendable {
    /// Where it stands, in pixels of the page: words there are hidden too.
    package var boxes: [Box] = []
    /// What codes say: what is printed of them in letters and digits is hidden too.
    package var codes: [String] = []
    /// Names and numbers as `spelled`: words that say the same elsewhere are hidden too.
    private var words: [[Character]] = []
    /// Days: however they are printed.
    private var days: [HiddenDay] = []

    /// Nothing.
    package init() {}

    /// Hides what a machine-readable zone says of a person.
    package mutating func hide(_ zone: MachineReadableZone) {
        for text in [zone.surname, zone.givenNames, zone.number] + zone.optionalData {
            words += Self.spelled(text ?? "").filter { $0.count > 1 }
        }
        days += [zone.birthDate, zone.expiryDate].compactMap { $0.flatMap { HiddenDay($0.description) } }
    }

    /// Letters that a word must share with a code to be its print: shorter ones are other words.
    private static let shortestOfCode = 4

    /// Letters from which on a word that was cut or joined is still known.
    private static let shortestPart = 4
    /// Letters of which one may be misread, left out or put in, the last ones begun: "ERIKA" was read as "ERA A". Better hidden
    /// than not, on a sheet with a zone.
    private static let lettersOfAMistake = 3

    /// The words of a text as zones write them: ICAO 9303 spells letters that A to Z lacks with two, printed words do not, and
    /// so what they agree in is left.
    private static func spelled(_ text: String) -> [[Character]] {
        let spellings = [
            ("æ", "ae"), ("œ", "oe"), ("ø", "o"), ("þ", "th"), ("ð", "d"), ("đ", "d"), ("ł", "l"), ("ı", "i"),
            ("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a"), ("ss", "s"), ("ij", "y"),
        ]
        return Vocabulary.words(of: text).map { word in
            Array(spellings.reduce(word) { $0.replacing($1.0, with: $1.1) })
        }
    }

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
            && mistakes(in: letters, for: known) <= (known.count + 1) / lettersOfAMistake
    }

    /// Letters to put in, take out or change that make one word another (Levenshtein 1966). O(product of the lengths).
    private static func mistakes(in word: [Character], for known: [Character]) -> Int {
        var costs = Array(0...known.count)
        for (row, letter) in word.enumerated() {
            var diagonal = costs[0]
            costs[0] = row + 1
            for (column, other) in known.enumerated() {
                let change = diagonal + (letter == other ? 0 : 1)
                diagonal = costs[column + 1]
                costs[column + 1] = min(change, diagonal + 1, costs[column] + 1)
            }
        }
        return costs[known.count]
    }

    /// Which words of a line are hidden: those that stand in a box, at least half of them, or say what is hidden.
    func words(of line: RecognizedLine) -> Set<Int> {
        var found = Set(
            line.words.indices.filter { isThere(line.words[$0].box) || isSaid(line.words[$0].text) })
        found.formUnion(HiddenDay.words(of: line, thatSayOneOf: days))
        // A name that was read as two words.
        for index in line.words.indices.dropLast() where found.isDisjoint(with: [index, index + 1]) {
            let joined = line.words[index...index + 1].flatMap { Self.spelled($0.text).joined() }
            if words.contains(where: { Self.isReading(joined, of: $0) }) {
                found.formUnion([index, index + 1])
            }
        }
        return found
    }

    private func isThere(_ word: Box) -> Bool {
        let area = max(word.width * word.height, 1)
        return boxes.contains { box in
            let across = min(box.right, word.right) - max(box.left, word.left)
            let down = min(box.bottom, word.bottom) - max(box.top, word.top)
            return across > 0 && down > 0 && 2 * across * down >= area
        }
    }

    private func isSaid(_ text: String) -> Bool {
        if Self.spelled(text).contains(where: isOfZone) { return true }
        let letters = Vocabulary.words(of: text).joined()
        return letters.count >= Self.shortestOfCode && letters.contains(where: \.isNumber)
            && codes.contains { Vocabulary.words(of: $0).joined().contains(letters) }
    }
}

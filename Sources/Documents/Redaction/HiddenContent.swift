package import Imaging
import TextRecognition

/// What is to be hidden on a sheet, besides what its text alone tells.
package struct HiddenContent: Sendable {
    /// Where it stands, in pixels of the page: words there are hidden too.
    package var boxes: [Box] = []
    /// What codes say: what is printed of them in letters and digits is hidden too.
    package var codes: [String] = []
    /// Names and numbers, folded: words that say the same elsewhere are hidden too.
    private(set) var words: Set<String> = []
    /// The digits of days in every order in which they are printed.
    private var dates: Set<String> = []

    /// Nothing.
    package init() {}

    /// Hides what a machine-readable zone says of a person.
    package mutating func hide(_ zone: MachineReadableZone) {
        for text in [zone.surname, zone.givenNames, zone.number] + zone.optionalData {
            words.formUnion(Vocabulary.words(of: text ?? "").filter { $0.count > 1 })
        }
        for date in [zone.birthDate, zone.expiryDate].compactMap(\.self) {
            let parts = date.description.split(separator: "-").map(String.init)
            guard parts.count == 3 else { continue }
            let (day, month) = (parts[2], parts[1])
            for year in [parts[0], String(parts[0].suffix(2))] {
                dates.formUnion([day + month + year, month + day + year, year + month + day])
            }
        }
    }

    /// Letters that a word must share with a code to be its print: shorter ones are other words.
    private static let shortestOfCode = 4

    /// Letters from which on a word that was cut, joined or misread is still known.
    private static let shortestMisread = 5

    /// Whether a folded word is one of the zone's, whole or in part, or with one letter in five misread.
    private func isOfZone(_ word: String) -> Bool {
        guard !words.contains(word) else { return true }
        guard word.count >= Self.shortestMisread else { return false }
        return words.contains { known in
            guard known.count >= Self.shortestMisread else { return false }
            guard !known.contains(word), !word.contains(known) else { return true }
            return known.count == word.count
                && zip(known, word).count(where: { $0 != $1 }) * Self.shortestMisread <= known.count
        }
    }

    /// Whether a word stands there, at least half of it, or says the same.
    func covers(_ word: RecognizedWord) -> Bool {
        let area = max(word.box.width * word.box.height, 1)
        let isThere = boxes.contains { box in
            let across = min(box.right, word.box.right) - max(box.left, word.box.left)
            let down = min(box.bottom, word.box.bottom) - max(box.top, word.box.top)
            return across > 0 && down > 0 && 2 * across * down >= area
        }
        guard !isThere else { return true }
        let parts = Vocabulary.words(of: word.text)
        if parts.contains(where: isOfZone) { return true }
        let letters = parts.joined()
        if dates.contains(letters) { return true }
        return letters.count >= Self.shortestOfCode && letters.contains(where: \.isNumber)
            && codes.contains { Vocabulary.words(of: $0).joined().contains(letters) }
    }
}

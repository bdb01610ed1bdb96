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
    /// Days as in ISO 8601, wherever they are printed.
    private(set) var dates: Set<String> = []

    /// Nothing.
    package init() {}

    /// Hides what a machine-readable zone says of a person.
    package mutating func hide(_ zone: MachineReadableZone) {
        for text in [zone.surname, zone.givenNames, zone.number] + zone.optionalData {
            words.formUnion(Vocabulary.words(of: text ?? "").filter { $0.count > 1 })
        }
        dates.formUnion([zone.birthDate, zone.expiryDate].compactMap { $0?.description })
    }

    /// Letters that a word must share with a code to be its print: shorter ones are other words.
    private static let shortestOfCode = 4

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
        if parts.contains(where: words.contains) { return true }
        let letters = parts.joined()
        return letters.count >= Self.shortestOfCode && letters.contains(where: \.isNumber)
            && codes.contains { Vocabulary.words(of: $0).joined().contains(letters) }
    }
}

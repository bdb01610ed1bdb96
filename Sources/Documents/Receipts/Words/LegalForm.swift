/// Legal forms at the end of a name: of them all letters are known, so a misread one can be put right.
enum LegalForm {
    /// Words shorter than this have too many neighbours.
    private static let shortest = 3

    /// The forms of the vocabulary, as folded words.
    private static let forms: [[String]] = Vocabulary.shared.phrases(of: .company)
        .filter { $0.allSatisfy { $0.count >= shortest } }
        .sorted { ($0.count, $1.joined()) > ($1.count, $0.joined()) }

    /// A name's words, the legal form at its end with the letters that belong there: "SON BHO" is "SDN BHD".
    static func repaired(_ words: [String]) -> [String] {
        for form in forms where words.count > form.count {
            let tail = words.suffix(form.count).map { $0.filter { $0.isLetter || $0.isNumber } }
            guard zip(tail, form).allSatisfy({ alike($0, $1) }) else { continue }
            return words.dropLast(form.count)
                + zip(words.suffix(form.count), form).map { spelled($0, as: $1) }
        }
        return words
    }

    /// Whether two words differ at most by letters that are taken for each other.
    private static func alike(_ read: String, _ form: String) -> Bool {
        Vocabulary.folded(read).map(shape) == form.map(shape)
    }

    /// Letters and digits of one shape.
    private static func shape(_ letter: Character) -> Character {
        switch letter {
        case "o", "d", "q": "0"
        case "i", "l", "|": "1"
        case "s": "5"
        case "b": "8"
        case "z": "2"
        default: letter
        }
    }

    /// The form in the case of the word as read, whose other marks stay.
    private static func spelled(_ word: String, as form: String) -> String {
        guard Vocabulary.folded(word).filter({ $0.isLetter || $0.isNumber }) != form else { return word }
        let isUpper = !word.contains(where: \.isLowercase)
        var letters = form[...]
        return String(
            word.enumerated().map { place, character in
                guard character.isLetter || character.isNumber, let next = letters.popFirst() else {
                    return character
                }
                return isUpper || (place == 0 && character.isUppercase) ? Character(next.uppercased()) : next
            })
    }
}

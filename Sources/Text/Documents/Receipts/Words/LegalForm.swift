/// Legal forms at the end of a name. All their letters are known, so a misread one can be corrected.
enum LegalForm {
    /// Fewest letters of a form's words: shorter words are like too many others.
    private static let shortest = 3

    /// The forms of the vocabulary, as folded words.
    private static let forms: [[String]] = Vocabulary.shared.phrases(of: .company)
        .filter { $0.allSatisfy { $0.count >= shortest } }
        .sorted { ($0.count, $1.joined()) > ($1.count, $0.joined()) }

    private static let allForms = Set(forms)

    /// The forms of single letters, which may stand in one word with slashes: "S/B".
    private static let initials: [[String]] = Vocabulary.shared.phrases(of: .company)
        .filter { $0.count > 1 && $0.allSatisfy { $0.count == 1 } }

    /// Returns a name's words with the letters of the legal form at its end corrected: "SON BHO" is "SDN BHD", "5/8" "S/B".
    static func repaired(_ words: [String]) -> [String] {
        if words.count > 1, let last = words.last, let slashed = slashed(last) {
            return words.dropLast() + [slashed]
        }
        if let lettered = withLettersForDigits(words) { return lettered }
        for form in forms where words.count > form.count {
            let end = words.suffix(form.count)
            // "Pty Ltd" is a form of its own, though "Pte Ltd" differs by one letter.
            if allForms.contains(end.map { letters(of: $0) }) { return words }
            guard isMeant(end, by: form) else { continue }
            return words.dropLast(form.count)
                + zip(end, form).map { spelled($0, as: $1) }
        }
        return words
    }

    /// Returns a form's initials with slashes between them, if a word stands for them.
    private static func slashed(_ word: String) -> String? {
        let parts = word.split(separator: "/", omittingEmptySubsequences: false).map {
            Vocabulary.folded(String($0))
        }
        let form = initials.first { form in
            form.count == parts.count
                && zip(form, parts).allSatisfy { $1.count == 1 && $0.map(shape) == $1.map(shape) }
        }
        return form.map { $0.joined(separator: "/").uppercased() }
    }

    /// Most words of a form that ends in single letters.
    private static let mostWords = 4

    /// Returns a name with its letters restored if its form of single letters was read with digits, "Sp. 2 0.0."; nil if there is
    /// no such form.
    private static func withLettersForDigits(_ words: [String]) -> [String]? {
        for count in 1...mostWords where count < words.count {
            let form = words.suffix(count).map(lettersForDigits)
            if joinedInitials.contains(letters(of: form.joined())) {
                return form.elementsEqual(words.suffix(count)) ? nil : words.dropLast(count) + form
            }
        }
        return nil
    }

    /// Replaces digits by the letters that they were misread from in forms of single letters, such as "sp. z o.o." and "s. r.
    /// o.".
    static func lettersForDigits(_ word: String) -> String {
        word.contains(where: \.isNumber)
            ? word.replacing("0", with: "o").replacing("2", with: "z") : word
    }

    /// The letters of the forms that end in single letters.
    private static let joinedInitials = Set(
        Vocabulary.shared.phrases(of: .company).filter { $0.count > 1 && $0.last?.count == 1 }
            .map { $0.joined() })

    /// Index of the word behind the legal form in a name; nil if there is no form, or nothing follows it.
    static func end(in words: [String]) -> Int? {
        for form in forms where words.count > form.count {
            for start in 1..<(words.count - form.count + 1) {
                let end = start + form.count
                if end < words.count, words[start..<end].map({ letters(of: $0) }) == form { return end }
            }
        }
        return nil
    }

    private static func letters(of word: String) -> String {
        Vocabulary.folded(word).filter { $0.isLetter || $0.isNumber }
    }

    /// Fewest letters of a form that stays unambiguous with one wrong letter of any kind.
    private static let longEnough = 6

    /// Whether words are a form, apart from letters that look alike and, in a long form of several words, one other wrong letter.
    private static func isMeant(_ words: ArraySlice<String>, by form: [String]) -> Bool {
        let read = words.map { letters(of: $0) }
        guard zip(read, form).allSatisfy({ $0.count == $1.count }) else { return false }
        let wrong = zip(read.joined(), form.joined()).count { shape($0) != shape($1) }
        return wrong == 0 || (wrong == 1 && form.count > 1 && form.joined().count >= longEnough)
    }

    /// Maps letters and digits that look alike to one character.
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

    /// Writes the form in the case of the word as read, and keeps the word's other marks.
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

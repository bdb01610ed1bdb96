import Platform

/// What each class of a line recogniser stands for.
///
/// Such models read many scripts at once. Where a page is in a language of Latin letters, a sign of another script is a
/// mistake, and the letter that comes next counts.
struct LineAlphabet: Sendable {
    /// What is read for each class; nil for one that is not to be read. Class 0 is no character but what lies between two.
    let signs: [String?]
    /// The classes that may be read, among them 0 and that of the blank.
    let readable: [Int]
    /// For a class of a letter with an accent that the languages do not have, that of the letter without: "á" is what the
    /// models make of an "a" with a speck above.
    let withoutAccent: [Int: Int]

    /// For a class whose sign looks like others, the classes of those.
    let lookalikes: [Int: [Int]]

    /// The class of the blank; nil where the model has none.
    let blank: Int?

    /// The longest character that is taken, in bytes of UTF-8: a row is as long as all of its characters together. The longest
    /// of PP-OCRv6's 18,708 takes 4; a letter with three marks, or a ligature of an Indic script, up to 15.
    static let longestCharacter = 16

    /// The class between two characters.
    static let between = 0

    /// - Parameters:
    ///   - characters: those of the classes from 1 on, as the model's file lists them.
    ///   - classes: how many classes the model has. One more than characters and the class between stands for a blank.
    ///   - languages: tesseract's names of the languages that are read; they decide which scripts are.
    /// - Returns: nil if the numbers do not fit.
    init?(characters: [String], classes: Int, languages: [String]) {
        guard classes == characters.count + 1 || classes == characters.count + 2 else { return nil }
        self.init(
            characters: characters, hasBlank: classes == characters.count + 2, languages: languages)
    }

    /// The same, with or without a class for a blank behind the characters'.
    init(characters: [String], hasBlank: Bool, languages: [String]) {
        let all = languages.contains { Self.beyondLatin.contains(String($0.prefix(3))) }
        var signs: [String?] = [nil]
        for character in characters { signs.append(Self.sign(for: character, ofAnyScript: all)) }
        if hasBlank { signs.append(" ") }
        withoutAccent = Self.removeAccents(beyond: languages, from: &signs)
        self.signs = signs
        blank = signs.lastIndex(of: " ")
        readable = [Self.between] + signs.indices.filter { signs[$0] != nil }
        lookalikes = Self.lookalikes(among: signs)
    }

    /// Takes the letters that no language has out of the signs.
    /// - Returns: the classes of their plain forms.
    private static func removeAccents(beyond languages: [String], from signs: inout [String?]) -> [Int: Int] {
        let known = languages.map { accents[String($0.prefix(3))] }
        // A language whose letters are not listed may have any.
        guard !known.contains(nil) else { return [:] }
        let letters = Set(known.compactMap { $0 }.joined())
        let classes = Dictionary(
            signs.indices.compactMap { index in signs[index].map { ($0, index) } }, uniquingKeysWith: min)
        var plain: [Int: Int] = [:]
        for index in signs.indices {
            guard let sign = signs[index], let letter = sign.lowercased().first, letter.isLetter,
                !letters.contains(letter),
                let base = classes[LetterForms.withoutAccents(sign)], base != index
            else { continue }
            signs[index] = nil
            plain[index] = base
        }
        return plain
    }

    /// The letters beyond a to z of languages, by the first letters of tesseract's names (CLDR's main sets of letters; the é of
    /// words like "café" in English too).
    private static let accents = [
        "eng": "é", "msa": "é", "deu": "äöüß", "fra": "àâæçéèêëîïôœùûüÿ", "spa": "áéíñóúü",
        "ita": "àéèìíîòóùú",
        "por": "áàâãçéêíòóôõúü", "nld": "áäéëíïóöúü",
    ]

    /// Letters and digits that are told apart by what stands beside them rather than by their shape.
    static let groups = ["0Oo", "1lI", "2Zz", "5Ss", "8B"]

    private static func lookalikes(among signs: [String?]) -> [Int: [Int]] {
        var found: [Int: [Int]] = [:]
        for group in groups {
            // Only those of the other kind: whether a letter is a capital is another matter.
            let classes = signs.indices.filter { index in signs[index].map { group.contains($0) } ?? false }
            for index in classes {
                found[index] = classes.filter { isDigit(signs[$0]) != isDigit(signs[index]) }
            }
        }
        return found
    }

    private static func isDigit(_ sign: String?) -> Bool { sign?.first?.isNumber ?? false }

    /// The first letters of the languages whose signs are read beside Latin ones: Chinese and Japanese.
    static let beyondLatin: Set = ["chi", "jpn"]

    /// The languages of Latin letters that PP-OCR's makers name, by tesseract's names: what the built-in reader reads.
    static let latinLanguages = """
        afr aze bos cat ces cym dan deu eng est eus fin fra gle glg hrv hun ind isl ita kmr lat lav \
        lit ltz mlt mri msa nld nor oci pol por que ron slk slv spa sqi srp_latn swa swe tgl fil tur uzb vie
        """.split(separator: " ").map(String.init)

    /// Those that the reader of `make reader` reads besides.
    static let furtherLanguages = ["chi_sim", "chi_tra", "jpn"]

    /// Whether the built-in reader knows all of some languages.
    /// - Parameter notation: tesseract's names joined by +.
    static func coversInLatin(_ notation: String) -> Bool {
        notation.split(separator: "+").allSatisfy { latin.contains(String($0)) }
    }

    /// Whether the reader of `make reader` does.
    static func covers(_ notation: String) -> Bool {
        notation.split(separator: "+").allSatisfy { known.contains(String($0)) }
    }

    private static let latin = Set(latinLanguages + [TextReader.anyLanguage])
    private static let known = latin.union(furtherLanguages)

    /// What a character is read as: full-width and other forms of compatibility as their plain ones; nil for what is not to
    /// be read.
    static func sign(for character: String, ofAnyScript: Bool) -> String? {
        // The sign of multiplication is what the models make of the letter between a number and a price.
        if character == "×" { return "x" }
        let plain = LetterForms.compatible(character)
        // Compatibility would also take apart what is one sign to a reader: "½", "²", "™", "…".
        let sign = plain.count == 1 ? plain : character
        return ofAnyScript || sign.unicodeScalars.allSatisfy(isOfLatinText) ? sign : nil
    }

    /// Latin letters with their accents, digits, and the signs that stand among them.
    private static func isOfLatinText(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20..<0x7F, 0xA0..<0x250, 0x1E00..<0x1F00: true
        // Dashes, quotation marks, dots; currencies; "№", "™".
        case 0x2010..<0x2027, 0x2030..<0x203B, 0x20A0..<0x20D0, 0x2116, 0x2122: true
        default: false
        }
    }
}

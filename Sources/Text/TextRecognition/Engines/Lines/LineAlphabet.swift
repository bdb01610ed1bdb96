import Platform

/// What each class of a line recogniser stands for.
///
/// Such models read many scripts at once. On a page in a language of Latin letters, a character of another script is a
/// mistake, so the next likeliest letter is taken.
struct LineAlphabet: Sendable {
    /// The text of each class; nil for a class that must not be read. Class 0 is no character but the gap between two.
    let signs: [String?]
    /// The classes that may be read, including class 0 and the blank's class.
    let readable: [Int]
    /// Maps the class of an accented letter that the languages do not use to the class of the plain letter: the models
    /// read an "a" with a speck above as "á".
    let withoutAccent: [Int: Int]

    /// Maps a class to the classes whose signs look like its own.
    let lookalikes: [Int: [Int]]

    /// The class of the blank; nil where the model has none.
    let blank: Int?

    /// The longest character accepted, in bytes of UTF-8; it limits how long the text of a row can become. The longest
    /// of PP-OCRv6's 18,708 characters takes 4; a letter with three marks, or a ligature of an Indic script, up to 15.
    static let longestCharacter = 16

    /// The class between two characters.
    static let between = 0

    /// - Parameters:
    ///   - characters: the characters of the classes from 1 on, as the model's file lists them.
    ///   - classes: how many classes the model has. If there is one more than the characters and the class between, it
    ///     is the blank.
    ///   - languages: tesseract's names of the languages to read; they decide which scripts are read.
    /// - Returns: nil if the number of classes does not fit the characters.
    init?(characters: [String], classes: Int, languages: [String]) {
        guard classes == characters.count + 1 || classes == characters.count + 2 else { return nil }
        self.init(
            characters: characters, hasBlank: classes == characters.count + 2, languages: languages)
    }

    /// Creates an alphabet with or without a class for the blank, which follows the classes of the characters.
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

    /// Removes the letters that none of the languages uses from the signs.
    /// - Returns: for each class removed, the class of its plain letter.
    private static func removeAccents(beyond languages: [String], from signs: inout [String?]) -> [Int: Int] {
        let known = languages.map { accents[String($0.prefix(3))] }
        // A language that has no entry may use any letter.
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

    /// The letters beyond a to z of each language, by the first letters of tesseract's names (from CLDR's main sets of
    /// letters, plus the é of words like "café" in English).
    private static let accents = [
        "eng": "é", "msa": "é", "deu": "äöüß", "fra": "àâæçéèêëîïôœùûüÿ", "spa": "áéíñóúü",
        "ita": "àéèìíîòóùú",
        "por": "áàâãçéêíòóôõúü", "nld": "áäéëíïóöúü",
    ]

    /// Letters and digits that are told apart by their neighbours rather than by their shape.
    static let groups = ["0Oo", "1lI", "2Zz", "5Ss", "8B"]

    private static func lookalikes(among signs: [String?]) -> [Int: [Int]] {
        var found: [Int: [Int]] = [:]
        for group in groups {
            // Only signs of the other kind, letter or digit: upper and lower case are a separate question.
            let classes = signs.indices.filter { index in signs[index].map { group.contains($0) } ?? false }
            for index in classes {
                found[index] = classes.filter { isDigit(signs[$0]) != isDigit(signs[index]) }
            }
        }
        return found
    }

    private static func isDigit(_ sign: String?) -> Bool { sign?.first?.isNumber ?? false }

    /// The first letters of tesseract's names of the languages whose signs are read beside Latin ones: Chinese and
    /// Japanese.
    static let beyondLatin: Set = ["chi", "jpn"]

    /// The languages of Latin letters that PP-OCR's makers list, by tesseract's names. The built-in reader reads these.
    static let latinLanguages = """
        afr aze bos cat ces cym dan deu eng est eus fin fra gle glg hrv hun ind isl ita kmr lat lav \
        lit ltz mlt mri msa nld nor oci pol por que ron slk slv spa sqi srp_latn swa swe tgl fil tur uzb vie
        """.split(separator: " ").map(String.init)

    /// The languages that the reader of `make reader` reads in addition.
    static let furtherLanguages = ["chi_sim", "chi_tra", "jpn"]

    /// Whether the built-in reader knows all of the given languages.
    /// - Parameter notation: tesseract's names joined by +.
    static func coversInLatin(_ notation: String) -> Bool {
        notation.split(separator: "+").allSatisfy { latin.contains(String($0)) }
    }

    /// Whether the reader of `make reader` knows all of the given languages.
    static func covers(_ notation: String) -> Bool {
        notation.split(separator: "+").allSatisfy { known.contains(String($0)) }
    }

    private static let latin = Set(latinLanguages + [TextReader.anyLanguage])
    private static let known = latin.union(furtherLanguages)

    /// Returns what a character is read as: the plain form of full-width and other compatibility characters; nil for a
    /// character that must not be read.
    static func sign(for character: String, ofAnyScript: Bool) -> String? {
        // The models read the letter x between a quantity and a price as a multiplication sign.
        if character == "×" { return "x" }
        let plain = LetterForms.compatible(character)
        // Compatibility forms would also split signs that a reader sees as one: "½", "²", "™", "…".
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

import TextRecognition
import CReceiptTables
import Platform

/// The phrases by which receipts label what they print, each with its meaning and languages.
///
/// The phrases are data: one file per language in `CReceiptTables/words`. A phrase may have several meanings ("net" is what was
/// paid on one receipt and the sum before tax on the next): the row model decides.
struct Vocabulary {
    /// A phrase with several languages or meanings has several entries.
    struct Phrase {
        let words: [String]
        let meaning: Meaning
        let language: String
    }

    /// A phrase that stands in a row.
    struct Finding {
        let phrase: Phrase
        /// Which of the row's tokens it takes.
        let tokens: Range<Int>
    }

    /// The vocabulary that ships.
    static let shared = Vocabulary(
        file: embeddedText(creceipttables_words(), creceipttables_words_size()))

    /// The bytes of a table as text.
    static func embeddedText(_ bytes: UnsafePointer<UInt8>, _ size: Int) -> String {
        String(decoding: UnsafeBufferPointer(start: bytes, count: size), as: UTF8.self)
    }

    /// Phrases by their first word.
    private var phrases: [String: [Phrase]] = [:]
    /// Phrases of scripts that are written without spaces.
    private var unspaced: [Phrase] = []
    /// Every word of every phrase, by its number of letters.
    private var words: [Int: Set<String>] = [:]
    /// Phrases of several words, by their letters without spaces: print often leaves the spaces out.
    private var joined: [String: [String]] = [:]
    /// The languages in the order of the file.
    private(set) var languages: [String] = []

    /// The first letters of each month's names, January's first.
    private var months = [[String]](repeating: [], count: 12)

    /// Reads lines of "meaning: phrase, phrase"; "language: code" begins a language, "#" a remark. "months" has twelve entries,
    /// each with one or more beginnings of a month's name.
    init(file: String) {
        var language = ""
        for line in file.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let key = line[..<colon].trimmingSpaces
            let values = line[line.index(after: colon)...].split(separator: ",")
                .map { $0.trimmingSpaces }
            if key == "language" {
                language = values.first ?? ""
                languages.append(language)
            } else if key == "months", values.count == months.count {
                for (month, beginnings) in values.enumerated() {
                    months[month] += beginnings.split(separator: " ").map(String.init)
                }
            } else if let meaning = Meaning(rawValue: key) {
                for value in values { insert(value, meaning, language) }
            }
        }
    }

    /// Reads lines of "name: phrase, phrase"; "#" begins a remark.
    static func lists(in file: String) -> [(name: String, phrases: [[String]])] {
        file.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }.compactMap { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { return nil }
            return (
                String(parts[0]),
                parts[1].split(separator: ",").map { words(of: String($0)) }.filter { !$0.isEmpty }
            )
        }
    }

    private mutating func insert(_ value: String, _ meaning: Meaning, _ language: String) {
        let words = value.split(separator: " ").map(String.init)
        guard let first = words.first else { return }
        let phrase = Phrase(words: words, meaning: meaning, language: language)
        if Self.isUnspaced(value) {
            unspaced.append(phrase)
            return
        }
        phrases[first, default: []].append(phrase)
        for word in words { self.words[word.count, default: []].insert(word) }
        let letters = words.joined()
        if words.count > 1, letters.count >= Self.shortestJoined { joined[letters] = words }
    }

    /// Fewest letters of a phrase that is recognised without its spaces: shorter ones are words of their own.
    private static let shortestJoined = 6

    private static func isUnspaced(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.value > 0x2E80 }
    }

    // MARK: - Words of a row

    /// Returns the text in lower case, without accents, "ß" as "ss", and letters with strokes as tills without such letters print
    /// them: "zł" as "zl".
    static func folded(_ text: String) -> String {
        let folded = LetterForms.folded(text)
        if folded.utf8.allSatisfy({ $0 < 0x80 }) { return folded }
        return String(folded.flatMap { plainLetters[$0] ?? [$0] })
    }

    /// Letters that are not accented forms of others, and the plain letters that replace them.
    private static let plainLetters: [Character: [Character]] = [
        "ł": ["l"], "đ": ["d"], "ø": ["o"], "ı": ["i"], "æ": ["a", "e"], "œ": ["o", "e"], "ð": ["d"],
    ]

    /// The text's words in folded letters and digits only.
    static func words(of text: String) -> [String] {
        folded(text).split { !($0.isLetter || $0.isNumber) }.map(String.init)
    }

    /// Returns the words of a row as the vocabulary writes them. A word that it does not know is replaced by a known one that
    /// differs by one misread letter, or split where print left a space out.
    func tokens(of text: String) -> [String] {
        Self.words(of: Self.spaced(text)).flatMap { word -> [String] in
            if holds(word) { return [word] }
            if let parts = joined[word] { return parts }
            let letters = Self.lettersForDigits(word)
            if letters != word, holds(letters) { return [letters] }
            if let parts = joined[letters] { return parts }
            return [alike(letters) ?? word]
        }
    }

    /// Inserts spaces where a capital follows a small letter and where digits follow letters: "TotalAmt", "GST6%". A single small
    /// letter at the start was a capital: "øREAVRUNDING".
    private static func spaced(_ text: String) -> String {
        var result = ""
        var last: Character?
        var run = 0
        for place in text.indices {
            let character = text[place]
            if let last {
                let isTurn =
                    (last.isLowercase && character.isUppercase
                        && !(run == 1 && text[text.index(after: place)...].first?.isUppercase == true))
                    || (run >= 2 && last.isLetter && character.isNumber && character != "0"
                        && character != "1")
                if isTurn { result.append(" ") }
            }
            run = character.isLetter ? run + 1 : 0
            result.append(character)
            last = character
        }
        return result
    }

    /// Replaces single digits in a word by the letters that they are misread from; a word that is more than a third digits stays.
    private static func lettersForDigits(_ word: String) -> String {
        let digits = word.count(where: \.isNumber)
        guard digits > 0, word.count >= 4, 3 * digits <= word.count else { return word }
        return String(word.map { lookalikes[$0] ?? $0 })
    }

    private static let lookalikes: [Character: Character] = [
        "0": "o", "1": "l", "5": "s", "8": "b", "6": "g", "4": "a",
    ]

    /// Whether a folded word occurs in any phrase.
    func holds(_ word: String) -> Bool { words[word.count]?.contains(word) == true }

    /// Fewest letters of a word that may have one misread: shorter ones are like too many others.
    private static let shortestMisread = 5

    private func alike(_ word: String) -> String? {
        guard word.count >= Self.shortestMisread, word.allSatisfy(\.isLetter) else { return nil }
        let read = Array(word.utf8)
        return words[word.count]?.filter { candidate in
            zip(read, candidate.utf8).count { $0 != $1 } == 1 && candidate.utf8.count == read.count
        }.min()
    }

    /// The number, 1 to 12, of the month whose beginning a printed name starts with; nil if there is none.
    func month(named name: String) -> Int? {
        // Digits in a month's name are misread letters: "0ct", "Apr1l".
        let plain = Self.folded(name).replacing("0", with: "o").replacing("1", with: "l")
        return months.firstIndex { $0.contains { plain.hasPrefix($0) } }.map { $0 + 1 }
    }

    /// The words of every phrase of a meaning.
    func phrases(of meaning: Meaning) -> Set<[String]> {
        Set(phrases.values.joined().filter { $0.meaning == meaning }.map(\.words))
    }

    /// The words of a name as the vocabulary writes them, and the phrases among them. Lower case keeps "GmbH" one word.
    func phrases(ofName name: String) -> (tokens: [String], findings: [Finding]) {
        let plain = Self.words(of: name).joined(separator: " ")
        let tokens = tokens(of: plain)
        return (tokens, findings(in: tokens, text: plain))
    }

    /// Whether words begin with a phrase. The letters of a legal form may have been read as digits: "Sp. 2 0.0."
    private static func says(_ words: ArraySlice<String>, _ phrase: Phrase) -> Bool {
        words.starts(with: phrase.words) {
            $0 == $1 || (phrase.meaning == .company && LegalForm.lettersForDigits($0) == $1)
        }
    }

    /// The phrases that stand in a row.
    /// - Parameters:
    ///   - tokens: of the row, from `tokens(of:)`.
    ///   - text: of the row, for scripts without spaces.
    func findings(in tokens: [String], text: String) -> [Finding] {
        var found: [Finding] = []
        for start in tokens.indices {
            for phrase in phrases[tokens[start]] ?? []
            where Self.says(tokens[start...], phrase) {
                found.append(Finding(phrase: phrase, tokens: start..<start + phrase.words.count))
            }
        }
        if Self.isUnspaced(text) {
            let plain = text.filter { !$0.isWhitespace }
            for phrase in unspaced where plain.contains(phrase.words.joined()) {
                found.append(Finding(phrase: phrase, tokens: 0..<0))
            }
        }
        return found
    }
}

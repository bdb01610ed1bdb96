internal import CUnicodeTables

/// The names of languages by their codes, from `CUnicodeTables/languages.table`.
package struct LanguageName: Sendable {
    /// Its name in English.
    package let english: String
    /// ISO 639-1; nil for a language that has no code of two letters.
    package let twoLetters: String?

    /// ISO 639-2 or -3, the code of three letters.
    let threeLetters: String

    /// Finds a language by its code of two or three letters; nil if there is none.
    package init?(code: String) {
        let code = code.lowercased()
        self.init { $0.threeLetters == code || $0.twoLetters == code }
    }

    /// Finds the first language in the table that satisfies the condition.
    private init?(where isWanted: (LanguageName) -> Bool) {
        let table = String(
            decoding: UnsafeBufferPointer(
                start: cunicodetables_languages(), count: cunicodetables_languages_size()),
            as: UTF8.self)
        for line in table.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ", maxSplits: 2).map(String.init)
            guard parts.count == 3 else { continue }
            let language = LanguageName(parts)
            guard isWanted(language) else { continue }
            self = language
            return
        }
        return nil
    }

    private init(_ parts: [String]) {
        (threeLetters, twoLetters, english) = (parts[0], parts[1] == "-" ? nil : parts[1], parts[2])
    }

    /// Converts languages as people name them to tesseract's codes: "en" is eng, "German" is deu, "zh" is chi_sim. A
    /// word that is neither a code of two letters nor a name in English stays as it is.
    /// - Parameter list: the languages, joined by "+".
    package static func codes(in list: String) -> String {
        list.split(separator: "+", omittingEmptySubsequences: false).map { word in
            let word = String(word)
            let language = LanguageName {
                // Most languages that share a name are dialects, and have no code of two letters.
                $0.twoLetters != nil
                    && ($0.twoLetters == word.lowercased() || $0.english.lowercased() == word.lowercased())
            }
            // Chinese is written in two scripts, each with data of its own.
            return language.map { $0.twoLetters == "zh" ? "chi_sim" : $0.threeLetters } ?? word
        }.joined(separator: "+")
    }
}

internal import CUnicodeTables

/// What languages are called, by their codes: `CUnicodeTables/languages.table`.
package struct LanguageName: Sendable {
    /// Its name in English.
    package let english: String
    /// ISO 639-1; nil for a language that has no code of two letters.
    package let twoLetters: String?

    /// A language by its code of two or three letters; nil for what is none.
    package init?(code: String) {
        let code = code.lowercased()
        let table = String(
            decoding: UnsafeBufferPointer(
                start: cunicodetables_languages(), count: cunicodetables_languages_size()),
            as: UTF8.self)
        for line in table.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3, parts[0] == code || parts[1] == code else { continue }
            english = String(parts[2])
            twoLetters = parts[1] == "-" ? nil : String(parts[1])
            return
        }
        return nil
    }
}

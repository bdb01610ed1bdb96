internal import CUnicodeTables

/// Plain forms of letters, without the differences between spellings of one word: capitals, accents, width, ligatures.
///
/// The results equal those of Foundation, which needs ICU and its 30 MB of data: the tests compare the two. The tables
/// are those of `CUnicodeTables`.
package enum LetterForms {
    /// Returns lower-case letters without accents, ligatures as their letters, "ß" as "ss", all of usual width.
    ///
    /// Accents of Latin, Greek and Cyrillic letters are removed, whether they are part of a letter or stand behind it.
    /// Accents of kana make other letters and stay.
    package static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.lowercased() }
        var folded = String.UnicodeScalarView()
        var former: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if let former, isAccent(scalar, behind: former) { continue }
            if let form = forms[scalar] {
                folded.append(contentsOf: form)
            } else {
                for letter in accents[scalar] ?? [scalar] {
                    folded.append(contentsOf: letter.properties.lowercaseMapping.unicodeScalars)
                }
            }
            former = folded.last
        }
        return String(folded)
    }

    /// Removes the accents of a sign and keeps capitals; a sign without accents stays as it is.
    static func withoutAccents(_ sign: String) -> String {
        var plain = String.UnicodeScalarView()
        for scalar in sign.unicodeScalars {
            if let former = plain.last, isAccent(scalar, behind: former) { continue }
            plain.append(contentsOf: accents[scalar] ?? [scalar])
        }
        return String(plain)
    }

    /// Returns the plain sign for a form such as "ａ", "ª" or "㎏"; the sign itself where there is no such single sign.
    static func compatible(_ sign: String) -> String {
        let scalars = sign.unicodeScalars
        guard let scalar = scalars.first, scalars.count == 1, let plain = compatibility[scalar] else {
            return sign
        }
        return String(String.UnicodeScalarView(plain))
    }

    /// The end of the code points whose accents are not counted: Latin, Greek, Cyrillic.
    private static let endOfAccentedScripts: UInt32 = 0x0510

    private static func isAccent(_ scalar: Unicode.Scalar, behind former: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case ..<0x300: return false
        // Combining marks of the three scripts.
        case 0x300...0x36F, 0x483...0x489: return true
        // The mark that keeps letters from being joined (zero-width non-joiner), and the half-width voicing marks of
        // kana.
        case 0x200C, 0xFF9E, 0xFF9F: return former.value < endOfAccentedScripts
        default:
            guard former.value < endOfAccentedScripts else { return false }
            return switch scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark: true
            default: false
            }
        }
    }

    private typealias Forms = [Unicode.Scalar: [Unicode.Scalar]]

    private static let accents = table(cunicodetables_accents(), cunicodetables_accents_size())
    private static let compatibility = table(
        cunicodetables_compatibility(), cunicodetables_compatibility_size())
    private static let forms: Forms = {
        var forms = table(cunicodetables_forms(), cunicodetables_forms_size())
        // Behind kana these marks stay as they are, and they are printed nowhere else.
        forms["\u{FF9E}"] = nil
        forms["\u{FF9F}"] = nil
        return forms
    }()

    /// Parses lines of a plain form, a tab, and the scalars that are forms of it; "#" begins a comment.
    private static func table(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Forms {
        var forms: Forms = [:]
        for line in UnsafeBufferPointer(start: bytes, count: count).split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: UInt8(ascii: "\t"))
            guard parts.count == 2 else { continue }
            let plain = Array(String(decoding: parts[0], as: UTF8.self).unicodeScalars)
            for form in String(decoding: parts[1], as: UTF8.self).unicodeScalars { forms[form] = plain }
        }
        return forms
    }
}

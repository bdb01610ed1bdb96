extension StringProtocol {
    /// The text with everything that would steer a terminal, or reorder or forge what it shows, made visible.
    ///
    /// File names, keys of documents and entries of archives come from strangers (CWE-150). Escaped are the C0 controls (line
    /// feed and tab too), DEL, C1, the marks that turn the direction of writing (Unicode UAX #9), and the separators of
    /// lines and paragraphs.
    var visible: String {
        guard unicodeScalars.contains(where: \.steersTerminals) else { return String(self) }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.steersTerminals:
                text += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The same of each line; the line feeds between them stay.
    var visibleLines: String {
        unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String(Substring.UnicodeScalarView($0)).visible }.joined(separator: "\n")
    }
}

extension Unicode.Scalar {
    fileprivate var steersTerminals: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true
        case 0x2028...0x2029: true
        default: false
        }
    }
}

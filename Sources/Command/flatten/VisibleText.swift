extension StringProtocol {
    /// The text with every character made visible that would control a terminal, or reorder or forge what it shows.
    ///
    /// File names, keys of documents and entries of archives come from strangers (CWE-150). Escaped are the C0 controls
    /// (including line feed and tab), DEL, C1, the marks that change the direction of writing (Unicode UAX #9), and the
    /// separators of lines and paragraphs.
    var visible: String { visible(keeping: "") }

    /// The same for each line; line feeds are kept.
    var visibleLines: String { visible(keeping: "\n") }

    /// The same for a text with columns; line feeds and tabs are kept.
    var visibleColumns: String { visible(keeping: "\n\t") }

    private func visible(keeping kept: String) -> String {
        func isEscaped(_ scalar: Unicode.Scalar) -> Bool {
            scalar.steersTerminals && !kept.unicodeScalars.contains(scalar)
        }
        guard unicodeScalars.contains(where: isEscaped) else { return String(self) }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case _ where !isEscaped(scalar): text.unicodeScalars.append(scalar)
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            default: text += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
            }
        }
        return text
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

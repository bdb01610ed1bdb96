extension StringProtocol {
    /// Returns the text without certain characters at its ends.
    /// - Parameter signs: the characters to remove, compared as scalars, so that an accent after one stays.
    package func trimming(_ signs: String) -> String { trimming(where: signs.unicodeScalars.contains) }

    /// The text without spaces and tabs of any script at its ends; line ends stay.
    package var trimmingSpaces: String { trimming(where: \.isSpace) }

    /// The text without spaces, tabs and line ends at its ends.
    package var trimmingWhitespace: String { trimming { $0.isSpace || $0.isLineEnd } }

    private func trimming(where isTrimmed: (Unicode.Scalar) -> Bool) -> String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !isTrimmed($0) }),
            let last = scalars.lastIndex(where: { !isTrimmed($0) })
        else { return "" }
        return String(String.UnicodeScalarView(scalars[first...last]))
    }
}

extension Unicode.Scalar {
    /// Whether it is a tab, a Unicode space or the zero-width space.
    fileprivate var isSpace: Bool {
        self == "\t" || self == "\u{200B}" || properties.generalCategory == .spaceSeparator
    }

    /// Whether it is a Unicode line end.
    fileprivate var isLineEnd: Bool {
        ("\n"..."\r").contains(self) || self == "\u{85}" || self == "\u{2028}" || self == "\u{2029}"
    }
}

extension StringProtocol {
    /// The text without signs at its ends.
    /// - Parameter signs: what is taken away, scalar by scalar, so that an accent behind one stays.
    package func trimming(_ signs: String) -> String { trimming(where: signs.unicodeScalars.contains) }

    /// The text without spaces and tabulators of any script at its ends; line ends stay.
    package var trimmingSpaces: String { trimming(where: \.isSpace) }

    /// The text without spaces, tabulators and line ends at its ends.
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
    /// A tabulator, a space of Unicode or the space of no width.
    fileprivate var isSpace: Bool {
        self == "\t" || self == "\u{200B}" || properties.generalCategory == .spaceSeparator
    }

    /// Any line end of Unicode.
    fileprivate var isLineEnd: Bool {
        ("\n"..."\r").contains(self) || self == "\u{85}" || self == "\u{2028}" || self == "\u{2029}"
    }
}

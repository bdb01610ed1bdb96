/// Texts in which a delimiter stands beside what makes another Character of it, steers a reader, or ends a line.
///
/// Swift compares Characters: what escapes or parts text by them misses the delimiter, and the file's reader does not.
package enum DelimiterCorpus {
    /// A mark and a joiner that extend what stands before them, a variation selector, a sign that takes in what follows it,
    /// line ends, a zero byte, an escape, and the mark that turns the direction of writing.
    package static let neighbours = [
        "", "\u{301}", "\u{200D}", "\u{FE0F}", "\u{600}", "\r\n", "\n", "\u{2028}", "\0", "\u{1B}[2J",
        "\u{202E}",
    ]

    /// Each delimiter between any two neighbours, alone and within words.
    package static func texts(around delimiters: [String]) -> [String] {
        var texts: [String] = []
        for delimiter in delimiters {
            for before in neighbours {
                for behind in neighbours {
                    let alone = before + delimiter + behind
                    texts += [alone, "a\(alone)=1+1\(before)\(delimiter)z"]
                }
            }
        }
        return texts
    }

    /// A text without the scalars that a format cannot hold, others in their place.
    package static func text(_ text: String, replacing: (Unicode.Scalar) -> String?) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if let other = replacing(scalar) { result += other.unicodeScalars } else { result.append(scalar) }
        }
        return String(result)
    }
}

/// A text by its scalars: Swift's strings are equal where their Characters are.
package func scalars(_ text: some StringProtocol) -> [Unicode.Scalar] { Array(text.unicodeScalars) }

/// Text handled scalar by scalar, as formats, names and paths define it.
///
/// Swift compares Characters, and a scalar next to a delimiter changes the Character: a quotation mark before U+0301 and a slash
/// after U+0600 are other Characters than a quotation mark and a slash, but every reader of the file sees the delimiters. Text
/// from strangers is therefore split, searched and changed with these functions, or in `utf8` and `unicodeScalars`
/// (`Scripts/check-text`). Two spellings of one letter are two different texts here.
extension StringProtocol {
    /// Whether the text begins with another, compared byte by byte.
    package func hasScalarPrefix(_ prefix: some StringProtocol) -> Bool { utf8.starts(with: prefix.utf8) }

    /// Whether the text ends with another, compared byte by byte.
    package func hasScalarSuffix(_ suffix: some StringProtocol) -> Bool {
        utf8.reversed().starts(with: suffix.utf8.reversed())
    }

    /// Returns the text after a prefix; nil if it does not begin with it.
    package func dropping(scalarPrefix prefix: some StringProtocol) -> SubSequence? {
        guard hasScalarPrefix(prefix) else { return nil }
        return self[utf8.index(startIndex, offsetBy: prefix.utf8.count)...]
    }

    /// Returns the text before a suffix; nil if it does not end with it.
    package func dropping(scalarSuffix suffix: some StringProtocol) -> SubSequence? {
        guard hasScalarSuffix(suffix) else { return nil }
        return self[..<utf8.index(endIndex, offsetBy: -suffix.utf8.count)]
    }

    /// Whether the text contains a scalar.
    package func containsScalar(_ scalar: Unicode.Scalar) -> Bool { unicodeScalars.contains(scalar) }

    /// Returns the index of the first occurrence of a scalar.
    package func firstIndex(ofScalar scalar: Unicode.Scalar) -> Index? {
        unicodeScalars.firstIndex(of: scalar)
    }

    /// Returns the index of the last occurrence of a scalar.
    package func lastIndex(ofScalar scalar: Unicode.Scalar) -> Index? { unicodeScalars.lastIndex(of: scalar) }

    /// Returns the index after the scalar at an index; the index after the Character there may lie further on.
    package func index(afterScalar place: Index) -> Index { unicodeScalars.index(after: place) }

    /// Returns the range of the first occurrence of another, non-empty text. O(length of both).
    package func firstRange(ofScalars text: some StringProtocol) -> Range<Index>? {
        guard let first = text.utf8.first else { return nil }
        var rest = utf8[...]
        while let start = rest.firstIndex(of: first) {
            rest = rest[start...]
            var end = start
            var isWhole = true
            for byte in text.utf8 {
                guard end < rest.endIndex, rest[end] == byte else {
                    isWhole = false
                    break
                }
                end = rest.index(after: end)
            }
            if isWhole { return start..<end }
            rest = rest.dropFirst()
        }
        return nil
    }

    /// Splits the text at a scalar, as `split(separator:)` does at a Character.
    package func split(
        atScalar separator: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [SubSequence] {
        unicodeScalars.split(
            separator: separator, maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences
        ).map { self[$0.startIndex..<$0.endIndex] }
    }

    /// Returns the text with all occurrences of `text`, which must not be empty, replaced by `other`.
    package func replacingScalars(_ text: some StringProtocol, with other: some StringProtocol) -> String {
        var replaced = String.UnicodeScalarView()
        var rest = self[...]
        while let range = rest.firstRange(ofScalars: text) {
            replaced += rest[..<range.lowerBound].unicodeScalars
            replaced += other.unicodeScalars
            rest = rest[range.upperBound...]
        }
        replaced += rest.unicodeScalars
        return String(replaced)
    }
}

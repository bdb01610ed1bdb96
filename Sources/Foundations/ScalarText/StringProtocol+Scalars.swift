/// Text scalar by scalar, as formats, names and paths have it.
///
/// Swift compares Characters, and what stands beside a delimiter changes the Character: a quotation mark before U+0301 and a
/// slash behind U+0600 are other Characters than a quotation mark and a slash, and every reader of the file sees these. Text
/// from strangers is therefore parted, searched and changed by these functions, or in `utf8` and `unicodeScalars`
/// (`Scripts/check-text`). Two spellings of one letter are two texts here.
extension StringProtocol {
    /// Whether the text begins with all of another.
    package func hasScalarPrefix(_ prefix: some StringProtocol) -> Bool { utf8.starts(with: prefix.utf8) }

    /// Whether the text ends with all of another.
    package func hasScalarSuffix(_ suffix: some StringProtocol) -> Bool {
        utf8.reversed().starts(with: suffix.utf8.reversed())
    }

    /// What follows a beginning; nil for a text that does not begin so.
    package func dropping(scalarPrefix prefix: some StringProtocol) -> SubSequence? {
        guard hasScalarPrefix(prefix) else { return nil }
        return self[utf8.index(startIndex, offsetBy: prefix.utf8.count)...]
    }

    /// What stands before an end; nil for a text that does not end so.
    package func dropping(scalarSuffix suffix: some StringProtocol) -> SubSequence? {
        guard hasScalarSuffix(suffix) else { return nil }
        return self[..<utf8.index(endIndex, offsetBy: -suffix.utf8.count)]
    }

    /// Whether a scalar stands in the text.
    package func containsScalar(_ scalar: Unicode.Scalar) -> Bool { unicodeScalars.contains(scalar) }

    /// Where a scalar first stands.
    package func firstIndex(ofScalar scalar: Unicode.Scalar) -> Index? {
        unicodeScalars.firstIndex(of: scalar)
    }

    /// Where a scalar last stands.
    package func lastIndex(ofScalar scalar: Unicode.Scalar) -> Index? { unicodeScalars.lastIndex(of: scalar) }

    /// The place behind the scalar at a place: that of the Character behind it may lie further on.
    package func index(afterScalar place: Index) -> Index { unicodeScalars.index(after: place) }

    /// Where another text, which is not empty, first stands. O(length of both).
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

    /// The parts between a scalar, as `split(separator:)` has them between a Character.
    package func split(
        atScalar separator: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
    ) -> [SubSequence] {
        unicodeScalars.split(
            separator: separator, maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences
        ).map { self[$0.startIndex..<$0.endIndex] }
    }

    /// The text with another in the place of all that is equal to a third, which is not empty.
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

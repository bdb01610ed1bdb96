/// How wide and how high a word is in a usual typeface, in parts of its size: what its size is told by.
package enum WordProportions: CaseIterable, Sendable {
    /// As Helvetica, and nearly as most faces without serifs.
    case proportional
    /// All letters as wide, as tills have them.
    case monospaced

    /// Width of a word's ink; nil for one with letters that are not known here, or fewer than two.
    package func width(of text: String) -> Double? {
        guard let letters = Self.letters(of: text) else { return nil }
        let advance =
            switch self {
            case .proportional: letters.reduce(0) { $0 + (Self.advances[$1] ?? 0) }
            case .monospaced: Double(letters.count) * Self.monospacedAdvance
            }
        return advance - Self.bearings
    }

    /// Height of a word's ink, from the highest letter to the lowest; nil as `width(of:)`.
    package static func height(of text: String) -> Double? {
        guard let letters = letters(of: text) else { return nil }
        let top = letters.map { low.contains($0) ? 0.538 : $0 == "t" ? 0.66 : 0.718 }.max() ?? 0
        let bottom = letters.map { deep[$0] ?? 0 }.max() ?? 0
        return top + bottom
    }

    private static let leastLetters = 2
    private static let monospacedAdvance = 0.6
    /// What is blank before the first letter and behind the last one.
    private static let bearings = 0.08

    /// The signs of a word of at least two letters or digits, all of which are known, and none of which has an accent, which stands
    /// higher than it.
    private static func letters(of text: String) -> [Unicode.Scalar]? {
        let letters = Array(text.unicodeScalars)
        guard letters.allSatisfy({ advances[$0] != nil }),
            letters.count(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil })
                >= leastLetters
        else { return nil }
        return letters
    }

    /// Signs no higher than an "x" that do not matter where others stand beside them.
    private static let low = Set("acegmnopqrsuvwxyz.,:;-_+=<>~*".unicodeScalars)
    /// How deep signs go below the line.
    private static let deep: [Unicode.Scalar: Double] = {
        var deep: [Unicode.Scalar: Double] = [:]
        for letter in "gjpqy".unicodeScalars { deep[letter] = 0.21 }
        for sign in ",;".unicodeScalars { deep[sign] = 0.14 }
        for sign in "()[]|@$".unicodeScalars { deep[sign] = 0.2 }
        return deep
    }()

    /// Helvetica's widths (Adobe Core 35 metrics).
    private static let advances: [Unicode.Scalar: Double] = {
        let widths: [(String, Double)] = [
            ("il", 0.222), ("'", 0.191), ("|", 0.26), ("!,./:;Ift[]\\", 0.278), ("r()-`{}", 0.333),
            ("\"", 0.355),
            ("*", 0.389), ("Jcksvxyz", 0.5), ("#$0123456789?L_abdeghnopqu", 0.556), ("+<=>~", 0.584),
            ("FTZ", 0.611), ("&ABEKPSVXY", 0.667), ("CDHNRUw", 0.722), ("GOQ", 0.778), ("Mm", 0.833),
            ("%", 0.889), ("W", 0.944), ("@", 1.015),
        ]
        return Dictionary(
            widths.flatMap { signs, width in signs.unicodeScalars.map { ($0, width) } },
            uniquingKeysWith: { first, _ in first })
    }()
}

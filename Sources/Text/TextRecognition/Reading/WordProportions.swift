/// Width and height of a word in a usual typeface, relative to the type size. They serve to estimate that size.
package enum WordProportions: CaseIterable, Sendable {
    /// Like Helvetica, and nearly like most faces without serifs.
    case proportional
    /// All letters equally wide, as tills print them.
    case monospaced

    /// Returns the width of a word's ink; nil for a word with unknown letters, or with fewer than two letters.
    package func width(of text: String) -> Double? {
        guard let letters = Self.letters(of: text) else { return nil }
        let advance =
            switch self {
            case .proportional: letters.reduce(0) { $0 + (Self.advances[$1] ?? 0) }
            case .monospaced: Double(letters.count) * Self.monospacedAdvance
            }
        return advance - Self.bearings
    }

    /// Returns the height of a word's ink, from the top of its letters to the bottom; nil as `width(of:)`.
    package static func height(of text: String) -> Double? {
        guard let letters = letters(of: text) else { return nil }
        let top = letters.map { low.contains($0) ? 0.538 : $0 == "t" ? 0.66 : 0.718 }.max() ?? 0
        let bottom = letters.map { deep[$0] ?? 0 }.max() ?? 0
        return top + bottom
    }

    private static let leastLetters = 2
    private static let monospacedAdvance = 0.6
    /// The blank before the first letter and behind the last one together.
    private static let bearings = 0.08

    /// Returns the signs of a word with at least two letters or digits; nil if a sign is unknown or has an accent,
    /// which would make it higher.
    private static func letters(of text: String) -> [Unicode.Scalar]? {
        let letters = Array(text.unicodeScalars)
        guard letters.allSatisfy({ advances[$0] != nil }),
            letters.count(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil })
                >= leastLetters
        else { return nil }
        return letters
    }

    /// Signs no higher than an "x"; they do not set a word's height where higher ones stand beside them.
    private static let low = Set("acegmnopqrsuvwxyz.,:;-_+=<>~*".unicodeScalars)
    /// How far signs reach below the base line.
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

import Platform

/// What lies between two neighbouring signs of a row.
package struct SignGap: Equatable, Sendable {
    /// How sure the recogniser is of a blank there, 0 to 1.
    package var blank: Double
    /// What the print shows; nil inside a number, and where no two signs of the row are likely to be of one word, so
    /// that the usual spacing is unknown.
    package var print: Print?

    /// How far apart the signs stand, compared with neighbours within a word of this row.
    package struct Print: Equatable, Sendable {
        /// Distance between the middles of the signs, in usual steps of the row.
        package var step: Double
        /// How much wider than usual the blank paper between them is, in letter heights; may be negative.
        package var paper: Double
    }

    private typealias Tuning = ReadingTuning.Signs

    /// Whether the gap is a blank, by a logistic regression trained on drawn receipts (`Training/Blanks`).
    var isBlank: Bool {
        guard let print else { return blank > 0.5 }
        let odds = (blank + Tuning.leastBlank) / (1 - blank + Tuning.leastBlank)
        let weights = Tuning.blankWeights
        return weights.bias + weights.blank * log(odds)
            + weights.step * min(print.step, Tuning.widestStep)
            + weights.paper * min(max(print.paper, Tuning.leastPaper), Tuning.mostPaper) > 0
    }
}

import Platform

/// What lies between two neighbouring signs of a row.
package struct SignGap: Equatable, Sendable {
    /// How sure the recogniser is of a blank there, 0 to 1.
    package var blank: Double
    /// What the print says; nil where no two signs of the row are likely to be of one word, which would tell what is usual.
    package var print: Print?

    /// How far apart the signs stand, against neighbours of one word in this row.
    package struct Print: Equatable, Sendable {
        /// From middle to middle, in usual steps.
        package var step: Double
        /// How much wider the blank paper between them is than usual, in letter heights; may be negative.
        package var paper: Double
    }

    private typealias Tuning = ReadingTuning.Signs

    /// Whether it is a blank, by a logistic regression on drawn receipts (`Training/Blanks`).
    var isBlank: Bool {
        guard let print else { return blank > 0.5 }
        let odds = (blank + Tuning.leastBlank) / (1 - blank + Tuning.leastBlank)
        let weights = Tuning.blankWeights
        return weights.bias + weights.blank * log(odds)
            + weights.step * min(print.step, Tuning.widestStep)
            + weights.paper * min(max(print.paper, Tuning.leastPaper), Tuning.mostPaper) > 0
    }
}

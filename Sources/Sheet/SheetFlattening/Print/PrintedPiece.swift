import Imaging

/// A letter, or a piece of a rule as long as a letter, on a level page whose rows run along x.
package struct PrintedPiece: Equatable, Sendable {
    /// What a piece belongs to: letters and rules are never joined into one line.
    enum Kind: Equatable, Sendable {
        /// Part of a row of text.
        case letter
        /// Part of a rule or of the edge of a bar.
        case rule
    }

    /// Letter or rule.
    var kind: Kind
    /// The piece's box on the page, in pixels.
    var box: Box
}

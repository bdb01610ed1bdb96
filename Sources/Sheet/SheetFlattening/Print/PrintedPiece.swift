import Imaging

/// A letter, or a letter's length of a rule, on a level page whose rows run along x.
package struct PrintedPiece: Equatable, Sendable {
    /// What a piece belongs to: letters and rules are never joined to one line.
    enum Kind: Equatable, Sendable {
        /// Part of a row of text.
        case letter
        /// Part of a rule or of the edge of a bar.
        case rule
    }

    /// Letter or rule.
    var kind: Kind
    /// Where it stands on the page, in pixels.
    var box: Box
}

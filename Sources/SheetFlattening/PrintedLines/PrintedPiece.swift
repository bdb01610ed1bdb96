/// A letter, or a letter's length of a rule, as a box on a level page whose rows run along x. Lengths in pixels of that
/// page.
package struct PrintedPiece: Equatable, Sendable {
    /// What a piece belongs to: letters and rules are never joined to one line.
    package enum Kind: Equatable, Sendable {
        /// Part of a row of text.
        case letter
        /// Part of a rule or of the edge of a bar.
        case rule
    }

    /// Letter or rule.
    package var kind: Kind
    /// Left edge.
    package var left: Double
    /// Right edge, greater than `left`.
    package var right: Double
    /// Upper edge.
    package var top: Double
    /// Lower edge, greater than `top`.
    package var bottom: Double

    /// A piece from its edges.
    package init(kind: Kind, left: Double, right: Double, top: Double, bottom: Double) {
        self.kind = kind
        self.left = left
        self.right = right
        self.top = top
        self.bottom = bottom
    }

    var centerX: Double { (left + right) / 2 }
    var middle: Double { (top + bottom) / 2 }
    var height: Double { bottom - top }
}

/// What the network sees in an image.
package struct SheetField: Equatable, Sendable {
    /// Side of both maps in pixels: half of the side that the image was squashed to. Pixel (x, y) of the field covers
    /// the image from x / side to (x + 1) / side of its width and likewise of its height.
    package var side: Int
    /// The probability that a pixel lies on a sheet, row by row.
    package var sheet: [Float]
    /// The probability that a pixel lies on a sheet's border, also where two touch, row by row.
    package var border: [Float]
    /// The probability that there is a sheet at all.
    package var presence: Float

    package init(side: Int, sheet: [Float], border: [Float], presence: Float) {
        precondition(sheet.count == side * side && border.count == side * side)
        self.side = side
        self.sheet = sheet
        self.border = border
        self.presence = presence
    }
}

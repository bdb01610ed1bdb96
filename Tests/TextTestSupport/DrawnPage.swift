package import Imaging
import SyntheticCaptures

/// Text drawn on flat paper in fixed-width type, with nothing of a camera in it: what reader and geometry must get right.
package struct DrawnPage {
    package var picture: GrayImage
    /// Where each line's cells begin, in pixels: the first cell's left edge and the line's top.
    package let cellWidth: Int
    package let linePitch: Int
    package let margin: Int

    /// - Parameters:
    ///   - text: printable ASCII, a line for each row.
    ///   - cellWidth: distance of the characters in pixels.
    ///   - cellHeight: height of a character's cell; twice the width gives the type's own shape.
    ///   - ink: brightness of the print.
    ///   - paper: brightness of the paper.
    ///   - inverted: rows printed light on a bar as dark as the ink.
    package init(
        _ text: String, cellWidth: Int = 14, cellHeight: Int = 28, linePitch: Int = 34, ink: Int = 40,
        paper: Int = 225,
        inverted: Set<Int> = []
    ) throws {
        let atlas = try GlyphAtlas.bundled()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
        let margin = 2 * cellWidth
        let width = (lines.map(\.count).max() ?? 0) * cellWidth + 2 * margin
        let height = lines.count * linePitch + 2 * margin
        var picture = GrayImage(width: width, height: height, filledWith: UInt8(paper))
        for (row, line) in lines.enumerated() {
            let top = margin + row * linePitch
            if inverted.contains(row) {
                for y in top - 2..<top + cellHeight + 2 {
                    for x in margin / 2..<width - margin / 2 { picture[x: x, y: y] = UInt8(ink) }
                }
            }
            for (column, character) in line.enumerated() where character != " " {
                let origin = atlas.cellOrigin(of: character, isBold: false)
                for y in 0..<cellHeight {
                    for x in 0..<cellWidth {
                        let coverage = Self.meanInk(atlas.ink, origin, x, y, cellWidth, cellHeight)
                        let level =
                            inverted.contains(row)
                            ? ink + (paper - ink) * coverage / 255 : paper - (paper - ink) * coverage / 255
                        picture[x: margin + column * cellWidth + x, y: top + y] = UInt8(level)
                    }
                }
            }
        }
        self.picture = picture
        self.cellWidth = cellWidth
        self.linePitch = linePitch
        self.margin = margin
    }

    /// Mean of the atlas' ink under one drawn pixel.
    private static func meanInk(
        _ ink: GrayImage, _ origin: (x: Int, y: Int), _ x: Int, _ y: Int, _ width: Int, _ height: Int
    ) -> Int {
        let (left, right) = (x * GlyphAtlas.cellWidth / width, (x + 1) * GlyphAtlas.cellWidth / width)
        let (top, bottom) = (y * GlyphAtlas.cellHeight / height, (y + 1) * GlyphAtlas.cellHeight / height)
        var (sum, count) = (0, 0)
        for v in top..<max(bottom, top + 1) {
            for u in left..<max(right, left + 1) {
                sum += Int(ink[x: origin.x + u, y: origin.y + v])
                count += 1
            }
        }
        return sum / count
    }
}

/// A small receipt as printed; the rules are not text.
package let smallReceipt = """
       HARBOUR KIOSK
        12 Pier Road

    Date 21/06/2025   11:48
    -----------------------
    2x Filter Coffee   7.80
    Rye Sandwich      11.40
    Still Water        1.91
    -----------------------
    TOTAL             21.11
    """

/// A text's rows with single spaces, without rules and empty rows: what reading gives.
package func readingForm(of text: String) -> [String] {
    text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        .filter { $0.contains { !"-=_. ".contains($0) } }
}

/// Eight rows that end as sharply at the top as at the foot: their shape does not tell which way is up.
package let textOfCapitals = Array(
    repeating: """
        HARD CHEESE AND BREAD     MILK
        THE NEAREST FARM HAS MADE THEM
        """, count: 4
).joined(separator: "\n")

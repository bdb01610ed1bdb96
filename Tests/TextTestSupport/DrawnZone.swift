package import Imaging

/// A machine-readable zone drawn on grey paper, lighter to the right.
package struct DrawnZone: Sendable {
    /// The lines.
    package let lines: [String]

    package init(_ lines: [String]) { self.lines = lines }

    /// The zone at the foot of a page that it nearly fills in width, as on a passport.
    /// - Parameters:
    ///   - pitch: pixels from one character to the next.
    ///   - ink: brightness of the print, 0 to 255.
    package func page(pitch: Double = 14, ink: Double = 60) -> GrayImage {
        let columns = Double(lines.first?.count ?? 0) + 6
        let width = Int(columns * pitch)
        let height = Int(columns * pitch * 0.7)
        let top = Double(height) - (Double(lines.count) * 2.5 + 0.5) * pitch
        let fine = Double(ZoneGlyphs.width) / pitch
        return GrayImage(
            width: width, height: height,
            elements: (0..<width * height).map { index in
                let (x, y) = (index % width, index / width)
                // Each pixel's ink is the mean of 3 x 3 places in it.
                var covered = 0.0
                for part in 0..<9 {
                    let place = SIMD2(
                        Double(x) + Double(part % 3) / 3 - 1.0 / 3, Double(y) + Double(part / 3) / 3 - 1.0 / 3
                    )
                    let u = place.x - 3 * pitch
                    let line = Int(((place.y - top) / (2.5 * pitch)).rounded(.down))
                    guard u >= 0, lines.indices.contains(line) else { continue }
                    let column = Int(u / pitch)
                    let characters = Array(lines[line].utf8)
                    guard column < characters.count,
                        let rows = ZoneGlyphs.rows[Character(UnicodeScalar(characters[column]))]
                    else { continue }
                    let glyphX = Int((u - Double(column) * pitch) * fine)
                    let glyphY = Int((place.y - top - Double(line) * 2.5 * pitch) * fine)
                    guard glyphY < ZoneGlyphs.height, glyphX < ZoneGlyphs.width else { continue }
                    if rows[glyphY] >> (ZoneGlyphs.width - 1 - glyphX) & 1 == 1 { covered += 1.0 / 9 }
                }
                let paper = 190 + 40 * Double(x) / Double(width)
                return UInt8(paper + covered * (ink - paper))
            })
    }
}

import Foundation
import Imaging

/// A sheet's printed side as an image: each texel's brightness relative to the paper, 255 for bare paper.
///
/// Texel (x, y) covers the flat sheet around u = (x + 0.5) / density, v = (y + 0.5) / density.
struct SheetPrint: Sendable {
    /// Texels per metre.
    let density: Double
    let texels: GrayImage

    /// Creates print from a scan of a sheet of some width, in metres.
    init(scan: GrayImage, width: Double) {
        precondition(scan.width >= 2 && scan.height >= 2, "print is interpolated between pixels")
        texels = scan
        density = Double(scan.width) / width
    }

    /// Prints a document at the density nearest to the camera's resolution.
    /// - Parameter samplesPerMeter: the density at which the print will be sampled; finer print would only cause aliasing.
    init(document: ReceiptDocument, atlas: GlyphAtlas, samplesPerMeter: Double, seed: UInt64) {
        let fullDensity = Double(GlyphAtlas.cellWidth) / document.paper.columnPitch
        var halvings = 0
        while halvings < 3 && fullDensity / Double(2 << halvings) >= 0.75 * samplesPerMeter { halvings += 1 }
        let glyphs = Self.halved(atlas.ink, times: halvings)
        let cellWidth = GlyphAtlas.cellWidth >> halvings
        let cellHeight = GlyphAtlas.cellHeight >> halvings
        let density = fullDensity / Double(1 << halvings)

        let width = Int((document.width * density).rounded(.up)) + 1
        let height = Int((document.height * density).rounded(.up)) + 1
        let left = Int(
            ((document.width - Double(document.paper.columns) * document.paper.columnPitch) / 2 * density)
                .rounded())
        // The print head's dots differ in strength, which leaves streaks down the sheet.
        let strength = (0..<width).map { x -> Float in
            let dot = UInt64(Double(x) / density / 0.000125)
            return Float(document.blackness) * (1 - 0.08 * NoiseHash.uniform(seed, dot))
        }
        texels = GrayImage(width: width, height: height) { page in
            page.update(repeating: 255)
            glyphs.elements.withUnsafeBufferPointer { ink in
                var pitches = 0
                for line in document.lines {
                    let stretch = line.isDoubleHeight ? 2 : 1
                    let top = Int(
                        ((document.endMargin + Double(pitches) * document.linePitch) * density).rounded())
                    pitches += stretch
                    for (column, character) in line.text.enumerated() where character != " " {
                        let cell = atlas.cellOrigin(of: character, isBold: line.isBold)
                        let cellX = cell.x >> halvings
                        let cellY = cell.y >> halvings
                        for row in 0..<cellHeight * stretch {
                            let y = top + row
                            guard y < height else { break }
                            let from = (cellY + row / stretch) * glyphs.width + cellX
                            for dot in 0..<cellWidth {
                                let x = left + column * cellWidth + dot
                                guard x < width, ink[from + dot] > 0 else { continue }
                                page[y * width + x] = UInt8(255 - Float(ink[from + dot]) * strength[x])
                            }
                        }
                    }
                }
            }
        }
        self.density = density
    }

    /// Halves an image's size several times, by means of 2 x 2 pixels.
    private static func halved(_ picture: GrayImage, times: Int) -> GrayImage {
        var smaller = picture
        for _ in 0..<times {
            let from = smaller
            smaller = GrayImage(width: from.width / 2, height: from.height / 2) { target in
                from.elements.withUnsafeBufferPointer { source in
                    for y in 0..<from.height / 2 {
                        for x in 0..<from.width / 2 {
                            let at = 2 * y * from.width + 2 * x
                            let sum =
                                UInt32(source[at]) + UInt32(source[at + 1]) + UInt32(source[at + from.width])
                                + UInt32(source[at + from.width + 1])
                            target[y * (from.width / 2) + x] = UInt8((sum + 2) / 4)
                        }
                    }
                }
            }
        }
        return smaller
    }
}

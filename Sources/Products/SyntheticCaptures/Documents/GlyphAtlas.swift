public import Diagnostics
import LocalFiles
import Foundation
import ImageFiles
public import Imaging

/// The printable ASCII characters in two faces, as an image of ink: 0 is bare paper, 255 is ink.
///
/// Resources/glyphs.png holds cells of 32 x 64 pixels, 16 to a row, from the space to the tilde; six rows of the regular
/// face above six of the bold one. They are drawn from DejaVu Sans Mono by Resources/make-glyphs.py.
public struct GlyphAtlas: Sendable {
    /// Width of a cell in pixels.
    public static let cellWidth = 32
    /// Height of a cell in pixels; the baseline lies 48 rows down.
    public static let cellHeight = 64
    private static let cellsPerRow = 16
    private static let rowsPerFace = 6
    private static let firstCharacter: UInt8 = 32
    private static let lastCharacter: UInt8 = 126

    /// The cells of both faces.
    public let ink: GrayImage

    /// Returns the start of a character's cell; anything but printable ASCII gives the question mark.
    public func cellOrigin(of character: Character, isBold: Bool) -> (x: Int, y: Int) {
        let code = character.asciiValue ?? 0
        let known = code >= Self.firstCharacter && code <= Self.lastCharacter ? code : 63
        let index = Int(known - Self.firstCharacter)
        return (
            index % Self.cellsPerRow * Self.cellWidth,
            (index / Self.cellsPerRow + (isBold ? Self.rowsPerFace : 0)) * Self.cellHeight
        )
    }
}

extension GlyphAtlas {
    /// Loads the atlas included in this target.
    /// - Throws: `FlatteningError.fileAccess` or `.badInput` if the resource is missing or broken.
    public static func bundled() throws(FlatteningError) -> GlyphAtlas {
        let name = "glyphs.png"
        guard let path = Bundle.module.path(forResource: "glyphs", ofType: "png") else {
            throw FlatteningError(
                .fileAccess, "the glyphs of the synthetic receipts are missing", file: name,
                stage: .synthetic,
                advice: "Keep the package's resource bundle beside the program.")
        }
        let width = cellWidth * cellsPerRow
        let height = cellHeight * rowsPerFace * 2
        guard case .uint8(let ink) = try SampleMap.decode(InputFile.read(path: path)), ink.width == width,
            ink.height == height
        else {
            throw FlatteningError(
                .badInput, "the glyphs of the synthetic receipts are broken", file: name, stage: .synthetic,
                allowed: "\(width) x \(height), grey, 8 bits")
        }
        return GlyphAtlas(ink: ink)
    }
}

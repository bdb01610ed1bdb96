import TextRecognition

/// The characters of a PDF's invisible text and their two-byte codes, assigned in order of occurrence.
struct PDFCharacters {
    /// The characters of the codes, starting with code 1.
    private var scalars: [Unicode.Scalar] = []
    private var codes: [Unicode.Scalar: UInt16] = [:]

    /// The advance width of every character, and the depth of the em below the base line, in ems.
    private static let advance = Double(GlyphlessFont.advance) / Double(GlyphlessFont.unitsPerEm)
    private static let descent = -Double(GlyphlessFont.descent) / Double(GlyphlessFont.unitsPerEm)

    /// Returns the operators that show a page's text.
    mutating func content(of text: RecognizedText?, pageHeight: Double, pointsPerPixel: Double) -> String {
        guard let text, !text.isEmpty else { return "" }
        var shown = "BT\n3 Tr\n"
        for line in text.lines { shown += content(of: line, pageHeight, pointsPerPixel) }
        return shown + "ET\n"
    }

    /// Writes one row, with each word spread over its own box. A space follows each word but the last, so that copied text
    /// contains it.
    private mutating func content(
        of line: RecognizedLine, _ pageHeight: Double, _ pointsPerPixel: Double
    ) -> String {
        let size = line.box.height * pointsPerPixel
        guard size.isFinite, size > 0 else { return "" }
        let base = pageHeight - line.box.bottom * pointsPerPixel + Self.descent * size
        var shown = "/F0 \(PDFSyntax.number(size)) Tf\n"
        for (index, word) in line.words.enumerated() {
            let count = word.text.unicodeScalars.count
            let stretch = word.box.width * pointsPerPixel / (Self.advance * size * Double(max(count, 1)))
            let left = word.box.left * pointsPerPixel
            guard stretch.isFinite, stretch > 0, left.isFinite, base.isFinite else { continue }
            let string = word.text + (index + 1 < line.words.count ? " " : "")
            shown +=
                "1 0 0 1 \(PDFSyntax.number(left)) \(PDFSyntax.number(base)) Tm \(PDFSyntax.number(100 * stretch)) Tz"
            shown += " <\(string.unicodeScalars.map { PDFSyntax.hexadecimal(code(of: $0)) }.joined())> Tj\n"
        }
        return shown
    }

    private mutating func code(of scalar: Unicode.Scalar) -> UInt16 {
        if let known = codes[scalar] { return known }
        // A map to Unicode may not contain control characters or byte order marks.
        let isText = scalar.value >= 0x20 && scalar != "\u{FEFF}" && scalar != "\u{FFFE}"
        guard scalar == " " || isText && scalars.count < Self.mostCharacters else { return code(of: " ") }
        scalars.append(scalar)
        codes[scalar] = UInt16(scalars.count)
        return UInt16(scalars.count)
    }

    /// Largest number of characters: two bytes hold no more codes besides 0 and the one for the space; all scripts together have
    /// about twice as many characters.
    private static let mostCharacters = Int(UInt16.max) - 1

    /// The glyph of each code, from 0, two bytes each.
    var glyphMap: [UInt8] {
        [UInt16](repeating: GlyphlessFont.glyph, count: scalars.count + 1).bigEndianBytes
    }

    /// A CMap from codes to UTF-16 (ISO 32000-1, 9.10.3), at most 100 codes in each of its groups.
    var unicodeMap: String {
        let singles = scalars.enumerated().map { index, scalar in
            let units = String(Character(scalar)).utf16.map(PDFSyntax.hexadecimal).joined()
            return "<\(PDFSyntax.hexadecimal(UInt16(index + 1)))> <\(units)>\n"
        }
        let groups = stride(from: 0, to: singles.count, by: 100).map { start in
            let group = singles[start..<min(start + 100, singles.count)]
            return "\(group.count) beginbfchar\n" + group.joined() + "endbfchar\n"
        }
        return """
            /CIDInit /ProcSet findresource begin
            12 dict begin
            begincmap
            /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
            /CMapName /Adobe-Identity-UCS def
            /CMapType 2 def
            1 begincodespacerange
            <0000> <FFFF>
            endcodespacerange
            \(groups.joined())endcmap
            CMapName currentdict /CMap defineresource pop
            end
            end

            """
    }
}

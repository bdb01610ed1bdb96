package import TextRecognition
import Foundation
package import Imaging

/// A one-page PDF: a picture with its text lying over it, invisible (text rendering mode 3), to be searched and copied.
///
/// Written by ourselves because tesseract's own writer only takes tesseract's own result; here text and picture are what
/// all other outputs say. After ISO 32000-1: 7.5 (file structure), 8.9 (images), 9.4 (text), 9.10 (text to Unicode).
/// Words are set in Courier, one of the fonts that every reader has: all its characters are 0.6 ems wide, so that a word's
/// characters spread evenly over its box. Which character a code stands for is said by a map to Unicode; so any script can
/// be searched though the font, never seen, has Latin letters only.
package struct SearchablePDF {
    /// The file.
    package let bytes: [UInt8]

    /// Courier's advance width, in ems.
    private static let advance = 0.6
    /// How far Courier's letters go below the base line, in ems.
    private static let descent = 0.157
    /// Where scale is not known, as scanners take it.
    private static let usualPixelsPerMeter = 300 / 0.0254
    /// Codes below 128 are ASCII in every font; the others are given away in the order in which characters occur.
    private static let codesForOthers = 128...255

    /// A page from its picture and its text.
    /// - Parameters:
    ///   - jpeg: the picture's file.
    ///   - size: the picture's size in pixels.
    ///   - isGray: whether the JPEG has one component and not three.
    ///   - pixelsPerMeter: true density; nil where scale is not known: then a pixel is taken for 1/300 inch.
    ///   - text: what was read, boxes in the picture's pixels; nil for none.
    package init(jpeg: [UInt8], size: PixelSize, isGray: Bool, pixelsPerMeter: Double?, text: RecognizedText?)
    {
        let pointsPerPixel = 72 / 0.0254 / (pixelsPerMeter ?? Self.usualPixelsPerMeter)
        let width = Double(size.width) * pointsPerPixel
        let height = Double(size.height) * pointsPerPixel
        var fonts = Fonts()
        var content = "q \(Self.number(width)) 0 0 \(Self.number(height)) 0 0 cm /Picture Do Q\n"
        if let text, !text.isEmpty {
            content += "BT\n3 Tr\n"
            for line in text.lines { content += Self.shown(line, &fonts, height, pointsPerPixel) }
            content += "ET\n"
        }

        var file = File()
        let fontObjects = fonts.charactersByFont.indices.map { 6 + 2 * $0 }
        let resources = zip(fonts.charactersByFont.indices, fontObjects).map { "/F\($0) \($1) 0 R" }
        file.add(object: 1, "<< /Type /Catalog /Pages 2 0 R >>")
        file.add(object: 2, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
        file.add(
            object: 3,
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(Self.number(width)) \(Self.number(height))]"
                + " /Resources << /XObject << /Picture 4 0 R >> /Font << \(resources.joined(separator: " ")) >> >>"
                + " /Contents 5 0 R >>")
        file.add(
            object: 4,
            "<< /Type /XObject /Subtype /Image /Width \(size.width) /Height \(size.height)"
                + " /ColorSpace /\(isGray ? "DeviceGray" : "DeviceRGB") /BitsPerComponent 8 /Filter /DCTDecode",
            stream: jpeg)
        file.add(object: 5, "<<", stream: Array(content.utf8))
        for (characters, object) in zip(fonts.charactersByFont, fontObjects) {
            file.add(
                object: object,
                "<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding"
                    + " /ToUnicode \(object + 1) 0 R >>")
            file.add(object: object + 1, "<<", stream: Array(Self.unicodeMap(of: characters).utf8))
        }
        bytes = file.finished()
    }

    // MARK: Text

    /// One row, each word spread over its own box. A space follows each word but the last, so that copied text has it.
    private static func shown(
        _ line: RecognizedLine, _ fonts: inout Fonts, _ height: Double, _ pointsPerPixel: Double
    ) -> String {
        let size = line.box.height * pointsPerPixel
        guard size.isFinite, size > 0 else { return "" }
        let base = height - line.box.bottom * pointsPerPixel + descent * size
        var shown = ""
        for (index, word) in line.words.enumerated() {
            let runs = fonts.runs(of: word.text + (index + 1 < line.words.count ? " " : ""))
            let count = word.text.unicodeScalars.count
            let stretch = word.box.width * pointsPerPixel / (advance * size * Double(max(count, 1)))
            let left = word.box.left * pointsPerPixel
            guard stretch.isFinite, stretch > 0, left.isFinite, base.isFinite else { continue }
            shown += "1 0 0 1 \(number(left)) \(number(base)) Tm \(number(100 * stretch)) Tz\n"
            for run in runs {
                let codes = run.codes.map(hexadecimal).joined()
                shown += "/F\(run.font) \(number(size)) Tf <\(codes)> Tj\n"
            }
        }
        return shown
    }

    /// The characters that the page uses, and the codes that they have.
    private struct Fonts {
        /// For each font, what stands for the codes past ASCII, from the first on.
        private(set) var charactersByFont: [[Unicode.Scalar]] = [[]]
        private var places: [Unicode.Scalar: (font: Int, code: UInt8)] = [:]

        /// A string as pieces of one font each.
        mutating func runs(of string: String) -> [(font: Int, codes: [UInt8])] {
            var runs: [(font: Int, codes: [UInt8])] = []
            for character in string.unicodeScalars {
                var (font, code) = (runs.last?.font ?? 0, UInt8(0x20))
                if (0x20...0x7E).contains(character.value) {
                    code = UInt8(character.value)
                } else if character.value > 0x7F {
                    (font, code) = place(of: character)
                }
                if runs.last?.font == font {
                    runs[runs.count - 1].codes.append(code)
                } else {
                    runs.append((font, [code]))
                }
            }
            return runs
        }

        private mutating func place(of character: Unicode.Scalar) -> (font: Int, code: UInt8) {
            if let known = places[character] { return known }
            if charactersByFont[charactersByFont.count - 1].count == codesForOthers.count {
                charactersByFont.append([])
            }
            let font = charactersByFont.count - 1
            let new = (font, UInt8(codesForOthers.lowerBound + charactersByFont[font].count))
            charactersByFont[font].append(character)
            places[character] = new
            return new
        }
    }

    /// A CMap from one-byte codes to UTF-16 (ISO 32000-1, 9.10.3), at most 100 codes in each of its groups.
    private static func unicodeMap(of others: [Unicode.Scalar]) -> String {
        let singles = others.enumerated().map { place, character in
            let units = String(Character(character)).utf16
                .map { hexadecimal(UInt8($0 >> 8)) + hexadecimal(UInt8($0 & 0xFF)) }.joined()
            return "<\(hexadecimal(UInt8(codesForOthers.lowerBound + place)))> <\(units)>\n"
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
            <00> <FF>
            endcodespacerange
            1 beginbfrange
            <20> <7E> <0020>
            endbfrange
            \(groups.joined())endcmap
            CMapName currentdict /CMap defineresource pop
            end
            end

            """
    }

    // MARK: File

    /// A file under way: objects one after the other, then the table of where each begins.
    private struct File {
        private var bytes: [UInt8] = Array("%PDF-1.4\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3, 0x0A]
        private var offsets: [Int] = []

        /// Adds an object; numbers count up from 1.
        mutating func add(object number: Int, _ content: String) {
            precondition(number == offsets.count + 1, "objects are written in their order")
            offsets.append(bytes.count)
            bytes += Array("\(number) 0 obj\n\(content)\nendobj\n".utf8)
        }

        /// Adds a stream; `dictionary` is left open for the length.
        mutating func add(object number: Int, _ dictionary: String, stream: [UInt8]) {
            precondition(number == offsets.count + 1, "objects are written in their order")
            offsets.append(bytes.count)
            bytes += Array("\(number) 0 obj\n\(dictionary) /Length \(stream.count) >>\nstream\n".utf8)
            bytes += stream
            bytes += Array("\nendstream\nendobj\n".utf8)
        }

        func finished() -> [UInt8] {
            // Each row of the table is exactly 20 bytes long.
            let rows = offsets.map { offset in
                let digits = String(offset)
                return String(repeating: "0", count: max(10 - digits.count, 0)) + digits + " 00000 n \n"
            }
            let table = "xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n" + rows.joined()
            let trailer =
                "trailer\n<< /Size \(offsets.count + 1) /Root 1 0 R >>\nstartxref\n\(bytes.count)\n%%EOF\n"
            return bytes + Array((table + trailer).utf8)
        }
    }

    /// A number as PDF writes it: never with an exponent.
    private static func number(_ value: Double) -> String {
        let thousandths = Int((min(max(value, -1e9), 1e9) * 1000).rounded())
        let digits = String(abs(thousandths) % 1000)
        return (thousandths < 0 ? "-" : "") + "\(abs(thousandths) / 1000)."
            + String(repeating: "0", count: 3 - digits.count) + digits
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}

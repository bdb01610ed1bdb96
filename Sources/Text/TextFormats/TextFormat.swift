import Imaging
public import TextRecognition

/// The formats for writing recognised text.
///
/// All are made from the `RecognizedText` itself, so that their content agrees. Boxes are in the page's pixels.
public enum TextFormat: String, CaseIterable, Codable, Sendable {
    /// The text alone, UTF-8.
    case plain
    /// Everything that was recognised: blocks, lines and words with confidence and box, in millimetres too where known.
    case json
    /// One row for each block, line and word, with tab-separated columns as tesseract writes them.
    case tsv
    /// hOCR 1.2: HTML with boxes in title attributes.
    case hocr
    /// ALTO 3.1: the XML format of libraries.
    case alto
    /// Markdown with tables, as GitHub writes them: rows as lines, words in columns as tables, large print as headings.
    case markdown

    /// The format for a file extension; nil if it is not one of these.
    /// - Parameter fileExtension: without the dot, in any case: "txt", "json", "tsv", "hocr", "html", "xml", "alto", "md".
    package init?(fileExtension: String) {
        switch fileExtension.lowercased() {
        case "txt", "text": self = .plain
        case "json": self = .json
        case "tsv": self = .tsv
        case "hocr", "html", "htm": self = .hocr
        case "alto", "xml": self = .alto
        case "md", "markdown": self = .markdown
        default: return nil
        }
    }
}

extension RecognizedText {
    /// Returns the text in a format, as UTF-8 text that ends with a line feed unless it is empty. O(words).
    /// - Parameter picture: the path from the text's file to the page's image file, which hOCR names and shows; nil for none.
    ///   Other formats ignore it.
    public func formatted(as format: TextFormat, picture: String? = nil) -> String {
        switch format {
        case .plain: string
        case .json: jsonText
        case .tsv: TSVText(self).string
        case .hocr: HOCRText(self, picture: picture).string
        case .alto: ALTOText(self).string
        case .markdown: MarkdownText(self).string
        }
    }
}

/// Returns a relative path as a link: everything but letters, digits and a few marks is percent-encoded, and a leading "./"
/// keeps a colon from being read as the end of a scheme.
package func linkTo(_ path: String) -> String {
    "./"
        + path.utf8.map { byte in
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-_./".utf8.contains(byte)
            let digits = String(byte, radix: 16, uppercase: true)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + digits
        }.joined()
}

/// Escapes text and attribute values for XML and HTML.
func escapedForXML(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "&": escaped += "&amp;"
        case "<": escaped += "&lt;"
        case ">": escaped += "&gt;"
        case "\"": escaped += "&quot;"
        case "'": escaped += "&#39;"
        // Control characters cannot be written in XML 1.0 at all, not even as references.
        case "\t", "\n", "\r": escaped += " "
        case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": break
        default: escaped.unicodeScalars.append(scalar)
        }
    }
    return escaped
}

/// The smallest box in whole pixels that contains the true one, limited to the page.
struct PixelBox: Equatable {
    let left: Int
    let top: Int
    let right: Int
    let bottom: Int

    init(_ box: Box, pageWidth: Int, pageHeight: Int) {
        func whole(_ value: Double, _ rule: FloatingPointRoundingRule, _ limit: Int) -> Int {
            value.isFinite ? Int(min(max(value.rounded(rule), 0), Double(limit))) : 0
        }
        left = whole(box.left, .down, pageWidth)
        top = whole(box.top, .down, pageHeight)
        right = whole(box.right, .up, pageWidth)
        bottom = whole(box.bottom, .up, pageHeight)
    }
}

import Platform
import ScalarText

/// The content of a PDF written by `SearchablePDF`: its text, its title, and its encoded images.
package struct PDFContent {
    /// The titles of the file and its bookmarks, and the text of all pages, row by row.
    package private(set) var text = ""
    /// The XMP packet.
    package private(set) var packet = ""
    /// The images that are JPEGs.
    package private(set) var pictures: [[UInt8]] = []

    /// Reads a file; nil if this program did not write it. O(bytes).
    package init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Array("%PDF-".utf8)) else { return nil }
        var streams: [(entries: String, data: ArraySlice<UInt8>)] = []
        var rest = bytes[...]
        while let object = Self.object(in: &rest) {
            if object.data.isEmpty { addTitle(of: object.entries) } else { streams.append(object) }
        }
        var characters: [Substring: String] = [:]
        for stream in streams where stream.entries.isEmpty {
            for match in String(decoding: stream.data, as: UTF8.self).matches(
                of: #/\n<([0-9A-F]{4})> <([0-9A-F]+)>/#)
            {
                characters[match.1] = Self.text(ofUnits: match.2)
            }
        }
        for (entries, data) in streams {
            if entries.contains("/DCTDecode") {
                pictures.append(Array(data))
            } else if entries.contains("/Subtype /XML") {
                packet = String(decoding: data, as: UTF8.self)
            } else if data.starts(with: Array("q ".utf8)) {
                addText(of: String(decoding: data, as: UTF8.self), characters)
            }
        }
    }

    /// Returns the next object: its dictionary, and its stream, empty if it has none.
    private static func object(in bytes: inout ArraySlice<UInt8>) -> (
        entries: String, data: ArraySlice<UInt8>
    )? {
        guard let start = bytes.firstRange(of: Array(" 0 obj\n".utf8)),
            let end = bytes[start.upperBound...].firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        let head = String(decoding: bytes[start.upperBound..<end], as: UTF8.self)
        bytes = bytes[end...]
        guard let match = head.firstMatch(of: #/^<< (.*?) ?\/Length ([0-9]+) >>$/#), let count = Int(match.2)
        else { return (head, []) }
        let data = bytes.dropFirst("\nstream\n".utf8.count).prefix(count)
        bytes = bytes[data.endIndex...]
        return (String(match.1), data)
    }

    private mutating func addTitle(of entries: String) {
        for match in entries.matches(of: #/\/Title <FEFF([0-9A-F]*)>/#) {
            text += Self.text(ofUnits: match.1) + "\n"
        }
    }

    /// A row begins where the font size is set.
    private mutating func addText(of content: String, _ characters: [Substring: String]) {
        for line in content.split(whereSeparator: \.isNewline) {
            if line.hasScalarSuffix(" Tf") { text += "\n" }
            guard let match = line.firstMatch(of: #/<([0-9A-F]+)> Tj$/#) else { continue }
            for place in stride(from: 0, to: match.1.count, by: 4) {
                text += characters[match.1.dropFirst(place).prefix(4)] ?? "\u{FFFD}"
            }
        }
        text += "\n"
    }

    /// Decodes UTF-16 text, four digits per unit.
    private static func text(ofUnits digits: Substring) -> String {
        let units = stride(from: 0, to: digits.count, by: 4).compactMap {
            UInt16(digits.dropFirst($0).prefix(4), radix: 16)
        }
        return String(decoding: units, as: UTF16.self)
    }
}

import Platform
import ImageFiles
import LocalFiles
import TextFormats

/// The text and images of an output, as visible to anybody who opens it. The format is recognised by the first bytes, and
/// the text extracted as a reader of that format would.
///
/// The program's own fixed words (labels, headings, names of kinds and steps) are left out: it is no leak if a person has
/// such a name. Maps, meshes without an image and the geometry of text contain nothing.
struct WrittenContent {
    /// The text, one line for each row.
    private(set) var text = ""
    /// Images of the sheet, encoded.
    private(set) var pictures: [[UInt8]] = []

    /// Takes an output apart. O(bytes).
    init(_ bytes: [UInt8]) { add(bytes) }

    private mutating func add(_ bytes: [UInt8]) {
        switch ImageFileFormat.sniff(bytes) {
        case .png?, .jpeg?, .tiff?: return pictures.append(bytes)
        case .npy?: return
        case .pdf?:
            guard let pdf = PDFContent(bytes) else { break }
            text += pdf.text
            pictures += pdf.pictures
            return addMarkup(pdf.packet)
        default: break
        }
        if bytes.starts(with: Array("glTF".utf8)) { return addMesh(bytes) }
        if bytes.starts(with: Array("ply\n".utf8)) { return }
        if bytes.first == UInt8(ascii: "{"),
            let json = try? JSONDecoder().decode(JSONContent.self, from: Data(bytes))
        {
            return text += json.texts.joined(separator: "\n") + "\n"
        }
        if let pages = try? SheetParts.pages(in: bytes, path: "") {
            for page in pages {
                text += page.title + "\n" + (page.page.text?.string ?? "")
                pictures.append(page.picture)
            }
            return
        }
        let plain = String(decoding: bytes, as: UTF8.self)
        if plain.hasPrefix("<?xml") || plain.hasPrefix("<!DOCTYPE html") {
            addMarkup(plain)
        } else if plain.hasPrefix("level\t") {
            addTable(plain)
        } else {
            // A vCard continues on lines that begin with a blank.
            text += plain.replacing("\r\n ", with: "") + "\n"
            let shown = Self.shown(plain)
            if shown != plain { text += shown + "\n" }
        }
    }

    /// What Markdown displays: escapes and references replaced by the characters they stand for.
    private static func shown(_ markdown: String) -> String {
        var shown = String.UnicodeScalarView()
        var isEscaped = false
        for scalar in markdown.unicodeScalars {
            let isPunctuation = scalar.isASCII && !scalar.properties.isAlphabetic && scalar.value > 0x20
            if isEscaped, !isPunctuation { shown.append("\\") }
            isEscaped = !isEscaped && scalar == "\\"
            if !isEscaped { shown.append(scalar) }
        }
        return unescaped(Substring(String(shown)))
    }

    /// Uses the last of tesseract's columns; each row has the words of one line.
    private mutating func addTable(_ table: String) {
        for row in table.split(separator: "\n").dropFirst() {
            let word = row.split(separator: "\t", maxSplits: 11, omittingEmptySubsequences: false).last ?? ""
            text += word.isEmpty ? "\n" : word + " "
        }
        text += "\n"
    }

    /// The part of a binary glTF's JSON that locates its image.
    private struct MeshHead: Decodable {
        struct View: Decodable { var byteOffset, byteLength: Int }
        struct Picture: Decodable { var bufferView: Int }
        var bufferViews: [View]
        var images: [Picture]
    }

    /// Adds the image in a binary glTF: a chunk of JSON and one of bytes, each after its length and kind.
    private mutating func addMesh(_ bytes: [UInt8]) {
        let length = bytes.dropFirst(12).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        let (json, buffer) = (bytes.dropFirst(20).prefix(length), bytes.dropFirst(20 + length + 8))
        guard let head = try? JSONDecoder().decode(MeshHead.self, from: Data(json)) else { return }
        for place in head.images.map(\.bufferView) where head.bufferViews.indices.contains(place) {
            let view = head.bufferViews[place]
            pictures.append(Array(buffer.dropFirst(view.byteOffset).prefix(view.byteLength)))
        }
    }

    // MARK: - Markup

    /// Elements that hold the program's own words.
    private static let ownWords: Set<String> = [
        "th", "h2", "caption", "figcaption", "label", "p", "softwareName", "MeasurementUnit", "button",
    ]
    /// Elements within a row of text.
    private static let withinRows: Set<String> = ["text", "span", "a", "String", "SP", "strong"]
    /// Attributes that contain text that was read or names.
    private static let attributes: Set<String> = [
        "CONTENT", "aria-label", "alt", "href", "src", "download", "data-name", "data-words", "title",
    ]

    /// Parses HTML, SVG, ALTO and XMP as this program writes them: well-formed outside scripts and styles.
    private mutating func addMarkup(_ markup: String) {
        var rest = markup[...]
        var open: [Substring] = []
        while let start = rest.utf8.firstIndex(of: UInt8(ascii: "<")) {
            if let element = open.last, !Self.ownWords.contains(String(element)) {
                addText(Self.unescaped(rest[..<start]))
            }
            guard let end = rest[start...].utf8.firstIndex(of: UInt8(ascii: ">")) else { break }
            let tag = rest[rest.utf8.index(after: start)..<end]
            rest = rest[rest.utf8.index(after: end)...]
            if tag.hasPrefix("/") {
                _ = open.popLast()
                if !Self.withinRows.contains(String(tag.dropFirst())) { text += "\n" }
            } else if !tag.hasPrefix("!"), !tag.hasPrefix("?") {
                let name = tag.prefix { !$0.isWhitespace && $0 != "/" }
                addAttributes(of: tag)
                if name == "script" || name == "style" {
                    rest = rest.firstRange(of: "</" + name).map { rest[$0.lowerBound...] } ?? ""
                }
                if !tag.hasSuffix("/"), name != "meta" { open.append(name) }
            }
        }
    }

    private mutating func addText(_ words: String) {
        if words.contains(where: { !$0.isWhitespace }) { text += words + " " }
    }

    private mutating func addAttributes(of tag: Substring) {
        var rest = tag.utf8
        while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
            let start = rest[..<equals].lastIndex { $0 <= UInt8(ascii: " ") }
            let name = String(
                Substring(rest[..<equals][(start.map(rest.index(after:)) ?? rest.startIndex)...]))
            rest = rest[rest.index(after: equals)...]
            guard let mark = rest.first, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(mark),
                let end = rest.dropFirst().firstIndex(of: mark)
            else { continue }
            let value = Substring(rest[..<end].dropFirst())
            rest = rest[rest.index(after: end)...]
            // The relief shows only heights.
            guard Self.attributes.contains(name), !tag.hasPrefix("img id=\"relief\"") else { continue }
            add(value, of: name)
        }
    }

    private mutating func add(_ value: Substring, of attribute: String) {
        if value.hasPrefix("data:"), let comma = value.utf8.firstIndex(of: UInt8(ascii: ",")) {
            return add(Array(Data(base64Encoded: String(value[comma...].dropFirst())) ?? Data()))
        }
        let words = Self.unescaped(value)
        switch attribute {
        // hOCR puts the image's name in quotation marks among the geometry.
        case "title": for name in words.matches(of: #/"([^"]*)"/#) { addText(String(name.1)) }
        // The program's name for a value precedes it.
        case "aria-label": addText(words.firstRange(of: ": ").map { String(words[$0.upperBound...]) } ?? "")
        case "href", "src": addText(words.hasPrefix("#") ? "" : Self.decoded(words))
        default: addText(words)
        }
    }

    /// Decodes a percent-encoded link (RFC 3986, 2.1).
    private static func decoded(_ link: String) -> String {
        var bytes: [UInt8] = []
        var rest = Array(link.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"),
                let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func unescaped(_ text: Substring) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return String(text) }
        return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
            .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
    }
}

/// The texts in a JSON document, except values that the program chose from a fixed set.
private struct JSONContent: Decodable {
    private(set) var texts: [String] = []

    /// Keys whose values are the program's own words.
    private static let ownWords: Set<String> = [
        "kind", "kinds", "method", "step", "reason", "reasons", "of", "stage", "decided_by", "symbology",
        "engine",
        "format", "field", "language", "legibility", "reader", "finds", "intrinsics_origin", "versions",
        "hidden",
        "redaction", "currency", "missing", "fields_missing",
    ]

    init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Key.self) {
            for key in object.allKeys where !Self.ownWords.contains(key.stringValue) {
                texts += try object.decode(JSONContent.self, forKey: key).texts
            }
        } else if var array = try? decoder.unkeyedContainer() {
            while !array.isAtEnd { texts += try array.decode(JSONContent.self).texts }
        } else if let text = try? decoder.singleValueContainer().decode(String.self) {
            texts = [text]
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

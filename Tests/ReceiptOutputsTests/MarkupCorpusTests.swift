import Foundation
import TestSupport
import Testing

@testable import ReceiptOutputs

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Whatever stands beside a delimiter, a parser of the page gets the text back.
@Suite struct MarkupCorpusTests {
    private static let texts = DelimiterCorpus.texts(around: [
        "<", ">", "&", "\"", "'", "</script>", "<!--", "]]>", "/", "%",
    ])

    /// Controls and marks of writing direction are shown as what they are not.
    private static func escaped(_ text: String, inAttribute: Bool) -> [Unicode.Scalar] {
        scalars(
            DelimiterCorpus.text(text) { scalar in
                switch scalar.value {
                // A parser of XML makes blanks of line ends in attributes.
                case 0x09, 0x0A: inAttribute ? " " : nil
                case 0..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: "\u{FFFD}"
                default: nil
                }
            })
    }

    @Test func contentsAndAttributesAreReadBack() throws {
        let body = Self.texts.map {
            "<p title=\"\(Markup.escaped($0))\" lang='\(Markup.escaped($0))'>\(Markup.escaped($0))</p>"
        }
        let read = try Paragraphs(of: "<body>" + body.joined() + "</body>", "p")
        #expect(read.contents.map { scalars($0) } == Self.texts.map { Self.escaped($0, inAttribute: false) })
        for name in ["title", "lang"] {
            #expect(
                read.attributes.map { scalars($0[name] ?? "") }
                    == Self.texts.map { Self.escaped($0, inAttribute: true) })
        }
    }

    @Test func dataOfAScriptAreReadBackAndCannotEndIt() throws {
        let data = Markup.scriptData(Self.texts)
        #expect(!data.unicodeScalars.contains { "<>&".unicodeScalars.contains($0) })
        let read = try JSONDecoder().decode([String].self, from: Data(data.utf8))
        #expect(read.map { scalars($0) } == Self.texts.map { scalars($0) })
    }

    @Test func namesOfABatchsIndexAreReadBack() throws {
        var gallery = Gallery()
        for text in Self.texts {
            gallery.add(
                Gallery.Card(sheet: nil, title: text, total: "", confidence: 1, doubts: []), name: text,
                page: text,
                thumbnail: nil)
        }
        let list = try #require(gallery.html.range(of: "<ol>")?.lowerBound)
        let end = try #require(gallery.html.range(of: "</ol>")?.upperBound)
        let read = try Paragraphs(of: String(gallery.html[list..<end]), "a")
        #expect(read.contents.map { scalars($0) } == Self.texts.map { Self.escaped($0, inAttribute: false) })
        let paths = read.attributes.map { $0["href"]?.removingPercentEncoding ?? "" }
        #expect(paths.map { scalars($0) } == Self.texts.map { scalars("./" + $0) })
    }

    /// The innermost elements of one name.
    private final class Paragraphs: NSObject, XMLParserDelegate {
        private let name: String
        private(set) var attributes: [[String: String]] = []
        private(set) var contents: [String] = []
        private var open = ""

        init(of xml: String, _ name: String) throws {
            self.name = name
            super.init()
            let parser = XMLParser(data: Data(xml.utf8))
            parser.delegate = self
            try #require(parser.parse(), "\(parser.parserError.map(String.init(describing:)) ?? "")")
        }

        func parser(
            _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
            qualifiedName: String?,
            attributes found: [String: String] = [:]
        ) {
            open = ""
            if element == name { attributes.append(found) }
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) { open += string }

        func parser(
            _ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?
        ) {
            if element == name { contents.append(open) }
        }
    }
}

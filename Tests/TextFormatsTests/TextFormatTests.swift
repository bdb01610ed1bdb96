import Foundation
import Imaging
import Testing
import TextRecognition
import TextTestSupport

@testable import TextFormats

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite struct TextFormatTests {
    private let text = readText(
        """
        Salt & Pepper <Deli>
        "Soup"       4.50

        TOTAL        4.50
        """)

    /// What a parser sees in XML: the attributes of each element of one name, and whether all was well formed.
    private final class Elements: NSObject, XMLParserDelegate {
        let name: String
        var attributes: [[String: String]] = []
        var characters = ""
        init(_ name: String) { self.name = name }
        func parser(
            _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
            qualifiedName qName: String?, attributes attributeDict: [String: String] = [:]
        ) {
            if elementName == name { attributes.append(attributeDict) }
        }
        func parser(_ parser: XMLParser, foundCharacters string: String) { characters += string }
    }

    private func parse(_ xml: String, _ name: String) -> Elements? {
        let elements = Elements(name)
        let parser = XMLParser(data: Data(xml.utf8))
        parser.delegate = elements
        return parser.parse() ? elements : nil
    }

    @Test("Plain text has a line for each row and an empty one between blocks")
    func plain() {
        #expect(text.formatted(as: .plain) == "Salt & Pepper <Deli>\n\"Soup\" 4.50\n\nTOTAL 4.50\n")
    }

    @Test("ALTO is well formed and says every word with its place")
    func alto() throws {
        let words = try #require(parse(text.formatted(as: .alto), "String")).attributes
        #expect(words.map { $0["CONTENT"] } == text.words.map(\.text))
        #expect(words.first?["HPOS"] == "1" && words.first?["WIDTH"] == "38" && words.first?["WC"] == "0.95")
    }

    @Test("hOCR is well formed and says every word with its place")
    func hocr() throws {
        // The parser would fetch the document type; what counts is the rest.
        let page = text.formatted(as: .hocr).split(separator: "\n").filter { !$0.hasPrefix("<!DOCTYPE") }
        let elements = try #require(parse(page.joined(separator: "\n"), "span"))
        let words = elements.attributes.filter { $0["class"] == "ocrx_word" }
        #expect(words.count == text.words.count)
        #expect(words.first?["title"] == "bbox 1 0 39 20; x_wconf 95")
        #expect(
            elements.characters.split(whereSeparator: \.isWhitespace).map(String.init)
                == text.words.map(\.text))
    }

    @Test("hOCR names and shows the picture beside it, whatever that is called")
    func hocrWithPicture() throws {
        let page = text.formatted(as: .hocr, picture: "a <b>'s 1:2.png").split(separator: "\n")
            .filter { !$0.hasPrefix("<!DOCTYPE") }.joined(separator: "\n")
        let shown = try #require(parse(page, "img")).attributes
        #expect(shown.map { $0["src"] } == ["./a%20%3Cb%3E%27s%201%3A2.png"])
        let title = try #require(parse(page, "div")).attributes.first?["title"]
        #expect(title?.hasPrefix("image \"a <b>'s 1:2.png\"; bbox 0 0 ") == true)
        #expect(!text.formatted(as: .hocr).contains("<img"))
    }

    @Test("TSV has twelve columns in every row and tesseract's levels")
    func tsv() {
        let rows = text.formatted(as: .tsv).split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
        #expect(rows.allSatisfy { $0.count == 12 })
        #expect(rows.filter { $0[0] == "5" }.map { String($0[11]) } == text.words.map(\.text))
        #expect(rows.count { $0[0] == "4" } == 3 && rows.count { $0[0] == "2" } == 2)
    }

    @Test("JSON says boxes in pixels and in millimetres")
    func json() throws {
        let object =
            try JSONSerialization.jsonObject(with: Data(text.formatted(as: .json).utf8)) as? [String: Any]
        let blocks = try #require(object?["blocks"] as? [[String: Any]])
        let lines = try #require(blocks.first?["lines"] as? [[String: Any]])
        let words = try #require(lines.first?["words"] as? [[String: Any]])
        #expect(object?["schema"] as? Int == 1)
        #expect(words.first?["box"] as? [Double] == [1, 0, 39, 20])
        // 6 pixels a millimetre, rounded to hundredths.
        #expect(words.first?["box_millimeters"] as? [Double] == [0.17, 0, 6.5, 3.33])
    }

    @Test("Markdown has tables with a heading, rows as lines, and nothing that printed signs could make")
    func markdown() {
        let page = readText(
            """
            - *Corner* <Shop> & Co
            1. High_Street
            Item             Price
            Rye | bread       4.50
            Milk              1.20
            # 12
            """)
        #expect(
            page.formatted(as: .markdown) == """
                \\- \\*Corner\\* &lt;Shop\\> &amp; Co\\
                1\\. High\\_Street

                | Item | Price |
                | --- | ---: |
                | Rye \\| bread | 4.50 |
                | Milk | 1.20 |

                \\# 12

                """)
    }

    @Test("JSON has the tables' cells")
    func tables() throws {
        let page = readText("Rye bread       4.50\nMilk            1.20\nTOTAL           5.70")
        let object = try JSONSerialization.jsonObject(with: Data(page.formatted(as: .json).utf8))
        let tables = try #require((object as? [String: Any])?["tables"] as? [[String: Any]])
        #expect(tables.count == 1)
        #expect(
            tables[0]["rows"] as? [[String]] == [
                ["Rye bread", "4.50"], ["Milk", "1.20"], ["TOTAL", "5.70"],
            ])
        #expect(tables[0]["box"] as? [Double] == [1, 0, 199, 100])
    }

    @Test("An empty page is valid in every format", arguments: TextFormat.allCases)
    func empty(format: TextFormat) {
        let written = readText("").formatted(as: format)
        #expect([.plain, .markdown].contains(format) ? written.isEmpty : written.hasSuffix("\n"))
    }

    @Test("Characters that XML cannot bear are left out")
    func controlCharacters() {
        #expect(escapedForXML("a\u{1}b\tc\u{FFFF}'<") == "ab c&#39;&lt;")
    }

    @Test("Boxes that leave the page or are no numbers are cut to it")
    func boxes() {
        let box = PixelBox(
            Box(left: -3, top: .nan, right: 1e30, bottom: 7.2), pageWidth: 100, pageHeight: 50)
        #expect(box.left == 0 && box.top == 0 && box.right == 100 && box.bottom == 8)
    }
}

import Foundation
import Imaging
import TestSupport
import Testing
import TextRecognition

#if canImport(FoundationXML)
    import FoundationXML
#endif

@testable import TextFormats

/// Whatever stands beside a delimiter, a reader of the file gets the text back: each format is read by a parser that shares
/// nothing with its writer.
@Suite struct DelimiterCorpusTests {
    // MARK: Comma-separated values

    private static let cells = DelimiterCorpus.texts(around: [
        "\"", "\"\"", ",", ";", "'", "=", "+", "\r\n", "\u{FF1D}",
    ])

    @Test func cellsOfATableAreReadBack() throws {
        let rows = Self.cells.chunks(of: 3).map { Array($0) }
        let read = try Self.csv(Array(rows.map(CSVTable.row).joined().utf8))
        #expect(read.map(\.count) == rows.map(\.count))
        for (cell, expected) in zip(read.joined(), rows.joined()) {
            let plain = DelimiterCorpus.text(expected) {
                [.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
                    ? " " : nil
            }
            let first = cell.unicodeScalars.first { !$0.properties.isWhitespace }
            #expect(
                !(first.map("=+-@\u{FF1D}".unicodeScalars.contains) ?? false),
                "a live formula: \(cell.debugDescription)")
            #expect(
                scalars(cell) == scalars(plain) || scalars(cell) == scalars("'" + plain),
                "\(expected.debugDescription)")
        }
    }

    /// RFC 4180, byte by byte.
    private static func csv(_ bytes: [UInt8]) throws -> [[String]] {
        var (rows, row, cell): ([[String]], [String], [UInt8]) = ([], [], [])
        var rest = bytes[...]
        func isNext(_ text: String) -> Bool { rest.starts(with: Array(text.utf8)) }
        while !rest.isEmpty {
            if isNext("\"") {
                rest.removeFirst()
                while isNext("\"\"") || !isNext("\"") {
                    if isNext("\"\"") { rest.removeFirst() }
                    try #require(!rest.isEmpty, "a cell is not closed")
                    cell.append(rest.removeFirst())
                }
                rest.removeFirst()
                try #require(isNext(",") || isNext("\r\n"), "something follows a closed cell")
            }
            while !rest.isEmpty, !isNext(","), !isNext("\r\n") {
                try #require(
                    !isNext("\"") && !isNext("\n"), "an open cell has a quotation mark or a line end")
                cell.append(rest.removeFirst())
            }
            row.append(try #require(String(validating: cell, as: UTF8.self)))
            cell = []
            if isNext(",") {
                rest.removeFirst()
            } else {
                rest.removeFirst(2)
                rows.append(row)
                row = []
            }
        }
        return rows
    }

    // MARK: What was read

    private static let words = DelimiterCorpus.texts(around: [
        "\t", "\n", "<", ">", "&", "\"", "'", "]]>", "-->", ";", "\\",
    ])

    private static func page(_ words: [String]) -> RecognizedText {
        let lines = words.enumerated().map { row, word in
            let box = Box(left: 1, top: Double(row), right: 9, bottom: Double(row) + 1)
            return RecognizedLine(words: [RecognizedWord(text: word, confidence: 0.5, box: box)])
        }
        return RecognizedText(
            blocks: [RecognizedBlock(lines: lines)], pageSize: PixelSize(width: 10, height: words.count + 1),
            pixelsPerMillimeter: nil, language: "eng", legibility: .readable)
    }

    @Test func wordsOfJSONAreReadBack() throws {
        struct Page: Decodable {
            struct Block: Decodable { var lines: [Line] }
            struct Line: Decodable { var words: [Word] }
            struct Word: Decodable { var text: String }
            var blocks: [Block]
        }
        let json = Data(Self.page(Self.words).formatted(as: .json).utf8)
        let read = try JSONDecoder().decode(Page.self, from: json).blocks.flatMap(\.lines).flatMap(\.words)
        #expect(read.map { scalars($0.text) } == Self.words.map { scalars($0) })
    }

    @Test func wordsOfTSVAreReadBack() throws {
        let rows = Self.page(Self.words).formatted(as: .tsv).utf8.split(separator: UInt8(ascii: "\n")).map {
            $0.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
        #expect(rows.allSatisfy { $0.count == 12 })
        let read = rows.filter { $0[0] == "5" }.map { scalars($0[11]) }
        let expected = Self.words.map { word in
            scalars(
                DelimiterCorpus.text(word) {
                    $0.properties.isWhitespace || $0.properties.generalCategory == .control ? " " : nil
                })
        }
        #expect(read == expected)
    }

    /// Line ends and tabulators become blanks; other controls, which XML 1.0 cannot hold, are left out.
    private static func inXML(_ text: String) -> [Unicode.Scalar] {
        scalars(
            DelimiterCorpus.text(text) {
                "\t\n\r".unicodeScalars.contains($0) ? " " : $0.value < 0x20 ? "" : nil
            })
    }

    @Test func wordsOfALTOAreReadBack() throws {
        let read = try Self.elements(Self.page(Self.words).formatted(as: .alto), "String").attributes
        #expect(read.map { scalars($0["CONTENT"] ?? "") } == Self.words.map(Self.inXML))
    }

    @Test func wordsOfHOCRAreReadBack() throws {
        let page = Self.page(Self.words).formatted(as: .hocr, picture: "a.png").utf8
            .split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }.filter {
                !$0.hasPrefix("<!DOCTYPE")
            }
        let read = try Self.elements(page.joined(separator: "\n"), "span").contents
        #expect(read.map { scalars($0) } == Self.words.map(Self.inXML))
    }

    @Test func hOCRNamesAPictureOrLeavesItOut() throws {
        for name in DelimiterCorpus.texts(around: ["\"", ";", "'", "/", "%", "<"]) {
            let page = Self.page(["a"]).formatted(as: .hocr, picture: name).utf8
                .split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }.filter {
                    !$0.hasPrefix("<!DOCTYPE")
                }
            let read = try Self.elements(page.joined(separator: "\n"), "div").attributes
            let title = try #require(read.first?["title"])
            // The property's string ends with the next quotation mark.
            let parts = title.utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
            #expect(
                parts.count == (name.utf8.contains(UInt8(ascii: "\"")) ? 1 : 3), "\(name.debugDescription)")
            let links = try Self.elements(page.joined(separator: "\n"), "img").attributes
            let path = try #require(links.first?["src"]?.removingPercentEncoding)
            #expect(scalars(path) == scalars("./" + name))
        }
    }

    @Test func theTitleOfAPDFIsReadBack() throws {
        for title in DelimiterCorpus.texts(around: ["(", ")", "\\", "<", ">", "&", "]]>", "?>", "/"]) {
            let metadata = PDFMetadata(title: title, recognizedLanguage: nil, date: nil)
            let digits = try #require(
                metadata.dictionary.firstMatch(of: /\/Title <FEFF([0-9A-F]*)>/)?.output.1)
            let units = Array(digits.utf8).chunks(of: 4).map { String(decoding: $0, as: UTF8.self) }
                .compactMap { UInt16($0, radix: 16) }
            #expect(scalars(String(decoding: units, as: UTF16.self)) == scalars(title))
            let titles = try Self.elements(metadata.packet, "rdf:li").contents
            #expect(titles.map { scalars($0) } == [Self.inXML(title)])
        }
    }

    /// The elements of one name in XML, by Foundation's parser: attributes, and what stands in those that hold no others.
    private static func elements(
        _ xml: String, _ name: String
    ) throws -> (attributes: [[String: String]], contents: [String]) {
        final class Reader: NSObject, XMLParserDelegate {
            let name: String
            var attributes: [[String: String]] = []
            var contents: [String] = []
            private var (open, isInnermost) = ("", false)
            init(_ name: String) { self.name = name }
            func parser(
                _ parser: XMLParser, didStartElement element: String, namespaceURI: String?,
                qualifiedName: String?, attributes found: [String: String] = [:]
            ) {
                (open, isInnermost) = ("", true)
                if element == name { attributes.append(found) }
            }
            func parser(_ parser: XMLParser, foundCharacters string: String) { open += string }
            func parser(
                _ parser: XMLParser, didEndElement element: String, namespaceURI: String?,
                qualifiedName: String?
            ) {
                if element == name, isInnermost { contents.append(open) }
                isInnermost = false
            }
        }
        let reader = Reader(name)
        let parser = XMLParser(data: Data(xml.utf8))
        parser.delegate = reader
        try #require(parser.parse(), "\(parser.parserError.map(String.init(describing:)) ?? "")")
        return (reader.attributes, reader.contents)
    }
}

extension Array {
    /// The elements, so many at a time.
    fileprivate func chunks(of count: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: self.count, by: count).map { self[$0..<Swift.min($0 + count, self.count)] }
    }
}

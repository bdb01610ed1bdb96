import Diagnostics
import Foundation
import Imaging
import Testing
import TextRecognition
import TextTestSupport

#if canImport(FoundationXML)
    import FoundationXML
#endif

@testable import TextFormats

/// The file's structure, read back byte by byte, and what PDF/A-2b asks of it (ISO 19005-2).
@Suite struct SearchablePDFTests {
    /// Not a picture: nothing here looks inside it, and its bytes must come through as they are.
    private let jpeg: [UInt8] =
        [0xFF, 0xD8] + (0...255).map(UInt8.init) + Array("endstream".utf8) + [0xFF, 0xD9]

    private func page(
        _ printed: String, pixelsPerMeter: Double? = 6000, encoding: SearchablePDF.Page.Encoding = .jpeg,
        size: PixelSize = PixelSize(width: 480, height: 2000)
    ) -> SearchablePDF.Page {
        .init(encoding: encoding, size: size, pixelsPerMeter: pixelsPerMeter, text: readText(printed))
    }

    private func pdf(_ pages: [SearchablePDF.Page], date: Date? = nil) throws -> ReadPDF {
        var bytes: [UInt8] = []
        var writer = try SearchablePDF(
            PDFMetadata(title: "Café <1> & \u{5408}", recognizedLanguage: "deu+eng", date: date)
        ) { bytes += $0 }
        for (index, page) in pages.enumerated() {
            try writer.add(page, picture: jpeg, title: "Café \(index + 1)")
        }
        try writer.finish()
        return try ReadPDF(bytes)
    }

    @Test("The table of objects says where each begins, and the end says where the table is")
    func structure() throws {
        let pdf = try pdf([page("Tea 4.50\nCafé 3,00 €"), page("Two")])
        #expect(pdf.text.hasPrefix("%PDF-1.4\n%") && pdf.text.hasSuffix("%%EOF\n"))
        // Four bytes past ASCII in the second line: the file is no text.
        #expect(pdf.bytes[10..<14].allSatisfy { $0 > 0x7F })
        #expect(pdf.offsets.count == 20)
        for (index, offset) in pdf.offsets.enumerated() {
            #expect(pdf.bytes[offset...].starts(with: Array("\(index + 1) 0 obj\n".utf8)))
        }
    }

    @Test(
        "On paper of a document's own size the picture lies in the middle, and its text with it, no larger than the paper"
    )
    func paper() throws {
        // 480 x 2000 pixels at 6000 a metre: 80 x 333.3 mm, on A4 and on a sheet of half the height, both lying on their side.
        for (paper, scale) in [(SIMD2(297.0, 210.0), 0.891), (SIMD2(500.0, 400.0), 1)] {
            var page = page("Tea 4.50")
            page.paper = paper
            let pdf = try pdf([page])
            let points = paper * 72 / 25.4
            let box = try #require(pdf.text.firstMatch(of: #/MediaBox \[0 0 ([0-9.]+) ([0-9.]+)\]/#))
            // The sheet stands, and so does its paper.
            #expect(abs(Double(box.1)! - points.y) < 0.01 && abs(Double(box.2)! - points.x) < 0.01)
            let shown = try #require(
                pdf.text.firstMatch(of: #/q ([0-9.]+) 0 0 ([0-9.]+) ([0-9.]+) ([0-9.]+) cm \/Picture/#))
            let (width, height) = (Double(shown.1)!, Double(shown.2)!)
            #expect(abs(height - 2000 / 6000 * 1000 * 72 / 25.4 * scale) < 0.1)
            #expect(abs(2 * Double(shown.3)! + width - points.y) < 0.01)
            #expect(abs(2 * Double(shown.4)! + height - points.x) < 0.01)
            #expect(pdf.text.contains("q 1 0 0 1 \(shown.3) \(shown.4) cm\nBT"))
        }
        var page = page("Tea 4.50")
        for broken in [SIMD2(Double.nan, 100), SIMD2(0, 0), SIMD2(1e9, 100)] {
            page.paper = broken
            let box = try pdf([page]).text.firstMatch(of: #/MediaBox \[0 0 ([0-9.]+) /#)
            #expect(box.flatMap { Double($0.1) }.map { abs($0 - 226.77) < 0.01 } == true)
        }
    }

    @Test("A stream's length is that of its bytes")
    func streamLengths() throws {
        let pdf = try pdf([page("Tea 4.50"), page("Two")])
        var streams = 0
        for number in 1...pdf.offsets.count where pdf.object(number).contains("stream\n") {
            streams += 1
            let end = Array("\nendstream\nendobj\n".utf8)
            let (start, length) = try pdf.streamRange(number)
            #expect(pdf.bytes[(start + length)...].starts(with: end), "object \(number)")
        }
        // Font, glyphs, Unicode, XMP, profile, and of each page the picture and what it shows.
        #expect(streams == 9)
    }

    @Test("Of several pages each has its bookmark, in order, and one alone has none")
    func bookmarks() throws {
        let pdf = try pdf([page("Tea"), page("Two"), page("Three")])
        #expect(pdf.object(1).contains("/PageMode /UseOutlines"))
        let root = try #require(pdf.object(1).firstMatch(of: #/\/Outlines (\d+) 0 R/#).flatMap { Int($0.1) })
        #expect(pdf.object(root).contains("/Count 3"))
        var next = pdf.object(root).firstMatch(of: #/\/First (\d+) 0 R/#).flatMap { Int($0.1) }
        var previous: Int?
        for index in 0..<3 {
            let number = try #require(next)
            let item = pdf.object(number)
            let title = "Café \(index + 1)".utf16.map(PDFSyntax.hexadecimal).joined()
            #expect(item.contains("/Title <FEFF\(title)>") && item.contains("/Parent \(root) 0 R"))
            #expect(item.firstMatch(of: #/\/Prev (\d+) 0 R/#).flatMap { Int($0.1) } == previous)
            let target = try #require(
                item.firstMatch(of: #/\/Dest \[(\d+) 0 R \/Fit\]/#).flatMap { Int($0.1) })
            #expect(pdf.object(target) == pdf.page(index))
            previous = number
            next = item.firstMatch(of: #/\/Next (\d+) 0 R/#).flatMap { Int($0.1) }
        }
        #expect(next == nil)
        #expect(pdf.object(root).contains("/Last \(try #require(previous)) 0 R"))
        #expect(try !self.pdf([page("Tea")]).text.contains("/Outlines"))
    }

    @Test("The page has the sheet's true size in points")
    func size() throws {
        // 480 x 2000 pixels at 6000 a metre are 80 x 333.33 mm; a point is 1/72 inch.
        #expect(try pdf([page("Tea")]).page(0).contains("/MediaBox [0 0 226.772 944.882]"))
        // Without a scale 300 pixels are an inch: 480 of them 115.2 points.
        #expect(
            try pdf([page("Tea", pixelsPerMeter: nil)]).page(0).contains("/MediaBox [0 0 115.200 480.000]"))
    }

    @Test("A page is as large as PDF/A allows at most, and keeps its proportions")
    func extremeSizes() throws {
        let small = page("", pixelsPerMeter: 6000, size: PixelSize(width: 1, height: 10))
        #expect(try pdf([small]).page(0).contains("/MediaBox [0 0 3.000 30.000]"))
        let large = page("", pixelsPerMeter: 1, size: PixelSize(width: 100, height: 1000))
        #expect(try pdf([large]).page(0).contains("/MediaBox [0 0 1440.000 14400.000]"))
    }

    @Test("The picture's bytes are there unchanged")
    func picture() throws {
        let pdf = try pdf([page("Tea 4.50")])
        #expect(pdf.object(12).contains("/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode"))
        let (start, length) = try pdf.streamRange(12)
        #expect(Array(pdf.bytes[start..<start + length]) == jpeg)
        let fax = try self.pdf([page("", encoding: .group4)]).object(12)
        #expect(fax.contains("/BitsPerComponent 1 /Filter /CCITTFaxDecode"))
        #expect(fax.contains("/K -1 /Columns 480 /Rows 2000"))
    }

    @Test("Words are invisible and spread over their boxes")
    func words() throws {
        let pdf = try pdf([page("Tea 4.50")])
        let content = pdf.object(13)
        #expect(content.contains("\n3 Tr\n"))
        // "Tea" stands from pixel 1 to 29: 13.228 points wide. Its row is 20 pixels, 9.449 points, high, so three
        // characters 0.6 ems wide are stretched by 13.228 / (3 * 0.6 * 9.449) = 0.77778. The base line lies 0.157 ems
        // above the row's lower edge: 944.882 - 9.449 + 0.157 * 9.449 = 936.917.
        #expect(content.contains("/F0 9.449 Tf\n1 0 0 1 0.472 936.917 Tm 77.778 Tz"))
        #expect(pdf.words(13) == ["Tea ", "4.50"], "no space after the last word")
    }

    @Test("Any character is told by the map to Unicode, on whatever page it stands first")
    func unicode() throws {
        let pdf = try pdf([page("Café 3,00 €"), page("合計 \u{1D7DB}"), page("é\u{1} €")])
        #expect(pdf.words(13) == ["Café ", "3,00 ", "€"])
        #expect(pdf.words(16) == ["合計 ", "\u{1D7DB}"])
        #expect(pdf.words(19) == ["é  ", "€"], "controls have no code")
    }

    @Test("More than 100 characters need more than one group of the map")
    func manyCharacters() throws {
        let printed = String(String.UnicodeScalarView((0..<130).compactMap { Unicode.Scalar(0x4E00 + $0) }))
        let pdf = try pdf([page(printed)])
        #expect(pdf.words(13) == [printed])
        #expect(pdf.object(8).contains("100 beginbfchar") && pdf.object(8).contains("30 beginbfchar"))
    }

    @Test("A page without text is a page with its picture")
    func empty() throws {
        let content = try pdf([page("")]).object(13)
        #expect(!content.contains("BT") && content.contains("/Picture Do"))
    }

    @Test("Pages follow one another as they came")
    func order() throws {
        let pdf = try pdf([page("one"), page("two"), page("three")])
        #expect(pdf.object(2).contains("/Count 3 /Kids [14 0 R\n17 0 R\n20 0 R]"))
        #expect([13, 16, 19].map { pdf.words($0) } == [["one"], ["two"], ["three"]])
    }

    @Test("The same pages give the same bytes, and others another name")
    func deterministic() throws {
        func name(_ pdf: ReadPDF) -> Substring? {
            pdf.text.firstMatch(of: #//ID \[<([0-9A-F]{32})> <\1>\]/#)?.1
        }
        let (one, two) = (try pdf([page("one")]), try pdf([page("two")]))
        #expect(try one.bytes == pdf([page("one")]).bytes)
        #expect(name(one) != nil && name(one) != name(two))
    }

    // MARK: PDF/A-2b

    @Test(
        "The XMP packet claims PDF/A-2b, and says of title, language and date what the dictionaries say (6.6)"
    )
    func metadata() throws {
        let moment = Date(timeIntervalSince1970: 1_700_000_000)
        let pdf = try pdf([page("Tea")], date: moment)
        #expect(pdf.object(1).contains("/Metadata 9 0 R /Lang (de)"))
        let header = pdf.object(9)
        #expect(header.contains("/Type /Metadata /Subtype /XML") && !header.contains("/Filter"))
        let (start, length) = try pdf.streamRange(9)
        let parser = XMLParser(data: Data(pdf.bytes[start..<start + length]))
        #expect(parser.parse(), "\(String(describing: parser.parserError))")
        let packet = String(decoding: pdf.bytes[start..<start + length], as: UTF8.self)
        for part in [
            "<pdfaid:part>2</pdfaid:part>", "<pdfaid:conformance>B</pdfaid:conformance>",
            "Café &lt;1&gt; &amp; 合", "<rdf:li>de</rdf:li>",
            "<xmp:CreateDate>2023-11-14T22:13:20+00:00</xmp:CreateDate>",
        ] {
            #expect(packet.contains(part), "\(part)")
        }
        let dictionary = pdf.object(11)
        #expect(dictionary.contains("/CreationDate (D:20231114221320+00'00')"))
        #expect(dictionary.contains("/Title <FEFF00430061006600E90020003C0031003E0020002600205408>"))
        #expect(try !self.pdf([page("Tea")]).object(11).contains("Date"))
    }

    @Test("Colours have an output intent with a profile of three components (6.2.3)")
    func outputIntent() throws {
        let pdf = try pdf([page("Tea")])
        #expect(
            pdf.object(1).contains("/S /GTS_PDFA1") && pdf.object(1).contains("/DestOutputProfile 10 0 R"))
        #expect(pdf.object(10).contains("/N 3"))
        let (start, length) = try pdf.streamRange(10)
        #expect(Array(pdf.bytes[start..<start + length]) == SRGBProfile.bytes)
    }

    @Test("The font is embedded, and every code has a glyph that is not .notdef (6.2.11)")
    func font() throws {
        let pdf = try pdf([page("Tea 4.50 €")])
        #expect(pdf.object(3).contains("/Encoding /Identity-H") && pdf.object(3).contains("/ToUnicode 8 0 R"))
        #expect(pdf.object(4).contains("/CIDToGIDMap 7 0 R") && pdf.object(4).contains("/DW 600"))
        #expect(pdf.object(5).contains("/FontFile2 6 0 R"))
        let (start, length) = try pdf.streamRange(7)
        let glyphs = stride(from: start, to: start + length, by: 2).map { Array(pdf.bytes[$0..<$0 + 2]) }
        // T, e, a, blank, 4, point, 5, 0, euro, and the code 0, which nothing has.
        #expect(glyphs == Array(repeating: [0, 1], count: 10))
    }

    @Test("Nothing is transparent, encrypted, a script or outside of the file (6.1.3, 6.2.10, 6.5)")
    func nothingForbidden() throws {
        let text = try pdf([page("Tea")]).text
        for word in [
            "/SMask", "/Group", "/ca ", "/Encrypt", "/JavaScript", "/AA", "/URI", "/Interpolate", "/LZW",
        ] {
            #expect(!text.contains(word))
        }
    }

    @Test(
        "Tesseract's languages become tags of BCP 47",
        arguments: [
            ("eng", "en"), ("deu+eng", "de"), ("chi_sim", "zh-Hans"), ("chi_tra_vert", "zh-Hant"),
            ("frk", "frk"),
            ("msa", "ms"), ("script/Latin", nil), ("", nil), ("e)/", nil),
        ])
    func languages(name: String, tag: String?) {
        #expect(PDFMetadata.languageTag(name) == tag)
    }
}

/// A PDF taken apart by its table of objects.
private struct ReadPDF {
    let bytes: [UInt8]
    /// One character for each byte, so that places in the string are places in the file.
    let text: String
    /// Where each object begins, from number 1 on.
    let offsets: [Int]

    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        text = Self.latin(bytes[...])
        let tail = Self.latin(bytes.suffix(64)).split(separator: "\n").map(String.init)
        let place = try #require(tail.firstIndex(of: "startxref").flatMap { Int(tail[$0 + 1]) })
        let table = Self.latin(bytes[place...]).split(separator: "\n", omittingEmptySubsequences: false)
        try #require(table[0] == "xref" && table[2] == "0000000000 65535 f ")
        let count = try #require(Int(table[1].split(separator: " ")[1]))
        offsets = try (1..<count).map { number in
            try #require(table[2 + number].count == 19, "with its line feed each row has 20 bytes")
            return try #require(Int(table[2 + number].prefix(10)))
        }
        try #require(table[2 + count] == "trailer" && table[3 + count].contains("/Size \(count) /Root 1 0 R"))
    }

    /// What stands between "obj" and "endobj".
    func object(_ number: Int) -> String {
        let start = offsets[number - 1]
        let next = offsets.filter { $0 > start }.min() ?? bytes.count
        let lines = Self.latin(bytes[start..<next]).split(separator: "\n", omittingEmptySubsequences: false)
        return lines.dropFirst().prefix { $0 != "endobj" }.joined(separator: "\n")
    }

    func page(_ index: Int) -> String { object(14 + 3 * index) }

    func streamRange(_ number: Int) throws -> (start: Int, length: Int) {
        let object = object(number)
        let length = try #require(object.firstMatch(of: #//Length (\d+) >>\nstream\n/#).flatMap { Int($0.1) })
        let head = try #require(object.range(of: "stream\n"))
        let start = object.distance(from: object.startIndex, to: head.upperBound)
        return (offsets[number - 1] + "\(number) 0 obj\n".count + start, length)
    }

    /// The strings that a page's content shows, by the map to Unicode.
    func words(_ number: Int) -> [String] {
        var map: [Substring: [UInt16]] = [:]
        for match in object(8).matches(of: #/<([0-9A-F]{4})> <([0-9A-F]+)>\n/#) where match.1 != "0000" {
            map[match.1] = Self.units(match.2).compactMap { UInt16($0, radix: 16) }
        }
        return object(number).matches(of: #/<([0-9A-F]+)> Tj/#).map { match in
            String(decoding: Self.units(match.1).flatMap { map[$0] ?? [0xFFFD] }, as: UTF16.self)
        }
    }

    private static func units(_ digits: Substring) -> [Substring] {
        stride(from: 0, to: digits.count, by: 4).map { digits.dropFirst($0).prefix(4) }
    }

    private static func latin(_ bytes: ArraySlice<UInt8>) -> String {
        String(bytes.map { Character(Unicode.Scalar($0)) })
    }
}

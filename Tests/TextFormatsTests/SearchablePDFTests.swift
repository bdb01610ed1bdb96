import Foundation
import Imaging
import Testing
import TextRecognition
import TextTestSupport

@testable import TextFormats

/// The file's structure, read back byte by byte.
@Suite struct SearchablePDFTests {
    /// Not a picture: nothing here looks inside it, and its bytes must come through as they are.
    private let jpeg: [UInt8] =
        [0xFF, 0xD8] + (0...255).map(UInt8.init) + Array("endstream".utf8) + [0xFF, 0xD9]

    private func pdf(_ printed: String, pixelsPerMeter: Double? = 6000) -> (bytes: [UInt8], text: String) {
        let bytes =
            SearchablePDF(
                jpeg: jpeg, size: PixelSize(width: 480, height: 2000), isGray: false,
                pixelsPerMeter: pixelsPerMeter, text: readText(printed)
            ).bytes
        // One character for each byte, so that places in the string are places in the file.
        return (bytes, String(bytes.map { Character(Unicode.Scalar($0)) }))
    }

    private func object(_ number: Int, in pdf: String) throws -> String {
        let lines = pdf.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == "\(number) 0 obj" })
        let end = try #require(lines[start...].firstIndex { $0 == "endobj" })
        return lines[(start + 1)..<end].joined(separator: "\n")
    }

    @Test("The table of objects says where each begins, and the end says where the table is")
    func structure() throws {
        let (bytes, text) = pdf("Tea 4.50\nCafé 3,00 €")
        #expect(text.hasPrefix("%PDF-1.4\n") && text.hasSuffix("%%EOF\n"))
        let tail = text.suffix(200).split(separator: "\n").map(String.init)
        let place = try #require(tail.firstIndex(of: "startxref").flatMap { Int(tail[$0 + 1]) })
        let table = String(bytes[place...].map { Character(Unicode.Scalar($0)) })
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(table[0] == "xref")
        let count = try #require(Int(table[1].split(separator: " ")[1]))
        #expect(table[2] == "0000000000 65535 f ")
        for number in 1..<count {
            let row = table[2 + number]
            #expect(row.count == 19, "with its line feed each row has 20 bytes")
            let offset = try #require(Int(row.prefix(10)))
            #expect(bytes[offset...].starts(with: Array("\(number) 0 obj\n".utf8)))
        }
        #expect(table[2 + count] == "trailer" && table[3 + count].contains("/Size \(count) /Root 1 0 R"))
    }

    @Test("The page has the sheet's true size in points")
    func size() throws {
        // 480 x 2000 pixels at 6000 a metre are 80 x 333.33 mm; a point is 1/72 inch.
        #expect(try object(3, in: pdf("Tea 4.50").text).contains("/MediaBox [0 0 226.772 944.882]"))
        // Without a scale 300 pixels are an inch: 480 of them 115.2 points.
        #expect(
            try object(3, in: pdf("Tea 4.50", pixelsPerMeter: nil).text)
                .contains("/MediaBox [0 0 115.200 480.000]"))
    }

    @Test("The picture's bytes are there unchanged, with their number")
    func picture() throws {
        let (bytes, text) = pdf("Tea 4.50")
        let stream = try #require(text.range(of: "/Filter /DCTDecode /Length \(jpeg.count) >>\nstream\n"))
        let start = text.distance(from: text.startIndex, to: stream.upperBound)
        #expect(Array(bytes[start..<(start + jpeg.count)]) == jpeg)
        #expect(bytes[(start + jpeg.count)...].starts(with: Array("\nendstream".utf8)))
    }

    @Test("Words are invisible and spread over their boxes")
    func words() throws {
        let content = try object(5, in: pdf("Tea 4.50").text)
        #expect(content.contains("\n3 Tr\n"))
        // "Tea" stands from pixel 1 to 29: 13.228 points wide. Its row is 20 pixels, 9.449 points, high, so three
        // characters 0.6 ems wide are stretched by 13.228 / (3 * 0.6 * 9.449) = 0.77778. The base line lies 0.157 ems
        // above the row's lower edge: 944.882 - 9.449 + 0.157 * 9.449 = 936.917.
        #expect(content.contains("1 0 0 1 0.472 936.917 Tm 77.778 Tz\n/F0 9.449 Tf <54656120> Tj"))
        #expect(content.contains("<342E3530> Tj"), "no space after the last word")
    }

    @Test("Characters past ASCII get codes of their own, told by the map to Unicode")
    func unicode() throws {
        let (_, text) = pdf("Café 3,00 €\n合計 𝟛")
        let map = try object(7, in: text)
        for (code, units) in [
            ("80", "00E9"), ("81", "20AC"), ("82", "5408"), ("83", "8A08"), ("84", "D835DFDB"),
        ] {
            #expect(map.contains("<\(code)> <\(units)>"))
        }
        #expect(try object(5, in: text).contains("<4361668020> Tj"))
    }

    @Test("More than 128 characters past ASCII need a second font")
    func secondFont() throws {
        let printed = String(String.UnicodeScalarView((0..<130).compactMap { Unicode.Scalar(0x4E00 + $0) }))
        let text = pdf(printed).text
        #expect(try object(3, in: text).contains("/F0 6 0 R /F1 8 0 R"))
        #expect(try object(7, in: text).contains("100 beginbfchar"))
        #expect(try object(9, in: text).contains("<81> <4E81>"))
    }

    @Test("A page without text is a page with its picture")
    func empty() throws {
        let (_, text) = pdf("")
        #expect(try !object(5, in: text).contains("BT"))
        #expect(try object(5, in: text).contains("/Picture Do"))
    }
}

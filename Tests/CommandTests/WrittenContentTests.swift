import Foundation
import Imaging
import ReceiptFlattening
import Testing
import TextFormats
import TextTestSupport

@testable import flatten

/// What each format says to whoever opens it.
@Suite struct WrittenContentTests {
    private static let read = readText("Tea 4.50\nJosé \"Pepe\" O'Neil & <Sons>")
    private static let words = ["José", "\"Pepe\"", "O'Neil", "&", "<Sons>"]

    @Test("Text comes out of every format as it was read, row by row")
    func formats() {
        for format in TextFormat.allCases {
            let written = Self.read.formatted(as: format, picture: "José's.png")
            let content = WrittenContent(Array(written.utf8))
            let rows = content.text.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
            #expect(rows.contains { Array($0.suffix(5)) == Self.words }, "\(format): \(content.text)")
            #expect(content.pictures.isEmpty)
            // hOCR names a picture; no geometry comes with it.
            #expect(content.text.contains("José's.png") == (format == .hocr))
            for word in ["bbox", "HPOS", "ocrx_word", "left", "confidence"] {
                #expect(!content.text.contains(word), "\(format)")
            }
        }
    }

    @Test("Of a report the values come out, not what the program chose of a few")
    func json() {
        let report =
            #"{"kind": "page", "redaction": {"kinds": ["names"]}, "items": [{"kind": "price", "value": "A\u006ena"}], "dpi": 300}"#
        #expect(WrittenContent(Array(report.utf8)).text == "Anna\n")
        // Text that only begins like a document is text.
        #expect(WrittenContent(Array("{\"Anna\" 5\n".utf8)).text.contains("Anna"))
        #expect(WrittenContent(Array("5551234\n".utf8)).text.contains("5551234"))
    }

    @Test(
        "Of a page its text, values and downloads come out, and not its headings, labels, scripts and relief")
    func page() {
        let saved = Data("FN:Anna Mueller".utf8).base64EncodedString()
        let picture: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]
        let page = """
            <!DOCTYPE html><html><head><meta charset="utf-8" /><title>A &amp; B</title><style>td { x: y }</style></head><body>
            <h2>Price</h2><p>Mark</p><img src="data:image/jpeg;base64,\(Data(picture).base64EncodedString())" alt="Flat" />
            <img id="relief" src="data:image/jpeg;base64,\(Data(picture).base64EncodedString())" />
            <table><tr><th scope="row">Merchant</th><td class="value"><a href="#flat-1">Caf&#39;</a></td></tr></table>
            <a aria-label="Name: Otto" download="otto.vcf" href="data:text/vcard;base64,\(saved)">Contact</a>
            <script>var hidden = "Script"</script></body></html>
            """
        let content = WrittenContent(Array(page.utf8))
        for word in ["A & B", "Caf'", "Otto", "otto.vcf", "FN:Anna Mueller", "Flat"] {
            #expect(content.text.contains(word), "\(word): \(content.text)")
        }
        for word in ["Price", "Mark", "Merchant", "Name", "Script", "x: y"] {
            #expect(!content.text.contains(word))
        }
        #expect(content.pictures == [picture])
    }

    @Test("A long line of a vCard is one line again; a PDF says its title")
    func others() throws {
        #expect(WrittenContent(Array("FN:Anna Mu\r\n eller\r\n".utf8)).text.contains("Anna Mueller"))
        let pdf = try SearchablePDF.bytes(
            of: .init(
                encoding: .jpeg, size: PixelSize(width: 9, height: 9), pixelsPerMeter: nil, text: Self.read),
            picture: [0xFF, 0xD8], metadata: PDFMetadata(title: "Anna", recognizedLanguage: nil, date: nil))
        let content = WrittenContent(pdf)
        #expect(content.text.contains("Anna") && content.text.contains("José \"Pepe\" O'Neil & <Sons>"))
        #expect(content.pictures == [[0xFF, 0xD8]])
    }
}

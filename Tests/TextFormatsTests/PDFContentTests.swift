import Imaging
import Testing
import TextRecognition
import TextTestSupport

@testable import TextFormats

@Suite struct PDFContentTests {
    @Test(
        "What a PDF says and shows is read back: its rows, its title, its packet and its JPEGs, whatever they hold"
    )
    func roundTrip() throws {
        let picture: [UInt8] = [0xFF, 0xD8] + Array("\n1 0 obj\nendstream".utf8) + [0xFF, 0xD9]
        let text = readText("Tea 4.50\nCafé 3,00 €\nA. Müller \u{1F600}")
        let page = SearchablePDF.Page(
            encoding: .jpeg, size: PixelSize(width: 480, height: 2000), pixelsPerMeter: 6000, text: text)
        let bytes = try SearchablePDF.bytes(
            of: page, picture: picture,
            metadata: PDFMetadata(title: "Anna & <Co>", recognizedLanguage: "eng", date: nil))
        let content = try #require(PDFContent(bytes))
        let rows = content.text.split(separator: "\n").map(String.init)
        for row in text.lines { #expect(rows.contains(row.text)) }
        #expect(rows.contains("Anna & <Co>"))
        #expect(content.packet.contains("Anna &amp; &lt;Co&gt;"))
        #expect(content.pictures == [picture])
    }

    @Test func whatIsNoPDFSaysNothing() {
        #expect(PDFContent(Array("%PD".utf8)) == nil)
        #expect(PDFContent([]) == nil)
        // Cut anywhere, it is read as far as it goes.
        #expect(PDFContent(Array("%PDF-1.4\n1 0 obj\n<< /Length 99999 >>\nstream\nq".utf8))?.pictures == [])
    }
}

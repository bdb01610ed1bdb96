import Diagnostics
import Foundation
import Imaging
import Parallelism
import Testing
import TextTestSupport

@testable import TextRecognition

@Suite struct ReceiptReaderTests {
    @Test("A drawn receipt is read without error, a row for a row")
    func small() throws {
        let text = try TextRecognizer().recognize(
            TextPage(try DrawnPage(smallReceipt).picture, pixelsPerMillimeter: 8))
        #expect(text.lines.map(\.text) == readingForm(of: smallReceipt))
        #expect(text.legibility == .readable)
        #expect(text.confidence > 0.8)
    }

    @Test("Wide-set type is read, and a space is an empty cell, not a wide gap")
    func wideSet() throws {
        let page = try DrawnPage(smallReceipt, cellWidth: 19, cellHeight: 28, linePitch: 40)
        #expect(
            try TextRecognizer().recognize(TextPage(page.picture)).lines.map(\.text)
                == readingForm(of: smallReceipt))
    }

    @Test("Pale print on grey paper is read")
    func faded() throws {
        let page = try DrawnPage(smallReceipt, ink: 140, paper: 190)
        #expect(
            try TextRecognizer().recognize(TextPage(page.picture)).lines.map(\.text)
                == readingForm(of: smallReceipt))
    }

    @Test("Rows that are light on dark are read like the others")
    func lightOnDark() throws {
        let page = try DrawnPage(smallReceipt, inverted: [0, 9])
        #expect(
            try TextRecognizer().recognize(TextPage(page.picture)).lines.map(\.text)
                == readingForm(of: smallReceipt))
    }

    @Test("A word's box encloses its cells' print, in the page's pixels")
    func boxes() throws {
        let page = try DrawnPage(smallReceipt)
        let words = try TextRecognizer().recognize(TextPage(page.picture)).words
        let total = try #require(words.first { $0.text == "TOTAL" })
        // The row is the tenth; the letters stand within the cells 0 to 5 and the row's height.
        #expect(
            total.box.left >= Double(page.margin)
                && total.box.right <= Double(page.margin + 5 * page.cellWidth))
        #expect(total.box.width > 4 * Double(page.cellWidth))
        let top = Double(page.margin + 9 * page.linePitch)
        #expect(total.box.top >= top && total.box.bottom <= top + 28)
    }

    @Test("Two readings of one page are the same to the last digit, on one thread or on two")
    func deterministic() throws {
        let page = TextPage(try DrawnPage(smallReceipt).picture)
        let first = try TextRecognizer(concurrency: 1).recognize(page)
        #expect(try TextRecognizer(concurrency: 2).recognize(page) == first)
    }

    @Test("A wish to stop that comes while reading ends it")
    func stopWhileReading() throws {
        let asked = CancellationFlag()
        // Not wanted any more once tesseract has asked the first time.
        let context = ReadingContext(isCancelled: {
            defer { asked.raise() }
            return asked.isRaised
        })
        do {
            _ = try TextRecognizer().recognize(
                TextPage(try DrawnPage(smallReceipt).picture), context: context)
            Issue.record("reading went on")
        } catch {
            #expect((error as? FlatteningError)?.code == .cancelled)
        }
    }
}

import Diagnostics
import DrawnReceipts
import Foundation
import Imaging
import ReceiptFlattening
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@testable import ReceiptOutputs

/// Pages as text: what a browser need not be asked.
@Suite struct ResultPageTests {
    private static let made = Result {
        let capture = try DrawnReceipt.capture()
        return (capture, try ReceiptFlattener().flatten(capture))
    }

    private func page(isRedacted: Bool = false, name: String = "<b>&\"a\"'.jpg") throws -> String {
        let (capture, receipt) = try Self.made.get()
        return try ResultPage(of: receipt, in: capture, name: name, isRedacted: isRedacted).html
    }

    @Test func aPageIsWellFormedAndItsNameEscaped() throws {
        let html = try page()
        #expect(Self.isWellFormed(html))
        #expect(!html.contains("<b>"))
    }

    @Test func nothingInAPageLeadsAway() throws {
        let html = try page()
        #expect(!html.contains("http:") && !html.contains("https:") && !html.contains("src=\"//"))
        #expect(html.contains("default-src 'none'") && !html.contains("unsafe-inline"))
        #expect(!html.contains(" style=") && !html.contains(" onclick="))
    }

    @Test func whereDataAreBlackedOutThePhotographIsLeftOut() throws {
        let (whole, redacted) = (try page(), try page(isRedacted: true))
        #expect(whole.contains("id=\"photograph\""))
        #expect(!redacted.contains("id=\"photograph\"") && redacted.contains("photograph is left out"))
        // The flat image alone: no second JPEG.
        #expect(redacted.components(separatedBy: "data:image/jpeg").count == 2)
    }

    /// Says what it was told to, whatever the picture shows.
    private struct KnowingEngine: TextEngine {
        let name = "knowing", version = "1", languages = ["eng"]
        let words: [RecognizedWord]

        func lines(on page: TextPage, context: ReadingContext) throws(FlatteningError) -> [RecognizedLine] {
            [RecognizedLine(words: words)]
        }
    }

    /// The page of a receipt that says these words in one row.
    private func page(saying words: [String], hiding kinds: Set<PersonalData> = []) throws -> String {
        let (capture, receipt) = try receipt(saying: words, hiding: kinds)
        return try ResultPage(of: receipt, in: capture, name: "a", isRedacted: !kinds.isEmpty).html
    }

    private func receipt(
        saying words: [String], hiding kinds: Set<PersonalData> = [], finding finds: Set<SheetContent> = []
    ) throws -> (Capture, FlattenedReceipt) {
        var options = ReceiptFlattener.Options()
        options.finds = finds
        options.textEngine = KnowingEngine(
            words: words.enumerated().map { index, word in
                let left = Double(10 + 20 * index)
                return RecognizedWord(
                    text: word, confidence: 0.9, box: Box(left: left, top: 40, right: left + 16, bottom: 60))
            })
        let capture = try DrawnReceipt.capture()
        var receipt = try ReceiptFlattener(options: options).flatten(capture)
        if !kinds.isEmpty { receipt = try #require(receipt.redacted(kinds)) }
        return (capture, receipt)
    }

    @Test func anAmountHasTheDecimalsThatItWasPrintedWithAndStandsOnce() throws {
        let (capture, receipt) = try receipt(saying: ["TOTAL", "EUR", "7.50"], finding: [.items])
        #expect(receipt.report.fields?[.total]?.value == "7.50")
        #expect(receipt.report.items?.map(\.value) == ["7.5"])
        let page = try ResultPage(of: receipt, in: capture, name: "a", isRedacted: false).html
        #expect(page.contains(">Total</th>") && !page.contains("Found on the sheet"))
        // A currency may follow from words all over the sheet, so that its box would cover the others.
        #expect(page.contains("aria-label=\"Total: ") && page.contains(">Currency</th>"))
        #expect(!page.contains("aria-label=\"Currency: "))
    }

    @Test func whatIsPrintedStandsInThePageButIsNoMarkup() throws {
        let html = try page(saying: ["</script><script>alert(1)</script>", "TOTAL", "7.50"])
        #expect(Self.isWellFormed(html))
        #expect(html.contains("&lt;script&gt;alert(1)") && !html.contains("<script>alert"))
    }

    @Test func whatIsBlackedOutIsNowhereInThePage() throws {
        let words = ["VISA", "4111", "1111", "1111", "1111", "TOTAL", "7.50"]
        #expect(try page(saying: words).contains("4111"))
        let html = try page(saying: words, hiding: [.cards])
        // Text and report stand in it as base64 too.
        let hidden = html.matches(of: /data:(?:text|application)\/[a-z]+;base64,([A-Za-z0-9+\/=]+)/)
            .compactMap {
                Data(base64Encoded: String($0.1)).map { String(decoding: $0, as: UTF8.self) }
            }
        #expect(hidden.count == 2)
        // As a word: among the many places on the sheet there may be a 4111.
        let shown = hidden + [html.replacing(/base64,[A-Za-z0-9+\/=]+/, with: "")]
        #expect(!shown.contains { $0.contains(/(?:^|[^-.,0-9])4111(?:[^,0-9]|$)/) })
    }

    @Test func anOverlayIsAWellFormedDrawing() throws {
        let (capture, receipt) = try Self.made.get()
        let overlay = SheetOverlay(of: receipt, photograph: capture.image)
        #expect(XMLParser(data: Data(try overlay.svg().utf8)).parse())
        let drawn = overlay.render()
        #expect(drawn.size == capture.image.size && drawn != capture.image)
        // Lines of the grid are what the map says: the first is the flat image's left edge.
        let grid = try #require(overlay.layers.first { $0.name == "grid" })
        let start = try #require(grid.lines.first?.first)
        #expect((start - receipt.map.source(of: SIMD2(-0.5, -0.5))).length < 1e-9)
        #expect(grid.lines.count > 25)
        let contour = try #require(overlay.layers.first { $0.name == "contour" })
        let corner = try #require(contour.lines.first?.first)
        #expect(drawn[x: Int(corner.x.rounded()), y: Int(corner.y.rounded())] == contour.color)
    }

    @Test func rowsAndFieldsOfAnOverlayLieOnTheSheet() throws {
        let (capture, receipt) = try receipt(saying: ["TOTAL", "7.50"])
        let overlay = SheetOverlay(of: receipt, photograph: capture.image)
        for name in ["rows", "fields"] {
            let layer = try #require(overlay.layers.first { $0.name == name })
            let line = try #require(layer.lines.first, "\(name)")
            let outline = try #require(receipt.outline).mask(size: capture.image.size)
            #expect(line.allSatisfy { outline[x: Int($0.x), y: Int($0.y)] }, "\(name)")
        }
    }

    /// Whether a page without what scripts and styles hold is XML.
    static func isWellFormed(_ html: String) -> Bool {
        var rest = html.replacing("<!DOCTYPE html>", with: "")[...]
        var kept = ""
        for name in ["style", "script"] {
            kept = ""
            while let start = rest.range(of: "<\(name)"),
                let open = rest[start.upperBound...].firstIndex(of: ">"),
                let end = rest[open...].range(of: "</\(name)>")
            {
                kept += rest[...open] + rest[end.lowerBound..<end.upperBound]
                rest = rest[end.upperBound...]
            }
            kept += rest
            rest = kept[...]
        }
        return XMLParser(data: Data(kept.utf8)).parse()
    }
}

/// The page of a batch.
@Suite struct GalleryTests {
    private func card(_ title: String, doubts: [String] = []) -> Gallery.Card {
        Gallery.Card(sheet: nil, title: title, total: "7.50 EUR", confidence: 0.9, doubts: doubts)
    }

    @Test func whatNeedsALookComesFirst() throws {
        var gallery = Gallery()
        gallery.add(card("Good"), name: "a", page: "a.html", thumbnail: "a.thumb.jpg")
        gallery.add(card("Odd", doubts: ["blurred"]), name: "b", page: "b.html", thumbnail: "b.thumb.jpg")
        gallery.add(failure: "no picture", name: "c")
        let html = gallery.html
        let places = ["no picture", "blurred", "Good"].map { html.range(of: $0)?.lowerBound }
        #expect(places.allSatisfy { $0 != nil })
        #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
        #expect(html.contains("1 done, 1 doubtful, 1 failed"))
    }

    @Test func aCardThatNoReceiptMakesIsTold() {
        #expect(card("Mill").isBounded)
        #expect(!card(String(repeating: "a", count: 100_000)).isBounded)
        #expect(!card("Mill", doubts: Array(repeating: "blurred", count: 1000)).isBounded)
    }

    @Test func namesAreEscapedInWordsAndLinks() throws {
        var gallery = Gallery()
        let name = "javascript:<i>\"%2F é"
        gallery.add(card("<script>alert(1)</script>"), name: name, page: name + ".html", thumbnail: nil)
        let html = gallery.html
        #expect(ResultPageTests.isWellFormed(html))
        #expect(!html.contains("<i>") && !html.contains("<script>alert"))
        #expect(html.contains("href=\"./javascript%3A%3Ci%3E%22%252F%20%C3%A9.html\""))
    }

    /// With GALLERY naming a file, ten thousand cards are left there for the check in a browser.
    @Test func tenThousandCardsAreOnePage() throws {
        var gallery = Gallery()
        for number in 0..<10_000 {
            let name = "receipt-\(number)"
            if number % 100 == 7 {
                gallery.add(failure: "the file is not a picture", name: name)
            } else {
                gallery.add(
                    Gallery.Card(
                        sheet: nil,
                        title: ["Mill", "Harbour", "Station", "Corner"][number % 4] + " shop \(number % 97)",
                        total: "\(number % 90).\(10 + number % 89) EUR", confidence: 0.9,
                        doubts: number % 20 == 3 ? ["the picture is blurred"] : []),
                    name: name, page: name + ".html", thumbnail: name + ".thumb.jpg")
            }
        }
        let html = gallery.html
        #expect(html.components(separatedBy: "<li ").count == 10_001)
        if let path = ProcessInfo.processInfo.environment["GALLERY"] {
            try Data(html.utf8).write(to: URL(filePath: path))
        }
    }
}

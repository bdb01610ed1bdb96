import Diagnostics
import Foundation
import Imaging
import Testing
import TextTestSupport

@testable import TextRecognition

@Suite struct TextRecognizerTests {
    /// The code of what `body` throws, nil if it throws nothing.
    private func code(of body: () throws(FlatteningError) -> Void) -> FlatteningError.Code? {
        do {
            try body()
            return nil
        } catch {
            return error.code
        }
    }

    @Test("A missing library is a missing dependency, with the line that installs it")
    func missingLibrary() {
        do {
            _ = try TesseractLibrary.shared.open(anyOf: ["libtesseract-that-is-not-there.so"])
            Issue.record("a library that does not exist was opened")
        } catch {
            #expect(error.code == .missingDependency)
            #expect(error.advice?.contains("apt-get install") == true)
        }
    }

    @Test("A library without tesseract's functions is refused with the function's name")
    func foreignLibrary() {
        #if canImport(Darwin)
            let names = ["libz.dylib"]
        #else
            let names = ["libm.so.6"]
        #endif
        do {
            _ = try TesseractLibrary.shared.open(anyOf: names)
            Issue.record("another library was taken for tesseract")
        } catch {
            #expect(error.code == .missingDependency)
            #expect(error.detail?.contains("has no function Tess") == true)
        }
    }

    @Test("A language without data is missing data, with the package that brings it")
    func missingLanguage() {
        do {
            _ = try TextRecognizer(language: "eng+tlh")
            Issue.record("Klingon was loaded")
        } catch {
            #expect(error.code == .missingLanguageData)
            #expect(error.message.contains("tlh") && !error.message.contains("eng"))
            #expect(error.advice?.contains("tesseract-ocr-tlh") == true)
        }
    }

    @Test("A data folder without data is missing data, not a missing library")
    func emptyDataFolder() {
        #expect(
            code { () throws(FlatteningError) in
                _ = try TextRecognizer(dataPath: NSTemporaryDirectory() + "no-such-folder")
            } == .missingLanguageData)
    }

    @Test(
        "What cannot be a language's name never reaches tesseract",
        arguments: ["", "eng+", "../eng", "eng/../../x", "/etc/passwd", "eng deu", "~eng", "script/", "é"])
    func notALanguage(name: String) {
        #expect(code { () throws(FlatteningError) in _ = try TextRecognizer(language: name) } == .badInput)
    }

    @Test("An empty sheet gives empty text, no error", arguments: [0, 128, 255] as [UInt8])
    func emptySheet(level: UInt8) throws {
        let text = try TextRecognizer().recognize(
            TextPage(GrayImage(width: 300, height: 200, filledWith: level)))
        #expect(text.isEmpty && text.string.isEmpty)
        #expect(text.legibility == .empty)
    }

    @Test("Pages of a few pixels give empty text", arguments: [(1, 1), (3, 400), (400, 2)])
    func tinySheet(width: Int, height: Int) throws {
        #expect(
            try TextRecognizer().recognize(TextPage(GrayImage(width: width, height: height, filledWith: 9)))
                .isEmpty)
    }

    @Test("A page without pixels is bad input")
    func noPixels() throws {
        let recognizer = try TextRecognizer()
        #expect(
            code { () throws(FlatteningError) in
                _ = try recognizer.recognize(TextPage(GrayImage(width: 0, height: 5, filledWith: 0)))
            } == .badInput)
    }

    /// Reads one word, whatever there is.
    private struct OneWordEngine: TextEngine {
        let name = "one word", version = "1", languages = ["eng"]

        func lines(on page: TextPage, context: ReadingContext) -> [RecognizedLine] {
            let box = Box(left: 10, top: 10, right: 60, bottom: 30)
            return [RecognizedLine(words: [RecognizedWord(text: "550g", confidence: 0.95, box: box)])]
        }
    }

    @Test("A few characters are next to nothing of a page of print, and all of a label")
    func nextToNothing() throws {
        func legibility(_ text: String) throws -> RecognizedText.Legibility {
            try TextRecognizer(engine: OneWordEngine()).recognize(TextPage(DrawnPage(text).picture))
                .legibility
        }
        #expect(try legibility(textOfCapitals) == .unreadable)
        #expect(try legibility("550g") == .readable)
    }

    @Test("Print that is not text is unreadable, which is not empty")
    func scribbles() throws {
        // Slanted hatching: ink everywhere, letters nowhere.
        let hatching = GrayImage(
            width: 400, height: 300,
            elements: (0..<300 * 400).map { (($0 % 400) + ($0 / 400)) % 40 < 3 ? 20 : 240 })
        #expect(try TextRecognizer().recognize(TextPage(hatching)).legibility == .unreadable)
    }

    @Test("A used-up deadline is a timeout, a withdrawn request a cancellation")
    func allowance() throws {
        let recognizer = try TextRecognizer()
        let page = TextPage(GrayImage(width: 300, height: 200, filledWith: 255))
        let late = ReadingContext(deadline: .now - .seconds(1))
        #expect(
            code { () throws(FlatteningError) in _ = try recognizer.recognize(page, context: late) }
                == .timeout)
        let unwanted = ReadingContext(isCancelled: { true })
        #expect(
            code { () throws(FlatteningError) in _ = try recognizer.recognize(page, context: unwanted) }
                == .cancelled)
    }

    @Test("The share of the print that was read is known, and a small one means that most of it was not")
    func shareRead() throws {
        let page = try TextPage(DrawnPage(textOfCapitals).picture)
        let read = try TextRecognizer().recognize(page)
        #expect(read.shareRead ?? 0 > 0.8)
        #expect(!read.isMostlyUnread)
        var unread = try TextRecognizer(engine: OneWordEngine()).recognize(page)
        #expect(unread.shareRead ?? 1 < 0.1)
        // That one was unreadable from the start: the warning of it is another one.
        #expect(!unread.isMostlyUnread)
        unread = read
        unread.shareRead = 0.3
        #expect(unread.isMostlyUnread)
        #expect(
            try JSONDecoder().decode(RecognizedText.self, from: JSONEncoder().encode(unread)).isMostlyUnread)
    }
}

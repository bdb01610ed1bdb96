import Imaging
import TextRecognition
import TextTestSupport
import Testing

/// Texts that another process wrote.
@Suite struct RecognizedTextTests {
    @Test("A text that was read is sound, and none with a place or a page beyond all pictures")
    func soundness() {
        let text = readText("Corner Grocery\nTOTAL    3.75")
        #expect(text.isSound)
        var wild = text
        wild.blocks[0].lines[0].words[0].box = Box(left: 0, top: 0, right: 1e300, bottom: 1)
        #expect(!wild.isSound)
        wild.blocks[0].lines[0].words[0].box = Box(left: 9, top: 0, right: 1, bottom: 1)
        #expect(!wild.isSound)
        var empty = text
        empty.blocks[0].lines[0].words = []
        #expect(!empty.isSound)
        for (size, density) in [
            (PixelSize(width: 1, height: 1 << 25), 6.0), (PixelSize(width: 9, height: 9), 0),
        ] {
            let other = RecognizedText(
                blocks: text.blocks, pageSize: size, pixelsPerMillimeter: density, language: "eng",
                legibility: .readable)
            #expect(!other.isSound)
        }
    }

    @Test func movedTextStandsWhereItsPlacesDo() {
        let word = RecognizedWord(
            text: "a", confidence: 0.9, box: Box(left: 10, top: 20, right: 30, bottom: 40))
        let text = RecognizedText(
            blocks: [RecognizedBlock(lines: [RecognizedLine(words: [word])])],
            pageSize: PixelSize(width: 100, height: 100), pixelsPerMillimeter: 2, language: "eng",
            legibility: .readable, reader: "lines")
        let moved = text.moved(to: PixelSize(width: 200, height: 50), pixelsPerMillimeter: nil) {
            SIMD2(2 * $0.x + 1, $0.y / 2)
        }
        #expect(moved.words.map(\.box) == [Box(left: 21, top: 10, right: 61, bottom: 20)])
        #expect(moved.blocks[0].lines[0].box == moved.words[0].box)
        #expect(moved.pageWidth == 200 && moved.pageHeight == 50 && moved.pixelsPerMillimeter == nil)
        #expect(moved.string == text.string && moved.reader == "lines")
    }
}

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
}

import Imaging
import TextRecognition

/// tesseract's tab-separated columns: level (1 page, 2 block, 3 paragraph, 4 line, 5 word); the numbers of page, block,
/// paragraph, line and word; the box as left, top, width, height; confidence 0 to 100 (-1 above words); text.
struct TSVText {
    let string: String

    init(_ text: RecognizedText) {
        var rows = [
            "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext"
        ]
        func add(_ numbers: [Int], _ box: Box, confidence: String = "-1", _ word: String = "") {
            let pixels = PixelBox(box, pageWidth: text.pageWidth, pageHeight: text.pageHeight)
            let place = [pixels.left, pixels.top, pixels.right - pixels.left, pixels.bottom - pixels.top]
            rows.append(((numbers + place).map(String.init) + [confidence, word]).joined(separator: "\t"))
        }
        add(
            [1, 1, 0, 0, 0, 0],
            Box(left: 0, top: 0, right: Double(text.pageWidth), bottom: Double(text.pageHeight)))
        for (b, block) in text.blocks.enumerated() {
            add([2, 1, b + 1, 0, 0, 0], block.box)
            add([3, 1, b + 1, 1, 0, 0], block.box)
            for (l, line) in block.lines.enumerated() {
                add([4, 1, b + 1, 1, l + 1, 0], line.box)
                for (w, word) in line.words.enumerated() {
                    let percent = (word.confidence * 10000).rounded() / 100
                    add(
                        [5, 1, b + 1, 1, l + 1, w + 1], word.box, confidence: "\(percent)",
                        Self.cell(word.text))
                }
            }
        }
        string = rows.map { $0 + "\n" }.joined()
    }

    /// The format cannot represent tabs and line ends: all white space and control characters become spaces.
    private static func cell(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
                        ? " " : scalar
                }))
    }
}

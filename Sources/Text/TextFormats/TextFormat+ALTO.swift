import Imaging
import TextRecognition

/// ALTO 3.1 (loc.gov/standards/alto): blocks, lines, strings and the spaces between them, in pixels.
struct ALTOText {
    let string: String

    init(_ text: RecognizedText) {
        func place(_ box: Box) -> String {
            let pixels = PixelBox(box, pageWidth: text.pageWidth, pageHeight: text.pageHeight)
            return #"HPOS="\#(pixels.left)" VPOS="\#(pixels.top)" WIDTH="\#(pixels.right - pixels.left)""#
                + #" HEIGHT="\#(pixels.bottom - pixels.top)""#
        }
        var rows = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<alto xmlns="http://www.loc.gov/standards/alto/ns-v3#" xmlns:xlink="http://www.w3.org/1999/xlink""#
                + #" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="#
                + #""http://www.loc.gov/standards/alto/ns-v3# http://www.loc.gov/alto/v3/alto-3-1.xsd">"#,
            "<Description>",
            "<MeasurementUnit>pixel</MeasurementUnit>",
            #"<OCRProcessing ID="OCR_0"><ocrProcessingStep><processingSoftware>"#
                + "<softwareName>receipt-flattening</softwareName>"
                + "</processingSoftware></ocrProcessingStep></OCRProcessing>",
            "</Description>",
            "<Layout>",
            #"<Page WIDTH="\#(text.pageWidth)" HEIGHT="\#(text.pageHeight)" PHYSICAL_IMG_NR="0" ID="page_0">"#,
            #"<PrintSpace HPOS="0" VPOS="0" WIDTH="\#(text.pageWidth)" HEIGHT="\#(text.pageHeight)">"#,
        ]
        for (b, block) in text.blocks.enumerated() {
            rows.append(#"<TextBlock ID="block_\#(b)" \#(place(block.box))>"#)
            for (l, line) in block.lines.enumerated() {
                rows.append(#"<TextLine ID="line_\#(b)_\#(l)" \#(place(line.box))>"#)
                for (w, word) in line.words.enumerated() {
                    if w > 0 {
                        let gap = Box(
                            left: line.words[w - 1].box.right, top: line.box.top, right: word.box.left,
                            bottom: line.box.bottom)
                        let pixels = PixelBox(gap, pageWidth: text.pageWidth, pageHeight: text.pageHeight)
                        rows.append(
                            #"<SP WIDTH="\#(max(pixels.right - pixels.left, 0))" VPOS="\#(pixels.top)" HPOS="\#(pixels.left)"/>"#
                        )
                    }
                    let confidence = (min(max(word.confidence, 0), 1) * 100).rounded() / 100
                    rows.append(
                        #"<String ID="string_\#(b)_\#(l)_\#(w)" \#(place(word.box)) WC="\#(confidence)""#
                            + #" CONTENT="\#(escapedForXML(word.text))"/>"#)
                }
                rows.append("</TextLine>")
            }
            rows.append("</TextBlock>")
        }
        rows += ["</PrintSpace>", "</Page>", "</Layout>", "</alto>"]
        string = rows.map { $0 + "\n" }.joined()
    }
}

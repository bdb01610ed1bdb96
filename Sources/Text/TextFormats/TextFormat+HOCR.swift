import Imaging
import TextRecognition
import ScalarText

/// hOCR 1.2 (kba.github.io/hocr-spec): XHTML whose title attributes contain boxes and confidences.
struct HOCRText {
    let string: String

    init(_ text: RecognizedText, picture: String?) {
        func box(_ box: Box) -> String {
            let pixels = PixelBox(box, pageWidth: text.pageWidth, pageHeight: text.pageHeight)
            return "bbox \(pixels.left) \(pixels.top) \(pixels.right) \(pixels.bottom)"
        }
        let resolution = text.pixelsPerMillimeter.flatMap {
            $0.isFinite ? Int(min(max($0, 0), 1e6) * 25.4 + 0.5) : nil
        }
        .map { "; scan_res \($0) \($0)" }
        // The property cannot contain a quotation mark.
        let image = picture.flatMap { $0.containsScalar("\"") ? nil : "image \"\($0)\"; " } ?? ""
        let page = escapedForXML("\(image)bbox 0 0 \(text.pageWidth) \(text.pageHeight)\(resolution ?? "")")
        var rows = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">"#,
            #"<html xmlns="http://www.w3.org/1999/xhtml">"#,
            "<head>",
            "<title></title>",
            #"<meta http-equiv="Content-Type" content="text/html;charset=utf-8"/>"#,
            #"<meta name="ocr-system" content="receipt-flattening"/>"#,
            #"<meta name="ocr-capabilities" content="ocr_page ocr_carea ocr_par ocr_line ocrx_word ocrp_wconf"/>"#,
            "</head>",
            "<body>",
            "<div class='ocr_page' id='page_1' title='\(page)'>",
        ]
        if let picture { rows.append("<img src='\(linkTo(picture))' alt=''/>") }
        for (b, block) in text.blocks.enumerated() {
            rows.append("<div class='ocr_carea' id='block_1_\(b + 1)' title='\(box(block.box))'>")
            rows.append("<p class='ocr_par' id='par_1_\(b + 1)' title='\(box(block.box))'>")
            for (l, line) in block.lines.enumerated() {
                rows.append("<span class='ocr_line' id='line_1_\(b + 1)_\(l + 1)' title='\(box(line.box))'>")
                for (w, word) in line.words.enumerated() {
                    let percent = Int((min(max(word.confidence, 0), 1) * 100).rounded())
                    rows.append(
                        "<span class='ocrx_word' id='word_1_\(b + 1)_\(l + 1)_\(w + 1)'"
                            + " title='\(box(word.box)); x_wconf \(percent)'>\(escapedForXML(word.text))</span>"
                    )
                }
                rows.append("</span>")
            }
            rows.append("</p>")
            rows.append("</div>")
        }
        rows += ["</div>", "</body>", "</html>"]
        string = rows.map { $0 + "\n" }.joined()
    }
}

import Foundation
import ReceiptFlattening
import TextRecognition

extension StageCase {
    /// The flat page to text, the recogniser's start included.
    static let reading: [StageCase] = [
        StageCase(.reading, "text", "35 lines", threading: .allCores) { inputs in
            let page = try RGBImage(data: inputs.data("page/page.png")).gray()
            let truth = String(decoding: try inputs.data("page/text.txt"), as: UTF8.self)
            return Work({ try TextRecognizer(language: "eng").recognize(TextPage(page)).string }) { text in
                let errors = CharacterErrors.rate(of: text, against: truth)
                try require(errors < 0.1, "\(errors * 100) % of the characters are wrong")
                return ["wrong characters %": errors * 100]
            }
        }
    ]
}

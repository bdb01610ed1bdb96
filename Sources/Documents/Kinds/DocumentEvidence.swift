package import Imaging
package import TextRecognition
import Foundation
import RobustStatistics

/// What is known of a sheet whose kind is asked for.
package struct DocumentEvidence: Sendable {
    /// The sheet's size in millimetres, upright; nil where scale is not metric.
    package var millimeters: SIMD2<Double>?
    /// Width by height of the sheet, upright.
    package var aspect: Double
    /// What was read.
    package var text: RecognizedText
    /// What a receipt's fields say.
    package var fields: ReceiptFields
    /// Mail addresses, web addresses and telephone numbers in the text.
    package var emails = 0
    package var urls = 0
    package var phones = 0
    /// The format of a machine-readable zone ("TD3"); nil if there is none.
    package var zone: String?
    /// Bar codes and two-dimensional codes.
    package var barCodes = 0
    package var squareCodes = 0
    /// The greatest face's height by the sheet's shorter side; nil if there is none.
    package var face: Double?
    /// Share of the sheet that is neither paper nor ink; see `GrayImage.middleToneShare`.
    package var middleTones: Double

    /// Evidence of a sheet.
    package init(
        millimeters: SIMD2<Double>?, aspect: Double, text: RecognizedText, fields: ReceiptFields,
        middleTones: Double
    ) {
        self.millimeters = millimeters
        self.aspect = aspect
        self.text = text
        self.fields = fields
        self.middleTones = middleTones
    }
}

extension DocumentEvidence {
    /// What a sheet's size, tones and text tell; codes, zones and faces are still to be added.
    /// - Complexity: linear in the words and in a 64th of the pixels.
    package init(_ view: SheetView) {
        let text =
            view.text
            ?? RecognizedText(
                blocks: [], pageSize: view.flat.size, pixelsPerMillimeter: view.pixelsPerMillimeter,
                language: "", legibility: .empty)
        let size = view.sheetMillimeters ?? SIMD2(Double(view.flat.width), Double(view.flat.height))
        self.init(
            millimeters: view.sheetMillimeters, aspect: size.x / size.y, text: text,
            fields: ReceiptFields(of: text), middleTones: view.flat.middleToneShare)
        let items = text.items()
        emails = items.count { $0.kind == .email }
        urls = items.count { $0.kind == .url }
        phones = items.count { $0.kind == .phone }
    }
}

extension GrayImage {
    /// Share of the picture's pixels that are between paper and ink: from 0.3 to 0.85 of the 0.95 quantile of brightness, which
    /// is the paper's on a page and the lights' in a photograph.
    ///
    /// Every eighth pixel of every eighth row is looked at; smaller pictures whole. Of scans of receipts it is 0.02 to 0.2, of
    /// printed photographs above 0.4.
    package var middleToneShare: Double {
        let step = max(1, min(8, min(width, height) / 64))
        var seen: [Double] = []
        for y in stride(from: 0, to: height, by: step) {
            for x in stride(from: 0, to: width, by: step) { seen.append(Double(self[x: x, y: y])) }
        }
        guard !seen.isEmpty else { return 0 }
        let paper = seen.quantile(0.95)
        let range = 0.3 * paper...0.85 * paper
        return Double(seen.count(where: range.contains)) / Double(seen.count)
    }
}

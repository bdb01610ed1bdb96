package import Imaging
package import TextRecognition
import Platform
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
    /// The quantile of brightness that is the paper's on a page and the lights' in a photograph, and the shares of it between which
    /// a pixel is neither paper nor ink. Of scans of receipts 0.02 to 0.2 of the pixels lie there, of photographs above 0.4.
    private static let paper = 0.95
    private static let middleTones = 0.3...0.85
    /// Pixels between those that are looked at, where a side has 64 of them or more.
    private static let toneStep = 8

    /// Share of the picture's pixels that are between paper and ink. O(pixels / 64).
    package var middleToneShare: Double {
        let step = max(1, min(Self.toneStep, min(width, height) / 64))
        var seen: [Double] = []
        for y in stride(from: 0, to: height, by: step) {
            for x in stride(from: 0, to: width, by: step) { seen.append(Double(self[x: x, y: y])) }
        }
        guard !seen.isEmpty else { return 0 }
        let paper = seen.quantile(Self.paper)
        let range = Self.middleTones.lowerBound * paper...Self.middleTones.upperBound * paper
        return Double(seen.count(where: range.contains)) / Double(seen.count)
    }
}

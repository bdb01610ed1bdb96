package import Imaging
package import TextRecognition
import Platform
import RobustStatistics

/// The known facts from which a sheet's kind is determined.
package struct DocumentEvidence: Sendable {
    /// The sheet's size in millimetres, upright; nil if the scale is not metric.
    package var millimeters: SIMD2<Double>?
    /// Width by height of the sheet, upright.
    package var aspect: Double
    /// The text read on the sheet.
    package var text: RecognizedText
    /// The receipt fields found in the text.
    package var fields: ReceiptFields
    /// Mail addresses, web addresses and telephone numbers in the text.
    package var emails = 0
    package var urls = 0
    package var phones = 0
    /// The format of a machine-readable zone ("TD3"); nil if there is none.
    package var zone: String?
    /// The numbers of bar codes and of two-dimensional codes.
    package var barCodes = 0
    package var squareCodes = 0
    /// The height of the largest face divided by the sheet's shorter side; nil if there is none.
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
    /// Collects evidence from a sheet's size, tones and text; codes, zones and faces must still be added.
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
    /// The brightness quantile that represents the paper of a page or the highlights of a photograph, and the range, in shares
    /// of it, in which a pixel is neither paper nor ink. In scans of receipts 0.02 to 0.2 of the pixels lie there, in
    /// photographs above 0.4.
    private static let paper = 0.95
    private static let middleTones = 0.3...0.85
    /// Spacing of the sampled pixels; less if a side is shorter than 64 such steps.
    private static let toneStep = 8

    /// Share of the pixels that are between paper and ink. O(pixels / 64).
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

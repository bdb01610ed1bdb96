public import Documents
import TextRecognition

extension FlattenedReceipt {
    /// The same receipt without personal data: the words that hold it are black in the picture and asterisks in the text,
    /// and the fields are picked out of what is left.
    ///
    /// Only what was read is found; see `RecognizedText.redacted(_:)`. The photograph, and a cloud coloured by it, still
    /// show everything.
    /// - Returns: nil if no text was read, so that nothing could be found.
    /// - Complexity: linear in the words and in the pixels.
    public func redacted(_ kinds: Set<PersonalData>) -> FlattenedReceipt? {
        guard let text else { return nil }
        let (redacted, boxes) = text.redacted(kinds)
        let fields = ReceiptFields(of: redacted)
        var report = report
        let map = report.stitch == nil ? self.map : .withoutSource(self.map.outputSize)
        let pixelsPerMillimeter = pixelsPerMeter.map { $0 / 1000 }
        report.fields = .init(fields, map: map, pixelsPerMillimeter: pixelsPerMillimeter)
        let findings = findings.redacted(redacted)
        report.fill(with: findings, map: map, pixelsPerMillimeter: pixelsPerMillimeter)
        return FlattenedReceipt(
            picture: picture.blackening(boxes), outline: outline, plane: plane, surface: surface,
            text: redacted, fields: fields, findings: findings, report: report)
    }
}

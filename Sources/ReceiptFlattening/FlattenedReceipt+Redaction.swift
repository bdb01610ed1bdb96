public import Documents
import Imaging
import TextRecognition

extension FlattenedReceipt {
    /// The same receipt without personal data: what holds it is black in the picture and asterisks in the text, the fields,
    /// items and contact are picked out of what is left, and codes, zones and faces that are hidden are no longer told of.
    ///
    /// Only what was read or found is hidden; see `RecognizedText.redacted(_:)`. The photograph, and a cloud coloured by it, still
    /// show everything.
    /// - Returns: nil if what tells of one of the kinds is missing: text was not read, or faces, zones or codes were not among
    ///   `ReceiptFlattener.Options.finds`.
    /// - Complexity: linear in the words and in the pixels.
    public func redacted(_ kinds: Set<PersonalData>) -> FlattenedReceipt? {
        guard findings.sought.isSuperset(of: kinds.compactMap(\.content)) else { return nil }
        guard text != nil || kinds.allSatisfy({ $0.content != nil }) else { return nil }
        let (left, hidden, unplaced) = findings.hiding(kinds)
        let redaction = text?.redacted(kinds, hiding: hidden)
        let fields = redaction.map { ReceiptFields(of: $0.text) }
        let rest = left.withText(redaction?.text)
        var report = report
        let map = report.stitch == nil ? map : .withoutSource(map.outputSize)
        let pixelsPerMillimeter = pixelsPerMeter.map { $0 / 1000 }
        report.fields = fields.map { .init($0, map: map, pixelsPerMillimeter: pixelsPerMillimeter) }
        let (blackened, seen) = picture.blackening(hidden.boxes + (redaction?.boxes ?? []))
            .blackeningUntilUnseen { findings.stillSeen(of: kinds, in: $0) }
        if seen.isIncomplete {
            report.warnings.append(
                "the redacted picture could not be searched again: look at it before you pass it on")
        }
        if !seen.boxes.isEmpty || seen.unplaced > 0 {
            report.warnings.append(
                "\(seen.boxes.count + seen.unplaced) of the codes, faces and zones can still be made out in the redacted picture: look at it before you pass it on"
            )
        }
        if unplaced > 0 {
            report.warnings.append(
                "\(unplaced) of the codes and faces could not be placed on the flat picture: if it shows them, they are not blacked out"
            )
        }
        report.fill(with: rest, map: map, pixelsPerMillimeter: pixelsPerMillimeter)
        return FlattenedReceipt(
            picture: blackened, outline: outline,
            plane: plane, surface: surface, text: redaction?.text, fields: fields, findings: rest,
            report: report)
    }
}

extension FlatImage {
    /// Looks at the picture again and blackens what is still seen.
    /// - Parameter look: what is seen.
    /// - Returns: the picture, and what is still seen in it.
    func blackeningUntilUnseen(_ look: (FlatImage) -> SheetFindings.SecondLook) -> (
        picture: FlatImage, seen: SheetFindings.SecondLook
    ) {
        var picture = self
        var seen = look(picture)
        for _ in 0..<Self.looks where !seen.boxes.isEmpty {
            picture = picture.blackening(seen.boxes)
            seen = look(picture)
        }
        return (picture, seen)
    }

    /// Times that what is still seen is blackened: a tall code is read by one band of it after another.
    private static let looks = 4
}

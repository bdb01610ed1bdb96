import Diagnostics
import Documents
import Imaging
import SheetFlattening
import TextRecognition

/// How a level page must be turned to stand upright, found from a small picture of it and from how it lies in the photograph.
struct UprightTurn {
    /// What the report says of it: the turn against the photograph.
    let decision: FlatteningReport.Uprightness
    /// Clockwise quarter turns of the page as the sheet is framed, 0 to 3.
    let turnsOfPage: Int
    /// What a person should know about how it was decided.
    let warning: String?

    /// - Parameters:
    ///   - preview: the small picture of the page, as the sheet is framed.
    ///   - photograph: how the photograph was turned upright when it was read.
    ///   - zone: the machine-readable zone on the page before its turn, if there is one.
    ///   - engine: the engine that text is read with, if it is; otherwise tesseract is asked, if there is a need and it is
    ///     there.
    /// - Throws: `.timeout`, `.cancelled`, and what a caller's engine throws.
    init(
        of preview: PreviewPage, photograph: ImageOrientation, zone: RecognizedZone?,
        engine: (any TextEngine)?,
        deadline: Deadline
    ) throws(FlatteningError) {
        let up = PhotographUp(
            angle: preview.page.angleInPhotograph, isStated: photograph != .up)
        if let zone, zone.zone.holds {
            turnsOfPage = zone.quarterTurns
            decision = .init(
                quarterTurns: (turnsOfPage - up.quarterTurns + 4) % 4, decidedBy: SheetContent.mrz.rawValue,
                confidence: zone.confidence)
            warning = nil
            return
        }
        var warning: String?
        func anyEngine() -> (any TextEngine)? {
            if let engine { return engine }
            do {
                return try TesseractEngine(language: "eng")
            } catch {
                // Who asks for no text need not have tesseract: the photograph and the pattern of the print have to do.
                warning =
                    "which way is up was guessed from the photograph and the pattern of the print: \(error.message)"
                return nil
            }
        }
        let found = try TextOrientation.decide(
            page: preview.print, up: up, isOnSheet: preview.isOnSheet, engine: anyEngine(),
            context: deadline.readingContext())
        turnsOfPage =
            switch found.orientation {
            case .right: 1
            case .down: 2
            case .left: 3
            default: 0
            }
        decision = .init(
            quarterTurns: (turnsOfPage - up.quarterTurns + 4) % 4, decidedBy: found.basis.rawValue,
            confidence: found.confidence)
        self.warning = warning
    }
}

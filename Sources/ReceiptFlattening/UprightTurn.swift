import Diagnostics
import SheetFlattening
import Imaging
import TextRecognition

/// How a level page must be turned for its text to stand upright, found from a small picture of it.
struct UprightTurn {
    /// The turn; none, with confidence 0, for a page without text.
    let decision: FlatteningReport.Uprightness
    /// What a person should know about how it was decided.
    let warning: String?

    /// - Parameters:
    ///   - preview: the small picture of the page, as the sheet is framed.
    ///   - engine: the engine that text is read with, if it is; otherwise tesseract is asked, if there is a need and it is
    ///     there.
    /// - Throws: `.timeout`, `.cancelled`, and what a caller's engine throws.
    init(
        of preview: PreviewPage, engine: (any TextEngine)?, deadline: Deadline
    ) throws(FlatteningError) {
        var warning: String?
        func anyEngine() -> (any TextEngine)? {
            if let engine { return engine }
            do {
                return try TesseractEngine(language: "eng")
            } catch {
                // Who asks for no text need not have tesseract: the pattern of the print has to do.
                warning = "which way is up was guessed from the pattern of the print: \(error.message)"
                return nil
            }
        }
        let found = try TextOrientation.decide(
            page: preview.print, isOnSheet: preview.isOnSheet, engine: anyEngine(),
            context: deadline.readingContext())
        let turns =
            switch found.orientation {
            case .right: 1
            case .down: 2
            case .left: 3
            default: 0
            }
        decision = .init(quarterTurns: turns, decidedBy: found.basis.rawValue, confidence: found.confidence)
        self.warning = warning
    }
}

internal import Imaging
internal import TextRecognition

/// How a level page must be turned for its text to stand upright, found from a small picture of it.
struct UprightTurn {
    /// The turn; none, with confidence 0, for a page without text.
    let decision: FlatteningReport.Uprightness
    /// What a person should know about how it was decided.
    let warning: String?

    /// The small picture's longer side: on a receipt of 200 mm letters of 2 mm are then 16 pixels high.
    private static let previewLength = 1600.0

    /// - Parameters:
    ///   - page: the page, as the sheet is framed.
    ///   - sheet: tells what of the page is sheet; the margin shows the table, whose grain is not to be read.
    ///   - reader: the recogniser for the text, if text was asked for; otherwise one is made here, if it is needed and can
    ///     be.
    /// - Throws: `.timeout`, `.cancelled`.
    init(
        of page: FlatPage, sheet: FlatSheet, photograph: RGBImage, reader: TextRecognizer?, deadline: Deadline
    ) throws(FlatteningError) {
        let map = page.previewMap(longerSide: Self.previewLength)
        let preview = photograph.resampledGray(through: map, filter: .bilinear)
        var warning: String?
        func recognizer() throws(FlatteningError) -> TextRecognizer? {
            if let reader { return reader }
            do {
                return try TextRecognizer(language: "eng")
            } catch {
                // Who asks for no text need not have tesseract: the pattern of the print has to do.
                warning = "which way is up was guessed from the pattern of the print: \(error.message)"
                return nil
            }
        }
        let found = try TextOrientation.decide(
            page: preview, recognizer: try recognizer(),
            options: .init(
                deadline: deadline.end, isCancelled: deadline.isCancelled,
                isOnSheet: sheet.isOnSheet(through: map)))
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

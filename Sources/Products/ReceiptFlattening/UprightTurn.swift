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
    /// Whether there is print, and it does not tell which way is up.
    private let isUndecided: Bool

    /// - Parameters:
    ///   - preview: the small picture of the page, as the sheet is framed.
    ///   - photograph: how the photograph was turned upright when it was read.
    ///   - zone: the machine-readable zone on the page before its turn, if there is one.
    ///   - isDrawnWithText: whether it is a document's page that is drawn and has words of its own: it stands as it is meant to.
    ///   - engine: the engine that text is read with; nil, where none is, for the built-in reader.
    /// - Throws: `.timeout`, `.cancelled`, `.shortage`, and what a caller's engine throws.
    init(
        of preview: PreviewPage, photograph: ImageOrientation, zone: RecognizedZone?,
        engine: (any TextEngine)?, isDrawnWithText: Bool = false,
        deadline: Deadline
    ) throws(FlatteningError) {
        if isDrawnWithText {
            turnsOfPage = 0
            decision = .init(quarterTurns: 0, decidedBy: "page", confidence: 1)
            isUndecided = false
            return
        }
        let up = PhotographUp(
            angle: preview.page.angleInPhotograph, isStated: photograph != .up)
        if let zone, zone.zone.holds {
            turnsOfPage = zone.quarterTurns
            decision = .init(
                quarterTurns: (turnsOfPage - up.quarterTurns + 4) % 4, decidedBy: SheetContent.mrz.rawValue,
                confidence: zone.confidence)
            isUndecided = false
            return
        }
        // Loaded only where there is a doubt.
        func reader(_ engine: (any TextEngine)?) throws(FlatteningError) -> any TextEngine {
            if let engine { return engine }
            return try LineEngine(language: TextReader.anyLanguage)
        }
        func decide(by engine: (any TextEngine)?) throws(FlatteningError) -> TextOrientation {
            try TextOrientation.decide(
                page: preview.print, up: up, isOnSheet: preview.isOnSheet, engine: try reader(engine),
                context: deadline.readingContext())
        }
        var found = try decide(by: engine)
        // Of print that its reader does not know, such as a dot matrix's, tesseract may know enough, where it is there.
        if found.isUndecided, !(engine is TesseractEngine), let second = try Self.tesseract() {
            found = try decide(by: second)
        }
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
        isUndecided = found.isUndecided
    }

    /// tesseract, where it and its data are there. A shortage is no absence: the page would stand otherwise another time.
    private static func tesseract() throws(FlatteningError) -> TesseractEngine? {
        do throws(FlatteningError) {
            return try TesseractEngine(language: "eng")
        } catch {
            guard error.code != .shortage else { throw error }
            return nil
        }
    }

    /// What a person should know about how it was decided.
    /// - Parameter text: what was read on the page as it was turned; enough of it says that it stands upright.
    func warning(reading text: RecognizedText?) -> String? {
        guard (text?.sureCharacters ?? 0) < Self.charactersOfUprightText else { return nil }
        // Who asks for no text looks at the picture.
        guard isUndecided, text != nil else { return nil }
        return "which way is up was not decided: the print does not tell, and the photograph's way was kept. "
            + "Turn the photograph if it is not upright"
    }

    /// Surely read letters and digits that say that a page was read the right way up.
    private static let charactersOfUprightText = 100.0
}

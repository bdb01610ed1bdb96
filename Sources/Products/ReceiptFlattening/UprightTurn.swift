import Diagnostics
import Documents
import Imaging
import SheetFlattening
import TextRecognition

/// The turn that makes a level page upright, decided from a small image of the page and its position in the photograph.
struct UprightTurn {
    /// The decision for the report: the turn relative to the photograph.
    let decision: FlatteningReport.Uprightness
    /// Clockwise quarter turns of the page relative to its frame, 0 to 3.
    let turnsOfPage: Int
    /// Whether there is print that does not show which way is up.
    private let isUndecided: Bool
    /// Whether the whole page should be read in all turns: a few rows did not decide, or decided with a confidence at which
    /// half the pages are wrong.
    var isInDoubt: Bool { isUndecided || decision.confidence < Self.sureDecision && decision.confidence > 0 }

    /// - Parameters:
    ///   - preview: the small image of the page, in its frame.
    ///   - photograph: how the photograph was turned upright when it was decoded.
    ///   - zone: the machine-readable zone on the page before its turn, if there is one.
    ///   - isDrawnWithText: whether the page is a document's drawn page with words of its own; it is then already upright.
    ///   - engine: the engine that text is read with; nil uses the built-in reader.
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
        func decide(by engine: any TextEngine) throws(FlatteningError) -> TextOrientation {
            try TextOrientation.decide(
                page: preview.print, up: up, isOnSheet: preview.isOnSheet, engine: engine,
                context: deadline.readingContext())
        }
        var found: TextOrientation
        if let engine {
            found = try decide(by: engine)
        } else {
            found = try decide(by: LineEngine.ofAnyLanguage())
        }
        // Tesseract, if installed, may read print that the first reader does not know, such as that of a dot-matrix printer.
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

    /// A turn from its parts.
    init(turnsOfPage: Int, decision: FlatteningReport.Uprightness, isUndecided: Bool) {
        (self.turnsOfPage, self.decision, self.isUndecided) = (turnsOfPage, decision, isUndecided)
    }

    /// Returns the turn in which the whole page reads far better than in all others; unchanged if there is none.
    /// - Parameter characters: number of characters read with certainty after 0 to 3 clockwise quarter turns of the page.
    func decided(byReading characters: [Double]) -> UprightTurn {
        let ranked = characters.indices.sorted { characters[$0] > characters[$1] }
        guard ranked.count > 1, characters[ranked[0]] >= Self.charactersOfUprightText,
            characters[ranked[0]] >= Self.leadOfUprightText * characters[ranked[1]]
        else { return self }
        let inPhotograph = turnsOfPage - decision.quarterTurns
        return UprightTurn(
            turnsOfPage: ranked[0],
            decision: .init(
                quarterTurns: (ranked[0] - inPhotograph + 4) % 4,
                decidedBy: TextOrientation.Basis.text.rawValue,
                confidence: characters[ranked[0]] / characters.reduce(0, +)), isUndecided: false)
    }

    /// Returns tesseract if it and its data are installed. A shortage throws: treating it as absence could turn the same page
    /// differently another time.
    private static func tesseract() throws(FlatteningError) -> TesseractEngine? {
        do throws(FlatteningError) {
            return try TesseractEngine(language: "eng")
        } catch {
            guard error.code != .shortage else { throw error }
            return nil
        }
    }

    /// Warns if the print did not decide the turn.
    /// - Parameter text: the text read on the page after its turn; enough of it shows that the page is upright.
    func warning(reading text: RecognizedText?) -> String? {
        guard (text?.sureCharacters ?? 0) < Self.charactersOfUprightText else { return nil }
        // A caller who asks for no text will look at the picture.
        guard isUndecided, text != nil else { return nil }
        return "which way is up was not decided: the print does not tell, and the photograph's way was kept. "
            + "Turn the photograph if it is not upright"
    }

    /// Number of letters and digits read with certainty that shows that a page was read upright.
    private static let charactersOfUprightText = 100.0
    /// The confidence below which a decision is in doubt.
    private static let sureDecision = 0.5
    /// The least ratio of characters read in this turn to those in any other. Of 330 turned photographs of receipts five were
    /// undecided; they reached a ratio of ten and more.
    private static let leadOfUprightText = 2.0
}

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
    /// Whether the whole page should be read in all turns: a few rows did not decide, or half the pages that they decided so
    /// are wrong.
    var isInDoubt: Bool { isUndecided || decision.confidence < Self.sureDecision && decision.confidence > 0 }

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

    /// A turn from its parts.
    init(turnsOfPage: Int, decision: FlatteningReport.Uprightness, isUndecided: Bool) {
        (self.turnsOfPage, self.decision, self.isUndecided) = (turnsOfPage, decision, isUndecided)
    }

    /// The turn in which the whole page reads far better than in all others; the same as before where there is none.
    /// - Parameter characters: how many were surely read after 0 to 3 clockwise quarter turns of the page.
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
    /// The confidence of a decision below which it is in doubt.
    private static let sureDecision = 0.5
    /// How many times as many as in any other turn. Of 330 turned photographs of receipts five were undecided, and came to ten
    /// times as many and more.
    private static let leadOfUprightText = 2.0
}

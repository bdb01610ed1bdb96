import Documents
import Imaging
import SheetFlattening
import TextRecognition

/// A flat page as it is read and searched: at a density of its own, so that the same is read and found whatever size of image
/// is asked for.
struct FlatPage {
    /// Its brightness, its scale, and what of it is sheet.
    let readable: TextPage
    /// The photograph, and the source in it of each pixel; nil for a page joined from several.
    let photograph: SheetPhotograph?
    /// The sheet's outline in pixels of the photograph; nil if none was found.
    let outline: [SIMD2<Double>]?
    /// The sheet's width and height in millimetres; nil if the scale is not metric or no sheet was found.
    let sheetMillimeters: SIMD2<Double>?
    /// The machine-readable zone; nil if none was looked for or found.
    let zone: RecognizedZone?

    /// The page as what searches it sees it.
    func view(reading text: RecognizedText?) -> SheetView {
        SheetView(
            flat: readable.picture, photograph: photograph, outline: outline,
            sheetMillimeters: sheetMillimeters,
            pixelsPerMillimeter: readable.pixelsPerMillimeter, text: text, zone: zone)
    }
}

/// What a flat page says. Places are in pixels of the flat image.
struct PageReading: Sendable {
    /// The text; nil if none was to be read.
    let text: RecognizedText?
    /// What a receipt's text says; nil if no text was to be read.
    let fields: ReceiptFields?
    /// What else was looked for and found.
    let findings: SheetFindings
    /// The engine that read the text; nil if none was read.
    let engine: (any TextEngine)?
}

extension ReceiptFlattener {
    /// Whether anything is to be read or found on a flat page.
    func looks(with engine: (any TextEngine)?) -> Bool { engine != nil || !options.finds.isEmpty }

    /// Looks for what the options ask for on a page, and finds out what its text says.
    /// - Parameters:
    ///   - page: nil if nothing is looked for.
    ///   - text: in pixels of the page; nil if none was to be read.
    ///   - engine: read the text; nil if none was to be read.
    ///   - scale: pixels of the flat image that is shown, per pixel of the page.
    ///   - size: the size of that image.
    /// - Throws: as `SheetFindings(of:in:scale:context:until:)`.
    func reading(
        of page: FlatPage?, text: RecognizedText?, by engine: (any TextEngine)?, scale: Double,
        to size: PixelSize, _ course: inout Course
    ) throws(FlatteningError) -> PageReading {
        var findings = SheetFindings.none
        if let page, !options.finds.isEmpty {
            let deadline = course.deadline
            findings = try course.run(.finding) { () throws(FlatteningError) in
                try SheetFindings(
                    of: options.finds, in: page.view(reading: text), scale: scale, context: options.context,
                    until: deadline)
            }
        }
        let text = text?.scaled(by: scale, to: size)
        return PageReading(
            text: text, fields: text.map { ReceiptFields(of: $0, context: options.context) },
            findings: findings, engine: engine)
    }
}

// MARK: - Warnings

extension PageReading {
    /// Warnings about what was left out, or not found.
    var warnings: [String] { [unreadable, mostlyUnread, unread, denseCodes].compactMap(\.self) }

    /// There is print, or a pattern that looks like it, but no text.
    private var unreadable: String? {
        guard let text, text.legibility == .unreadable else { return nil }
        return
            "the sheet bears print or a pattern, and next to nothing of it could be read: look at the picture; "
            + "a sharper photograph, or one from nearer, may help"
    }

    /// There is text, but it lacks most of the print.
    private var mostlyUnread: String? {
        guard let text, text.isMostlyUnread else { return nil }
        return
            "most of the print was not read: its letters may be of a script that the reader does not know, or the picture is "
            + "not sharp enough. Where the language is not named (auto), scripts that tesseract has data for are read "
            + "(tesseract-ocr-rus, tesseract-ocr-jpn ...); or photograph the sheet from nearer"
    }

    private var unread: String? {
        guard let rows = text?.unreadRows else { return nil }
        return
            "\(rows.count) of \(rows.found) places that look like rows of print were not read: the page is too dense, or "
            + "what lies around the sheet passes for print. Give the sheet's four corners, or photograph a part of the page"
    }

    private var denseCodes: String? {
        guard findings.areCodesPartial else { return nil }
        return "codes were not looked for everywhere: the picture is too dense. Photograph a part of the page"
    }
}

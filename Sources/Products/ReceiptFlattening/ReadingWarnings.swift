import Platform
import TextRecognition

/// Warnings about the text and the other findings of a sheet: where something was left out, or nothing was found.
struct ReadingWarnings {
    let text: RecognizedText?
    let findings: SheetFindings

    /// All warnings that apply.
    var all: [String] { [unreadable, mostlyUnread, unread, denseCodes].compactMap(\.self) }

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

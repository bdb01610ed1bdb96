import Diagnostics
public import Documents
import TextRecognition

/// What was looked for on a sheet, and found. Places are in pixels of the flat picture.
public struct SheetFindings: Sendable {
    /// What was looked for. The others are nil.
    public let sought: Set<SheetContent>
    /// The machine-readable zone of a passport, visa or identity card; nil if none was found.
    public let mrz: RecognizedZone?

    /// The codes; nil where none were looked for.
    public private(set) var codes: [SheetCode]?
    /// The faces; nil where none were looked for.
    public private(set) var faces: [SheetFace]?
    /// What kind of document it is; nil where that was not looked for.
    public private(set) var document: DocumentClassification?
    /// Links, mail addresses, telephone numbers, dates, prices and addresses, in reading order.
    public private(set) var items: [RecognizedItem]?
    /// What a business card says.
    public private(set) var contact: Contact?

    /// Nothing was looked for.
    static let none = SheetFindings(sought: [])

    private init(sought: Set<SheetContent>) {
        self.sought = sought
        mrz = nil
    }

    /// Looks for contents on a sheet.
    /// - Parameters:
    ///   - scale: pixels of the flat picture that is shown in one of the view's.
    ///   - deadline: asked before each content.
    /// - Throws: `.missingDependency` for a content whose library is not there, `.timeout`, `.cancelled`.
    init(
        of sought: Set<SheetContent>, in view: SheetView, scale: Double, until deadline: Deadline
    ) throws(FlatteningError) {
        self.sought = sought
        mrz = view.zone?.moved { ($0 + 0.5) * scale - 0.5 }
        if sought.contains(.codes) {
            try deadline.check(before: "codes")
            codes = try view.codes().map { $0.scaled(by: scale) }
        }
        if sought.contains(.faces) {
            try deadline.check(before: "faces")
            faces = try view.faces().map { $0.scaled(by: scale) }
        }
        if let text = view.text {
            if sought.contains(.items) {
                try deadline.check(before: SheetContent.items.rawValue)
                items = text.items().map { $0.scaled(by: scale) }
            }
            if sought.contains(.contact) {
                try deadline.check(before: SheetContent.contact.rawValue)
                contact = Contact(of: text).scaled(by: scale)
            }
        }
        if sought.contains(.kind) { document = DocumentClassification(of: view) }
    }

    /// The same with what is found in a text that personal data was taken out of, in pixels of the flat picture.
    func redacted(_ text: RecognizedText) -> SheetFindings {
        var findings = self
        if items != nil { findings.items = text.items() }
        if contact != nil { findings.contact = Contact(of: text) }
        return findings
    }
}

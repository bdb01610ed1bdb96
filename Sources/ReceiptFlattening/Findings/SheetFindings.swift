import Diagnostics
public import Documents

/// What was looked for on a sheet, and found. Places are in pixels of the flat picture.
public struct SheetFindings: Sendable {
    /// What was looked for. The others are nil.
    public let sought: Set<SheetContent>

    /// What kind of document it is; nil where that was not looked for.
    public private(set) var document: DocumentClassification?

    /// Nothing was looked for.
    static let none = SheetFindings(sought: [])

    private init(sought: Set<SheetContent>) { self.sought = sought }

    /// Looks for contents on a sheet.
    /// - Parameters:
    ///   - scale: pixels of the flat picture that is shown in one of the view's.
    ///   - deadline: asked before each content.
    /// - Throws: `.missingDependency` for a content whose library is not there, `.timeout`, `.cancelled`.
    init(
        of sought: Set<SheetContent>, in view: SheetView, scale: Double, until deadline: Deadline
    ) throws(FlatteningError) {
        self.sought = sought
        if sought.contains(.kind) { document = DocumentClassification(of: view) }
    }
}

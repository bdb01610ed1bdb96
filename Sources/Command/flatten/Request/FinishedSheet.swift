import Diagnostics
import ReceiptFlattening
import ReceiptOutputs

/// What is kept of a sheet once its own outputs are written: what the outputs of all sheets and the last lines are made of.
///
/// The photograph and where each pixel of the flat picture comes from, a hundred megabytes a page, are not.
struct FinishedSheet {
    /// Its report and what it says.
    var flattened: FlattenedPage
    /// The paths of its own outputs, as far as they are written.
    var outputs: [String]
    /// Where values are written to once all pages are read; empty if they are written.
    let held: [RequestedOutput]
    /// Nil where no output joins the pictures.
    private(set) var page: SheetPage?
    let subject: RedactionCheck.Subject

    /// - Parameters:
    ///   - joinsPictures: whether the picture is needed still; it is encoded then.
    ///   - paper: the size of the document's page that it is of, in millimetres.
    init(
        _ receipt: FlattenedReceipt, outputs: [String], held: [RequestedOutput],
        joinsPictures: Bool, paper: SIMD2<Double>?
    ) throws(FlatteningError) {
        flattened = FlattenedPage(receipt)
        self.outputs = outputs
        self.held = held
        page = joinsPictures ? try SheetPage(receipt, paper: paper) : nil
        subject = RedactionCheck.Subject(receipt)
    }

    /// Has receipts that go on over pages told of on their first.
    static func join(_ sheets: inout [FinishedSheet], _ joining: PagedReceipt.Joining) {
        for (index, page) in FlattenedPage.joined(sheets.map(\.flattened), joining).enumerated() {
            sheets[index].flattened = page
            sheets[index].page?.isContinuation = page.isContinuation
        }
    }

    /// The rows of sheets, a receipt each however many pages it goes over.
    static func table(_ sheets: [FinishedSheet]) -> ReceiptTable {
        ReceiptTable(sheets: sheets.compactMap { ReceiptTable.Sheet($0.flattened) })
    }
}

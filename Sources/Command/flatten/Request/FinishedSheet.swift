import Diagnostics
import ReceiptFlattening
import ReceiptOutputs

/// What is kept of a sheet once its own outputs are written, for the outputs that hold all sheets and for the final lines on
/// the terminal.
///
/// The photograph and the data from which the flat image is rendered, a hundred megabytes a page, are not kept. Of these, only
/// the coarse sampling map in `flattened` stays.
struct FinishedSheet {
    /// The sheet's report and what was read on it.
    var flattened: FlattenedPage
    /// The paths of its own outputs that are written so far.
    var outputs: [String]
    /// The outputs of values that are written once all pages are read; empty if they are already written.
    let held: [RequestedOutput]
    /// The sheet's page for outputs that join the images; nil if there is no such output.
    private(set) var page: SheetPage?
    let subject: RedactionCheck.Subject

    /// - Parameters:
    ///   - joinsPictures: whether an output joins the images; the image is then encoded and kept.
    ///   - paper: the size, in millimetres, of the document page that shows the sheet.
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

    /// Joins receipts that continue over several pages, so that each is reported on its first page.
    static func join(_ sheets: inout [FinishedSheet], _ joining: PagedReceipt.Joining) {
        for (index, page) in FlattenedPage.joined(sheets.map(\.flattened), joining).enumerated() {
            sheets[index].flattened = page
            sheets[index].page?.isContinuation = page.isContinuation
        }
    }

    /// The table of the sheets: one row for each receipt, however many pages it covers.
    static func table(_ sheets: [FinishedSheet]) -> ReceiptTable {
        ReceiptTable(sheets: sheets.compactMap { ReceiptTable.Sheet($0.flattened) })
    }
}

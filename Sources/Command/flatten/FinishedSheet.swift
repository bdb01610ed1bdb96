import Diagnostics
import ReceiptFlattening
import ReceiptOutputs

/// What is kept of a sheet once its own outputs are written: what the outputs of all sheets and the last lines are made of.
///
/// The photograph and where each pixel of the flat picture comes from, a hundred megabytes a page, are not.
struct FinishedSheet {
    let report: FlatteningReport
    /// The paths of its own outputs.
    let outputs: [String]
    let row: ReceiptTable.Sheet
    /// Nil where no output joins the pictures.
    let page: SheetPage?
    let card: Gallery.Card
    let subject: RedactionCheck.Subject

    /// - Parameter joinsPictures: whether the picture is needed still; it is encoded then.
    init(_ receipt: FlattenedReceipt, outputs: [String], joinsPictures: Bool) throws(FlatteningError) {
        report = receipt.report
        self.outputs = outputs
        row = ReceiptTable.Sheet(receipt)
        page = joinsPictures ? try SheetPage(receipt) : nil
        card = Gallery.Card(receipt)
        subject = RedactionCheck.Subject(receipt)
    }
}

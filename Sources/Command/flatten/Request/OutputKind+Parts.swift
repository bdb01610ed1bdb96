import Diagnostics
import ImageFiles
import ReceiptFlattening
import ReceiptOutputs

/// How a batch's worker writes the outputs that are made for the batch alone.
extension OutputKind {
    /// The longest side of a thumbnail in pixels: twice what a card of the index shows, for dense screens.
    private static let longestThumbnail = 320

    @Sendable static func writeThumbnail(
        _ sheet: SheetForOutput, to path: String
    ) throws(FlatteningError) -> [String] {
        try ImageWriter.write(sheet.receipt.picture.render().bounded(longestThumbnail), to: path)
        return [path]
    }

    @Sendable static func writeGalleryPart(
        _ sheets: [FinishedSheet], _ request: FlatteningRequest, to path: String
    ) throws(FlatteningError) {
        try SheetParts.writeCards(sheets.map { Gallery.Card($0.flattened) }, to: path)
    }

    @Sendable static func writeTablePart(
        _ sheets: [FinishedSheet], _ request: FlatteningRequest, to path: String
    ) throws(FlatteningError) {
        try SheetParts.writeTable(FinishedSheet.table(sheets), to: path)
    }

    @Sendable static func writeMergePart(
        _ sheets: [FinishedSheet], _ request: FlatteningRequest, to path: String
    ) throws(FlatteningError) {
        try SheetParts.writePages(sheets.compactMap(\.page), to: path)
    }

    @Sendable static func writeValuesPart(
        _ sheets: [FinishedSheet], _ request: FlatteningRequest, to path: String
    ) throws(FlatteningError) {
        // A batch reads each page separately and joins receipts at its end. On a page with several sheets, each sheet is a
        // receipt of its own.
        guard sheets.count == 1, var page = sheets.first?.flattened, page.text?.isSound == true,
            page.report.page.map({ $0.count > 1 }) == true
        else { return }
        if request.reproducible { page.report.timings = [] }
        try SheetParts.writeValues(page, to: path)
    }
}

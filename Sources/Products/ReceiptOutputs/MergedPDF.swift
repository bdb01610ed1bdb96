package import Diagnostics
package import Platform
package import ReceiptFlattening
package import TextFormats

/// A PDF of many sheets, a page and a bookmark each, written page by page.
package struct MergedPDF {
    private var pdf: SearchablePDF
    /// The pages so far.
    package private(set) var count = 0

    /// Begins a file.
    /// - Parameters:
    ///   - date: when it was made; nil leaves that out.
    ///   - sink: takes the next bytes.
    package init(date: Date?, sink: @escaping SearchablePDF.Sink) throws(FlatteningError) {
        pdf = try SearchablePDF(PDFMetadata(title: "", recognizedLanguage: nil, date: date), sink: sink)
    }

    /// Adds a page. The first one gives the file its language; its title, too, if it stays the only one.
    package mutating func add(_ page: SheetPage) throws(FlatteningError) {
        count += 1
        if count == 1 {
            pdf.metadata = PDFMetadata(
                title: page.title, recognizedLanguage: page.page.text?.language, date: pdf.metadata.date)
        } else {
            pdf.metadata.title = "\(count) receipts"
        }
        try pdf.add(page.page, picture: page.picture, title: "\(count). \(page.title)")
    }

    /// Ends the file, which has a page at least.
    package mutating func finish() throws(FlatteningError) { try pdf.finish() }
}

/// One sheet as a page of a PDF.
package struct SheetPage: Sendable {
    package var page: SearchablePDF.Page
    /// What the receipt is called.
    package var title: String
    /// The picture, encoded as the page says.
    package var picture: [UInt8]

    package init(page: SearchablePDF.Page, title: String, picture: [UInt8]) {
        (self.page, self.title, self.picture) = (page, title, picture)
    }

    /// The page of a receipt.
    package init(_ receipt: FlattenedReceipt) throws(FlatteningError) {
        (page, picture) = try receipt.pageOfPDF()
        title = receipt.title
    }
}

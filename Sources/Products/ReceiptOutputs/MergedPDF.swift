package import Diagnostics
package import Platform
package import ReceiptFlattening
package import TextFormats

/// A PDF of many sheets, with a page for each and a bookmark for each receipt, written page by page.
package struct MergedPDF {
    private var pdf: SearchablePDF
    /// Number of pages so far.
    package private(set) var count = 0
    /// Number of receipts so far.
    private var receipts = 0
    private let pageSize: PageSize

    /// The size of the pages.
    package enum PageSize: String, CaseIterable, Sendable {
        /// The size of the sheet on the page.
        case sheet
        /// The size of the document's page that the sheet is from; the sheet's size where that is not known.
        case original
    }

    /// Begins a file.
    /// - Parameters:
    ///   - date: when it was made; nil leaves that out.
    ///   - pageSize: the size of the pages.
    ///   - sink: receives the next bytes.
    package init(
        date: Date?, pageSize: PageSize = .sheet, sink: @escaping SearchablePDF.Sink
    ) throws(FlatteningError) {
        self.pageSize = pageSize
        pdf = try SearchablePDF(PDFMetadata(title: "", recognizedLanguage: nil, date: date), sink: sink)
    }

    /// Adds a page. The first page gives the file its language, and its title if its receipt remains the only one.
    package mutating func add(_ page: SheetPage) throws(FlatteningError) {
        let isContinuation = page.isContinuation && receipts > 0
        count += 1
        receipts += isContinuation ? 0 : 1
        if count == 1 {
            pdf.metadata = PDFMetadata(
                title: page.title, recognizedLanguage: page.page.text?.language, date: pdf.metadata.date)
        } else if receipts > 1 {
            pdf.metadata.title = "\(receipts) receipts"
        }
        var shown = page.page
        if pageSize == .sheet { shown.paper = nil }
        try pdf.add(
            shown, picture: page.picture, title: isContinuation ? nil : "\(receipts). \(page.title)")
    }

    /// Ends the file, which must have at least one page.
    package mutating func finish() throws(FlatteningError) { try pdf.finish() }
}

extension MergedPDF {
    /// Returns a whole file of some pages, at least one.
    package static func data(of pages: [SheetPage]) throws(FlatteningError) -> Data {
        Data(
            try SearchablePDF.collecting { (sink) throws(FlatteningError) in
                var merged = try MergedPDF(date: nil, sink: sink)
                for (index, page) in pages.enumerated() {
                    var page = page
                    page.isContinuation = index > 0
                    try merged.add(page)
                }
                try merged.finish()
            })
    }
}

/// One sheet as a page of a PDF.
package struct SheetPage: Sendable {
    package var page: SearchablePDF.Page
    /// The receipt's title.
    package var title: String
    /// The image, encoded as the page says.
    package var picture: [UInt8]
    /// Whether this page continues the receipt of the page before.
    package var isContinuation = false

    package init(page: SearchablePDF.Page, title: String, picture: [UInt8]) {
        (self.page, self.title, self.picture) = (page, title, picture)
    }

    /// Makes the page of a receipt.
    /// - Parameter paper: width and height in millimetres of the document's page that the receipt is from; nil where
    ///   that is not known.
    package init(_ receipt: FlattenedReceipt, paper: SIMD2<Double>? = nil) throws(FlatteningError) {
        (page, picture) = try receipt.pageOfPDF()
        page.paper = paper
        title = receipt.title
    }
}

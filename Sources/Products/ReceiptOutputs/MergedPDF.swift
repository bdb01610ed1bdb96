package import Diagnostics
package import Platform
package import ReceiptFlattening
package import TextFormats

/// A PDF of many sheets, a page each and a bookmark for each receipt, written page by page.
package struct MergedPDF {
    private var pdf: SearchablePDF
    /// The pages so far.
    package private(set) var count = 0
    /// The receipts so far.
    private var receipts = 0
    private let pageSize: PageSize

    /// How large the pages are.
    package enum PageSize: String, CaseIterable, Sendable {
        /// As the sheets on them.
        case sheet
        /// As the document's pages that they were; as the sheet where that is not known.
        case original
    }

    /// Begins a file.
    /// - Parameters:
    ///   - date: when it was made; nil leaves that out.
    ///   - pageSize: how large the pages are.
    ///   - sink: takes the next bytes.
    package init(
        date: Date?, pageSize: PageSize = .sheet, sink: @escaping SearchablePDF.Sink
    ) throws(FlatteningError) {
        self.pageSize = pageSize
        pdf = try SearchablePDF(PDFMetadata(title: "", recognizedLanguage: nil, date: date), sink: sink)
    }

    /// Adds a page. The first one gives the file its language; its title, too, if its receipt stays the only one.
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

    /// Ends the file, which has a page at least.
    package mutating func finish() throws(FlatteningError) { try pdf.finish() }
}

extension MergedPDF {
    /// A whole file of some pages, one at least.
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
    /// What the receipt is called.
    package var title: String
    /// The picture, encoded as the page says.
    package var picture: [UInt8]
    /// Whether the receipt of the page before goes on here.
    package var isContinuation = false

    package init(page: SearchablePDF.Page, title: String, picture: [UInt8]) {
        (self.page, self.title, self.picture) = (page, title, picture)
    }

    /// The page of a receipt.
    /// - Parameter paper: width and height in millimetres of the document's page that it is of; nil where that is not known.
    package init(_ receipt: FlattenedReceipt, paper: SIMD2<Double>? = nil) throws(FlatteningError) {
        (page, picture) = try receipt.pageOfPDF()
        page.paper = paper
        title = receipt.title
    }
}

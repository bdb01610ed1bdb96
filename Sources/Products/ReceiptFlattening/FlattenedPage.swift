package import Documents
import Imaging
import Platform
import TextRecognition

/// What is kept of a flattened page once its image is written, so that receipts that go on over pages are told as one.
///
/// The first page of such a receipt tells all of it; those after it say that they continue it.
package struct FlattenedPage: Sendable {
    /// The page's report.
    package var report: FlatteningReport
    /// What the receipt says that begins on the page; nil where no text was read, and where another page's goes on.
    package private(set) var fields: ReceiptFields?
    /// What was read on the page; nil where no text was.
    package let text: RecognizedText?
    /// What is known besides the print.
    private let context: ReceiptContext
    private let map: SamplingMap
    private let pixelsPerMillimeter: Double?

    /// Keeps what is needed of a receipt.
    package init(_ receipt: FlattenedReceipt) {
        report = receipt.report
        fields = receipt.fields
        text = receipt.text
        context = receipt.context
        map = receipt.map
        pixelsPerMillimeter = receipt.pixelsPerMeter.map { $0 / 1000 }
    }

    /// Whether another page's receipt goes on here.
    package var isContinuation: Bool { report.receiptPages?.first.map { $0 != report.page?.index } ?? false }

    /// The pages with the receipts that go on over several told of on their first. O(words).
    /// - Parameter pages: of one document, in their order. A page with several sheets is a receipt for each.
    package static func joined(_ pages: [FlattenedPage], _ joining: PagedReceipt.Joining) -> [FlattenedPage] {
        var joined = pages
        // Runs of pages that follow each other and are one sheet each.
        var run: [(place: Int, page: PagedReceipt.Page)] = []
        func join() {
            if let first = run.first {
                Self.join(run, as: joining, of: &joined, context: pages[first.place].context)
            }
            run = []
        }
        for (place, page) in pages.enumerated() {
            guard let number = page.report.page?.index, let text = page.text,
                pages.count(where: { $0.report.page?.index == number }) == 1
            else {
                join()
                continue
            }
            run.append((place, PagedReceipt.Page(number: number, text: text)))
        }
        join()
        return joined
    }

    private static func join(
        _ run: [(place: Int, page: PagedReceipt.Page)], as joining: PagedReceipt.Joining,
        of pages: inout [FlattenedPage], context: ReceiptContext
    ) {
        let places = Dictionary(
            run.map { ($0.page.number, $0.place) }, uniquingKeysWith: { first, _ in first })
        let all = pages
        for receipt in PagedReceipt.receipts(on: run.map(\.page), joining: joining, context: context)
        where receipt.pages.count > 1 {
            for (index, number) in receipt.pages.enumerated() {
                guard let place = places[number] else { continue }
                pages[place].report.receiptPages = receipt.pages
                if index == 0 {
                    pages[place].fields = receipt.fields
                    pages[place].report.fields = .init(receipt.fields) { box, page in
                        let standsOn = page.flatMap { places[$0] }.map { all[$0] } ?? all[place]
                        var found = FlatteningReport.Place(
                            box, map: standsOn.map, pixelsPerMillimeter: standsOn.pixelsPerMillimeter)
                        found.page = page
                        return found
                    }
                } else {
                    pages[place].fields = nil
                    pages[place].report.fields = nil
                    pages[place].report.fieldsMissing = FlatteningReport.continues(page: receipt.pages[0])
                }
            }
        }
    }
}

extension FlatteningReport {
    /// Why a page's report has no fields: they stand in that of the receipt's first page.
    static func continues(page: Int) -> String {
        "the receipt of page \(page) goes on here: what it says stands in the report of that page"
    }
}

extension ReceiptFields {
    /// The fields of a page that has none of its own, with the reason for each.
    package init(missing reason: String) {
        self.init()
        for name in ReceiptFieldName.allCases { missing[name.key] = reason }
        missing["items"] = reason
    }
}

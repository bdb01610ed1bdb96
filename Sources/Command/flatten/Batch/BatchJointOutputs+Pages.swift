import BatchProcessing
import Diagnostics
import LocalFiles
import ReceiptFlattening
import ReceiptOutputs

// The pages of a document are captures of their own; a receipt that goes on over them is told of on its first.
extension BatchJointOutputs {
    /// The pages that share a receipt with others, by the numbers of their jobs.
    struct JoinedPages {
        /// The rows of tables of those that a receipt begins on; nil of those on which it goes on.
        var rows: [Int: ReceiptTable.Sheet?] = [:]

        /// The cards of all.
        var cards: [Int: Gallery.Card] = [:]

        /// Whether the receipt of the page before goes on on the page of this job.
        func isContinuation(_ index: Int) -> Bool { rows[index].map { $0 == nil } ?? false }
    }

    /// The jobs of each document that has several, in their order.
    private var documents: [Range<Int>] {
        var found: [Range<Int>] = []
        for (index, job) in batch.jobs.enumerated() where job.capture.isPageAmongOthers {
            if let last = found.last, last.upperBound == index,
                batch.jobs[last.lowerBound].capture.path == job.capture.path
            {
                found[found.count - 1] = last.lowerBound..<index + 1
            } else {
                found.append(index..<index + 1)
            }
        }
        return found.filter { $0.count > 1 }
    }

    /// Joins receipts that go on over pages, and writes `--report` and `--fields` of their pages anew. The texts of one document are
    /// in memory at a time, and the pages of one receipt.
    func joinPages(
        _ done: Batch.DoneOutputs, _ console: Console
    ) throws(FlatteningError) -> JoinedPages {
        var joined = JoinedPages()
        func warn(_ index: Int, _ error: FlatteningError) {
            console.warn("\(batch.jobs[index].name) is not joined with other pages: \(error)")
        }
        for document in documents {
            let texts = document.map { index in
                do throws(FlatteningError) {
                    return failures[index] == nil
                        ? try SheetParts.text(ofValuesAt: part(index, BatchOutputs.valuesSuffix)) : nil
                } catch {
                    warn(index, error)
                    return nil
                }
            }
            // A page that failed, that has several sheets, or on which nothing was read stands alone.
            let runs = texts.indices.split { texts[$0] == nil }
            for run in runs {
                let receipts = PagedReceipt.receipts(
                    on: run.compactMap { texts[$0] }, joining: request.joinPages, context: request.context)
                var first = document.lowerBound + run.lowerBound
                for receipt in receipts {
                    defer { first += receipt.pages.count }
                    guard receipt.pages.count > 1 else { continue }
                    do throws(FlatteningError) {
                        try join(first..<first + receipt.pages.count, into: &joined, done)
                    } catch  where error.code == .badInput {
                        warn(first, error)
                    }
                }
            }
        }
        return joined
    }

    /// Joins the pages of some jobs, which are one receipt.
    private func join(
        _ jobs: Range<Int>, into joined: inout JoinedPages, _ done: Batch.DoneOutputs
    ) throws(FlatteningError) {
        let pages = try jobs.map { (index) throws(FlatteningError) in
            try SheetParts.values(at: part(index, BatchOutputs.valuesSuffix))
        }
        for (index, page) in zip(jobs, FlattenedPage.joined(pages, .all)) {
            joined.rows[index] = .some(ReceiptTable.Sheet(page))
            joined.cards[index] = Gallery.Card(page)
            try done.replace(try values(of: page, job: batch.jobs[index]), of: batch.jobs[index].name)
        }
    }

    /// The files that tell of a receipt, by their names.
    private func values(of page: FlattenedPage, job: Batch.Job) throws(FlatteningError) -> [String: [UInt8]] {
        func name(_ suffix: String) -> String {
            let name = job.name + suffix
            return job.numbersOutputs ? NumberedPath.numbered(name, 1) : name
        }
        return [
            name(BatchOutputs.reportSuffix): Array(try page.report.json()),
            name(BatchOutputs.fieldsSuffix): Array(try ReceiptValues(page).json()),
        ]
    }
}

import BatchProcessing
import Documents
import ReceiptFlattening
import ReceiptOutputs

// The pages of a document are captures of their own; a receipt that goes on over them has one row.
extension BatchJointOutputs {
    /// The jobs of each document in their order; of what has no pages, one.
    var documents: [Range<Int>] {
        var found: [Range<Int>] = []
        for (index, job) in batch.jobs.enumerated() {
            if let last = found.last, job.capture.page != nil,
                batch.jobs[last.lowerBound].capture.page != nil,
                batch.jobs[last.lowerBound].capture.path == job.capture.path
            {
                found[found.count - 1] = last.lowerBound..<index + 1
            } else {
                found.append(index..<index + 1)
            }
        }
        return found
    }

    /// The rows of each page of a document: a receipt that goes on over several stands on its first.
    func rows(of document: Range<Int>) -> [Result<ReceiptTable, Failure>] {
        var outcomes = document.map { outcome($0, BatchOutputs.tableSuffix, SheetParts.table) }
        let texts = outcomes.map { outcome -> PagedReceipt.Page? in
            guard case .success(let table) = outcome, table.sheets.count == 1,
                let page = table.sheets[0].page, let text = table.sheets[0].text, text.isSound
            else { return nil }
            return PagedReceipt.Page(number: page, text: text)
        }
        for (receipt, places) in joined(texts) {
            for place in places {
                guard case .success(var table) = outcomes[place] else { continue }
                table.sheets =
                    place != places[0]
                    ? []
                    : table.sheets.map {
                        .init(
                            receipt.fields, sheet: $0.sheet, page: receipt.pages.first,
                            lastPage: receipt.pages.last)
                    }
                outcomes[place] = .success(table)
            }
        }
        return outcomes
    }

    /// The jobs, by their number, on whose page the receipt of the page before goes on.
    func continuations() -> Set<Int> {
        var found: Set<Int> = []
        for document in documents where document.count > 1 {
            let texts = document.map { index -> PagedReceipt.Page? in
                guard case .success(let pages) = outcome(index, BatchOutputs.mergeSuffix, SheetParts.pages),
                    pages.count == 1, let text = pages[0].page.text, text.isSound,
                    let number = batch.jobs[index].capture.page
                else { return nil }
                return PagedReceipt.Page(number: number, text: text)
            }
            for (_, places) in joined(texts) {
                found.formUnion(places.dropFirst().map { document.lowerBound + $0 })
            }
        }
        return found
    }

    /// The receipts that go over several pages, each with the places of its pages.
    /// - Parameter pages: a document's in their order; nil where one stands alone: it failed, or has several sheets.
    private func joined(_ pages: [PagedReceipt.Page?]) -> [(receipt: PagedReceipt, places: [Int])] {
        pages.indices.split { pages[$0] == nil }.flatMap { run in
            PagedReceipt.receipts(
                on: run.compactMap { pages[$0] }, joining: request.joinPages, context: request.context
            )
            .filter { $0.pages.count > 1 }
            .map { receipt in
                let numbers = Set(receipt.pages)
                return (
                    receipt, run.filter { place in pages[place].map { numbers.contains($0.number) } ?? false }
                )
            }
        }
    }
}

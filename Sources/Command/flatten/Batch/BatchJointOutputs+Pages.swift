import BatchProcessing
import Diagnostics
import LocalFiles
import ReceiptFlattening
import ReceiptOutputs

// Each page of a document is a capture of its own. A receipt that continues over several pages is reported on its first page.
extension BatchJointOutputs {
    /// The pages that share a receipt with other pages, by job index.
    struct JoinedPages {
        /// The table row of each page on which a receipt begins; nil for a page on which a receipt continues.
        var rows: [Int: ReceiptTable.Sheet?] = [:]

        /// The gallery cards of all these pages.
        var cards: [Int: Gallery.Card] = [:]

        /// Whether the receipt of the previous page continues on this job's page.
        func isContinuation(_ index: Int) -> Bool { rows[index].map { $0 == nil } ?? false }
    }

    /// The jobs of each document that has more than one, in order.
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

    /// Joins receipts that continue over several pages, and rewrites `--report` and `--fields` of these pages. Only the texts
    /// of one document and the pages of one receipt are in memory at a time.
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
                    return try text(of: index)
                } catch {
                    warn(index, error)
                    return nil
                }
            }
            // A page stands alone if it failed, has several sheets, or if nothing was read on it.
            let runs = texts.indices.split { texts[$0] == nil }
            for run in runs {
                let receipts = PagedReceipt.receipts(
                    on: run.compactMap { texts[$0] }, joining: request.each.joinPages,
                    context: request.context)
                var first = document.lowerBound + run.lowerBound
                for receipt in receipts {
                    defer { first += receipt.pages.count }
                    guard receipt.pages.count > 1 else { continue }
                    let jobs = first..<first + receipt.pages.count
                    let pages: [(page: FlattenedPage, files: [String: [UInt8]])]
                    do throws(FlatteningError) {
                        pages = try self.pages(of: jobs)
                    } catch {
                        warn(first, error)
                        continue
                    }
                    for (index, (page, files)) in zip(jobs, pages) {
                        joined.rows[index] = .some(ReceiptTable.Sheet(page))
                        joined.cards[index] = Gallery.Card(page)
                        try done.replace(files, of: batch.jobs[index].name)
                    }
                }
            }
        }
        return joined
    }

    /// The text read on a job's page; nil if the job failed or its worker left no text.
    private func text(of index: Int) throws(FlatteningError) -> PagedReceipt.Page? {
        let path = part(index, .valuesPart)
        guard failures[index] == nil, let page = try SheetParts.text(ofValuesAt: path) else { return nil }
        guard page.number == batch.jobs[index].capture.page else { throw SheetParts.broken(path) }
        return page
    }

    /// The pages of these jobs, joined to one receipt, each with its files that describe the receipt, by file name.
    private func pages(
        of jobs: Range<Int>
    ) throws(FlatteningError) -> [(page: FlattenedPage, files: [String: [UInt8]])] {
        let pages = try jobs.map { (index) throws(FlatteningError) in
            try SheetParts.values(at: part(index, .valuesPart))
        }
        let joined = FlattenedPage.joined(pages, .all)
        guard joined.allSatisfy({ $0.report.receiptPages?.count == jobs.count }) else {
            throw SheetParts.broken(part(jobs.lowerBound, .valuesPart))
        }
        return try zip(jobs, joined).map { (index, page) throws(FlatteningError) in
            (page, try files(of: page, job: batch.jobs[index]))
        }
    }

    /// The new content of each file of a job that describes a receipt, by file name; empty if there is no such file.
    private func files(of page: FlattenedPage, job: Batch.Job) throws(FlatteningError) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for output in job.outputs where !output.isKeptByBatch {
            let name = job.numbersOutputs ? NumberedPath.numbered(output.name, 1) : output.name
            guard case .values(let json)? = OutputKind(rawValue: output.kind)?.writer else { continue }
            files[name] = Array(try json(page, request.each))
        }
        return files
    }
}

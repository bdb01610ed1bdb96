import ArgumentParser
import BatchProcessing
import Captures
import Checksums
import Diagnostics
import Documents
import LocalFiles
import Platform
import ReceiptFlattening

/// What a batch asks of `flatten`: its inputs, and the options that apply to every capture.
struct BatchRequest: Sendable {
    /// The folders, captures and lists.
    let inputs: [String]
    /// The request for each capture. It names no captures, and the path of an output is only the suffix added to a capture's
    /// name.
    let each: FlatteningRequest
    /// Files that the options name.
    let sharedFiles: [String]
    /// What is known about receipts besides what is printed on them.
    let context: ReceiptContext

    /// - Throws: a usage error for options that do not go together; an error for files that the reader lacks.
    init(
        inputs: [String], reading: CaptureOptions, how: HowArguments, outputs: BatchOutputs
    ) throws {
        guard !inputs.isEmpty else { throw ValidationError("name a folder, captures or a list") }
        try reading.request(of: inputs).validate()
        self.inputs = inputs
        var each = how.request(of: reading.request(of: []))
        (each.outputs, each.textFormat) = (outputs.requested(""), outputs.format)
        guard !each.outputs.isEmpty else { throw FlatteningRequest.nothingToDo }
        try each.validate()
        // The same capture gives the same bytes.
        each.reproducible = true
        // A batch has its own time limit.
        each.timeout = each.timeout ?? TimeSpan(seconds: 0)
        self.each = each
        context = each.options.context
        let reader =
            each.readsText ? try each.reader.files(language: each.language, model: each.readerModel) : nil
        sharedFiles = each.input.files.map(\.path) + (reader ?? [])
        // By Characters: whole names are compared.
        guard !sharedFiles.contains("-") else {
            throw ValidationError("a batch reads standard input only as a list of captures")
        }
    }

    /// The largest file that the options allow, in bytes; 0 if the options set no limit.
    var largestFile: Int { max(each.input.maxFileMib ?? 0, each.input.maxTiffMib ?? 0) << 20 }

    /// The request for one capture, without its outputs: its worker is told separately where they go.
    func request(for capture: CaptureList.Entry) -> FlatteningRequest {
        var request = each
        request.outputs = []
        request.input = request.input.naming(capture.path)
        // A worker that reads an untrusted file must not start programs.
        request.input.noPrograms = true
        // The pages to use were chosen when the captures were listed.
        if let page = capture.page { request.input.pages = .init(first: page, last: page) }
        return request
    }

    /// Returns the entry, or one entry for each chosen page if it is a document. An entry that cannot be opened is marked as
    /// refused, with the reason.
    func pages(of entry: CaptureList.Entry, within time: Duration) -> [CaptureList.Entry] {
        guard entry.refusal == nil else { return [entry] }
        do throws(FlatteningError) {
            guard let pages = try each.input.naming(entry.path).chosenPages(until: .now + time) else {
                return [entry]
            }
            return pages.enumerated().map { index, page in
                var own = entry
                own.page = page + 1
                if pages.count > 1 { own.label = PageLabel.label(entry.path, page: index + 1) }
                return own
            }
        } catch {
            var (refused, reason) = (entry, error)
            reason.file = nil
            refused.refusal = reason.description
            return [refused]
        }
    }

    /// Renders the page of a PDF for its worker, which must not start programs.
    /// - Returns: the folder with the rendered page; nil if the capture is not a page of a PDF.
    func draw(
        _ capture: CaptureList.Entry, for folder: String, until deadline: ContinuousClock.Instant,
        unless isCancelled: @escaping @Sendable () -> Bool
    ) throws(FlatteningError) -> String? {
        guard let page = capture.page, FileStart(path: capture.path)?.format == .pdf else { return nil }
        var limits = each.input.limits
        limits.deadline = deadline
        let document = try PDFDocument(path: capture.path, limits: limits)
        guard page <= document.pageCount else {
            throw FlatteningError(
                .badInput, "there is no such page any more", file: capture.path, stage: .pdf,
                seen: "page \(page)", allowed: "1 to \(document.pageCount)")
        }
        try document.page(page, unless: isCancelled).write(to: folder)
        return folder
    }

    /// Everything that outputs depend on besides their capture. What may be replaced and how long a capture may take are left
    /// out.
    func settings() throws(FlatteningError) -> String {
        var deciding = each
        (deciding.timeout, deciding.existing) = (nil, .replaced)
        // Each page is a capture of its own.
        deciding.input.pages = nil
        var parts = [ReceiptFlatteningVersion.current, try deciding.json()]
        if let date = SourceDate.current { parts.append("made at \(date.timeIntervalSince1970)") }
        for file in sharedFiles { parts.append(try SHA256.digest(ofFile: file)) }
        return parts.joined(separator: "\n")
    }
}

import ArgumentParser
import Captures
import Diagnostics
import DocumentArchive
import Documents
import LocalFiles
import Platform
import ReceiptFlattening
import ReceiptOutputs
import ScalarText
import TextRecognition

extension ArchiveCommand {
    /// `flatten archive add CAPTURE ...`.
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make captures flat and keep what is on them.",
            discussion: """
                Each capture is flattened as flatten does, with depth if there is any; each sheet in view and each page becomes \
                a document, and the pages that a receipt goes on over become one. A file that is in the archive already is left out. The documents that were added are shown. --batch \
                takes what flatten batch wrote with --report and more, and flattens nothing again.
                """)

        @OptionGroup var input: CaptureArguments
        @OptionGroup var store: ArchiveArguments
        @OptionGroup var listing: DocumentListing
        @OptionGroup var joining: PageJoiningArguments

        @Option(
            help: ArgumentHelp("Take what flatten batch wrote in this folder.", valueName: "folder"),
            completion: .directory)
        var batch: String?

        @Option(help: "A tag for all of them; may be given several times.")
        var tag: [String] = []

        @OptionGroup var reading: ReadingArguments

        @OptionGroup var time: TimeArguments

        mutating func validate() throws {
            guard input.captures.isEmpty == (batch != nil) else {
                throw ValidationError(
                    batch == nil
                        ? "there is no capture: name photographs, PDFs or folders, or --batch FOLDER"
                        : "--batch names its captures itself; leave out others")
            }
            guard !input.captures.contains("-") else {
                throw ValidationError("an archive keeps files by their names: save standard input first")
            }
            guard input.captures.count == 1 || input.request.files.isEmpty && input.options.fx == nil else {
                throw ValidationError("options that name files or a camera go with one capture")
            }
        }

        func run() throws {
            var failed = 0
            try store.use(.creating) { archive, console throws(FlatteningError) in
                let activity = try limit.startWatchdog()
                if batch == nil, !CodeReader.isThere {
                    console.warn("bar codes are not looked for: what reads them is missing (flatten doctor)")
                }
                var added: [ArchivedDocument] = []
                let batch = try batch.map { folder throws(FlatteningError) in
                    try BatchDocuments(folder: folder)
                }
                let inputs = batch?.inputs.map(\.path) ?? input.captures
                for (place, path) in inputs.enumerated() {
                    activity.begin("read")
                    do throws(FlatteningError) {
                        if let batch {
                            added += try add(batch.inputs[place], of: batch, to: archive, console: console)
                        } else {
                            added +=
                                try captureReading.add(path, to: archive, console: console) { document in
                                    document.tags = tag
                                    return true
                                } ?? []
                        }
                    } catch {
                        // If there is only one capture, its error is the command's; with several, the others go on.
                        guard inputs.count > 1, !error.concernsAllCaptures(of: .documents) else {
                            throw error
                        }
                        console.fail(error.naming(file: path))
                        failed += 1
                    }
                }
                console.clearProgress()
                try listing.show(added.map(\.summary), of: archive)
            }
            if failed > 0 { throw ExitCode(ExitReason.someFailed.rawValue) }
        }

        /// - Returns: the documents added; none if the input is in the archive already.
        private func add(
            _ input: BatchDocuments.Input, of batch: BatchDocuments, to archive: DocumentArchive,
            console: Console
        ) throws(FlatteningError) -> [ArchivedDocument] {
            console.progress("reading \(input.path)")
            var documents = try batch.documents(of: input)
            for place in documents.indices { documents[place].tags = tag }
            var kept: [NewDocument.File] = []
            if !documents.contains(where: \.isRedacted) {
                do throws(FlatteningError) {
                    kept = try captureReading.originals(of: input.path)
                } catch {
                    console.warn("\(input.path): its documents are added without it: \(error.message)")
                }
            }
            let date = SourceDate.current ?? Date()
            guard let added = try archive.add(documents, originals: kept, date: date) else {
                console.warn("\(input.path) is in the archive already")
                return []
            }
            return added
        }

        private var limit: TimeLimit { time.limit(captures: input.captures.count) }

        private var captureReading: CaptureReading {
            CaptureReading(
                input: input.request, reading: reading, joining: joining.joinPages, limit: limit)
        }
    }
}

import ArgumentParser
import Diagnostics
import DocumentArchive
import Documents
import LocalFiles
import Platform
import ReceiptFlattening
import TextRecognition

extension ArchiveCommand {
    /// `flatten archive reread [ID ...]`.
    struct Reread: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Read documents again with this version of the program, and show what it reads otherwise.",
            discussion: """
                Without ID all documents are read that another version read. Each that differs is shown as list does, followed by \
                a line for each value: name, what was read, what is read now, with tabs between them. Nothing is changed but with \
                --take; what was entered by hand wins as before, and undo brings the former reading back.
                """)

        @Argument(help: ArgumentHelp("The documents.", valueName: "id"))
        var ids: [String] = []

        @Flag(help: "Put what is read now in the place of what was read.")
        var take = false

        @Flag(help: "Show the differences as JSON.")
        var json = false

        @OptionGroup var reading: ReadingArguments

        @OptionGroup var store: ArchiveArguments
        @OptionGroup var joining: PageJoiningArguments
        @OptionGroup var time: TimeArguments

        /// The changed values of a document.
        private struct Difference: Encodable {
            var id: UUID
            var changes: [ReadingChange]
        }

        func run() throws {
            var failed = 0
            try store.use { archive, console throws(FlatteningError) in
                var asked = ArchiveQuery()
                asked.isOutdated = true
                let named = try archive.documents(beginning: ids)
                let chosen =
                    ids.isEmpty
                    ? try archive.documents(asked)
                    : named.indices.filter { !named[..<$0].contains(named[$0]) }.map { named[$0] }
                let limit = time.limit(captures: max(chosen.count, 1))
                let activity = try limit.startWatchdog()
                // A photograph of several sheets is read once.
                var readings: [UUID: NewDocument?] = [:]
                var differences: [Difference] = []
                for document in chosen {
                    activity.begin("read")
                    do throws(FlatteningError) {
                        if readings[document.id] == nil {
                            console.progress("reading \(document.id.uuidString.prefix(8))")
                            try readings.merge(read(document, of: archive, limit)) { $1 }
                        }
                        let new = readings.updateValue(nil, forKey: document.id) ?? nil
                        let changes = try takeOver(new, of: document, archive)
                        if !changes.isEmpty {
                            differences.append(Difference(id: document.id, changes: changes))
                        }
                    } catch {
                        // If there is only one document, its error is the command's; with several, the others go on.
                        let isOneOfMany =
                            chosen.count > 1
                            && [.badInput, .unsupported, .limitExceeded].contains(error.code)
                        guard isOneOfMany else {
                            if json { try show(differences) }
                            throw error
                        }
                        console.fail("\(document.id.uuidString.prefix(8)): \(error.message)")
                        failed += 1
                    }
                }
                console.clearProgress()
                if json { try show(differences) }
                console.say(
                    "\(chosen.count - failed) documents were read, \(differences.count) say something else"
                        + (take || differences.isEmpty ? "" : "; --take takes that over"))
            }
            if failed > 0 { throw ExitCode(ExitReason.someFailed.rawValue) }
        }

        /// Shows how a document's new reading differs, and takes it over if requested.
        private func takeOver(
            _ new: NewDocument?, of document: ArchivedDocument, _ archive: DocumentArchive
        ) throws(FlatteningError) -> [ReadingChange] {
            guard let new else {
                throw FlatteningError(
                    .badInput, "nothing like the document is found on its photograph now",
                    file: store.archive,
                    stage: .documents)
            }
            if take { try archive.reread(document.id, as: new, date: SourceDate.current ?? Date()) }
            let changes = document.changes(in: new)
            if !json { try show(document.summary, changes) }
            return changes
        }

        /// Reads the capture of a document again; returns the result for each document that was added with it.
        private func read(
            _ document: ArchivedDocument, of archive: DocumentArchive, _ limit: TimeLimit
        ) throws(FlatteningError) -> [UUID: NewDocument?] {
            let files = document.files(.original)
            guard let first = files.first else {
                throw FlatteningError(
                    .badInput, "the document has no original that could be read again", file: store.archive,
                    stage: .documents)
            }
            let copy = try OriginalCopy(
                try files.map { file throws(FlatteningError) in
                    (name: file.name, content: try archive.contents(of: file))
                }, isSecret: archive.isEncrypted)
            defer { copy.remove() }
            let captureReading = CaptureReading(
                input: CaptureRequest(captures: [copy.path]), reading: reading,
                joining: joining.joinPages, limit: limit)
            let documents = try archive.documents(addedWith: document)
            let new = try captureReading.documents(of: copy.path, name: first.name)
            return Dictionary(
                zip(documents.map(\.id), DocumentArchive.readings(new, of: documents)),
                uniquingKeysWith: { first, _ in first })
        }

        private func show(_ differences: [Difference]) throws(FlatteningError) {
            try TextOutput.write(try ShownJSON.text(of: differences, stage: .documents))
        }

        private func show(
            _ document: ArchivedSummary, _ changes: [ReadingChange]
        ) throws(FlatteningError) {
            guard !changes.isEmpty else { return }
            let lines = changes.map { change in
                ["", change.name, change.before?.text ?? "", change.after?.text ?? ""].map(\.visible)
                    .joined(separator: "\t") + "\n"
            }
            try TextOutput.write(document.line + lines.joined())
        }
    }
}

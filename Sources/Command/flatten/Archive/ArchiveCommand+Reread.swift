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

        @Option(
            name: .shortAndLong,
            help:
                "Languages to read, by tesseract's codes (eng), two letters (en) or English names, joined by \"+\".",
            transform: LanguageName.codes(in:))
        var language = "auto"

        @Option(help: "What reads; see flatten --help-all.")
        var reader: TextReader = .automatic

        @OptionGroup var store: ArchiveArguments
        @OptionGroup var joining: PageJoiningArguments
        @OptionGroup var time: TimeArguments

        /// What a document says otherwise.
        private struct Difference: Encodable {
            var id: UUID
            var changes: [ReadingChange]
        }

        func run() throws {
            var failed = 0
            try store.use { archive, console throws(FlatteningError) in
                var asked = ArchiveQuery()
                asked.isOutdated = true
                let chosen =
                    ids.isEmpty ? try archive.documents(asked) : try archive.documents(beginning: ids)
                let limit = time.limit(captures: max(chosen.count, 1))
                let activity = try limit.startWatchdog()
                // A photograph of several sheets is read once.
                var readings: [UUID: NewDocument?] = [:]
                var differences: [Difference] = []
                for document in chosen {
                    activity.begin("read")
                    do throws(FlatteningError) {
                        if readings[document.id] == nil {
                            console.progress("reading \(document.summary.line)")
                            try readings.merge(read(document, of: archive, limit, console)) { $1 }
                        }
                    } catch {
                        guard chosen.count > 1, !error.concernsAllCaptures(of: .documents) else {
                            throw error
                        }
                        console.fail("\(document.id.uuidString.prefix(8)): \(error.message)")
                        failed += 1
                        continue
                    }
                    guard let found = readings[document.id], let new = found else {
                        console.fail(
                            "\(document.id.uuidString.prefix(8)): nothing like it is found on its photograph now"
                        )
                        failed += 1
                        continue
                    }
                    readings[document.id] = .some(nil)
                    let changes = document.changes(in: new)
                    if take {
                        try archive.reread(document.id, as: new, date: SourceDate.current ?? Date())
                    }
                    if !changes.isEmpty { differences.append(Difference(id: document.id, changes: changes)) }
                    if !json { try show(document.summary, changes) }
                }
                console.clearProgress()
                if json { try TextOutput.write(try ShownJSON.text(of: differences, stage: .documents)) }
                console.say(
                    "\(chosen.count) documents were read, \(differences.count) say something else"
                        + (take || differences.isEmpty ? "" : "; --take takes that over"))
            }
            if failed > 0 { throw ExitCode(ExitReason.someFailed.rawValue) }
        }

        /// What the capture of a document says now, for each document that was added with it.
        private func read(
            _ document: ArchivedDocument, of archive: DocumentArchive, _ limit: TimeLimit, _ console: Console
        ) throws(FlatteningError) -> [UUID: NewDocument?] {
            let originals = document.files(.original)
            guard !originals.isEmpty else {
                throw FlatteningError(
                    .badInput, "the document has no original that could be read again", file: store.archive,
                    stage: .documents)
            }
            let files = try originals.map { file throws(FlatteningError) in
                (name: file.name, content: try archive.contents(of: file))
            }
            let copy = try OriginalCopy(files, isSecret: archive.isEncrypted)
            defer { copy.remove() }
            let reading = CaptureReading(
                input: try CaptureArguments.named(copy.path), language: language, reader: reader,
                joining: joining.joinPages, limit: limit)
            let documents = try archive.documents(addedWith: document)
            let new = try reading.documents(of: copy.path)
            return Dictionary(
                zip(documents.map(\.id), DocumentArchive.readings(new, of: documents)),
                uniquingKeysWith: { first, _ in first })
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

/// The originals of a document, as files that the program can read, for as long as it reads them.
struct OriginalCopy {
    /// The one file; or the folder of several.
    let path: String
    private let folder: String
    private let names: [String]

    /// - Parameters:
    ///   - files: the originals.
    ///   - isSecret: whether they must not come to a disk: then they are kept in memory (/dev/shm).
    init(_ files: [(name: String, content: Data)], isSecret: Bool) throws(FlatteningError) {
        let memory = "/dev/shm"
        var status = stat()
        let hasMemory = stat(memory, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
        guard hasMemory || !isSecret else {
            throw FlatteningError(
                .unsupported, "the originals of an encrypted archive are read again in memory only",
                stage: .documents, detail: "this system has no \(memory)")
        }
        var template = Array(
            FilePath.join(
                hasMemory ? memory : FileManager.default.temporaryDirectory.path, "flatten-XXXXXX"
            ).utf8CString)
        guard mkdtemp(&template) != nil else {
            throw FileSystemError.last("a folder cannot be made", file: memory, stage: .documents)
        }
        folder = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
        names = files.map { DocumentArchive.fileName($0.name) }
        path = files.count == 1 ? FilePath.join(folder, names[0]) : folder
        do throws(FlatteningError) {
            for (file, name) in zip(files, names) {
                try AtomicFile.replace(FilePath.join(folder, name), with: Array(file.content))
            }
        } catch {
            remove()
            throw error
        }
    }

    /// Takes the files away.
    func remove() {
        for name in names { unlink(FilePath.join(folder, name)) }
        rmdir(folder)
    }
}

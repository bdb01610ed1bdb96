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

        @Option(
            name: .shortAndLong,
            help:
                "Languages to read, by tesseract's codes (eng), two letters (en) or English names, joined by \"+\".",
            transform: LanguageName.codes(in:))
        var language = "auto"

        @Option(help: "What reads; see flatten --help-all.")
        var reader: TextReader = .automatic

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
            guard input.captures.count == 1 || input.files.isEmpty && input.fx == nil else {
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
                            added += try add(path, to: archive, console: console)
                        }
                    } catch {
                        // What one capture alone fails by is the command's error; of several the others go on.
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

        /// - Returns: the documents that were added; none if the capture is in the archive already.
        private func add(
            _ path: String, to archive: DocumentArchive, console: Console
        ) throws(FlatteningError) -> [ArchivedDocument] {
            console.progress("reading \(path)")
            let originals = try originals(of: path)
            if let first = originals.first {
                guard try archive.documents(with: first.content).isEmpty else {
                    console.warn("\(path) is in the archive already")
                    return []
                }
            } else {
                console.warn(
                    "\(path): no file lies in the folder itself, so its documents are kept without originals")
            }
            let arguments = input.naming(path)
            let pages = try arguments.chosenPages(until: limit.end)
            let name = String(path.split(atScalar: "/").last ?? "document")
            var kept: [(document: NewDocument, page: SheetPage?, flattened: FlattenedPage)] = []
            for page in pages?.map(Optional.some) ?? [nil] {
                let capture = try limit.spend { end throws(FlatteningError) in
                    try arguments.read(page: page, until: end)
                }.capture
                let receipts = try limit.spend { _ throws(FlatteningError) in
                    try ReceiptFlattener(options: options).flattenAll(capture)
                }
                for receipt in receipts {
                    let number = kept.isEmpty ? "" : "-\(kept.count + 1)"
                    kept.append(
                        (
                            try NewDocument(receipt, name: Self.stem(of: name) + number),
                            pages == nil ? nil : try SheetPage(receipt), FlattenedPage(receipt)
                        ))
                }
            }
            let joined = FlattenedPage.joined(kept.map(\.flattened), joining.joinPages)
            var documents: [NewDocument] = []
            for (place, page) in joined.enumerated() where !page.isContinuation {
                // The pages of a receipt follow each other.
                let others = joined[(place + 1)...].prefix(while: \.isContinuation)
                var document = kept[place].document
                if !others.isEmpty {
                    let own = kept[place..<others.endIndex]
                    document = try NewDocument(
                        report: try page.report.json(), pages: own.map(\.document),
                        pdf: try MergedPDF.data(of: own.compactMap(\.page)), name: Self.stem(of: name))
                }
                document.tags = tag
                documents.append(document)
            }
            return try archive.add(documents, originals: originals, date: SourceDate.current ?? Date()) ?? []
        }

        /// - Returns: the documents that were added; none if the input is in the archive already.
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
                    kept = try originals(of: input.path)
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

        /// The files that a capture consists of, the photograph first.
        private func originals(of path: String) throws(FlatteningError) -> [NewDocument.File] {
            func file(_ path: String) throws(FlatteningError) -> NewDocument.File {
                let bytes = try InputFile.read(path: path, limits: input.limits, kind: .sequence).bytes
                return NewDocument.File(
                    .original, name: String(path.split(atScalar: "/").last ?? "file"), content: Data(bytes))
            }
            var status = stat()
            guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
                return try [path].map(file)
                    + input.files.map { named throws(FlatteningError) in try file(named.path) }
            }
            let entries = try OpenFolder(path: path, follows: true, stage: .capture).entries(
                most: Self.mostFiles
            )
            .filter { $0.kind == .file && $0.stamp.size > 0 }
            let photographsFirst = entries.filter(\.isImage) + entries.filter { !$0.isImage }
            return try photographsFirst.map { entry throws(FlatteningError) in
                try file(FilePath.join(path, String(decoding: entry.bytes, as: UTF8.self)))
            }
        }

        /// Files of a capture in a folder: image, depth, confidence, camera and what describes them. A recording has thousands, and one
        /// frame of it is named by its image.
        private static let mostFiles = 64

        private static func stem(of name: String) -> String {
            guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
            return String(name[..<dot])
        }

        private var limit: TimeLimit { time.limit(captures: input.captures.count) }

        private var options: ReceiptFlattener.Options {
            var options = ReceiptFlattener.Options()
            options.finds = CodeReader.isThere ? [.codes, .contact, .kind] : [.contact, .kind]
            options.language = language
            options.reader = reader
            options.timeLimit = limit.remaining
            return options
        }
    }
}

extension FolderEntry {
    /// Whether its name is that of an image.
    fileprivate var isImage: Bool {
        let name = shownName.lowercased()
        return [".jpg", ".jpeg", ".png", ".heic", ".tif", ".tiff"].contains { name.hasSuffix($0) }
    }
}

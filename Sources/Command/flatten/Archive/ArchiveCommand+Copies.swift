import ArgumentParser
import Diagnostics
import DocumentArchive
import LocalFiles
import Platform
import ReceiptFlattening
import ReceiptOutputs

extension ArchiveCommand {
    /// `flatten archive export PATH`.
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write documents for other programs.",
            discussion: """
                A path that ends in .csv gets a table of the documents, .pdf all of them in one searchable PDF, .jsonl a line of JSON each, .vcf the contacts of business \
                cards, .journal the transactions for hledger after --rules; any other is a folder that is made, with a folder for \
                each document: its files and document.json, which import takes back. Which documents are written is said as for \
                list; by default all are. With --new-for NAME, as of an accountant or a program, only those are written that NAME \
                did not get yet or that changed since, and the archive notes that it got them.
                """)

        @Argument(help: "Where to.", completion: .file())
        var path: String

        @Option(
            help: ArgumentHelp("Rules that say which account a purchase belongs to.", valueName: "file"),
            completion: .file())
        var rules: String?

        @OptionGroup var store: ArchiveArguments
        @OptionGroup var choice: DocumentChoice

        private var ending: String { URL(filePath: path).pathExtension.lowercased() }

        mutating func validate() throws {
            guard (ending == "journal") == (rules != nil) else {
                throw ValidationError("--rules goes with a path that ends in .journal, which needs it")
            }
        }

        func run() throws {
            let asked = choice.query(words: [])
            try store.use { archive, console throws(FlatteningError) in
                // Take the date before anything is read, so that what changes meanwhile counts as new again.
                let date = SourceDate.current ?? Date()
                guard let name = choice.newFor else {
                    _ = try write(asked, of: archive, console)
                    return
                }
                try requireAbsence()
                let written = try write(asked, of: archive, console)
                guard !written.isEmpty else {
                    return console.say("\(path) is not written: nothing is new for \(name)")
                }
                try archive.noteExport(of: written, to: name, date: date)
            }
        }

        /// Documents written for a name are not written again, so an existing file must not be overwritten.
        private func requireAbsence() throws(FlatteningError) {
            var status = stat()
            guard unsafe lstat(path, &status) == 0 else { return }
            throw FlatteningError(
                .fileAccess, "there is something of this name already, which --new-for would not write again",
                file: path, stage: .documents, advice: "Name a file that is not there")
        }

        /// Writes documents; with `--new-for`, writes no file if there are none.
        /// - Returns: the identifiers of the documents written.
        private func write(
            _ asked: ArchiveQuery, of archive: DocumentArchive, _ console: Console
        ) throws(FlatteningError) -> [UUID] {
            guard ["csv", "pdf", "vcf", "jsonl", "journal"].contains(ending) else {
                let ids = try archive.list(asked).map(\.id)
                if mayWrite(ids.count) { try archive.export(to: path, asked) }
                return ids
            }
            var documents = try archive.documents(asked)
            switch ending {
            case "pdf":
                var ids: [UUID] = []
                let hasPages = try MergedPDF.replace(path) { (pdf) throws(FlatteningError) in
                    // In the order of a folder: the earliest day first.
                    for document in documents.reversed() {
                        let pages = try archive.pages(of: document)
                        for page in pages { try pdf.add(page) }
                        if !pages.isEmpty { ids.append(document.id) }
                    }
                }
                if !hasPages, choice.newFor == nil {
                    console.warn("\(path) is not written: there is no such document")
                }
                return ids
            case "vcf":
                documents.removeAll { $0.contact == nil }
                if mayWrite(documents.count) { try write(ArchiveExport.vCards(of: documents)) }
            case "jsonl":
                // Recipients of documents must not learn who else received them.
                if choice.newFor != nil { for index in documents.indices { documents[index].exported = [:] } }
                let lines = try documents.map { document throws(FlatteningError) in
                    try ShownJSON.text(of: document, stage: .documents, isOneLine: true)
                }
                if mayWrite(lines.count) { try write(lines.joined()) }
            case "journal":
                let journal = try ledgerRules().journal(documents)
                for document in journal.unmatched {
                    console.warn("\(document.document.uuidString.prefix(8)): \(document.reason)")
                }
                let absent = Swift.Set(journal.unmatched.filter { !$0.isWritten }.map(\.document))
                documents.removeAll { absent.contains($0.id) }
                if mayWrite(documents.count) { try write(journal.text) }
            default: if mayWrite(documents.count) { try write(ArchiveExport.csv(of: documents)) }
            }
            return documents.map(\.id)
        }

        private func mayWrite(_ count: Int) -> Bool { count > 0 || choice.newFor == nil }

        private func ledgerRules() throws(FlatteningError) -> LedgerRules {
            let file = try InputFile.read(path: rules ?? "", kind: .metadata)
            do throws(FlatteningError) {
                return try LedgerRules(String(decoding: file.bytes, as: UTF8.self))
            } catch {
                throw error.naming(file: file.name)
            }
        }

        private func write(_ text: String) throws(FlatteningError) {
            try AtomicFile.replace(path, with: Array(text.utf8))
        }
    }

    /// `flatten archive import PATH`.
    struct Import: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Add the documents of a folder that export wrote, or the contacts of a store of flatten cards.",
            discussion: "Those that are there already stay as they are.")

        @Argument(help: "The folder, or the store.", completion: .file())
        var path: String

        @OptionGroup var store: ArchiveArguments

        func run() throws {
            try store.use(.creating) { archive, console throws(FlatteningError) in
                var status = stat()
                let isFile = unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
                let count = isFile ? try archive.importing(contactsOf: path) : try archive.importing(path)
                console.say("\(count) \(isFile ? "contacts" : "documents") were added")
            }
        }
    }

    /// `flatten archive backup FOLDER`.
    struct Backup: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Copy the archive as it is now, while it may be in use, to a folder that is made.")

        @Argument(help: "The folder.", completion: .directory)
        var folder: String

        @OptionGroup var store: ArchiveArguments

        func run() throws {
            try store.use { archive, _ throws(FlatteningError) in try archive.backup(to: folder) }
        }
    }

    /// `flatten archive restore FOLDER`.
    struct Restore: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Make the archive, which must not be there, of a backup, every byte of which is checked.",
            discussion: """
                The backup may also be an archive. With --passphrase-file the new archive is encrypted, without it is plain. An encrypted \
                backup has the same passphrase, unless --backup-passphrase-file names another: so an archive is encrypted, gets another \
                passphrase, or is made plain.
                """)

        @Argument(help: "The backup.", completion: .directory)
        var folder: String

        @Option(
            help: ArgumentHelp(
                "A file whose first line is the passphrase of the backup, if it is not that of the archive.",
                valueName: "file"),
            completion: .file())
        var backupPassphraseFile: String?

        @OptionGroup var store: ArchiveArguments

        func run() throws {
            try withExitCodes(store.verbosity) { console throws(FlatteningError) in
                let new = try store.encryption.passphrase(console)
                let named = try backupPassphraseFile.map { path throws(FlatteningError) in
                    try PassphraseArguments.passphrase(in: path, console)
                }
                let isPlain = try DocumentArchive.isPlain(folder)
                try DocumentArchive.restore(
                    folder, to: store.archive, passphrase: named ?? (isPlain ? nil : new), newPassphrase: new)
            }
        }
    }
}

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
                list; by default all are.
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
                switch ending {
                case "csv": try write(ArchiveExport.csv(of: try archive.documents(asked)))
                case "pdf":
                    let hasPages = try MergedPDF.replace(path) { (pdf) throws(FlatteningError) in
                        // As they lie in a folder: the first day first.
                        for document in try archive.documents(asked).reversed() {
                            for page in try archive.pages(of: document) { try pdf.add(page) }
                        }
                    }
                    if !hasPages { console.warn("\(path) is not written: there is no such document") }
                case "vcf": try write(ArchiveExport.vCards(of: try archive.documents(asked)))
                case "jsonl":
                    try write(
                        try archive.documents(asked).map { document throws(FlatteningError) in
                            try ShownJSON.text(of: document, stage: .documents, isOneLine: true)
                        }.joined())
                case "journal":
                    let file = try InputFile.read(path: rules ?? "", kind: .metadata)
                    let rules: LedgerRules
                    do throws(FlatteningError) {
                        rules = try LedgerRules(String(decoding: file.bytes, as: UTF8.self))
                    } catch {
                        throw error.naming(file: file.name)
                    }
                    let journal = rules.journal(try archive.documents(asked))
                    for document in journal.unmatched {
                        console.warn("\(document.document.uuidString.prefix(8)): \(document.reason)")
                    }
                    try write(journal.text)
                default: try archive.export(to: path, asked)
                }
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
                let isFile = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
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

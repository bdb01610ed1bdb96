import ArgumentParser
import Diagnostics
import DocumentArchive
import Platform
import ReceiptFlattening
import ScalarText

/// `flatten archive`: receipts and other documents with their images, kept in one folder.
struct ArchiveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "Keep, find and pass on receipts and other documents with their images.",
        usage: """
            flatten archive add CAPTURE ... --archive FOLDER [options]
            flatten archive watch FOLDER --archive FOLDER [options]
            flatten archive list|totals|taxes [WORD ...] --archive FOLDER [options]
            flatten archive show|undo|remove ID ... --archive FOLDER
            flatten archive reread [ID ...] [--take] --archive FOLDER
            flatten archive set ID NAME=VALUE ... --archive FOLDER
            flatten archive duplicates|check --archive FOLDER
            flatten archive merge ID ID ... --archive FOLDER
            flatten archive export|import|backup|restore PATH --archive FOLDER
            """,
        discussion: """
            The archive is a folder that only its owner may read; add makes it. It holds each photograph as it came, the flat \
            image, a searchable PDF, text, values and report. A document is named by its identifier or the first four signs of \
            that or more. What was added or changed is on the disk when the command ends; nothing is ever half there. With \
            --passphrase-file, given to add at first and to every command from then on, the archive is encrypted.

            Exit codes: those of flatten; \(ExitReason.someFailed.rawValue) if some captures failed, or check found something.
            """,
        subcommands: [
            Add.self, Watch.self, List.self, Totals.self, Taxes.self, Show.self, Set.self, Undo.self,
            Remove.self, Reread.self, Duplicates.self, Merge.self, Check.self, Export.self, Import.self,
            Backup.self, Restore.self,
        ])
}

/// `--archive`: the folder of documents.
struct ArchiveArguments: ParsableArguments {
    @Option(help: ArgumentHelp("The archive.", valueName: "folder"), completion: .directory)
    var archive: String

    @OptionGroup var encryption: PassphraseArguments
    @OptionGroup var verbosity: VerbosityArguments

    /// Runs a command's work on the archive.
    func use(
        _ access: DocumentArchive.Access = .existing,
        _ work: (DocumentArchive, Console) throws(FlatteningError) -> Void
    ) throws {
        try withExitCodes(verbosity) { console throws(FlatteningError) in
            let passphrase = try encryption.passphrase(console)
            try work(
                try DocumentArchive(path: archive, access: access, passphrase: passphrase), console)
        }
    }
}

/// `--passphrase-file`: the file with an archive's passphrase. A passphrase on the command line would be visible to
/// everybody on the machine.
struct PassphraseArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file whose first line is the passphrase of an encrypted archive, or of one that is to be.",
            valueName: "file"),
        completion: .file())
    var passphraseFile: String?

    /// The passphrase; nil for a plain archive.
    func passphrase(_ console: Console) throws(FlatteningError) -> String? {
        try passphraseFile.map { path throws(FlatteningError) in try Self.passphrase(in: path, console) }
    }

    /// Reads the first line of a file; warns if others can read the file.
    static func passphrase(in path: String, _ console: Console) throws(FlatteningError) -> String {
        let passphrase = try DocumentArchive.passphrase(inFile: path)
        var status = stat()
        if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0 {
            console.warn("\(path) can be read by others: chmod 600 \(path)")
        }
        return passphrase
    }
}

/// `--json`: how documents are shown.
struct DocumentListing: ParsableArguments {
    @Flag(help: "Show all that is known, as JSON.")
    var json = false

    /// Shows documents on standard output, one line each.
    func show(_ documents: [ArchivedSummary], of archive: DocumentArchive) throws(FlatteningError) {
        guard json else { return try TextOutput.write(documents.map(\.line).joined()) }
        try show(try archive.documents(documents.map(\.id)))
    }

    /// Shows whole documents.
    func show(_ documents: [ArchivedDocument]) throws(FlatteningError) {
        try TextOutput.write(
            json
                ? try ShownJSON.text(of: documents, stage: .documents)
                : documents.map(\.page).joined(separator: "\n"))
    }
}

extension ArchivedSummary {
    /// Identifier, day, kind, merchant, sum and currency, separated by tabs.
    var line: String {
        [
            String(id.uuidString.prefix(8)), day ?? "", kind ?? "", merchant ?? name ?? "",
            total ?? "", currency ?? "",
        ].map(\.visible).joined(separator: "\t") + "\n"
    }
}

extension ArchivedDocument {
    /// Everything that a person wants to see of it: values, tags, notes, files, text.
    var page: String {
        var lines = [id.uuidString]
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            let source = value.confidence.map { "\(Int(($0 * 100).rounded())) %" } ?? "entered"
            lines.append("\(name)\t\(value.text.visible)\t\(source)")
        }
        if !tags.isEmpty { lines.append("tags\t" + tags.map(\.visible).joined(separator: ", ")) }
        if !notes.isEmpty { lines.append("notes\t" + notes.visibleLines) }
        for (name, date) in exported.sorted(by: { $0.key < $1.key }) {
            lines.append("exported\t\(name.visible)\t\(date.formatted(.iso8601))")
        }
        for file in files {
            lines.append("\(file.role.rawValue)\t\(file.name.visible)\t\(file.byteCount) bytes")
        }
        if !text.isEmpty { lines += ["", text.visibleLines] }
        return lines.joined(separator: "\n") + "\n"
    }
}

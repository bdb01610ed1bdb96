import ArgumentParser
import ContactStore
import Diagnostics
import DocumentArchive
import Documents
import Platform
import LocalFiles
import ReceiptFlattening

/// `flatten cards`: contacts of business cards, kept in a file.
struct CardsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cards",
        abstract: "Keep, search and pass on the contacts of business cards.",
        usage: """
            flatten cards add CAPTURE ... --store FILE [options]
            flatten cards list|duplicates --store FILE
            flatten cards search WORD ... --store FILE
            flatten cards merge ID ID ... --store FILE
            flatten cards export [ID ...] -o FILE.vcf|FILE.csv --store FILE
            flatten cards remove ID ... --store FILE
            """,
        discussion: """
            The store is one file, an SQLite database, that only its owner may read; add makes it. Each contact is shown in a \
            line: its number, name, organisation, title, telephone numbers and mail addresses, with tabs between them. \
            --json shows all that is known. The store may also be the folder of an archive (flatten archive): then the contacts are \
            those of its business cards, each named by its identifier.

            Exit codes: those of flatten; \(ExitReason.someFailed.rawValue) if in some of the captures no contact was found, \
            or some failed.
            """,
        subcommands: [
            Add.self, List.self, Search.self, Duplicates.self, Merge.self, Export.self, Remove.self,
        ])
}

/// `--store`: the file of contacts, or the archive.
struct StoreArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp("The store, or the folder of an archive.", valueName: "file"),
        completion: .file())
    var store: String

    @OptionGroup var encryption: PassphraseArguments
    @OptionGroup var verbosity: VerbosityArguments

    mutating func validate() throws {
        guard encryption.passphraseFile == nil || isArchive else {
            throw ValidationError("--passphrase-file is of archives, and \(store) is none")
        }
    }

    private var isArchive: Bool {
        var status = stat()
        return unsafe stat(store, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Runs a command's work on the store or on the archive.
    func use(
        _ access: ContactBook.Access = .existing,
        _ work: (ContactBook, Console) throws(FlatteningError) -> Void,
        onArchive: (DocumentArchive, Console) throws(FlatteningError) -> Void
    ) throws {
        try withExitCodes(verbosity) { console throws(FlatteningError) in
            guard isArchive else {
                return try work(try ContactBook(path: store, access: access), console)
            }
            let passphrase = try encryption.passphrase(console)
            try onArchive(
                try DocumentArchive(path: store, access: .existing, passphrase: passphrase), console)
        }
    }

    /// Converts the arguments to numbers of contacts in a store.
    func numbers(_ ids: [String]) throws(FlatteningError) -> [Int] {
        try ids.map { id throws(FlatteningError) in
            guard let number = Int(id) else {
                throw FlatteningError(
                    .badInput, "this is no contact of a store", file: store, stage: .contacts, seen: id,
                    allowed: "its number")
            }
            return number
        }
    }
}

extension DocumentArchive {
    /// Returns the business cards in which all words are found, from A to Z.
    func cards(_ words: String = "") throws(FlatteningError) -> [ArchivedDocument] {
        var query = ArchiveQuery(words: words)
        query.kind = DocumentKind.businessCard.rawValue
        query.order = .name
        return try documents(query)
    }

    /// Returns business cards by the beginnings of their identifiers.
    /// - Throws: `.badInput` for other documents, as contact commands are not meant for them.
    func cards(beginning starts: [String]) throws(FlatteningError) -> [ArchivedDocument] {
        let found = try documents(beginning: starts)
        if let other = found.first(where: { $0.contact == nil }) {
            throw FlatteningError(
                .badInput, "the document is no business card", file: path, stage: .contacts,
                seen: other.summary.kind, advice: "flatten archive changes and removes other documents")
        }
        return found
    }
}

/// `--json`: how contacts are shown.
struct ListingArguments: ParsableArguments {
    @Flag(help: "Show all that is known, as JSON.")
    var json = false

    /// Shows contacts on standard output, one line each.
    func show(_ contacts: [StoredContact]) throws(FlatteningError) {
        try TextOutput.write(
            json ? ShownJSON.text(of: contacts, stage: .contacts) : contacts.map(\.line).joined())
    }

    /// Shows groups of contacts, separated by empty lines.
    func show(_ groups: [[StoredContact]]) throws(FlatteningError) {
        try TextOutput.write(
            json
                ? ShownJSON.text(of: groups, stage: .contacts)
                : groups.map { $0.map(\.line).joined() }.joined(separator: "\n"))
    }
}

extension ListingArguments {
    /// Shows cards of an archive on standard output, one line each.
    func show(_ cards: [ArchivedDocument]) throws(FlatteningError) {
        try TextOutput.write(
            json ? ShownJSON.text(of: cards, stage: .contacts) : cards.map(\.contactLine).joined())
    }

    /// Shows groups of cards, separated by empty lines.
    func show(_ groups: [[ArchivedDocument]]) throws(FlatteningError) {
        try TextOutput.write(
            json
                ? ShownJSON.text(of: groups, stage: .contacts)
                : groups.map { $0.map(\.contactLine).joined() }.joined(separator: "\n"))
    }
}

extension ArchivedDocument {
    /// The same line as for a stored contact, with the beginning of its identifier.
    fileprivate var contactLine: String {
        let contact = contact ?? Contact()
        return
            ([
                String(id.uuidString.prefix(8)), contact.names.first?.value.full ?? "",
                contact.organisation?.value ?? "", contact.title?.value ?? "",
                contact.phones.map(\.value.number).joined(separator: ", "),
                contact.emails.map(\.value).joined(separator: ", "),
            ]).map(\.visible).joined(separator: "\t") + "\n"
    }
}

extension StoredContact {
    /// Number, name, organisation, title, telephone numbers and mail addresses, separated by tabs.
    var line: String {
        func all(_ field: StoredValue.Field) -> String {
            values.filter { $0.field == field }.map(\.text).joined(separator: ", ")
        }
        return
            ([String(id)]
            + [
                text(of: .name) ?? "", text(of: .organisation) ?? "", text(of: .title) ?? "", all(.phone),
                all(.email),
            ])
            .map(\.visible).joined(separator: "\t") + "\n"
    }
}

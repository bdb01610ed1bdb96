import ArgumentParser
import ContactStore
import Diagnostics
import Platform
import LocalFiles
import ReceiptFlattening

/// `flatten cards`: contacts of business cards, kept in a file.
struct CardsCommand: ParsableCommand, PreparedCommand {
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
            --json shows all that is known.

            Exit codes: those of flatten; \(ExitReason.someFailed.rawValue) if in some of the captures no contact was found, \
            or some failed.
            """,
        subcommands: [
            Add.self, List.self, Search.self, Duplicates.self, Merge.self, Export.self, Remove.self,
        ])

    static let preparation = ArgumentWords.cards
}

/// `--store`: the file of contacts.
struct StoreArguments: ParsableArguments {
    @Option(help: ArgumentHelp("The store.", valueName: "file"), completion: .file())
    var store: String

    @OptionGroup var verbosity: VerbosityArguments

    /// Does a command's work on the store.
    func use(
        _ access: ContactBook.Access = .existing,
        _ work: (ContactBook, Console) throws(FlatteningError) -> Void
    ) throws {
        try withExitCodes(verbosity) { console throws(FlatteningError) in
            try work(try ContactBook(path: store, access: access), console)
        }
    }
}

/// `--json`: how contacts are shown.
struct ListingArguments: ParsableArguments {
    @Flag(help: "Show all that is known, as JSON.")
    var json = false

    /// Shows contacts on standard output, a line each.
    func show(_ contacts: [StoredContact]) throws(FlatteningError) {
        try TextOutput.write(
            json ? ShownJSON.text(of: contacts, stage: .contacts) : contacts.map(\.line).joined())
    }

    /// Shows groups of contacts, an empty line between two.
    func show(_ groups: [[StoredContact]]) throws(FlatteningError) {
        try TextOutput.write(
            json
                ? ShownJSON.text(of: groups, stage: .contacts)
                : groups.map { $0.map(\.line).joined() }.joined(separator: "\n"))
    }
}

extension StoredContact {
    /// Number, name, organisation, title, telephone numbers and mail addresses, with tabs between them.
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

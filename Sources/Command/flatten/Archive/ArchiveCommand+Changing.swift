import ArgumentParser
import Diagnostics
import DocumentArchive
import Platform
import ReceiptFlattening
import ScalarText

extension ArchiveCommand {
    /// `flatten archive set ID NAME=VALUE ...`.
    struct Set: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Enter values of a document, which win over what was read.",
            discussion: """
                Names are those of the report's fields (merchant, date, total, currency ...), kind, or any other in small letters. \
                An empty value takes back what was entered.
                """)

        @Argument(help: ArgumentHelp("The document.", valueName: "id"))
        var id: String

        @Argument(help: ArgumentHelp("What it is to say.", valueName: "name=value"))
        var values: [String] = []

        @Option(help: "A tag that it gets; may be given several times.") var tag: [String] = []
        @Option(help: "A tag that it loses; may be given several times.") var untag: [String] = []
        @Option(help: "Its notes.") var notes: String?

        @OptionGroup var store: ArchiveArguments
        @OptionGroup var listing: DocumentListing

        mutating func validate() throws {
            guard !values.isEmpty || !tag.isEmpty || !untag.isEmpty || notes != nil else {
                throw ValidationError("there is nothing to change: say name=value, --tag, --untag or --notes")
            }
            for value in values where !value.contains("=") {
                throw ValidationError("a value is entered as name=value (seen: \(value))")
            }
        }

        func run() throws {
            var change = ArchiveChange()
            for value in values {
                let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                change.values[String(parts[0])] = .some(parts[1].isEmpty ? nil : String(parts[1]))
            }
            change.addedTags = tag
            change.removedTags = untag
            change.notes = notes
            let wanted = change
            try store.use { archive, _ throws(FlatteningError) in
                let document = try archive.document(beginning: id)
                try listing.show([
                    try archive.change(document.id, wanted, date: SourceDate.current ?? Date())
                ])
            }
        }
    }

    /// `flatten archive undo ID`.
    struct Undo: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take back the last change of a document, or its merger.")

        @Argument(help: ArgumentHelp("The document.", valueName: "id"))
        var id: String

        @OptionGroup var store: ArchiveArguments
        @OptionGroup var listing: DocumentListing

        func run() throws {
            try store.use { archive, _ throws(FlatteningError) in
                let document = try archive.document(beginning: id)
                try listing.show([try archive.undo(document.id, date: SourceDate.current ?? Date())])
            }
        }
    }

    /// `flatten archive remove ID ...`.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove documents with their files, and overwrite what was known of them.")

        @Argument(help: ArgumentHelp("The documents.", valueName: "id"))
        var ids: [String]

        @OptionGroup var store: ArchiveArguments

        func run() throws {
            try store.use { archive, _ throws(FlatteningError) in
                let documents = try archive.documents(beginning: ids)
                try archive.remove(documents.map(\.id))
            }
        }
    }

    /// `flatten archive merge ID ID ...`.
    struct Merge: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make one document of several that show the same paper: the first stays in view.")

        @Argument(help: ArgumentHelp("The documents.", valueName: "id"))
        var ids: [String]

        @OptionGroup var store: ArchiveArguments
        @OptionGroup var listing: DocumentListing

        func run() throws {
            try store.use { archive, _ throws(FlatteningError) in
                let documents = try archive.documents(beginning: ids)
                try listing.show([
                    try archive.merge(documents.map(\.id), date: SourceDate.current ?? Date())
                ])
            }
        }
    }
}

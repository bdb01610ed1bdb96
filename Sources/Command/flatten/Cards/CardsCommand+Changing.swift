import ArgumentParser
import ContactStore
import Diagnostics
import DocumentArchive
import Platform
import ReceiptFlattening

extension CardsCommand {
    /// `flatten cards merge ID ID ...`.
    struct Merge: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make one contact of several.",
            discussion: """
                The least number stays. Every value is kept once: what was entered by hand first, then those of the contact \
                that changed last.
                """)

        @Argument(help: ArgumentHelp("The numbers of the contacts.", valueName: "id"))
        var ids: [String] = []

        @Flag(help: "Merge every group of duplicates.")
        var all = false

        @OptionGroup var store: StoreArguments
        @OptionGroup var listing: ListingArguments

        mutating func validate() throws {
            guard all ? ids.isEmpty : Set(ids).count > 1 else {
                throw ValidationError("name two contacts or more by their numbers, or give --all")
            }
        }

        func run() throws {
            try store.use { book, _ throws(FlatteningError) in
                let groups = all ? try book.duplicates().map { $0.map(\.id) } : [try store.numbers(ids)]
                var merged: [StoredContact] = []
                for group in groups {
                    merged.append(try book.merge(group, date: SourceDate.current ?? Date()))
                }
                try listing.show(merged)
            } onArchive: { archive, _ throws(FlatteningError) in
                let groups =
                    all ? try archive.sameContacts() : [try archive.cards(beginning: ids)]
                try listing.show(
                    groups.map { group throws(FlatteningError) in
                        try archive.merge(group.map(\.id), date: SourceDate.current ?? Date())
                    })
            }
        }
    }

    /// `flatten cards remove ID ...`.
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove contacts, and overwrite them in the file.")

        @Argument(help: ArgumentHelp("The numbers of the contacts.", valueName: "id"))
        var ids: [String]

        @OptionGroup var store: StoreArguments

        func run() throws {
            try store.use { book, _ throws(FlatteningError) in
                try book.remove(try store.numbers(ids))
            } onArchive: { archive, _ throws(FlatteningError) in
                try archive.remove(try archive.cards(beginning: ids).map(\.id))
            }
        }
    }
}

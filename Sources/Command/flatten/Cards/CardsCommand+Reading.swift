import ArgumentParser
import ContactStore
import Diagnostics
import DocumentArchive
import ReceiptFlattening

extension CardsCommand {
    /// `flatten cards list`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show all contacts, by their names.")

        @OptionGroup var store: StoreArguments
        @OptionGroup var listing: ListingArguments

        func run() throws {
            try store.use { book, _ throws(FlatteningError) in
                try listing.show(try book.contacts())
            } onArchive: { archive, _ throws(FlatteningError) in
                try listing.show(try archive.cards())
            }
        }
    }

    /// `flatten cards search WORD ...`.
    struct Search: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the contacts in which all words are found, the best first.",
            discussion: """
                A word is found where a word of a contact begins with it, accents and capitals aside, or where a mail address, \
                web address or number holds it in its middle; the latter takes three signs.
                """)

        @Argument(help: "What to look for.")
        var words: [String]

        @OptionGroup var store: StoreArguments
        @OptionGroup var listing: ListingArguments

        func run() throws {
            try store.use { book, _ throws(FlatteningError) in
                try listing.show(try book.search(words.joined(separator: " ")))
            } onArchive: { archive, _ throws(FlatteningError) in
                try listing.show(try archive.cards(words.joined(separator: " ")))
            }
        }
    }

    /// `flatten cards duplicates`.
    struct Duplicates: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show contacts that are most likely the same, in groups.",
            discussion: """
                The same are contacts with one mail address of a person, one mobile number, or like names at like \
                organisations. A number or mailbox that colleagues share counts only with like names.
                """)

        @OptionGroup var store: StoreArguments
        @OptionGroup var listing: ListingArguments

        func run() throws {
            try store.use { book, _ throws(FlatteningError) in
                try listing.show(try book.duplicates())
            } onArchive: { archive, _ throws(FlatteningError) in
                try listing.show(try archive.sameContacts())
            }
        }
    }
}

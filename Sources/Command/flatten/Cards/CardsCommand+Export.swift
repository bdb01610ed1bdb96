import ArgumentParser
import ContactStore
import Diagnostics
import DocumentArchive
import Documents
import LocalFiles
import ReceiptFlattening

extension CardsCommand {
    /// `flatten cards export [ID ...] -o FILE`.
    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write contacts as vCards or as a table.",
            discussion: """
                Of a contact with several organisations, titles or addresses the first of each is written. In a table no \
                cell is a formula.
                """)

        @Argument(help: ArgumentHelp("The numbers of the contacts; all by default.", valueName: "id"))
        var ids: [String] = []

        @Option(
            name: .shortAndLong, help: "The file: vCards for .vcf, a table for .csv.",
            completion: .file(extensions: ["vcf", "csv"]))
        var output: String

        @Option(help: "Version of the vCards.")
        var vcard: VCard.Version = .v4

        @OptionGroup var store: StoreArguments

        mutating func validate() throws {
            guard ContactFileFormat(path: output) != nil else {
                throw ValidationError("--output \(output): contacts are written as .vcf or .csv")
            }
        }

        func run() throws {
            try OutputPlan(
                outputs: [.init(option: "--output", path: output)],
                inputs: [.init(option: "--store", path: store.store)], capture: ""
            ).check(.replaced)
            try store.use { book, _ throws(FlatteningError) in
                try write(
                    (ids.isEmpty ? try book.contacts() : try book.contacts(try store.numbers(ids))).map(
                        \.contact))
            } onArchive: { archive, _ throws(FlatteningError) in
                try write(
                    (ids.isEmpty ? try archive.cards() : try archive.cards(beginning: ids)).compactMap(
                        \.contact))
            }
        }

        private func write(_ contacts: [Contact]) throws(FlatteningError) {
            let text =
                switch ContactFileFormat(path: output) {
                case .table: ContactTable.csv(of: contacts)
                case .vCard, nil: contacts.map { VCard.text(of: $0, version: vcard) }.joined()
                }
            try AtomicFile.replace(output, with: Array(text.utf8))
        }
    }
}

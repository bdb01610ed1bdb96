import ArgumentParser
import Diagnostics
import DocumentArchive
import Documents
import LocalFiles
import Platform
import ReceiptFlattening

extension ArchiveCommand {
    /// `flatten archive list [WORD ...]`.
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show documents, the latest day first: all, or those in which all words are found.",
            discussion: """
                A word is found where a word of print, values, notes or tags begins with it, accents and capitals aside; one \
                with a digit and three signs or more also in the middle of numbers. Each document is a line: identifier, day, \
                kind, merchant or whom a card is of, sum, currency.
                """)

        @Argument(help: "What to look for.")
        var words: [String] = []

        @OptionGroup var store: ArchiveArguments
        @OptionGroup var listing: DocumentListing

        @OptionGroup var choice: DocumentChoice
        @Option(help: "In which order: the latest day first, or by whom cards are of.")
        var order = ArchiveQuery.Order.latest
        @Option(help: "How many at most.") var limit: Int?
        @Option(help: "How many are passed over.") var offset: Int?

        mutating func validate() throws {
            for (name, number) in [("--limit", limit), ("--offset", offset)] {
                if let number, number < 0 { throw ValidationError("\(name) is no number below 0") }
            }
        }

        func run() throws {
            var asked = choice.query(words: words)
            asked.order = order
            try store.use { [asked] archive, _ throws(FlatteningError) in
                try listing.show(
                    try archive.list(asked, offset: offset ?? 0, limit: limit ?? .max), of: archive)
            }
        }
    }

    /// `flatten archive totals [WORD ...]`.
    struct Totals: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Show what documents come to, by month, year, merchant, tag, kind or category, and currency.",
            discussion: """
                Each group and currency is a line: group, sum, currency, how many documents have a sum, how many have none. \
                Nothing is converted; what is merged counts once. Which documents are summed is said as for list.
                """)

        @Argument(help: "Words that are found in the documents.")
        var words: [String] = []

        @Option(help: "By what documents are summed.") var by = ArchiveTotal.Grouping.month
        @Flag(help: "Show them as JSON.") var json = false

        @OptionGroup var store: ArchiveArguments
        @OptionGroup var choice: DocumentChoice

        func run() throws {
            let asked = choice.query(words: words)
            try store.use { archive, _ throws(FlatteningError) in
                let totals = try archive.totals(asked, by: by)
                try TextOutput.write(
                    json
                        ? try ShownJSON.text(of: totals, stage: .documents)
                        : totals.map(\.line).joined())
            }
        }
    }

    /// `flatten archive taxes [WORD ...]`.
    struct Taxes: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the taxes of documents by rate and currency.",
            discussion: """
                Each rate and currency is a line: rate in percent, what the taxes are taken from, taxes, currency, how many lines of \
                tax. What is not printed is left out: the rate where only the sum of taxes is known, what they are taken from \
                where one of the documents does not say. Which documents are summed is said as for list.
                """)

        @Argument(help: "Words that are found in the documents.")
        var words: [String] = []

        @Flag(help: "Show them as JSON.") var json = false

        @OptionGroup var store: ArchiveArguments
        @OptionGroup var choice: DocumentChoice

        func run() throws {
            let asked = choice.query(words: words)
            try store.use { archive, _ throws(FlatteningError) in
                let taxes = try archive.taxes(asked)
                try TextOutput.write(
                    json
                        ? try ShownJSON.text(of: taxes, stage: .documents)
                        : taxes.map(\.line).joined())
            }
        }
    }

    /// `flatten archive show ID ...`.
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show documents with all their values, or write a file of one.")

        @Argument(help: ArgumentHelp("The documents.", valueName: "id"))
        var ids: [String]

        @Option(
            help: "Which file of the document is written to --output: original, flat, pdf, text, thumbnail.")
        var file = ArchivedDocument.File.Role.flat

        @Option(name: .shortAndLong, help: "Where a file of the document is written.", completion: .file())
        var output: String?

        @OptionGroup var store: ArchiveArguments
        @OptionGroup var listing: DocumentListing

        mutating func validate() throws {
            if output != nil, ids.count != 1 { throw ValidationError("--output is for one document") }
        }

        func run() throws {
            try store.use { archive, _ throws(FlatteningError) in
                let documents = try archive.documents(beginning: ids)
                guard let output else { return try listing.show(documents) }
                guard let found = documents[0].files(file).first else {
                    throw FlatteningError(
                        .badInput, "the document has no such file", file: store.archive, stage: .documents,
                        seen: file.rawValue,
                        allowed: documents[0].files.map(\.role.rawValue).joined(separator: ", "))
                }
                try AtomicFile.replace(output, with: Array(try archive.contents(of: found)))
            }
        }
    }

    /// `flatten archive duplicates`.
    struct Duplicates: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show documents that are most likely the same paper, in groups.",
            discussion: """
                The same are documents most of whose words are, unless both tell another day, time, sum or number. merge makes \
                one of them, and undo of that one brings the others back.
                """)

        @OptionGroup var store: ArchiveArguments

        func run() throws {
            try store.use { archive, _ throws(FlatteningError) in
                try TextOutput.write(
                    try archive.duplicates().map { $0.map(\.line).joined() }.joined(separator: "\n"))
            }
        }
    }

    /// `flatten archive check`.
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Read every byte of the archive, and say what is not as it was written.")

        @OptionGroup var store: ArchiveArguments

        func run() throws {
            var problems: [String] = []
            try store.use { archive, console throws(FlatteningError) in
                problems = try archive.check()
                for problem in problems { console.fail(problem) }
            }
            if !problems.isEmpty { throw ExitCode(ExitReason.someFailed.rawValue) }
        }
    }
}

/// Which documents are selected, besides by words.
struct DocumentChoice: ParsableArguments {
    @Option(help: "Of this merchant, in any of its spellings.") var merchant: String?
    @Option(help: ArgumentHelp("From this day on.", valueName: "day")) var since: String?
    @Option(help: ArgumentHelp("Until this day.", valueName: "day")) var until: String?
    @Option(help: ArgumentHelp("With this sum or more.", valueName: "amount")) var least: String?
    @Option(help: ArgumentHelp("With this sum or less.", valueName: "amount")) var most: String?
    @Option(help: "With a sum in this currency.") var currency: String?
    @Option(help: "Of this kind: receipt, invoice ...") var kind: String?
    @Option(help: "Of sellers of this: groceries, restaurant, fuel ...") var category: String?
    @Option(help: "With this tag.") var tag: String?
    @Option(help: "With a bar code that says this.") var code: String?
    @Flag(help: "Read by another version of the program, so that reread may read more.") var outdated = false

    @Option(
        help: ArgumentHelp(
            "That export did not write for this name yet as they are now; export notes that it did.",
            valueName: "name"))
    var newFor: String?

    mutating func validate() throws {
        if newFor?.isEmpty == true { throw ValidationError("--new-for needs a name") }
        for (name, day) in [("--since", since), ("--until", until)] {
            if let day, !ArchiveQuery.isDay(day) {
                throw ValidationError("\(name) is a day, as 2026-11-26 (seen: \(day))")
            }
        }
        for (name, amount) in [("--least", least), ("--most", most)] {
            if let amount, Decimal(string: amount) == nil {
                throw ValidationError("\(name) is an amount, as 12.50 (seen: \(amount))")
            }
        }
    }

    /// The query.
    func query(words: [String]) -> ArchiveQuery {
        var query = ArchiveQuery(words: words.joined(separator: " "))
        query.merchant = merchant
        query.since = since
        query.until = until
        query.least = least.flatMap { Decimal(string: $0) }
        query.most = most.flatMap { Decimal(string: $0) }
        query.currency = currency
        query.kind = kind
        query.category = category
        query.tag = tag
        query.code = code
        query.isOutdated = outdated
        query.newFor = newFor
        return query
    }
}

extension ArchiveTotal {
    /// Group, sum, currency, documents with and without a sum, with tabs between them.
    fileprivate var line: String {
        let sum = total.text(leastFractionDigits: currency.map(Currency.fractionDigits) ?? 2)
        return [group.visible, sum, (currency ?? "").visible, "\(count)", "\(withoutSum)"]
            .joined(separator: "\t") + "\n"
    }
}

extension ArchiveTax {
    /// Rate, base, tax, currency, how many lines, with tabs between them.
    fileprivate var line: String {
        func text(_ sum: Decimal) -> String {
            sum.text(leastFractionDigits: currency.map(Currency.fractionDigits) ?? 2)
        }
        return [
            (rate ?? "").visible, base.map(text) ?? "", text(tax), (currency ?? "").visible, "\(count)",
        ].joined(separator: "\t") + "\n"
    }
}

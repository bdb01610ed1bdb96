import Documents
import Platform
package import ReceiptFlattening
import TextFormats

/// The page of a batch: a card for each sheet, those that need a look first, and a search over names and totals.
///
/// Images are files beside the page, loaded when they come into view.
package struct Gallery: Sendable {
    /// One sheet, or a capture that failed.
    package struct Card: Codable, Equatable, Sendable {
        /// The sheet's number, counted from 1; nil where sheets have no numbers.
        package var sheet: Int?
        /// Merchant and day, as far as they were read.
        package var title: String
        /// The total with its currency; "" if none was read.
        package var total: String
        /// The report's confidence, 0 to 1.
        package var confidence: Double
        /// Why a person should look at the sheet; empty if there is no reason.
        package var doubts: [String]
    }

    /// Confidence below which a result is called doubtful, 0 to 1: the middle of the scale, where the step that was
    /// taken is as unsure as sure.
    fileprivate static let leastConfidence = 0.5

    /// A card with its name and its files.
    private struct Entry {
        var name: String
        var page: String?
        var thumbnail: String?
        var card: Card
        var failure: String?

        /// Failed entries come first, then doubtful ones.
        var rank: Int { failure != nil ? 0 : card.doubts.isEmpty ? 2 : 1 }
    }

    private var entries: [Entry] = []

    /// An empty gallery.
    package init() {}

    /// Adds a sheet.
    /// - Parameters:
    ///   - name: the name of the sheet's files.
    ///   - page: the sheet's page, a file beside the gallery; nil if there is none.
    ///   - thumbnail: the sheet's small image, likewise.
    package mutating func add(_ card: Card, name: String, page: String?, thumbnail: String?) {
        entries.append(Entry(name: name, page: page, thumbnail: thumbnail, card: card))
    }

    /// Adds a capture that failed.
    package mutating func add(failure: String, name: String) {
        let card = Card(sheet: nil, title: "", total: "", confidence: 0, doubts: [])
        entries.append(Entry(name: name, card: card, failure: failure))
    }

    /// The page. O(cards log cards).
    package var html: String {
        // Sorting is not stable, so the order in which entries were added decides among equals.
        let ordered = entries.enumerated().sorted {
            ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset)
        }
        let cards = ordered.map { Self.markup(of: $0.element) }
        let counts = (0...2).map { rank in entries.count { $0.rank == rank } }
        let body = """
            <header><h1>Receipts</h1><p class="facts">\(counts[2]) done, \(counts[1]) doubtful, \(counts[0]) failed</p>
            </header>
            <search class="scripted"><label for="sought">Search names and totals</label>
            <input id="sought" type="search" autocomplete="off" /> <span id="shown" role="status"></span></search>
            <main><ol>
            \(cards.joined(separator: "\n"))
            </ol><div id="end"></div></main>
            """
        return Markup.page(
            title: "Receipts", generator: Markup.indexGenerator, code: .gallery, images: "'self' file:",
            body: body)
    }

    private static func markup(of entry: Entry) -> String {
        let state = ["failed", "doubtful", "done"][entry.rank]
        let card = entry.card
        let words = [entry.name, card.title, card.total, state].joined(separator: " ").lowercased()
        let name = Markup.escaped(entry.name)
        let heading = entry.page.map { "<a href=\"\(linkTo($0))\">\(name)</a>" } ?? name
        let picture =
            entry.thumbnail.map {
                "<img src=\"\(linkTo($0))\" alt=\"\" loading=\"lazy\" width=\"160\" height=\"144\" />"
            } ?? ""
        let lines = [card.title, card.total, entry.failure ?? card.doubts.joined(separator: "; ")]
            .filter { !$0.isEmpty }.map { "<p>\(Markup.escaped($0))</p>" }
        return
            "<li class=\"\(state)\" data-words=\"\(Markup.escaped(words))\">\(picture)<p><strong>\(heading)</strong>"
            + " <span class=\"state\">\(state)</span></p>\(lines.joined())</li>"
    }
}

extension Gallery.Card {
    /// The longest text of a card, in characters, and the most doubts: a card shows some dozen words.
    private static let (longestText, mostDoubts) = (200, 20)

    /// Whether the card keeps to the limits of `init(_:)`: a card that another process wrote may hold anything.
    package var isBounded: Bool {
        confidence.isFinite && doubts.count <= Self.mostDoubts
            && ([title, total] + doubts).allSatisfy { $0.count <= Self.longestText }
    }

    /// Creates the card of a page; if the page continues the receipt of a page before, the card says so.
    package init(_ page: FlattenedPage) {
        let report = page.report
        var doubts = report.warnings
        if !report.foundSheet { doubts.append("no sheet was found") }
        if report.confidence < Gallery.leastConfidence {
            doubts.append("confidence \(Int((report.confidence * 100).rounded())) %")
        }
        doubts += report.fields?.contradictions ?? []
        func bounded(_ text: String) -> String { String(text.prefix(Self.longestText)) }
        let total = report.fields?[.total].map { total in
            [total.value, report.fields?[.currency]?.value ?? ""].joined(separator: " ")
        }
        self.init(
            sheet: report.sheet?.index,
            title: bounded(
                page.isContinuation ? report.fieldsMissing ?? "" : page.fields.map(\.title) ?? ""),
            total: bounded(total ?? ""), confidence: report.confidence,
            doubts: doubts.prefix(Self.mostDoubts).map(bounded))
    }
}

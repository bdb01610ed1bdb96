import Platform
package import ReceiptFlattening
import TextFormats

/// The page of a batch: a card for each sheet, what needs a look first, and a search over names and totals.
///
/// Pictures are files beside the page, loaded when they come into view.
package struct Gallery: Sendable {
    /// One sheet, or a capture that failed.
    package struct Card: Codable, Equatable, Sendable {
        /// Counted from 1 where sheets have numbers.
        package var sheet: Int?
        /// Merchant and day, as far as they were read.
        package var title: String
        /// The total with its currency; "" if none was read.
        package var total: String
        /// The report's confidence, 0 to 1.
        package var confidence: Double
        /// Why a person should look at it; empty if nothing speaks for that.
        package var doubts: [String]
    }

    /// The confidence, 0 to 1, below which a result is called doubtful: the middle of the scale, where the step that was
    /// taken trusts itself no more than not.
    fileprivate static let leastConfidence = 0.5

    /// A card with where it belongs.
    private struct Entry {
        var name: String
        var page: String?
        var thumbnail: String?
        var card: Card
        var failure: String?

        /// Failed ones first, then doubtful ones.
        var rank: Int { failure != nil ? 0 : card.doubts.isEmpty ? 2 : 1 }
    }

    private var entries: [Entry] = []

    /// An empty gallery.
    package init() {}

    /// Adds a sheet.
    /// - Parameters:
    ///   - name: what its files are called.
    ///   - page: its page, a file beside the gallery; nil if there is none.
    ///   - thumbnail: its small picture, likewise.
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
        // Sorting is not stable: the order in which they were added decides among equals.
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
    /// The longest that a text of a card is, in characters, and the most doubts: a card shows some dozen words.
    private static let (longestText, mostDoubts) = (200, 20)

    /// Whether this is a card as `init(_:)` makes them: what another process wrote may be anything.
    package var isBounded: Bool {
        confidence.isFinite && doubts.count <= Self.mostDoubts
            && ([title, total] + doubts).allSatisfy { $0.count <= Self.longestText }
    }

    /// The card of a page; where the receipt of a page before goes on, it says so.
    package init(_ page: FlattenedPage) {
        let report = page.report
        var doubts = report.warnings
        if !report.foundSheet { doubts.append("no sheet was found") }
        if report.confidence < Gallery.leastConfidence {
            doubts.append("confidence \(Int((report.confidence * 100).rounded())) %")
        }
        doubts += report.fields?.contradictions ?? []
        func bounded(_ text: String) -> String { String(text.prefix(Self.longestText)) }
        let total = report.fields?.total.map { total in
            [total.value, report.fields?.currency?.value ?? ""].joined(separator: " ")
        }
        self.init(
            sheet: report.sheet?.index,
            title: bounded(
                page.isContinuation ? report.fieldsMissing ?? "" : page.fields.map(\.title) ?? ""),
            total: bounded(total ?? ""), confidence: report.confidence,
            doubts: doubts.prefix(Self.mostDoubts).map(bounded))
    }
}

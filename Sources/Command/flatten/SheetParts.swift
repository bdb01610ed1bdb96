import Diagnostics
import Platform
import LocalFiles
import ReceiptFlattening
import ReceiptOutputs
import TextFormats

/// The parts of each capture that a worker keeps until the batch assembles the outputs of several captures.
///
/// A worker is not trusted: rows and pages come as values, and the batch itself writes CSV and PDF from them.
enum SheetParts {
    /// Writes the rows of a capture's receipts.
    static func writeTable(_ table: ReceiptTable, to path: String) throws(FlatteningError) {
        try AtomicFile.replace(path, with: Array(try encoded(table)))
    }

    /// Reads the rows that `writeTable` wrote.
    static func table(at path: String) throws(FlatteningError) -> ReceiptTable {
        try decoded(ReceiptTable.self, from: read(path, most: tableBytes)[...], path: path)
    }

    /// Writes the cards of a capture's receipts.
    static func writeCards(_ cards: [Gallery.Card], to path: String) throws(FlatteningError) {
        try AtomicFile.replace(path, with: Array(try encoded(cards)))
    }

    /// Reads the cards that `writeCards` wrote.
    static func cards(at path: String) throws(FlatteningError) -> [Gallery.Card] {
        let cards = try decoded([Gallery.Card].self, from: read(path, most: tableBytes)[...], path: path)
        guard cards.allSatisfy(\.isBounded) else { throw broken(path) }
        return cards
    }

    /// Writes the values of a document's page.
    static func writeValues(_ page: FlattenedPage, to path: String) throws(FlatteningError) {
        try AtomicFile.replace(path, with: Array(try encoded(page)))
    }

    /// Reads the page that `writeValues` wrote.
    static func values(at path: String) throws(FlatteningError) -> FlattenedPage {
        try decoded(FlattenedPage.self, from: read(path, most: valuesBytes)[...], path: path)
    }

    /// Reads the text of the page that `writeValues` wrote; nil if it wrote none.
    static func text(ofValuesAt path: String) throws(FlatteningError) -> PagedReceipt.Page? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 || errno != ENOENT else { return nil }
        return try decoded(
            FlattenedPage.StoredText.self, from: read(path, most: valuesBytes)[...], path: path
        ).page
    }

    /// Writes the pages of a capture's receipts: for each a line of JSON and the bytes of its image.
    static func writePages(_ pages: [SheetPage], to path: String) throws(FlatteningError) {
        try AtomicFile.replace(path) { (file) throws(FlatteningError) in
            for page in pages {
                let head = PageHead(page: page.page, title: page.title, pictureBytes: page.picture.count)
                try file.write(Array(try encoded(head)) + [UInt8(ascii: "\n")])
                try file.write(page.picture)
            }
        }
    }

    /// Reads the pages that `writePages` wrote.
    static func pages(at path: String) throws(FlatteningError) -> [SheetPage] {
        try pages(in: read(path, most: pagesBytes), path: path)
    }

    /// Decodes the pages in a file's bytes.
    /// - Parameter path: the file's name.
    static func pages(in bytes: [UInt8], path: String) throws(FlatteningError) -> [SheetPage] {
        var rest = bytes[...]
        var pages: [SheetPage] = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            let head = try decoded(PageHead.self, from: rest[..<end], path: path)
            let picture = rest[(end + 1)...].prefix(max(head.pictureBytes, 0))
            guard picture.count == head.pictureBytes, head.page.hasSize else { throw broken(path) }
            pages.append(SheetPage(page: head.page, title: head.title, picture: Array(picture)))
            rest = rest[picture.endIndex...]
        }
        guard rest.isEmpty else { throw broken(path) }
        return pages
    }

    /// The header before a page's image.
    private struct PageHead: Codable {
        var page: SearchablePDF.Page
        var title: String
        var pictureBytes: Int
    }

    /// The largest files accepted from a worker: for rows, a receipt of 64 KiB for each number that a sheet may have; for
    /// pages, eight times the largest JPEG of 64 megapixels, some 64 MiB; for values, ten times those of a scanned letter.
    private static let (tableBytes, pagesBytes, valuesBytes) = (64 << 20, 512 << 20, 16 << 20)

    private static func read(_ path: String, most bytes: Int) throws(FlatteningError) -> [UInt8] {
        var limits = FlatteningLimits()
        limits.maximumFileBytes = bytes
        return try InputFile.read(path: path, limits: limits, kind: .sequence).bytes
    }

    private static func encoded(_ value: some Encodable) throws(FlatteningError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(value)
        } catch {
            throw FlatteningError(
                .internalInconsistency, "what was read cannot be written as JSON", stage: .write,
                detail: "\(error)")
        }
    }

    private static func decoded<Value: Decodable>(
        _ type: Value.Type, from bytes: ArraySlice<UInt8>, path: String
    ) throws(FlatteningError) -> Value {
        guard let value = try? JSONDecoder().decode(type, from: Data(bytes)) else { throw broken(path) }
        return value
    }

    static func broken(_ path: String) -> FlatteningError {
        FlatteningError(
            .badInput, "this is not what a worker writes", file: path, stage: .batch,
            advice: "Remove it; --resume makes it anew")
    }
}

extension SearchablePDF.Page {
    /// Whether its size is possible for an image: even PNG, which allows the longest sides, ends there.
    fileprivate var hasSize: Bool { [width, height].allSatisfy { (1...1 << 24).contains($0) } }
}

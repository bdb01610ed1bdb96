import Diagnostics
import Platform
import LocalFiles
import ReceiptFlattening
import ReceiptOutputs
import TextFormats

/// What a worker keeps of each capture until the batch puts together what is of several.
///
/// A worker is not trusted: rows and pages come as values, and it is the batch that writes CSV and PDF of them.
enum SheetParts {
    /// Writes the rows of a capture's receipts.
    static func writeTable(_ table: ReceiptTable, to path: String) throws(FlatteningError) {
        try AtomicFile.replace(path, with: Array(try encoded(table)))
    }

    /// The rows that `writeTable` wrote.
    static func table(at path: String) throws(FlatteningError) -> ReceiptTable {
        try decoded(ReceiptTable.self, from: read(path, most: tableBytes)[...], path: path)
    }

    /// Writes the cards of a capture's receipts.
    static func writeCards(_ cards: [Gallery.Card], to path: String) throws(FlatteningError) {
        try AtomicFile.replace(path, with: Array(try encoded(cards)))
    }

    /// The cards that `writeCards` wrote.
    static func cards(at path: String) throws(FlatteningError) -> [Gallery.Card] {
        let cards = try decoded([Gallery.Card].self, from: read(path, most: tableBytes)[...], path: path)
        guard cards.allSatisfy(\.isBounded) else { throw broken(path) }
        return cards
    }

    /// Writes what a page of a document says.
    static func writeValues(_ page: FlattenedPage, to path: String) throws(FlatteningError) {
        try AtomicFile.replace(path, with: Array(try encoded(page)))
    }

    /// The page that `writeValues` wrote.
    static func values(at path: String) throws(FlatteningError) -> FlattenedPage {
        try decoded(FlattenedPage.self, from: read(path, most: valuesBytes)[...], path: path)
    }

    /// What was read on the page that `writeValues` wrote; nil where it wrote none.
    static func text(ofValuesAt path: String) throws(FlatteningError) -> PagedReceipt.Page? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 || errno != ENOENT else { return nil }
        return try decoded(
            FlattenedPage.StoredText.self, from: read(path, most: valuesBytes)[...], path: path
        ).page
    }

    /// Writes the pages of a capture's receipts: each a line of JSON and the bytes of its picture.
    static func writePages(_ pages: [SheetPage], to path: String) throws(FlatteningError) {
        try AtomicFile.replace(path) { (file) throws(FlatteningError) in
            for page in pages {
                let head = PageHead(page: page.page, title: page.title, pictureBytes: page.picture.count)
                try file.write(Array(try encoded(head)) + [UInt8(ascii: "\n")])
                try file.write(page.picture)
            }
        }
    }

    /// The pages that `writePages` wrote.
    static func pages(at path: String) throws(FlatteningError) -> [SheetPage] {
        try pages(in: read(path, most: pagesBytes), path: path)
    }

    /// The pages in a file's bytes.
    /// - Parameter path: what the file is called.
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

    /// What stands before a page's picture.
    private struct PageHead: Codable {
        var page: SearchablePDF.Page
        var title: String
        var pictureBytes: Int
    }

    /// The largest files that are taken from a worker: of rows, a receipt of 64 KiB for each number that a sheet may have;
    /// of pages, eight times the largest JPEG of 64 megapixels, some 64 MiB; of values, ten times what a
    /// scanned letter has.
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
    /// Whether it has the size of a picture that can be: PNG, which has the longest sides, ends there too.
    fileprivate var hasSize: Bool { [width, height].allSatisfy { (1...1 << 24).contains($0) } }
}

import Documents
import ImageFiles
public import Imaging
public import Platform
public import ReceiptFlattening
import TextFormats
import TextRecognition

/// A document to be added to an archive.
public struct NewDocument: Sendable {
    /// A file with its content.
    public struct File: Sendable {
        /// The file's role in the document.
        public var role: ArchivedDocument.File.Role
        /// The file's name.
        public var name: String
        /// The file's content.
        public var content: Data

        /// Creates a file from its content.
        public init(_ role: ArchivedDocument.File.Role, name: String, content: Data) {
            self.role = role
            self.name = name
            self.content = content
        }
    }

    /// The values that were read, by the names of the report's fields, and "kind".
    public var read: [String: ArchivedDocument.Value] = [:]
    /// The values that a person entered.
    public var entered: [String: String] = [:]
    /// Words to find it by.
    public var tags: [String] = []
    /// A person's notes.
    public var notes = ""
    /// The printed text, row by row.
    public var text = ""
    /// The contents of its bar codes.
    public var codes: [String] = []
    /// The report of its flattening, as JSON.
    public var report = ""
    /// The program and version that read the document.
    public var program = ""
    /// All its files except the originals.
    public var files: [File] = []
    /// Whether something was blacked out on it, so that no original is kept with it.
    public private(set) var isRedacted = false
    /// The number of its page, and the page on which the receipt that continues here began; nil if there is none.
    private(set) var page: Int?
    private(set) var continuedPage: Int?
    /// Whether it has contact data.
    private var hasContact = false
    /// A 64-bit hash of the flat image's appearance; nil without an image. See `ImageLikeness`.
    var look: UInt64?

    /// Creates an empty document.
    public init() {}

    /// Creates a document from a flattened receipt: report, text, flat image as PNG, searchable PDF and thumbnail.
    /// - Parameters:
    ///   - receipt: the flattened receipt.
    ///   - name: the name of its files, without an extension.
    /// - Throws: errors of the encoders.
    /// - Complexity: O(pixels).
    public init(_ receipt: FlattenedReceipt, name: String) throws(FlatteningError) {
        let image = receipt.picture.render()
        try self.init(
            report: try receipt.report.json(), text: receipt.text?.string ?? "", image: image,
            files: [
                File(
                    .flat, name: name + ".png",
                    content: try image.pngData(pixelsPerMeter: receipt.pixelsPerMeter)),
                File(.pdf, name: name + ".pdf", content: try receipt.searchablePDF()),
            ]
                + (receipt.text.map { text in
                    [File(.text, name: name + ".json", content: Data(text.formatted(as: .json).utf8))]
                } ?? []),
            name: name)
    }

    /// Creates one document from the pages of a receipt, with the flat images and texts of all.
    /// - Parameters:
    ///   - report: the first page's report, which holds the whole receipt, as JSON.
    ///   - pages: each page as a document of its own; at least one.
    ///   - pdf: all pages, searchable.
    ///   - name: the name of its files, without an extension.
    /// - Throws: `.badInput` for an invalid report.
    package init(report: Data, pages: [NewDocument], pdf: Data, name: String) throws(FlatteningError) {
        var first = pages[0]
        first.read = try ReportFacts(json: report).values
        first.report = String(decoding: report, as: UTF8.self)
        self.init(pages: [first] + pages.dropFirst(), pdf: File(.pdf, name: name + ".pdf", content: pdf))
    }

    /// - Parameter pdf: a PDF of all pages; nil if each page has its own.
    private init(pages: [NewDocument], pdf: File?) {
        self = pages[0]
        codes = pages.flatMap(\.codes)
        text = pages.map(\.text).joined(separator: "\n")
        let all = pages.flatMap(\.files)
        files =
            all.filter { $0.role == .flat } + (pdf.map { [$0] } ?? all.filter { $0.role == .pdf })
            + all.filter { $0.role == .text } + pages[0].files.filter { $0.role == .thumbnail }
        isRedacted = pages.contains(where: \.isRedacted)
    }

    /// Joins pages into documents: pages that one receipt covers, according to their reports, become one document with the
    /// files of all.
    /// - Parameters:
    ///   - pages: the pages in order, as `flatten` wrote them in one run.
    ///   - pdf: a PDF of all pages; it replaces their own if all are one receipt.
    public static func joined(_ pages: [NewDocument], pdf: File? = nil) -> [NewDocument] {
        var receipts: [[NewDocument]] = []
        for page in pages {
            if let first = receipts.last?[0].page, first == page.continuedPage {
                receipts[receipts.count - 1].append(page)
            } else {
                receipts.append([page])
            }
        }
        return receipts.map {
            $0.count == 1 ? $0[0] : NewDocument(pages: $0, pdf: receipts.count == 1 ? pdf : nil)
        }
    }

    /// Makes the document a business card, as when a person adds it to contacts.
    /// - Returns: false for a document without contact data.
    package mutating func becomeCard() -> Bool {
        let card = DocumentKind.businessCard.rawValue
        if read["kind"]?.text != card { entered["kind"] = card }
        return hasContact
    }

    /// Creates a document from the output of `flatten`.
    /// - Parameters:
    ///   - report: JSON.
    ///   - text: the printed text.
    ///   - image: the flat image.
    ///   - files: the files to keep besides the thumbnail.
    ///   - name: the name of its thumbnail, without an extension.
    /// - Throws: `.badInput` for an invalid report.
    public init(report: Data, text: String, image: RGBImage, files: [File], name: String)
        throws(FlatteningError)
    {
        let facts = try ReportFacts(json: report)
        read = facts.values
        codes = facts.codes
        isRedacted = facts.isRedacted
        (page, continuedPage) = (facts.page, facts.continuedPage)
        hasContact = facts.hasContact
        program = facts.program
        self.report = String(decoding: report, as: UTF8.self)
        self.text = text
        let small = image.thumbnail
        self.files =
            files + [File(.thumbnail, name: name + "-small.jpg", content: try small.jpegData(quality: 0.85))]
        look = ImageLikeness.bits(of: small)
    }
}

extension RGBImage {
    /// The image reduced to fit 256 x 256 pixels.
    fileprivate var thumbnail: RGBImage {
        let longest = max(width, height)
        return blockMeans((longest + Self.thumbnailSide - 1) / Self.thumbnailSide)
    }

    /// In pixels: the size shown in a list on a screen, some 12 kB as JPEG.
    private static let thumbnailSide = 256
}

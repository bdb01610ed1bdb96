import Documents
import ImageFiles
public import Imaging
public import Platform
public import ReceiptFlattening
import TextFormats
import TextRecognition

/// A document that is to come into an archive.
public struct NewDocument: Sendable {
    /// A file with its content.
    public struct File: Sendable {
        /// What it is to the document.
        public var role: ArchivedDocument.File.Role
        /// What it is called.
        public var name: String
        /// Its content.
        public var content: Data

        /// A file from its content.
        public init(_ role: ArchivedDocument.File.Role, name: String, content: Data) {
            self.role = role
            self.name = name
            self.content = content
        }
    }

    /// What was read, by the names of the report's fields, and "kind".
    public var read: [String: ArchivedDocument.Value] = [:]
    /// What a person says of it.
    public var entered: [String: String] = [:]
    /// Words to find it by.
    public var tags: [String] = []
    /// What a person wrote about it.
    public var notes = ""
    /// What is printed on it, row by row.
    public var text = ""
    /// What its bar codes say.
    public var codes: [String] = []
    /// The report of its flattening, as JSON.
    public var report = ""
    /// The program and version that read it.
    public var program = ""
    /// Its files but the originals.
    public var files: [File] = []
    /// Whether something was blacked out on it, so that no original is kept with it.
    public private(set) var isRedacted = false
    /// The number of its page, and the page on which the receipt began that goes on there; nil where there is none.
    private(set) var page: Int?
    private(set) var continuedPage: Int?
    /// Whether it says how to reach somebody.
    private var hasContact = false
    /// What the flat image looks like in 64 bits; nil without one. See `ImageLikeness`.
    var look: UInt64?

    /// A document without anything.
    public init() {}

    /// A document as it was made flat: report, text, flat image as PNG, searchable PDF and thumbnail.
    /// - Parameters:
    ///   - receipt: what was made flat.
    ///   - name: what its files are called, without an extension.
    /// - Throws: as the encoders do.
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

    /// One document of the pages that a receipt goes over: the flat images and texts of all.
    /// - Parameters:
    ///   - report: that of the first page, which tells all of the receipt, as JSON.
    ///   - pages: each as a document of its own, one at least.
    ///   - pdf: all pages, searchable.
    ///   - name: what its files are called, without an extension.
    /// - Throws: `.badInput` for a report that is none.
    package init(report: Data, pages: [NewDocument], pdf: Data, name: String) throws(FlatteningError) {
        var first = pages[0]
        first.read = try ReportFacts(json: report).values
        first.report = String(decoding: report, as: UTF8.self)
        self.init(pages: [first] + pages.dropFirst(), pdf: File(.pdf, name: name + ".pdf", content: pdf))
    }

    /// - Parameter pdf: all pages; nil where each has its own.
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

    /// The pages of a document as the documents that are kept of it: those whose reports say that a receipt goes on over them become
    /// one, with the files of all.
    /// - Parameters:
    ///   - pages: in their order, as `flatten` wrote them in one run.
    ///   - pdf: all pages; it stands for theirs where all are one receipt.
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

    /// Calls the document a business card, as a person does who adds it to contacts.
    /// - Returns: false for one that does not say how to reach somebody.
    package mutating func becomeCard() -> Bool {
        let card = DocumentKind.businessCard.rawValue
        if read["kind"]?.text != card { entered["kind"] = card }
        return hasContact
    }

    /// A document from what `flatten` wrote.
    /// - Parameters:
    ///   - report: JSON.
    ///   - text: what is printed on it.
    ///   - image: the flat image.
    ///   - files: what is kept of it besides the thumbnail.
    ///   - name: what its thumbnail is called, without an extension.
    /// - Throws: `.badInput` for a report that is none.
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
    /// The picture within 256 x 256 pixels.
    fileprivate var thumbnail: RGBImage {
        let longest = max(width, height)
        return blockMeans((longest + Self.thumbnailSide - 1) / Self.thumbnailSide)
    }

    /// Pixels: what a list on a screen shows, some 12 kB as JPEG.
    private static let thumbnailSide = 256
}

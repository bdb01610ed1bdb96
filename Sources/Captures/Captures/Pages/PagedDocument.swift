import DepthGeometry
import Diagnostics
import ScalarText

/// A file whose frames are pages.
protocol PagedDocument: RecordingFormat {
    /// The file.
    var path: String { get }
}

extension PagedDocument {
    static func recognize(_ files: RecordedFiles) -> RecordingEvidence? { nil }

    func files(of index: Int) -> [String] { path.split(atScalar: "/").suffix(1).map(String.init) }
}

/// The pages of a PDF, drawn when they are asked for.
struct PDFPages: PagedDocument {
    static let name = "PDF"
    private let document: PDFDocument

    init(_ document: PDFDocument) { self.document = document }

    init(_ files: RecordedFiles) throws(FlatteningError) {
        document = try PDFDocument(path: files.root, limits: files.limits)
    }

    var path: String { document.path }
    var frameCount: Int { document.pageCount }

    func frame(at index: Int) throws(FlatteningError) -> RecordedFrame {
        RecordedFrame(description: try document.page(index + 1).description)
    }
}

/// The pages of a TIFF.
struct TIFFPages: PagedDocument {
    static let name = "TIFF"
    let path: String
    let frameCount: Int

    init(path: String, count: Int) { (self.path, frameCount) = (path, count) }

    init(_ files: RecordedFiles) { self.init(path: files.root, count: 1) }

    func frame(at index: Int) -> RecordedFrame {
        var description = CaptureDescription(imagePath: path)
        description.page = Capture.Page(number: index + 1, count: frameCount)
        description.source = "\(Self.name), page \(index + 1) of \(frameCount)"
        return RecordedFrame(description: description)
    }
}

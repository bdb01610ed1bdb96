import DepthGeometry
import Diagnostics
import ImageFiles
import LocalFiles
import ScalarText

/// A file whose frames are pages.
protocol PagedDocument: RecordingFormat {
    /// The file's path.
    var path: String { get }
}

extension PagedDocument {
    static func recognize(_ files: RecordedFiles) -> RecordingEvidence? { nil }

    func files(of index: Int) -> [String] { path.split(atScalar: "/").suffix(1).map(String.init) }
}

/// The pages of a PDF, drawn on demand.
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

/// The pages of a TIFF, or the images of a HEIC.
struct PicturePages: PagedDocument {
    static let name = "pages"
    /// The kind of file, for messages about its pages.
    let kind: String
    let path: String
    let frameCount: Int

    /// Opens an image file with several pages; nil if it has only one.
    init?(path: String, format: ImageFileFormat?, limits: FlatteningLimits) throws(FlatteningError) {
        switch format {
        case .tiff:
            (kind, frameCount) = ("TIFF", try TIFFStructure.pageCount(ofFile: path, limits: limits))
        case .heic: (kind, frameCount) = ("HEIC", HEIFStructure.pageCount(ofFile: path))
        default: return nil
        }
        guard frameCount > 1 else { return nil }
        self.path = path
    }

    init(_ files: RecordedFiles) { (kind, path, frameCount) = ("picture", files.root, 1) }

    func frame(at index: Int) -> RecordedFrame {
        var description = CaptureDescription(imagePath: path)
        description.page = Capture.Page(number: index + 1, count: frameCount)
        description.source = "\(kind), page \(index + 1) of \(frameCount)"
        return RecordedFrame(description: description)
    }
}

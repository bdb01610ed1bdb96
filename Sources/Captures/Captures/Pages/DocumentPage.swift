package import DepthGeometry
package import Diagnostics
package import LocalFiles
import Platform

/// A page of a document as it was drawn, and what the document says of it.
package struct DocumentPage: Equatable, Sendable {
    /// The picture, a PPM or JPEG, by the document's name.
    package var picture: InputFile
    /// Which page it is.
    package var page: Capture.Page
    /// What a reader of the page must know.
    package var notes: [String]

    /// The same as a capture's description.
    package var description: CaptureDescription {
        var description = CaptureDescription(imagePath: picture.name)
        description.files.keep(picture, as: picture.name)
        description.page = page
        description.notes = notes
        description.source = "\(PDFPages.name), \(page.name)"
        return description
    }
}

/// Pages on disk: a batch has them drawn, whose workers may start no program.
extension DocumentPage {
    private static let (pictureName, factsName) = ("page.picture", "page.json")

    /// What is said of the picture.
    private struct Facts: Codable {
        var page: Capture.Page
        var notes: [String]
    }

    /// Writes the page into a folder.
    package func write(to folder: String) throws(FlatteningError) {
        guard let facts = try? JSONEncoder().encode(Facts(page: page, notes: notes)) else {
            throw FlatteningError(.internalInconsistency, "the page cannot be written as JSON", stage: .pdf)
        }
        try AtomicFile.replace(folder + "/" + Self.factsName, with: Array(facts))
        try AtomicFile.replace(folder + "/" + Self.pictureName, with: picture.bytes)
    }

    /// The page that was written into a folder.
    /// - Parameter path: the document, as messages name it.
    package static func read(
        from folder: String, of path: String, limits: FlatteningLimits
    ) throws(FlatteningError) -> DocumentPage {
        var limits = limits
        limits.maximumFileBytes = max(limits.maximumFileBytes, PDFDocument.mostPictureBytes(limits))
        let facts = try InputFile.read(path: folder + "/" + factsName, limits: limits, kind: .sequence)
        let picture = try InputFile.read(path: folder + "/" + pictureName, limits: limits)
        guard let known = try? JSONDecoder().decode(Facts.self, from: Data(facts.bytes)) else {
            throw FlatteningError(
                .internalInconsistency, "this is not what a batch writes of a page", file: facts.name,
                stage: .pdf)
        }
        return DocumentPage(
            picture: InputFile(name: path, bytes: picture.bytes), page: known.page, notes: known.notes)
    }
}

package import DepthGeometry
package import Diagnostics
package import LocalFiles
import Platform

/// A drawn page of a document, and what the document says about it.
package struct DocumentPage: Equatable, Sendable {
    /// The page's image, a PPM or JPEG, under the document's name.
    package var picture: InputFile
    /// The page's number.
    package var page: Capture.Page
    /// Notes for the user of the page.
    package var notes: [String]

    /// The page as a capture description.
    package var description: CaptureDescription {
        var description = CaptureDescription(imagePath: picture.name)
        description.files.keep(picture, as: picture.name)
        description.page = page
        description.notes = notes
        description.source = "\(PDFPages.name), \(page.name)"
        return description
    }
}

/// Pages on disk: a batch draws them first, because its workers may not start programs.
extension DocumentPage {
    private static let (pictureName, factsName) = ("page.picture", "page.json")

    /// The facts stored beside the image.
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

    /// Reads the page that was written into a folder.
    /// - Parameter path: the document's path in messages.
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

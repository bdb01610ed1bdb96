import ImageFiles
import Imaging
import Platform
package import ReceiptOutputs
import TextFormats
import TextRecognition

extension DocumentArchive {
    /// Returns the flat images of a document as pages of a PDF, with their text if its positions are known.
    /// - Throws: errors of `contents(of:)`; `.badInput` for an invalid text.
    /// - Complexity: O(pixels).
    package func pages(of document: ArchivedDocument) throws(FlatteningError) -> [SheetPage] {
        let flats = document.files(.flat)
        let texts = document.files(.text)
        let title = [document.values["merchant"]?.text ?? document.summary.name, document.summary.day]
            .compactMap(\.self).joined(separator: ", ")
        var pages: [SheetPage] = []
        for (index, file) in flats.enumerated() {
            let content = try contents(of: file)
            let image = try RGBImage(data: content)
            // Texts can be assigned to images only if there is one for each.
            let text =
                texts.count == flats.count ? try RecognizedText(json: try contents(of: texts[index])) : nil
            let pixelsPerMeter = text?.pixelsPerMillimeter.map { $0 * 1000 }
            var page = SheetPage(
                page: .init(encoding: .jpeg, size: image.size, pixelsPerMeter: pixelsPerMeter, text: text),
                title: title.isEmpty ? "Document" : title,
                picture: try ImageWriter.jpeg(image, pixelsPerMeter: pixelsPerMeter))
            page.isContinuation = index > 0
            pages.append(page)
        }
        return pages
    }
}

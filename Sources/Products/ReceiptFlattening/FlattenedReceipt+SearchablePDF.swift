public import Platform
public import Diagnostics
package import TextFormats
import Imaging
import ImageFiles
import TextRecognition

extension FlattenedReceipt {
    /// Returns the flat image as a one-page PDF of the sheet's true size. The text lies invisibly over the print, so that
    /// it can be searched, selected and copied. The file is PDF/A-2b, in the language that was read, titled with merchant and
    /// day. The picture inside is a JPEG, rendered as a document unless `options.light` says otherwise, or one bit a pixel in
    /// black and white. The same receipt gives the same bytes.
    ///
    /// If the scale is not metric, a pixel counts as 1/300 inch.
    /// - Throws: `.limitExceeded` for a picture with a side too long for JPEG.
    /// - Complexity: linear in the picture's pixels.
    public func searchablePDF() throws(FlatteningError) -> Data { try searchablePDF(date: nil) }

    /// Returns the same PDF with a given creation date.
    package func searchablePDF(date: Date?) throws(FlatteningError) -> Data {
        let (page, picture) = try pageOfPDF()
        return Data(
            try SearchablePDF.bytes(
                of: page, picture: picture,
                metadata: PDFMetadata(title: title, recognizedLanguage: text?.language, date: date)))
    }

    /// Returns the page for a PDF of several pages.
    package func pageOfPDF() throws(FlatteningError) -> (page: SearchablePDF.Page, picture: [UInt8]) {
        let picture = picture.forReading
        let isBilevel = picture.light == .blackAndWhite
        let encoded =
            isBilevel
            ? try ImageWriter.group4(picture.bilevel())
            : try ImageWriter.jpeg(picture.render(), pixelsPerMeter: pixelsPerMeter)
        let page = SearchablePDF.Page(
            encoding: isBilevel ? .group4 : .jpeg, size: picture.size, pixelsPerMeter: pixelsPerMeter,
            text: text)
        return (page, encoded)
    }

    /// The receipt's title.
    package var title: String { (fields ?? ReceiptFields()).title }
}

extension ReceiptFields {
    /// The receipt's title: its merchant and day, as far as they were read.
    package var title: String {
        let parts = [merchant?.value, date?.value].compactMap(\.self)
        return parts.isEmpty ? "Receipt" : parts.joined(separator: ", ")
    }
}

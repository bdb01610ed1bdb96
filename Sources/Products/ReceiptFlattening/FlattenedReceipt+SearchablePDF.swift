public import Platform
public import Diagnostics
package import TextFormats
import Imaging
import ImageFiles
import TextRecognition

extension FlattenedReceipt {
    /// The flat picture as a one-page PDF of the sheet's true size, its text lying invisibly over the print, so that it can
    /// be searched, selected and copied. It is PDF/A-2b, in the language that was read, entitled by merchant and day; the
    /// picture is a JPEG inside, shown as a document if `options.light` says nothing else, or one bit a pixel in black and
    /// white. The same receipt gives the same bytes.
    ///
    /// Where scale is not metric a pixel is taken for 1/300 inch.
    /// - Throws: `.limitExceeded` for a picture with a side that JPEG cannot have.
    /// - Complexity: linear in the picture's pixels.
    public func searchablePDF() throws(FlatteningError) -> Data { try searchablePDF(date: nil) }

    /// The same, made at a moment.
    package func searchablePDF(date: Date?) throws(FlatteningError) -> Data {
        let (page, picture) = try pageOfPDF()
        return Data(
            try SearchablePDF.bytes(
                of: page, picture: picture,
                metadata: PDFMetadata(title: title, recognizedLanguage: text?.language, date: date)))
    }

    /// The page for a PDF of several.
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

    /// What the receipt is called.
    package var title: String { (fields ?? ReceiptFields()).title }
}

extension ReceiptFields {
    /// What the receipt is called: its merchant and day, as far as they were read.
    package var title: String {
        let parts = [merchant?.value, date?.value].compactMap(\.self)
        return parts.isEmpty ? "Receipt" : parts.joined(separator: ", ")
    }
}

public import Foundation
public import Diagnostics
import TextFormats
import Imaging
import ImageFiles
import TextRecognition

extension FlattenedReceipt {
    /// The flat picture as a one-page PDF of the sheet's true size, its text lying invisibly over the print, so that it can
    /// be searched, selected and copied. The picture is a JPEG inside; the same receipt gives the same bytes.
    ///
    /// Where scale is not metric a pixel is taken for 1/300 inch.
    /// - Throws: `.limitExceeded` for a picture with a side that JPEG cannot have.
    /// - Complexity: linear in the picture's pixels.
    public func searchablePDF() throws(FlatteningError) -> Data {
        let jpeg = try ImageWriter.jpeg(picture.render(), pixelsPerMeter: pixelsPerMeter)
        return Data(
            SearchablePDF(
                jpeg: jpeg, size: picture.size, isGray: false, pixelsPerMeter: pixelsPerMeter, text: text
            ).bytes)
    }
}

public import Diagnostics
public import Platform
public import ReceiptFlattening
import TextFormats

extension FlattenedReceipt {
    /// Returns a page to look at in a browser: photograph and flat image, text, values and shape, in one HTML file that
    /// loads nothing from any server. The page of a redacted receipt leaves out the photograph.
    /// - Parameters:
    ///   - capture: what the receipt was made from.
    ///   - name: the receipt's name on the page.
    /// - Throws: `.limitExceeded` for an image with a side that is too long for JPEG.
    /// - Complexity: O(pixels).
    public func page(of capture: Capture, name: String = "receipt") throws(FlatteningError) -> Data {
        let page = try ResultPage(of: self, in: capture, name: name, isRedacted: report.redaction != nil)
        return Data(page.html.utf8)
    }

    /// The photograph with the sheet's contour, unrolled grid, rows and fields drawn in.
    /// - Throws: `.unsupported` for a redacted receipt, as the photograph still shows everything.
    /// - Complexity: O(pixels).
    public func overlay(on capture: Capture) throws(FlatteningError) -> RGBImage {
        try drawn(on: capture).render()
    }

    /// The same as SVG: the photograph is inside as a JPEG, and the lines are in groups of their own.
    /// - Throws: as `overlay(on:)`.
    public func overlaySVG(on capture: Capture) throws(FlatteningError) -> Data {
        Data(try drawn(on: capture).svg().utf8)
    }

    private func drawn(on capture: Capture) throws(FlatteningError) -> SheetOverlay {
        guard report.redaction == nil else {
            throw FlatteningError(
                .unsupported, "an overlay shows the photograph, which redaction does not change",
                stage: .write,
                advice: "Draw it of the receipt as it was, and keep it to yourself")
        }
        return SheetOverlay(of: self, photograph: capture.image)
    }

    /// Returns the fitted sheet in metres, textured with the flat image. GLB has y up and z towards the camera; the
    /// others are in the camera's frame: x right, y down, z forward.
    /// - Parameters:
    ///   - capture: what the receipt was made from.
    ///   - format: GLB and PLY are one file, OBJ three.
    ///   - name: the first file's name, without its extension.
    /// - Returns: the files; nil where depth gave neither shape nor scale.
    /// - Throws: as JPEG encoding does.
    /// - Complexity: O(pixels).
    public func mesh(
        of capture: Capture, as format: FittedSheetMesh.Format, name: String = "sheet"
    ) throws(FlatteningError) -> [FittedSheetMesh.File]? {
        try FittedSheetMesh(of: self, in: capture)?.files(
            named: name + "." + format.rawValue, as: format, texture: picture.render())
    }

    /// Returns the receipt's values as short JSON that follows `Schemas/fields.schema.json`: null for what was not
    /// found, and why.
    public func valuesJSON() throws(FlatteningError) -> Data {
        try ReceiptValues(fields ?? ReceiptFields()).json()
    }
}

extension Collection where Element == FlattenedReceipt {
    /// Returns one searchable PDF (PDF/A-2b) of all receipts, with a page and a bookmark for each. The same receipts
    /// give the same bytes.
    /// - Precondition: there is a receipt.
    /// - Throws: `.limitExceeded` for an image with a side that is too long for JPEG.
    /// - Complexity: O(pixels).
    public func mergedPDF() throws(FlatteningError) -> Data {
        precondition(!isEmpty, "a PDF has a page")
        return Data(
            try SearchablePDF.collecting { (sink) throws(FlatteningError) in
                var merged = try MergedPDF(date: nil, sink: sink)
                for receipt in self { try merged.add(SheetPage(receipt)) }
                try merged.finish()
            })
    }
}

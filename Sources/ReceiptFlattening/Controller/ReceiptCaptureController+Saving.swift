public import Foundation
internal import ImageFiles
internal import Imaging

extension ReceiptCaptureController {
    /// Writes the flat picture of the last receipt; the whole file or nothing.
    /// - Parameter url: a file URL; its extension chooses PNG, JPEG or TIFF. Without an extension that of
    ///   ``Configuration/outputFormat`` is added.
    /// - Returns: where the picture is.
    /// - Throws: `.exportFailed`, also if there is no receipt yet. The old file stays on any error.
    @discardableResult
    public func saveLastProcessedImage(to url: URL) throws(ReceiptCaptureError) -> URL {
        do throws(FlatteningError) {
            guard let receipt = lastReceipt else {
                throw FlatteningError(
                    .badInput, "no receipt has been captured yet", file: url.path, stage: "save",
                    advice: "Capture one first")
            }
            guard url.isFileURL else {
                throw FlatteningError(
                    .unsupported, "pictures are written to files only", file: url.absoluteString,
                    stage: "save",
                    seen: url.scheme, allowed: "file")
            }
            let target =
                url.pathExtension.isEmpty
                ? url.appendingPathExtension(configuration.outputFormat.fileExtension) : url
            try receipt.picture.write(to: target.path)
            return target
        } catch {
            throw .exportFailed(underlying: error)
        }
    }
}

extension ImageWriter.Format {
    /// The usual extension of a file's name, without the dot.
    fileprivate var fileExtension: String {
        switch self {
        case .png: "png"
        case .jpeg: "jpg"
        case .tiff: "tif"
        }
    }
}

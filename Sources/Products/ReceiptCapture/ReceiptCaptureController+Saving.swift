import ReceiptFlattening
import DepthGeometry
import Diagnostics
public import Foundation
import ImageFiles
import Imaging

extension ReceiptCaptureController {
    /// Writes the flat image of the last receipt, atomically.
    /// - Parameter url: a file URL; its extension chooses PNG, JPEG or TIFF. If it has no extension, that of
    ///   ``Configuration/outputFormat`` is added.
    /// - Returns: the URL of the image.
    /// - Throws: `.nothingCaptured` before the first receipt; `.exportFailed` if the file cannot be written. On any error the
    ///   old file stays.
    @discardableResult
    public func saveLastProcessedImage(to url: URL) throws(ReceiptCaptureError) -> URL {
        guard let receipt = lastReceipt else { throw .nothingCaptured }
        do throws(FlatteningError) {
            guard url.isFileURL else {
                throw FlatteningError(
                    .unsupported, "pictures are written to files only", file: url.absoluteString,
                    stage: .save,
                    seen: url.scheme, allowed: "file")
            }
            let target =
                url.pathExtension.isEmpty
                ? url.appendingPathExtension(configuration.outputFormat.fileExtension) : url
            try receipt.picture.write(to: target)
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

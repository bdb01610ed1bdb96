public import Diagnostics
public import Platform
import ImageFiles
import Imaging
import LocalFiles
import Parallelism
public import SheetFlattening

extension FlatImage {
    private enum Work { case write, make }

    /// Writes the flat picture to a file, atomically; its extension decides: .png, .jpg, .tif. In black and white PNG and
    /// TIFF hold one bit a pixel; JPEG keeps the grey rims of letters. O(pixels).
    /// - Throws: `.badInput` for a URL that names no file, `.fileAccess`, `.storageFull`, `.unsupported` for other extensions.
    ///   The old file stays on any error.
    public func write(to url: URL) throws(FlatteningError) { try write(toPath: try url.filePath()) }

    /// Writes the flat picture as `ImageWriter` does: a PNG band by band as it is made. JPEG and TIFF, light that is judged
    /// over the whole picture, and black boxes need it whole.
    /// - Throws: `.fileAccess`, `.unsupported` for other extensions. The old file stays on any error.
    package func write(toPath path: String) throws(FlatteningError) {
        let format = try ImageWriter.Format(path: path)
        if light == .blackAndWhite, format.hasBilevel {
            return try ImageWriter.write(bilevel(), to: path, pixelsPerMeter: pixelsPerMeter)
        }
        guard format == .png, !light.changesPixels, blackened.isEmpty else {
            return try ImageWriter.write(render(), to: path, pixelsPerMeter: pixelsPerMeter)
        }
        try AtomicFile.replace(path) { (file) throws(FlatteningError) in
            // While one core writes a band, another makes the next.
            nonisolated(unsafe) let writer = try PNGWriter(
                to: file, size: size, pixelsPerMeter: pixelsPerMeter)
            var next: RGBImage? = band(from: 0)
            var start = 0
            while let made = next {
                start += FlatImage.bandRows
                let following = start
                let bands = try concurrentMap([Work.write, .make]) { work throws(FlatteningError) in
                    switch work {
                    case .make: return band(from: following)
                    case .write:
                        var failure: FlatteningError?
                        unsafe made.withBytes { bytes in
                            do throws(FlatteningError) {
                                try unsafe writer.write(rows: bytes)
                            } catch {
                                failure = error
                            }
                        }
                        if let failure { throw failure }
                        return nil
                    }
                }
                next = bands[1]
            }
            try unsafe writer.finish()
        }
    }

    /// The flat picture with one bit a pixel, whatever its light is to be. O(pixels).
    package func bilevel() -> BilevelImage {
        var photographed = self
        photographed.light = .none
        return photographed.render().inOneBit()
    }
}

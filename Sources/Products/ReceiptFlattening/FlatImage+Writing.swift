public import Diagnostics
public import Platform
import ImageFiles
import Imaging
import LocalFiles
import Parallelism
public import SheetFlattening

extension FlatImage {
    private enum Work { case write, make }

    /// Writes the flat image to a file, atomically, in the format of its extension: .png, .jpg, .tif. In black and white,
    /// PNG and TIFF hold one bit a pixel; JPEG keeps the grey edges of letters. O(pixels).
    /// - Throws: `.badInput` for a URL that is not a file's, `.fileAccess`, `.storageFull`, `.unsupported` for other
    ///   extensions. On any error the old file stays.
    public func write(to url: URL) throws(FlatteningError) { try write(toPath: try url.filePath()) }

    /// Writes the flat image as `ImageWriter` does; a PNG is written band by band as it is rendered. JPEG and TIFF, light
    /// correction that depends on the whole picture, and blackened boxes need the whole picture in memory.
    /// - Throws: `.fileAccess`, `.unsupported` for other extensions. On any error the old file stays.
    package func write(toPath path: String) throws(FlatteningError) {
        let format = try ImageWriter.Format(path: path)
        if light == .blackAndWhite, format.hasBilevel {
            return try ImageWriter.write(bilevel(), to: path, pixelsPerMeter: pixelsPerMeter)
        }
        guard format == .png, !light.changesPixels, blackened.isEmpty else {
            return try ImageWriter.write(render(), to: path, pixelsPerMeter: pixelsPerMeter)
        }
        try AtomicFile.replace(path) { (file) throws(FlatteningError) in
            // While one core writes a band, another renders the next.
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

    /// Renders the flat image with one bit a pixel, whatever its `light`. O(pixels).
    package func bilevel() -> BilevelImage {
        var photographed = self
        photographed.light = .none
        return photographed.render().inOneBit()
    }
}

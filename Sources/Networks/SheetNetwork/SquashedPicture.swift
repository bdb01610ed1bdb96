package import Imaging
package import Parallelism
internal import CSheetNetwork

/// An image as the network takes it: squashed to a square, each pixel being the mean of the area that it covers.
package struct SquashedPicture: Equatable, Sendable {
    /// Pixels along a side.
    package let side: Int
    /// Red, green and blue of each pixel, row by row, 0 to 1.
    package let values: [Float]

    /// A square of values, red, green and blue of each pixel, row by row, 0 to 1.
    /// - Precondition: `values.count == 3 * side * side`, `SheetNetwork.allows(side: side)`.
    package init(side: Int, values: [Float]) {
        precondition(SheetNetwork.allows(side: side), "a side of \(side) is no multiple of 32 up to 1024")
        precondition(values.count == 3 * side * side, "\(values.count) values for \(side) x \(side)")
        self.side = side
        self.values = values
    }

    /// Squashes an image of sides w and h: pixel (i, j) is the mean over i w / side ... (i + 1) w / side across and j h
    /// / side ... (j + 1) h / side down, linear in the stored values. Sums are exact; each mean is rounded once.
    /// O(pixels), on all cores unless asked otherwise.
    /// - Precondition: the image is not empty and can be resampled (`ResamplingLimits`).
    package init(_ picture: RGBImage, side: Int, threading: Threading = .allCores) {
        self.init(picture, side: side, threading: threading, kernel: .preferred)
    }

    /// The same with a given kernel.
    init(_ picture: RGBImage, side: Int, threading: Threading, kernel: SheetKernel) {
        precondition(SheetNetwork.allows(side: side), "a side of \(side) is no multiple of 32 up to 1024")
        precondition(picture.width > 0 && picture.height > 0, "an empty picture cannot be squashed")
        precondition(
            max(picture.width, picture.height) <= ResamplingLimits.maximumSide, "the picture is too large")
        self.side = side
        values = [Float](unsafeUninitializedCapacity: 3 * side * side) { buffer, count in
            let rows = DisjointRows(buffer, rowLength: 3 * side)
            forEachBand(of: 0..<side, threading: threading) { band in
                var sums = [UInt32](repeating: 0, count: 3 * picture.width)
                picture.withBytes { bytes in
                    guard let pixels = bytes.bindMemory(to: UInt8.self).baseAddress,
                        let output = rows[band].baseAddress
                    else { return }
                    csheetnetwork_squash(
                        pixels, Int32(picture.width), Int32(picture.height), Int32(side),
                        Int32(band.lowerBound), Int32(band.count), kernel == .avx2, &sums, output)
                }
            }
            count = 3 * side * side
        }
    }
}

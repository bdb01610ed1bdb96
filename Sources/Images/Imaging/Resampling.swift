package import Diagnostics
public import Parallelism
internal import CResampling

/// How a value between pixels is interpolated.
public enum ResamplingFilter: Sendable, CaseIterable {
    /// From the nearest 2 x 2 pixels: fast, a little soft.
    case bilinear
    /// From the nearest 4 x 4 pixels, by the Catmull-Rom cubic (Keys 1981, a = -0.5): sharp, exact on polynomials of second
    /// degree. Where an output pixel spans 1 to 1.5 source pixels, the cubic is softened towards Mitchell's
    /// (1988; B = span - 1, C = (1 - B) / 2), so that detail finer than the output can show does not alias.
    case bicubic
}

// An image seen through a map: one resampling from photograph to output.
//
// The kernel interpolates each output pixel's position from the map's coarse grid. Where the output is coarser than the
// input, by the length s of the map's derivative along an output axis in a cell, it averages round(s) samples spread evenly
// over the output pixel (at most 16 along each axis), each axis separately. This is an area filter that follows slant and
// perspective, at a cost of about one sample for each input pixel used.
//
// A pixel has a source if its position lies within the input's pixels (-0.5 ... width - 0.5), which includes the outer half
// of the edge pixels; there, neighbours outside are replaced by the nearest pixel inside. All other pixels become the
// background; nothing is mixed with it, so no fringe appears.

extension Raster where Element == RGB {
    /// The image seen through a map. O(output pixels + input pixels used), without intermediate images.
    /// - Parameters:
    ///   - map: where each output pixel comes from, in this image's pixels.
    ///   - filter: how the image is interpolated.
    ///   - background: the colour of pixels whose source is missing or outside this image.
    ///   - threading: how many cores share the work.
    public func resampled(
        through map: SamplingMap, filter: ResamplingFilter = .bicubic, background: RGB = .white,
        threading: Threading = .allCores
    ) -> RGBImage {
        RGBImage(width: map.outputSize.width, height: map.outputSize.height) { output in
            resample(
                through: map, rows: 0..<map.outputSize.height, filter: filter, background: background,
                threading: threading, into: output)
        }
    }

    /// Resamples some rows of the image seen through a map, for callers that pass the output on in bands.
    /// - Parameters:
    ///   - map: where each output pixel comes from, in this image's pixels.
    ///   - rows: output rows, within the map's output.
    ///   - filter: how the image is interpolated.
    ///   - background: the colour of pixels whose source is missing or outside this image.
    ///   - threading: how many cores share the work.
    ///   - output: `rows.count * map.outputSize.width` pixels, all of which are written.
    package func resample(
        through map: SamplingMap, rows: Range<Int>, filter: ResamplingFilter = .bicubic,
        background: RGB = .white, threading: Threading = .allCores,
        into output: UnsafeMutableBufferPointer<RGB>
    ) {
        let job = ResamplingJob(map: map, rows: rows, filter: filter, background: background, isGray: false)
        job.run(on: self, threading: threading, into: UnsafeMutableRawBufferPointer(output))
    }

    /// The brightness of the image seen through a map: same as `resampled(...).gray()`, without the intermediate colour
    /// image.
    package func resampledGray(
        through map: SamplingMap, filter: ResamplingFilter = .bicubic, background: RGB = .white,
        threading: Threading = .allCores
    ) -> GrayImage {
        GrayImage(width: map.outputSize.width, height: map.outputSize.height) { output in
            resampleGray(
                through: map, rows: 0..<map.outputSize.height, filter: filter, background: background,
                threading: threading, into: output)
        }
    }

    /// The brightness of some rows of the image seen through a map.
    /// - Parameters:
    ///   - map: where each output pixel comes from, in this image's pixels.
    ///   - rows: output rows, within the map's output.
    ///   - filter: how the image is interpolated.
    ///   - background: the colour of pixels whose source is missing or outside this image.
    ///   - threading: how many cores share the work.
    ///   - output: `rows.count * map.outputSize.width` pixels, all of which are written.
    private func resampleGray(
        through map: SamplingMap, rows: Range<Int>, filter: ResamplingFilter = .bicubic,
        background: RGB = .white, threading: Threading = .allCores,
        into output: UnsafeMutableBufferPointer<UInt8>
    ) {
        let job = ResamplingJob(map: map, rows: rows, filter: filter, background: background, isGray: true)
        job.run(on: self, threading: threading, into: UnsafeMutableRawBufferPointer(output))
    }
}

/// The two kernels that do the computation.
enum ResamplingKernel: Sendable {
    /// Plain C, on every processor.
    case baseline
    /// AVX2 and FMA.
    case avx2

    /// The fastest kernel that this processor supports.
    static let preferred: ResamplingKernel = cresampling_has_avx2() ? .avx2 : .baseline

    /// The kernels that this processor supports.
    static var available: [ResamplingKernel] { cresampling_has_avx2() ? [.baseline, .avx2] : [.baseline] }
}

/// The largest image that can be resampled.
///
/// The kernel counts bytes in Int32 and computes positions in Float, which represents whole numbers exactly only up to
/// 2^24.
package enum ResamplingLimits {
    /// Pixels of an image: 715,827,882.
    package static let maximumPixels = Int(Int32.max) / 3
    /// Pixels along a side: 16,777,215.
    package static let maximumSide = (1 << 24) - 1

    /// Whether an image of this size can be resampled.
    static func allow(_ size: PixelSize) -> Bool {
        size.width <= maximumSide && size.height <= maximumSide
            && !size.width.multipliedReportingOverflow(by: size.height).overflow
            && size.width * size.height <= maximumPixels
    }

    /// Refuses an image too large to be resampled; input limits that a user raised may have let it through.
    /// - Throws: `.limitExceeded`.
    package static func check(_ size: PixelSize) throws(FlatteningError) {
        guard allow(size) else {
            throw FlatteningError(
                .limitExceeded, "the picture has too many pixels to be flattened", stage: .resampling,
                seen: "\(size)", allowed: "\(maximumPixels) pixels, \(maximumSide) a side",
                advice: "Scale it down")
        }
    }
}

/// One call of the kernel over a range of rows.
struct ResamplingJob: Sendable {
    var map: SamplingMap
    var rows: Range<Int>
    var filter: ResamplingFilter
    var background: RGB
    var isGray: Bool
    /// Tests select the plain kernel even on a processor with a faster one.
    var kernel = ResamplingKernel.preferred

    func run(on picture: RGBImage, threading: Threading, into output: UnsafeMutableRawBufferPointer) {
        let width = map.outputSize.width
        precondition(
            rows.lowerBound >= 0 && rows.upperBound <= map.outputSize.height, "rows outside the map's output")
        let rowBytes = width * (isGray ? 1 : 3)
        precondition(
            output.count == rows.count * rowBytes, "the buffer does not fit \(rows.count) rows of \(width)")
        precondition(ResamplingLimits.allow(picture.size), "the picture is too large to resample")
        guard width > 0, let base = output.baseAddress else { return }
        guard picture.width > 0 && picture.height > 0 else { return fill(output) }

        let colors = (background.red, background.green, background.blue)
        let fast = kernel == .avx2
        let cFilter = filter == .bicubic ? CRESAMPLING_BICUBIC : CRESAMPLING_BILINEAR
        let target = DisjointRows(
            UnsafeMutableBufferPointer(
                start: base.assumingMemoryBound(to: UInt8.self), count: output.count),
            rowLength: rowBytes)
        forEachBand(of: rows, threading: threading) { band in
            picture.withBytes { bytes in
                map.nodes.elements.withUnsafeBytes { nodes in
                    withUnsafeBytes(of: colors) { colors in
                        guard let pixels = bytes.bindMemory(to: UInt8.self).baseAddress,
                            let grid = nodes.bindMemory(to: Float.self).baseAddress,
                            let colors = colors.bindMemory(to: UInt8.self).baseAddress
                        else { return }
                        let source = cresampling_picture(
                            pixels: pixels, width: Int32(picture.width), height: Int32(picture.height))
                        var y = band.lowerBound
                        while y < band.upperBound {
                            let rows = rows(from: y, to: band.upperBound, of: grid)
                            guard let line = target[y - self.rows.lowerBound].baseAddress else { return }
                            cresampling_write_rows(
                                source, rows, cFilter, colors, isGray, fast, line)
                            y += Int(rows.count)
                        }
                    }
                }
            }
        }
    }

    /// The rows from `first` on that lie between the same two rows of nodes.
    private func rows(from first: Int, to end: Int, of grid: UnsafePointer<Float>) -> cresampling_rows {
        let lastAbove = max(map.nodes.height - 2, 0)
        let above = min(first / map.spacing, lastAbove)
        let below = min(above + 1, map.nodes.height - 1)
        let next = above == lastAbove ? end : min((above + 1) * map.spacing, end)
        return cresampling_rows(
            top: grid + above * map.nodes.width * 2, bottom: grid + below * map.nodes.width * 2,
            node_count: Int32(map.nodes.width), spacing: Int32(map.spacing),
            first_below: Int32(first - above * map.spacing), count: Int32(next - first),
            width: Int32(map.outputSize.width))
    }

    private func fill(_ output: UnsafeMutableRawBufferPointer) {
        if isGray {
            output.initializeMemory(as: UInt8.self, repeating: background.luma)
        } else {
            output.initializeMemory(as: RGB.self, repeating: background)
        }
    }
}

import Captures
import Diagnostics
package import DepthGeometry
import Platform
import Imaging
import SheetFlattening

/// How suitable a frame is for flattening, by cheap measures. Comparable between frames of one scene only.
package struct ShotQuality: Sendable {
    /// Mean square of the image's second differences (its Laplacian) inside the sheet's outline, in grey values squared: the
    /// detail that blur removes first, whether from focus or motion (Pertuz, Puig and Garcia, "Analysis of focus measure
    /// operators", Pattern Recognition 46(5), 2013). Measured over the whole image if no sheet is found.
    package let sharpness: Double
    /// The sheet's area in pixels of the photograph; the whole photograph's if no sheet is found. It measures resolution,
    /// because the sheet itself does not change.
    package let area: Double
    /// Confidence of the outline, 0 to 1; 0 if no sheet is found.
    package let confidence: Double
    /// The share of the sheet's outline that lies on the image border, 0 (whole sheet in view) to 1; nil if no sheet is
    /// found.
    package let borderShare: Double?
    /// The share of the depth map that has readings, 0 to 1; 0 without a map.
    package let depthShare: Double

    /// Width of the sheet's edge zone left out of the sharpness, as a share of the square root of its area. An inaccurate
    /// outline lets the table show there, and the step from paper to table is steeper than any print.
    private static let rimShare = 0.03

    /// Measures a capture.
    /// - Parameters:
    ///   - capture: the frame.
    ///   - longestSide: the image is first reduced to at most this many pixels a side; nil measures all of it.
    /// - Complexity: O(pixels).
    package init(of capture: Capture, reducedTo longestSide: Int? = nil) {
        let reduced =
            longestSide.map { ReducedPicture(reducing: ReducedPicture(capture.image), toLongestSide: $0) }
            ?? ReducedPicture(capture.image)
        let outline = SheetOutline.find(in: reduced.image, looksNearer: false).outline
        let gray = reduced.image.gray()
        let pixelArea = Double(reduced.factor * reduced.factor)
        if let outline {
            let region = PolygonRegion(
                polygon: outline.polygon, rimWidth: Self.rimShare * outline.area.squareRoot(),
                width: gray.width, height: gray.height)
            sharpness = gray.laplacianEnergy(
                columns: region.columns, rows: region.rows, where: region.contains)
            area = outline.area * pixelArea
        } else {
            sharpness = gray.laplacianEnergy(columns: 0..<gray.width, rows: 0..<gray.height)
            area = Double(gray.size.pixelCount) * pixelArea
        }
        confidence = outline?.confidence ?? 0
        borderShare = outline?.borderShare
        depthShare = capture.depth?.validFraction ?? 0
    }

    /// The share of the outline on the image border at which a sheet counts as cut off: one cut side is a tenth or more.
    private static let leastCutShare = 0.05

    /// Whether the whole sheet is in view.
    package var isWhole: Bool { borderShare.map { $0 < Self.leastCutShare } ?? false }

    /// The least weight of an outline, of 1, given to one without any confidence.
    private static let leastWeight = 0.1

    /// Amount of detail seen on the sheet: sharpness times area, which is the energy of all detail on it, times the outline's
    /// confidence.
    package var detail: Double { sharpness * area * max(confidence, Self.leastWeight) }
}

extension CaptureSource {
    /// Finds the best frame: a sheet that is wholly in view comes first, then the highest detail (`ShotQuality.detail`) times
    /// the share of depth readings.
    ///
    /// Every frame is measured at reduced size, then the best few at full size: a blur smaller than a reduced pixel shows
    /// only there.
    /// - Returns: the frame's index and its measurements.
    /// - Throws: the first reading error if no frame can be read; `.timeout`.
    /// - Complexity: O(frames · pixels); one picture is in memory at a time.
    package func bestFrame() throws(FlatteningError) -> (index: Int, quality: ShotQuality) {
        var few = Array(0..<frameCount)
        if frameCount > ShotSearch.few {
            few = try qualities(of: few, reducedTo: ShotSearch.smallSide)
                .sorted { $0.quality.serves(betterThan: $1.quality, or: $0.index < $1.index) }
                .prefix(ShotSearch.few).map(\.index).sorted()
        }
        let close = try qualities(of: few, reducedTo: nil)
        guard let first = close.first else {
            throw FlatteningError(.badInput, "there is no frame", stage: .capture)
        }
        return close.dropFirst().reduce(first) { best, next in
            next.quality.serves(betterThan: best.quality) ? next : best
        }
    }

    /// Measures frames. Frames that cannot be read are left out, unless none can be read.
    private func qualities(
        of indices: [Int], reducedTo longestSide: Int?
    ) throws(FlatteningError) -> [(index: Int, quality: ShotQuality)] {
        var found: [(index: Int, quality: ShotQuality)] = []
        var failure: FlatteningError?
        for index in indices {
            try deadline.check(before: .init(rawValue: "choosing frame \(index)"))
            do throws(FlatteningError) {
                let capture = try frame(at: index).capture
                found.append((index, ShotQuality(of: capture, reducedTo: longestSide)))
            } catch {
                guard error.code != .cancelled, error.code != .timeout else { throw error }
                failure = failure ?? error
            }
        }
        if found.isEmpty, let failure { throw failure }
        return found
    }
}

/// Sizes of the search for the best frame.
private enum ShotSearch {
    /// The longer side, in pixels, of the reduced image in which each frame is measured first.
    static let smallSide = 640
    /// Number of frames that are then measured at full size.
    static let few = 6
}

extension ShotQuality {
    /// Whether a frame is better than another; returns `tie` if they are equal.
    fileprivate func serves(betterThan other: ShotQuality, or tie: Bool = false) -> Bool {
        guard isWhole == other.isWhole else { return isWhole }
        // A frame with any depth beats one without; between two frames without depth, only the visible detail decides.
        if (depthShare > 0) != (other.depthShare > 0) { return depthShare > 0 }
        let (own, its) =
            depthShare > 0
            ? (detail * depthShare, other.detail * other.depthShare) : (detail, other.detail)
        return own == its ? tie : own > its
    }
}

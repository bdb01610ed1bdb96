import Captures
import Diagnostics
package import DepthGeometry
import Platform
import Imaging
import SheetFlattening

/// How well a frame serves to be flattened, by cheap measures. Compares frames of one scene, not of two.
package struct ShotQuality: Sendable {
    /// Mean square of the picture's second differences inside the sheet's outline (its Laplacian), grey values squared:
    /// what blur takes away first, be it of focus or of motion
    /// (Pertuz, Puig and Garcia, "Analysis of focus measure operators", Pattern Recognition 46(5), 2013). Of the whole
    /// picture where no sheet is found.
    package let sharpness: Double
    /// The pixels of the sheet in the photograph, of the whole photograph if no sheet is found: what is its resolution,
    /// as the sheet itself does not change.
    package let area: Double
    /// How sure the outline is, 0 to 1; 0 if no sheet is found.
    package let confidence: Double
    /// The share of the sheet's outline on the picture's rim, 0 (whole in view) to 1; nil if no sheet is found.
    package let borderShare: Double?
    /// The share of the depth map that has readings, 0 to 1; 0 without a map.
    package let depthShare: Double

    /// How much of the sheet's rim does not count for its sharpness, as a share of the root of its area: there the table
    /// shows through an outline's error, and the step from paper to table is steeper than any print.
    private static let rimShare = 0.03

    /// Measures a capture.
    /// - Parameters:
    ///   - capture: the frame.
    ///   - longestSide: the picture is first reduced to at most so many pixels a side; nil measures all of it.
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

    /// The share of the outline on the picture's rim from which a sheet is cut off: a side there is a tenth or more.
    private static let leastCutShare = 0.05

    /// Whether a sheet is seen, all of it.
    package var isWhole: Bool { borderShare.map { $0 < Self.leastCutShare } ?? false }

    /// What an outline that is not sure at all still counts, of 1.
    private static let leastWeight = 0.1

    /// What is seen of the sheet: its sharpness times its pixels, that is the energy of all detail on it, times how sure it
    /// is that this is the sheet.
    package var detail: Double { sharpness * area * max(confidence, Self.leastWeight) }
}

extension CaptureSource {
    /// The frame that serves best: the sheet whole in view comes first, then what is seen of it (`ShotQuality.detail`) times
    /// the share of depth readings.
    ///
    /// Every frame is looked at small, then the best few as they are: a blur of less than a small picture's pixel shows only
    /// there.
    /// - Returns: its index and what was measured of it.
    /// - Throws: the first error of reading if no frame can be read; `.timeout`.
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

    /// What is measured of frames; those that cannot be read are left out, unless none can.
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

/// How the best frame is looked for.
private enum ShotSearch {
    /// The longer side, in pixels, of the picture in which each frame is looked at first.
    static let smallSide = 640
    /// Frames that are then looked at as they are.
    static let few = 6
}

extension ShotQuality {
    /// Whether a frame serves better than another; `tie` for two that serve alike.
    fileprivate func serves(betterThan other: ShotQuality, or tie: Bool = false) -> Bool {
        guard isWhole == other.isWhole else { return isWhole }
        // Depth somewhere beats depth nowhere; between two frames without it what is seen alone decides.
        if (depthShare > 0) != (other.depthShare > 0) { return depthShare > 0 }
        let (own, its) =
            depthShare > 0
            ? (detail * depthShare, other.detail * other.depthShare) : (detail, other.detail)
        return own == its ? tie : own > its
    }
}

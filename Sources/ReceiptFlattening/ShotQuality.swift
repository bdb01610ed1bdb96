public import Captures
public import Diagnostics
package import DepthGeometry
import Foundation
import Imaging
import SheetFlattening

/// How well a frame serves to be flattened, by cheap measures.
package struct ShotQuality: Sendable {
    /// Mean square of the picture's second differences within the sheet (its Laplacian), grey values squared: what blur
    /// takes away first, be it of focus or of motion. Compares pictures of one scene, not of two
    /// (Pertuz, Puig and Garcia, "Analysis of focus measure operators", Pattern Recognition 46(5), 2013).
    package let sharpness: Double
    /// The share of the sheet's outline on the picture's rim, 0 (whole in view) to 1; nil if no sheet is found.
    package let borderShare: Double?
    /// The share of the depth map that has readings, 0 to 1; 0 without a map.
    package let depthShare: Double

    /// Measures a capture. O(pixels).
    package init(of capture: Capture) {
        let outline = SheetOutline.find(in: capture.image).outline
        let size = capture.image.size
        var columns = 0..<size.width
        var rows = 0..<size.height
        if let polygon = outline?.polygon {
            func range(_ places: [Double], _ count: Int) -> Range<Int> {
                let low = min(max(Int(places.min() ?? 0), 0), count)
                return low..<min(max(Int(places.max() ?? 0), low), count)
            }
            columns = range(polygon.map(\.x), size.width)
            rows = range(polygon.map(\.y), size.height)
        }
        sharpness = capture.image.gray().laplacianEnergy(columns: columns, rows: rows)
        borderShare = outline?.borderShare
        depthShare = capture.depth?.validFraction ?? 0
    }

    /// The share of the outline on the picture's rim from which a sheet is cut off: a side there is a tenth or more.
    private static let leastCutShare = 0.05

    /// Whether a sheet is seen, all of it.
    package var isWhole: Bool { borderShare.map { $0 < Self.leastCutShare } ?? false }
}

extension CaptureSource {
    /// The frame that serves best: the sheet whole in view comes first, then sharpness times the share of depth readings.
    /// - Parameter count: how many frames are looked at, evenly spread over the recording; at least 1.
    /// - Returns: its index and what was measured of it.
    /// - Throws: the first error of reading if no frame can be read; `.timeout`.
    /// - Complexity: O(count · pixels); one picture is in memory at a time.
    package func bestFrame(among count: Int = 24) throws(FlatteningError) -> (
        index: Int, quality: ShotQuality
    ) {
        precondition(count >= 1, "at least one frame is looked at")
        let looked = Swift.min(count, frameCount)
        var best: (index: Int, quality: ShotQuality)?
        var failure: FlatteningError?
        for number in 0..<looked {
            // The middles of equal parts: neither end of a recording, where the hand is on its way.
            let index = (2 * number + 1) * frameCount / (2 * looked)
            try deadline.check(before: .init(rawValue: "choosing frame \(index)"))
            let quality: ShotQuality
            do throws(FlatteningError) {
                quality = ShotQuality(of: try frame(at: index).capture)
            } catch {
                guard error.code != .cancelled, error.code != .timeout else { throw error }
                failure = failure ?? error
                continue
            }
            if best.map({ quality.serves(betterThan: $0.quality) }) ?? true { best = (index, quality) }
        }
        guard let best else {
            throw failure ?? FlatteningError(.badInput, "there is no frame", stage: .capture)
        }
        return best
    }
}

extension ShotQuality {
    fileprivate func serves(betterThan other: ShotQuality) -> Bool {
        guard isWhole == other.isWhole else { return isWhole }
        // Depth somewhere beats depth nowhere; between two frames without it sharpness alone decides.
        if (depthShare > 0) != (other.depthShare > 0) { return depthShare > 0 }
        return depthShare > 0
            ? sharpness * depthShare > other.sharpness * other.depthShare : sharpness > other.sharpness
    }
}

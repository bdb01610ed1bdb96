package import Imaging

/// What became of the frames that a capture was fused from.
package struct FusionRecord: Sendable {
    /// A frame that was left out.
    package struct Refusal: Sendable, Equatable {
        /// The frame's place in the recording, from 0.
        package var frame: Int
        /// Why, in one sentence without a full stop.
        package var reason: String
        /// Whether its depth was used nevertheless.
        package var isOfPictureAlone: Bool

        /// A frame left out.
        package init(frame: Int, reason: String, isOfPictureAlone: Bool) {
            self.frame = frame
            self.reason = reason
            self.isOfPictureAlone = isOfPictureAlone
        }
    }

    /// Frames whose depth was fused, the reference included.
    package var depthFrames: Int
    /// Frames beside the reference that the picture was looked for in.
    package var comparedFrames: [Int] = []
    /// Frames beside the reference that parts of the picture come from.
    package var pictureFrames: [Int] = []
    /// Frames that were left out.
    package var refusals: [Refusal] = []
    /// For blocks of `step` x `step` pixels of the picture the share that comes from other frames, 0 to 1; nil for none.
    package var taken: Raster<Float>?
    /// Side of a block in pixels.
    package var step = 1
    /// Where the picture has `finerFactor` times as many pixels a side as its frames: by which share it foretells the print of a frame
    /// better than one alone does, 0 to 1.
    package var finer: Double?
    /// See `finer`.
    package static let finerFactor = FinerBrightness.factor

    /// Frames of which nothing but depth is known to have been fused.
    package init(depthFrames: Int) { self.depthFrames = depthFrames }

    /// The share of what `isInside` names that comes from other frames, 0 to 1.
    /// - Parameter isInside: asked for the middle of each block, in the picture's pixels.
    /// - Complexity: O(blocks).
    package func shareTaken(where isInside: (SIMD2<Double>) -> Bool) -> Double {
        guard let taken else { return 0 }
        var (sum, count) = (0.0, 0)
        for y in 0..<taken.height {
            for x in 0..<taken.width
            where isInside((SIMD2(Double(x), Double(y)) + 0.5) * Double(step) - 0.5) {
                sum += Double(taken[x: x, y: y])
                count += 1
            }
        }
        return count > 0 ? sum / Double(count) : 0
    }
}

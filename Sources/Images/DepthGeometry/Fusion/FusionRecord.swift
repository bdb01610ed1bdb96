package import Imaging

/// How the frames that a capture was fused from were used.
package struct FusionRecord: Sendable {
    /// A frame that was left out.
    package struct Refusal: Sendable, Equatable {
        /// The frame's index in the recording, from 0.
        package var frame: Int
        /// Why, in one sentence without a full stop.
        package var reason: String
        /// Whether its depth was still used.
        package var isOfPictureAlone: Bool

        /// Creates the record of a frame left out.
        package init(frame: Int, reason: String, isOfPictureAlone: Bool) {
            self.frame = frame
            self.reason = reason
            self.isOfPictureAlone = isOfPictureAlone
        }
    }

    /// Frames whose depth was fused, the reference included.
    package var depthFrames: Int
    /// Frames beside the reference whose images were compared.
    package var comparedFrames: [Int] = []
    /// Frames beside the reference that contributed parts of the image.
    package var pictureFrames: [Int] = []
    /// Frames that were left out.
    package var refusals: [Refusal] = []
    /// For blocks of `step` x `step` pixels of the image, the share that comes from other frames, 0 to 1; nil for none.
    package var taken: Raster<Float>?
    /// Side of a block in pixels.
    package var step = 1
    /// Set if the image has `finerFactor` times as many pixels a side as its frames: how much better it predicts a frame's
    /// print than a single frame does, as a share of the error, 0 to 1.
    package var finer: Double?
    /// See `finer`.
    package static let finerFactor = FinerBrightness.factor

    /// Creates a record in which only the number of frames with fused depth is known.
    package init(depthFrames: Int) { self.depthFrames = depthFrames }

    /// The share of the area selected by `isInside` that comes from other frames, 0 to 1.
    /// - Parameter isInside: called with the centre of each block, in the image's pixels.
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

import DepthGeometry
import SheetFlattening

extension FlatteningReport {
    /// What several frames of a still scene contributed.
    package struct FusionSummary: Codable, Equatable, Sendable {
        /// A frame that was left out.
        package struct Refusal: Codable, Equatable, Sendable {
            /// The frame's index in the recording, from 0.
            package var frame: Int
            /// Why it was left out.
            package var reason: String
            /// "depth" if nothing of the frame was used, "picture" if only its depth was used.
            package var of: String
        }

        /// Number of frames averaged for the depth, including the frame whose image is kept.
        package var depthFrames: Int
        /// The other frames whose images were compared with the kept one.
        package var comparedFrames: [Int]
        /// Those compared frames that parts of the picture come from.
        package var pictureFrames: [Int]
        /// The share of the sheet that comes from those frames, 0 to 1; the share of the whole image if no sheet was found.
        package var shareFromOthers: Double
        /// Frames that were left out.
        package var refused: [Refusal]
        /// The finer picture, if its pixels are finer than the frames'.
        package var finer: Finer?

        /// A picture with finer pixels than its frames.
        package struct Finer: Codable, Equatable, Sendable {
            /// Pixels per frame pixel, along one side.
            package var factor: Int
            /// How much better it predicts the print of a held-out frame than a single frame does, as a share, 0 to 1.
            package var gain: Double
        }
    }
}

extension FlatteningReport.FusionSummary {
    /// - Parameter outline: the sheet's outline, in the photograph's pixels.
    init(_ record: FusionRecord, outline: SheetOutline?) {
        depthFrames = record.depthFrames
        comparedFrames = record.comparedFrames.sorted()
        pictureFrames = record.pictureFrames.sorted()
        let sheet = outline.map { Polygon($0.polygon) }
        shareFromOthers = record.shareTaken { pixel in sheet?.contains(pixel) ?? true }
        refused = record.refusals.sorted { $0.frame < $1.frame }.map {
            Refusal(frame: $0.frame, reason: $0.reason, of: $0.isOfPictureAlone ? "picture" : "depth")
        }
        finer = record.finer.map { Finer(factor: FusionRecord.finerFactor, gain: $0) }
    }
}

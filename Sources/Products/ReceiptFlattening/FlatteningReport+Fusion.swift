import DepthGeometry
import SheetFlattening

extension FlatteningReport {
    /// What several frames of a still scene gave.
    package struct FusionSummary: Codable, Equatable, Sendable {
        /// A frame that was left out.
        package struct Refusal: Codable, Equatable, Sendable {
            /// The frame's place in the recording, from 0.
            package var frame: Int
            /// Why.
            package var reason: String
            /// "depth" where nothing of the frame was used, "picture" where its depth was.
            package var of: String
        }

        /// How many frames the depth is the mean of, the one whose picture is kept included.
        package var depthFrames: Int
        /// The other frames whose pictures were compared with it.
        package var comparedFrames: [Int]
        /// Those of them that parts of the picture come from.
        package var pictureFrames: [Int]
        /// The share of the sheet that those parts make up, of the whole picture where no sheet was found; 0 to 1.
        package var shareFromOthers: Double
        /// Frames that were left out.
        package var refused: [Refusal]
        /// Where the picture has finer pixels than the frames.
        package var finer: Finer?

        /// A picture with finer pixels than its frames.
        package struct Finer: Codable, Equatable, Sendable {
            /// Pixels for each of a frame's, along a side.
            package var factor: Int
            /// By which share it foretells the print of a frame that was left out better than one frame does, 0 to 1.
            package var gain: Double
        }
    }
}

extension FlatteningReport.FusionSummary {
    /// - Parameter outline: the sheet's, in the photograph's pixels.
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

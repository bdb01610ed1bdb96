public import SheetFlattening

/// What to tell a person who points a camera at a receipt: where the sheet is seen, how well, and what to do next.
public struct ReceiptGuidance: Equatable, Sendable {
    /// The one thing to do next.
    public enum Advice: String, CaseIterable, Codable, Sendable {
        /// No sheet is seen: point the camera at it.
        case noSheet
        /// Too little light.
        case tooDark
        /// A side of the sheet lies outside the picture: move until all of it is seen.
        case cutOff
        /// The sheet reaches over the picture on opposite sides: move away.
        case tooClose
        /// The sheet is small in the picture: move nearer.
        case tooFar
        /// The camera looks at the sheet too much from the side.
        case tooTilted
        /// All is well but for the hand's motion, or has only just become so.
        case holdStill
        /// The picture is not sharp though the camera is still: wait for the focus, or clean the lens.
        case blurred
        /// Parts of the sheet are blown out: a lamp is mirrored, or the exposure is too long.
        case tooBright
        /// Take the picture now.
        case ready
    }

    /// A sheet that is followed from frame to frame.
    public struct FollowedSheet: Equatable, Sendable {
        /// The same as long as the same sheet is followed, another for each other sheet; from 1 upwards.
        public let id: Int
        /// The outline in pixels of the frame's picture.
        public let outline: SheetOutline
        /// The four corners in pixels of the frame's picture, clockwise as seen; nil while the sheet does not show four.
        ///
        /// The first is the uppermost and leftmost where the sheet was first seen, and the same corner as long as it is followed.
        public let corners: [SIMD2<Double>]?
    }

    /// How well the sheet is seen; each measure by itself, for those who draw bars.
    public struct Quality: Equatable, Sendable {
        /// How much of the detail that is there at half the resolution has a counterpart in the finest, 0 (blurred) to 1.
        /// Of the sheet's box, or of the whole picture where no sheet is seen.
        public var sharpness: Double
        /// How bright the paper is, 0 to 1: the upper quartile of the picture's own (gamma-encoded) values on the sheet, or
        /// on the whole picture where no sheet is seen.
        public var brightness: Double
        /// The share of the sheet that is blown out, 0 to 1; 0 where no sheet is seen.
        public var glare: Double
        /// The angle in radians between the sheet's normal and the optical axis, 0 to pi / 2: from metric depth, else
        /// from the corners of a sheet taken for flat. Nil where neither tells.
        public var tilt: Double?
        /// Metres along the optical axis to the middle of the sheet; nil without metric depth on it.
        public var distance: Double?
        /// The share of the picture's width or height that the sheet's box spans, whichever is greater, 0 to 1; 0 where no
        /// sheet is seen.
        public var extent: Double
        /// How far the sheet, or without one the picture, moved since the frame before, in longer sides of the picture a second.
        /// Nil for a first frame.
        public var motion: Double?
        /// 1 less the share of the sheet's outline that runs along the picture's rim; 0 where no sheet is seen.
        public var wholeness: Double
    }

    /// The sheet, nil while none is seen.
    public let sheet: FollowedSheet?
    /// How well it is seen.
    public let quality: Quality
    /// The one thing to do next.
    public let advice: Advice
    /// The frame's time in seconds, as it came with it.
    public let timestamp: Double?
}

public import SheetFlattening

/// Guidance for a person who points a camera at a receipt: where the sheet is, how well it is seen, and what to do next.
public struct ReceiptGuidance: Equatable, Sendable {
    /// The one thing to do next.
    public enum Advice: String, CaseIterable, Codable, Sendable {
        /// No sheet is visible: point the camera at it.
        case noSheet
        /// Too little light.
        case tooDark
        /// A side of the sheet lies outside the image: move until the whole sheet is visible.
        case cutOff
        /// The sheet runs off the image on opposite sides: move away.
        case tooClose
        /// The sheet is small in the image: move nearer.
        case tooFar
        /// The camera looks at the sheet too obliquely.
        case tooTilted
        /// Everything is good, but the hand moves, or everything has only just become good.
        case holdStill
        /// The image is not sharp although the camera is still: wait for the focus, or clean the lens.
        case blurred
        /// Parts of the sheet are overexposed: a lamp is reflected, or the exposure is too long.
        case tooBright
        /// Take the photograph now.
        case ready
    }

    /// A sheet that is tracked from frame to frame.
    public struct FollowedSheet: Equatable, Sendable {
        /// Stable identifier while one sheet is tracked; a new sheet gets a new one. Starts at 1.
        public let id: Int
        /// The outline in pixels of the frame's image.
        public let outline: SheetOutline
        /// The four corners in pixels of the frame's image, clockwise as seen; nil while fewer than four are visible.
        ///
        /// The first is the top-left corner when the sheet was first seen, and stays the same corner while it is tracked.
        public let corners: [SIMD2<Double>]?
    }

    /// How well the sheet is seen, measure by measure, for example to draw bars.
    public struct Quality: Equatable, Sendable {
        /// The energy of detail at full resolution relative to half resolution, 0 (blurred) to 1; within the sheet's box,
        /// or in the whole image without a sheet.
        public var sharpness: Double
        /// The brightness of the paper, 0 to 1: the upper quartile of the gamma-encoded values on the sheet, or of the
        /// whole image without a sheet.
        public var brightness: Double
        /// The share of the sheet that is overexposed, 0 to 1; 0 without a sheet.
        public var glare: Double
        /// The angle in radians between the sheet's normal and the optical axis, 0 to pi / 2: from metric depth, else
        /// from the corners, assuming a flat sheet. Nil without either.
        public var tilt: Double?
        /// Metres along the optical axis to the middle of the sheet; nil without metric depth.
        public var distance: Double?
        /// The share of the image's width or height that the sheet's box spans, whichever is greater, 0 to 1; 0 without a
        /// sheet.
        public var extent: Double
        /// The motion of the sheet (or of the image, without a sheet) since the previous frame, in longer sides of the image
        /// per second. Nil for the first frame.
        public var motion: Double?
        /// 1 minus the share of the outline that runs along the image's border; 0 without a sheet.
        public var wholeness: Double
    }

    /// The sheet; if there are several, the one nearest the middle of the image. Nil while none is visible.
    public let sheet: FollowedSheet?
    /// How well the sheet is seen.
    public let quality: Quality
    /// The one thing to do next.
    public let advice: Advice
    /// The frame's own time stamp in seconds.
    public let timestamp: Double?
    /// How far the image moved since the previous frame, in pixels of the frame's image, accurate to a few pixels. While a
    /// sheet is tracked, the motion of its part of the image; zero for the first frame.
    package var shift = SIMD2<Double>.zero
}

/// Thresholds above or below which a frame is good enough. The defaults suit a receipt that is to be read.
public struct GuidanceOptions: Equatable, Sendable {
    /// The longer side in pixels to which frames are reduced by a whole factor before anything is measured, 160 to 2048.
    public var workingSide = 640
    /// The least brightness of the paper, 0 to 1. Without a sheet the threshold is one third of it, because tables are darker
    /// than paper. At 0.3 the paper has 7 % of the light that makes white.
    public var leastBrightness = 0.3
    /// The least share of the image's width or height that the sheet spans, 0 to 1. At 0.4 a receipt of 200 mm has 8 pixels
    /// per millimetre in a photograph of 12 megapixels; text recognition needs 5.
    public var leastExtent = 0.4
    /// The greatest tilt in radians. At 35 degrees the far end of a receipt appears at four fifths of the near end's size.
    public var greatestTilt = 35 * Double.pi / 180
    /// The greatest motion, in longer sides of the image per second. At 0.06 an exposure of 1/60 second blurs a photograph
    /// of 4000 pixels by 4.
    public var greatestMotion = 0.06
    /// The least sharpness, 0 to 1.
    public var leastSharpness = 0.3
    /// The greatest share of the sheet that may be blown out, 0 to 1.
    public var greatestGlare = 0.1
    /// The greatest share of the outline that runs along the image's border, 0 to 1; the same as in `ShotQuality.isWhole`.
    public var greatestBorderShare = 0.05
    /// The number of good frames in a row before the advice is `ready`; at least 1.
    public var calmFrames = 5
    /// The assumed seconds between frames without a time stamp, greater than 0.
    public var assumedInterval = 1.0 / 15

    /// The defaults.
    public init() {}
}

/// From where on a frame will do. The defaults suit a receipt that is to be read.
public struct GuidanceOptions: Equatable, Sendable {
    /// The longer side in pixels to which frames are reduced by a whole factor before anything is measured, 160 to 2048.
    public var workingSide = 640
    /// The least brightness of the paper, 0 to 1; of what is seen without a sheet a third of that, as tables are darker. At 0.3
    /// the paper has 7 % of the light that makes white.
    public var leastBrightness = 0.3
    /// The least share of the picture that the sheet must span, 0 to 1: at 0.4 a receipt of 200 mm has 8 pixels a millimetre in
    /// a photograph of 12 megapixels, and recognisers want 5.
    public var leastExtent = 0.4
    /// The greatest tilt in radians: at 35 degrees the far end of a receipt is seen at four fifths of the near one's size.
    public var greatestTilt = 35 * Double.pi / 180
    /// The greatest motion in longer sides of the picture a second: at 0.06 an exposure of 1/60 second smears a photograph of
    /// 4000 pixels by 4.
    public var greatestMotion = 0.06
    /// The least sharpness, 0 to 1.
    public var leastSharpness = 0.3
    /// The greatest share of the sheet that may be blown out, 0 to 1.
    public var greatestGlare = 0.1
    /// The greatest share of the sheet's outline along the picture's rim, 0 to 1, as `ShotQuality.isWhole` has it.
    public var greatestBorderShare = 0.05
    /// How many frames in a row must be good before the advice is `ready`; at least 1.
    public var calmFrames = 5
    /// The seconds between frames that bear no time stamp, greater than 0.
    public var assumedInterval = 1.0 / 15

    /// The defaults.
    public init() {}
}

public import DepthGeometry
public import Imaging
public import SheetFlattening
public import TextRecognition

/// A receipt made flat: its picture, where each pixel came from, its text, and how all that was found.
public struct FlattenedReceipt: Sendable {
    /// The flat picture, upright, not yet made: write it, or take it as `image`.
    public let picture: FlatPicture
    /// The sheet's outline in the upright photograph; nil if none was found.
    public let outline: SheetOutline?
    /// The plane through the sheet in the camera's frame; nil without usable depth.
    public let plane: Plane?
    /// The surface that the sheet was unrolled from; nil without usable depth.
    public let surface: SheetSurface?
    /// What was read; nil if no language was given.
    public let text: RecognizedText?
    /// What the text says of seller, date, items and sums; nil if no text was read. Boxes are in pixels of `image`;
    /// `TextBox.corners(through: map)` takes them to the photograph.
    public let fields: ReceiptFields?
    /// How the picture became flat, what was refused, how long it took.
    public let report: FlatteningReport

    /// The flat picture, upright. Sampled from the photograph each time it is asked for: keep it.
    public var image: RGBImage { picture.image() }
    /// For each pixel of `image` its source in the upright photograph.
    public var map: SamplingMap { picture.map }
    /// The true density of `image` in pixels per metre; nil where scale is not metric.
    public var pixelsPerMeter: Double? { picture.pixelsPerMeter }
}

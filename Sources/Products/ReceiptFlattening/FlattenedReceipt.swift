import Platform
public import Documents
public import DepthGeometry
public import Imaging
public import SheetFlattening
public import TextRecognition

/// A receipt made flat: its picture, where each pixel came from, its text, and how all that was found.
public struct FlattenedReceipt: Sendable {
    /// The flat picture, upright, not yet made: write it, or `render()` it.
    public let picture: FlatImage
    /// The sheet's outline in the upright photograph; nil if none was found.
    public let outline: SheetOutline?
    /// The plane through the sheet in the camera's frame; nil without usable depth.
    public let plane: Plane?
    /// The surface that the sheet was unrolled from; nil without usable depth.
    public let surface: SheetSurface?
    /// What was read; nil if no language was given.
    public let text: RecognizedText?
    /// What the text says of seller, date, items and sums; nil if no text was read. Boxes are in pixels of `picture`;
    /// `Box.corners(through: map)` takes them to the photograph.
    public let fields: ReceiptFields?
    /// What `ReceiptFlattener.Options.finds` asked for, and what was found of it.
    public let findings: SheetFindings
    /// How the picture became flat, what was refused, how long it took.
    public package(set) var report: FlatteningReport
    /// What read the text; nil if none was read.
    let engine: (any TextEngine)?
    /// What is known of it besides its print.
    let context: ReceiptContext
    /// What was hidden of it, to be sought in all that is written; empty unless it is redacted. It holds the data itself, and is
    /// never written.
    package internal(set) var hidden: [PersonalData: HiddenContent] = [:]
    /// The kinds of which the redacted picture still shows something, or must be thought to.
    package internal(set) var shown: Set<PersonalData> = []

    /// For each pixel of `picture` its source in the upright photograph.
    public var map: SamplingMap { picture.map }
    /// The true density of `picture` in pixels per metre; nil where scale is not metric.
    public var pixelsPerMeter: Double? { picture.pixelsPerMeter }
}

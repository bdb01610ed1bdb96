import Platform
public import Documents
public import DepthGeometry
public import Imaging
public import SheetFlattening
public import TextRecognition

/// A flattened receipt: its picture, the source of each pixel, its text, and a report of how all that was found.
public struct FlattenedReceipt: Sendable {
    /// The flat image, upright. It is not yet computed: write it, or `render()` it.
    public let picture: FlatImage
    /// The sheet's outline in the upright photograph; nil if none was found.
    public let outline: SheetOutline?
    /// The plane through the sheet in the camera's frame; nil without usable depth.
    public let plane: Plane?
    /// The surface that the sheet was unrolled from; nil without usable depth.
    public let surface: SheetSurface?
    /// What the flat image says.
    let reading: PageReading
    /// How the receipt was flattened, what was refused, and how long it took.
    public package(set) var report: FlatteningReport
    /// What is known about the receipt besides its print.
    let context: ReceiptContext
    /// What was redacted, so that every output can be searched for it; empty unless the receipt is redacted. It holds the
    /// personal data itself, and is never written.
    package internal(set) var hidden: [PersonalData: HiddenContent] = [:]
    /// The kinds of personal data that the redacted picture still shows, or must be assumed to show.
    package internal(set) var shown: Set<PersonalData> = []

    /// The text that was read; nil if no language was given.
    public var text: RecognizedText? { reading.text }
    /// Seller, date, items and sums as read from the text; nil if no text was read. Boxes are in pixels of `picture`;
    /// `Box.corners(through: map)` converts them to the photograph.
    public var fields: ReceiptFields? { reading.fields }
    /// What `ReceiptFlattener.Options.finds` asked for, and what of it was found.
    public var findings: SheetFindings { reading.findings }
    /// For each pixel of `picture`, its source in the upright photograph.
    public var map: SamplingMap { picture.map }
    /// The true density of `picture` in pixels per metre; nil if the scale is not metric.
    public var pixelsPerMeter: Double? { picture.pixelsPerMeter }
}

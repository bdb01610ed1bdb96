public import Documents
public import SheetGuidance

/// An item on a sheet that is followed from frame to frame.
public struct TrackedItem: Identifiable, Equatable, Sendable {
    /// The same as long as the item's place on the sheet is in view. Starts at 1.
    public let id: Int
    /// What the readings agree on; its `box` is in pixels of the flat picture that was read last.
    public let item: RecognizedItem
    /// Its corners in pixels of the frame's image, clockwise around the text.
    public let corners: [SIMD2<Double>]
    /// How many readings found it.
    public let readings: Int
}

/// What a frame changed about the items in view.
public struct ItemChanges: Equatable, Sendable {
    /// Guidance for the frame.
    public let guidance: ReceiptGuidance
    /// All items in view, in reading order.
    public let items: [TrackedItem]
    /// Those that came into view with this frame.
    public let added: [TrackedItem]
    /// Those that moved in the image, or whose text is now another.
    public let updated: [TrackedItem]
    /// Those that are out of view, as they last were.
    public let removed: [TrackedItem]
}

/// When items count as seen, and with what they are read.
public struct ItemTrackingOptions: Sendable {
    /// Readings that must find an item before it is shown, at least 1. A misreading seldom comes twice in one place.
    public var leastReadings = 2
    /// Readings that may miss an item before it is gone, at least 1: a hand that passes hides it from two or three.
    public var missedReadings = 5
    /// The readings that vote on an item's text, the latest ones, at least 1.
    public var votes = 15
    /// Whether each frame waits until it is read, as frames of a recording may. A camera's frames are shown at once; what is
    /// read is the newest frame whenever a reading has ended.
    public var waitsForReadings = false
    /// When a frame is good enough for a photograph.
    public var guidance = GuidanceOptions()

    /// The defaults.
    public init() {}
}

public import Documents
public import Imaging
public import SheetGuidance

/// What to follow, when it counts as seen, and how frames are read.
public struct ItemTrackingOptions: Sendable {
    /// The size at which frames are read.
    public enum Quality: String, CaseIterable, Sendable {
        /// Up to 960 pixels a side: reads large print quickly.
        case fast
        /// Up to 1920 pixels a side.
        case balanced
        /// At full size: reads the smallest print, at the camera's resolution.
        case accurate

        /// Pixels of the longer side; nil for no limit.
        var longestSide: Int? {
            switch self {
            case .fast: 960
            case .balanced: 1920
            case .accurate: nil
            }
        }
    }

    /// The kinds to follow, besides those in the flattening options' `finds` (items, codes, faces). If both are empty, items
    /// are followed.
    public var follows: Set<TrackedItem.Kind> = []
    /// The kinds of items to follow; nil for all.
    public var itemKinds: Set<RecognizedItem.Kind>?
    /// The symbologies of codes to follow; nil for all.
    public var symbologies: Set<SheetCode.Symbology>?
    /// The part of the frame's image in which things are followed, in its pixels; nil for the whole image.
    public var regionOfInterest: Box?
    /// Whether everything in view is followed; if not, only what is nearest to the middle of the image or of the region of
    /// interest.
    public var followsSeveral = true
    /// The size at which frames are read.
    public var quality = Quality.balanced
    /// The number of readings that must find an item before it is shown, at least 1. A misreading seldom occurs twice in one
    /// place. A code is shown at once, because it has a check of its own.
    public var leastReadings = 2
    /// The number of readings in a row that must miss an item before it is removed, at least 1: a passing hand hides it from
    /// two or three. Three quick readings of codes, of which there is one a frame, count as one.
    public var missedReadings = 5
    /// The number of latest readings that vote on an item's text, at least 1.
    public var votes = 15
    /// Whether each frame waits until it has been read, which suits frames of a recording. A camera's frames are shown at
    /// once, and the newest frame is read whenever a reading has ended.
    public var waitsForReadings = false
    /// The thresholds for a frame that is good enough for a photograph.
    public var guidance = GuidanceOptions()

    /// The defaults.
    public init() {}

    /// Returns the number of readings that must find an item before it is shown.
    func leastReadings(of kind: TrackedItem.Kind) -> Int { kind == .code ? 1 : max(leastReadings, 1) }

    /// Whether an item is one of those that are followed.
    func accepts(_ content: TrackedItem.Content) -> Bool {
        switch content {
        case .item(let item): itemKinds?.contains(item.kind) ?? true
        case .code(let code): symbologies?.contains(code.symbology) ?? true
        case .line, .face, .field: true
        }
    }
}

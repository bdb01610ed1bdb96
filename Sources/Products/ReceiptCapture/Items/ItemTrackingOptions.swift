public import Documents
public import Imaging
public import SheetGuidance

/// What is followed, when it counts as seen, and with what it is read.
public struct ItemTrackingOptions: Sendable {
    /// How large frames are read.
    public enum Quality: String, CaseIterable, Sendable {
        /// Up to 960 pixels a side: large print at once.
        case fast
        /// Up to 1920 pixels a side.
        case balanced
        /// As they come: the smallest print, at the camera's resolution.
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

    /// What is followed, besides what the options of flattening look for (`finds`: items, codes, faces). With neither, items
    /// are.
    public var follows: Set<TrackedItem.Kind> = []
    /// Of the items these kinds; nil for all.
    public var itemKinds: Set<RecognizedItem.Kind>?
    /// Of the codes these symbologies; nil for all.
    public var symbologies: Set<SheetCode.Symbology>?
    /// The part of the frame's image in which things are followed, in its pixels; nil for all of it.
    public var regionOfInterest: Box?
    /// Whether all in view are followed; else the one nearest the middle of the image, or of the region of interest.
    public var followsSeveral = true
    /// How large frames are read.
    public var quality = Quality.balanced
    /// Readings that must find an item before it is shown, at least 1. A misreading seldom comes twice in one place. A code
    /// is shown at once: it carries its own check.
    public var leastReadings = 2
    /// Readings that may miss an item before it is gone, at least 1: a hand that passes hides it from two or three. Three of the
    /// quick looks for codes, one a frame, count as one.
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

    /// Readings that must find one before it is shown.
    func leastReadings(of kind: TrackedItem.Kind) -> Int { kind == .code ? 1 : max(leastReadings, 1) }

    /// Whether it is one of those that are followed.
    func accepts(_ content: TrackedItem.Content) -> Bool {
        switch content {
        case .item(let item): itemKinds?.contains(item.kind) ?? true
        case .code(let code): symbologies?.contains(code.symbology) ?? true
        case .line, .face, .field: true
        }
    }
}

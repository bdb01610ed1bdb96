public import Documents
public import Imaging
import SheetFlattening
public import SheetGuidance
public import TextRecognition

/// Something in view that is followed from frame to frame.
public struct TrackedItem: Identifiable, Equatable, Sendable {
    /// What can be followed.
    public enum Kind: String, CaseIterable, Codable, Hashable, Sendable {
        /// A printed row, whatever its text.
        case line
        /// Something to act on: a link, a mail address, a telephone number, a date, a price, an address.
        case item
        /// A bar code or a two-dimensional code.
        case code
        /// A face.
        case face
        /// A receipt's merchant, date or total, once it is read with certainty.
        case field
    }

    /// The receipt fields that can be followed.
    public enum Field: String, CaseIterable, Codable, Hashable, Sendable {
        /// The seller's name.
        case merchant
        /// The day, in ISO 8601.
        case date
        /// The sum, a decimal number with a point.
        case total
    }

    /// The content. Boxes and corners inside are in pixels of the flat image that was read last, or of the frame if there
    /// was none; `TrackedItem.corners` follows the frame.
    public enum Content: Equatable, Sendable {
        /// A printed row.
        case line(RecognizedLine)
        /// Something to act on.
        case item(RecognizedItem)
        /// A code.
        case code(SheetCode)
        /// A face.
        case face(SheetFace)
        /// A field's value, and its confidence, 0 to 1.
        case field(Field, value: String, confidence: Double)

        /// The content's kind.
        public var kind: Kind {
            switch self {
            case .line: .line
            case .item: .item
            case .code: .code
            case .face: .face
            case .field: .field
            }
        }

        /// The content's text: a row's words, the value of an item or a field, a code's text; nil for faces, and for codes
        /// whose bytes are not text.
        public var text: String? {
            switch self {
            case .line(let line): line.text
            case .item(let item): item.value
            case .code(let code): code.text
            case .face: nil
            case .field(_, let value, _): value
            }
        }
    }

    /// Stays the same as long as the item's place is in view. Starts at 1.
    public let id: Int
    /// The content that the readings agree on.
    public let content: Content
    /// The item's corners in pixels of the frame's image, clockwise.
    public let corners: [SIMD2<Double>]
    /// The number of readings that found it.
    public let readings: Int

    /// Whether a point of the frame's image is inside it.
    func contains(_ place: SIMD2<Double>) -> Bool { Polygon(corners).contains(place) }
}

/// The changes that a frame made to the items in view.
public struct ItemChanges: Equatable, Sendable {
    /// The guidance for the frame.
    public let guidance: ReceiptGuidance
    /// All items in view; those of one reading are in reading order.
    public let items: [TrackedItem]
    /// The items that came into view with this frame.
    public let added: [TrackedItem]
    /// The items that moved in the image, or whose text changed.
    public let updated: [TrackedItem]
    /// The items that went out of view, in their last state.
    public let removed: [TrackedItem]

    /// Returns the item at a point of the frame's image, for example where it was tapped; the smallest if there are several,
    /// nil if there is none.
    public func item(at place: SIMD2<Double>) -> TrackedItem? {
        items.filter { $0.contains(place) }.min {
            Box(around: $0.corners).area < Box(around: $1.corners).area
        }
    }
}

extension Box {
    /// In square pixels.
    var area: Double { width * height }

    /// Whether a point in pixel-centre coordinates is inside.
    func holds(_ place: SIMD2<Double>) -> Bool {
        place.x + 0.5 >= left && place.x + 0.5 <= right && place.y + 0.5 >= top && place.y + 0.5 <= bottom
    }
}

public import Documents
public import Imaging
import SheetFlattening
public import SheetGuidance
public import TextRecognition

/// Something in view that is followed from frame to frame.
public struct TrackedItem: Identifiable, Equatable, Sendable {
    /// What can be followed.
    public enum Kind: String, CaseIterable, Codable, Hashable, Sendable {
        /// A printed row, whatever it says.
        case line
        /// What can be acted on: a link, a mail address, a telephone number, a date, a price, an address.
        case item
        /// A bar code or a two-dimensional code.
        case code
        /// A face.
        case face
        /// A receipt's merchant, date or total, once it is read surely.
        case field
    }

    /// The fields of a receipt that are followed.
    public enum Field: String, CaseIterable, Codable, Hashable, Sendable {
        /// The seller's name.
        case merchant
        /// The day, as in ISO 8601.
        case date
        /// The sum, a decimal number with a point.
        case total
    }

    /// What it is. Boxes and corners inside are in pixels of the flat picture that was read last, or of the frame where
    /// there was none; `TrackedItem.corners` follows the frame.
    public enum Content: Equatable, Sendable {
        /// A printed row.
        case line(RecognizedLine)
        /// What can be acted on.
        case item(RecognizedItem)
        /// A code.
        case code(SheetCode)
        /// A face.
        case face(SheetFace)
        /// A field's value, and how sure it is, 0 to 1.
        case field(Field, value: String, confidence: Double)

        /// Which of the kinds it is.
        public var kind: Kind {
            switch self {
            case .line: .line
            case .item: .item
            case .code: .code
            case .face: .face
            case .field: .field
            }
        }

        /// What it says: a row's words, the value of an item or a field, a code's text; nil for faces, and for codes of bytes
        /// that are no text.
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

    /// The same as long as its place is in view. Starts at 1.
    public let id: Int
    /// What the readings agree on.
    public let content: Content
    /// Its corners in pixels of the frame's image, clockwise around it.
    public let corners: [SIMD2<Double>]
    /// How many readings found it.
    public let readings: Int

    /// Whether a place of the frame's image lies on it.
    func contains(_ place: SIMD2<Double>) -> Bool { Polygon(corners).contains(place) }
}

/// What a frame changed about the items in view.
public struct ItemChanges: Equatable, Sendable {
    /// Guidance for the frame.
    public let guidance: ReceiptGuidance
    /// All items in view, those of one reading in reading order.
    public let items: [TrackedItem]
    /// Those that came into view with this frame.
    public let added: [TrackedItem]
    /// Those that moved in the image, or whose text is now another.
    public let updated: [TrackedItem]
    /// Those that are out of view, as they last were.
    public let removed: [TrackedItem]

    /// The item at a place of the frame's image, for example where it was tapped; of several the smallest, nil for none.
    public func item(at place: SIMD2<Double>) -> TrackedItem? {
        items.filter { $0.contains(place) }.min {
            Box(around: $0.corners).area < Box(around: $1.corners).area
        }
    }
}

extension Box {
    /// In square pixels.
    var area: Double { width * height }

    /// Whether a place in pixel-centre coordinates lies in it.
    func holds(_ place: SIMD2<Double>) -> Bool {
        place.x + 0.5 >= left && place.x + 0.5 <= right && place.y + 0.5 >= top && place.y + 0.5 <= bottom
    }
}

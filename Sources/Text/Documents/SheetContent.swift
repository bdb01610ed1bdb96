/// What can be searched for on a sheet besides its text and a receipt's fields.
public enum SheetContent: String, CaseIterable, Hashable, Sendable {
    /// Bar codes and two-dimensional codes.
    case codes
    /// The machine-readable zone of a passport, visa or identity card.
    case mrz
    /// Links, mail addresses, telephone numbers, dates, times, prices, addresses, numbers of flights and parcels.
    case items
    /// The person and the firm of a business card.
    case contact
    /// Faces.
    case faces
    /// The kind of document.
    case kind

    /// Whether the libraries and data it needs are installed, apart from a text reader.
    public var isAvailable: Bool {
        switch self {
        case .codes: CodeReader.isThere
        case .faces: FaceDetector.isThere
        case .mrz, .items, .contact, .kind: true
        }
    }

    /// Whether it is found in recognized text.
    package var needsText: Bool {
        switch self {
        case .items, .contact, .kind: true
        case .codes, .mrz, .faces: false
        }
    }
}

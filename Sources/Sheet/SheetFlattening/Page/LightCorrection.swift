package import Imaging

/// What is done to the flat picture's light; where each pixel comes from and what is read do not depend on it.
public enum LightCorrection: String, CaseIterable, Sendable {
    /// `none` in images, `document` in what is made to be read: a PDF, a page of HTML.
    case automatic
    /// Nothing: the photograph's own values.
    case none
    /// Bare paper becomes evenly bright, shadows vanish, colours stay: `RGBImage.withEvenLight`.
    case even
    /// Paper becomes white whatever its colour, shadows go with their edges, print keeps its colours: `RGBImage.asDocument`.
    case document
    /// White paper, black print, grey levels only at the letters' rims: `RGBImage.inBlackAndWhite`.
    case blackAndWhite

    /// Whether an image's pixels are others than the photograph's.
    package var changesPixels: Bool { self != .none && self != .automatic }

    /// The picture in this light, as an image shows it. O(pixels).
    package func corrected(_ picture: RGBImage) -> RGBImage {
        switch self {
        case .automatic, .none: picture
        case .even: picture.withEvenLight()
        case .document: picture.asDocument()
        case .blackAndWhite: picture.inBlackAndWhite().map { RGB(red: $0, green: $0, blue: $0) }
        }
    }
}

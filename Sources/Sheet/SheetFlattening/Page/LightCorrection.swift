package import Imaging

/// The light correction of the flat image. It affects neither where pixels come from nor what is read.
public enum LightCorrection: String, CaseIterable, Sendable {
    /// `none` in images, `document` in output for reading: a PDF, an HTML page.
    case automatic
    /// No correction: the photograph's own values.
    case none
    /// Bare paper becomes evenly bright, shadows vanish, colours stay: `RGBImage.withEvenLight`.
    case even
    /// Paper becomes white whatever its colour, shadows vanish with their edges, print keeps its colours:
    /// `RGBImage.asDocument`.
    case document
    /// White paper, black print, grey levels only at the edges of letters: `RGBImage.inBlackAndWhite`.
    case blackAndWhite

    /// Whether the image's pixels differ from the photograph's.
    package var changesPixels: Bool { self != .none && self != .automatic }

    /// The image in this light, as an image file shows it. O(pixels).
    package func corrected(_ picture: RGBImage) -> RGBImage {
        switch self {
        case .automatic, .none: picture
        case .even: picture.withEvenLight()
        case .document: picture.asDocument()
        case .blackAndWhite: picture.inBlackAndWhite().map { RGB(red: $0, green: $0, blue: $0) }
        }
    }
}

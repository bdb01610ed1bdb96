/// How the photograph was flattened.
public enum FlatteningMethod: String, Codable, Sendable {
    /// Through a plane fitted to depth.
    case plane
    /// Through a general cylinder fitted to depth.
    case cylinder
    /// Through a free-form surface fitted to depth.
    case freeform
    /// Through the general cylinder that the sheet's two curved sides show, with the true aspect ratio.
    case edges
    /// Through the four corners of the sheet, with the true aspect ratio.
    case corners
    /// Unchanged but levelled by its print: the image itself is the sheet, as in a scan or a screenshot.
    case scan
    /// Without the sheet's corners: the whole photograph, levelled by the lines that are printed on the sheet.
    case angle
    /// Only turned upright.
    case unchanged
}

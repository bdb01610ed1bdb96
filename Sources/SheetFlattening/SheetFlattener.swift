public import DepthGeometry
public import Diagnostics
import Imaging

/// Turns a photograph, with depth and camera where there are any, into a flat picture by geometry alone: no file, no text.
///
/// ```swift
/// let capture = Capture(image: photograph, depth: depth, intrinsics: camera)
/// let sheet = try SheetFlattener().flatten(capture)
/// let flat = sheet.picture.render()
/// ```
///
/// The picture is level with the sheet's sides and its print; which of the four turns is upright only its text tells: that
/// is `ReceiptFlattener`'s part. A flattener holds no state: one value may serve many tasks at once.
public struct SheetFlattener: Sendable {
    /// What the caller chose.
    public var options: Options

    /// A flattener; its options are checked when it is used.
    public init(options: Options = Options()) { self.options = options }

    /// Finds the sheet in a capture and makes it flat.
    /// - Throws: `.badInput` for options out of range, `.limitExceeded` for a photograph of more than 715 megapixels or a flat
    ///   picture beyond the options' limit, `.missingDependency` without LAPACK, `.shortage` where memory is short.
    /// - Complexity: linear in the photograph's pixels and the depth readings.
    public func flatten(_ capture: Capture) throws(FlatteningError) -> FlattenedSheet {
        try options.validate()
        try ResamplingLimits.check(capture.image.size)
        try RequiredLibraries.load()
        return try RequiredLibraries.withoutShortage { () throws(FlatteningError) in
            let search = try locateSheet(in: capture)
            let (sheet, preview) = try FlatteningLadder(capture: capture, search: search, options: options)
                .climb().straightenedByPrint(on: capture.image, options: options)
            let page = preview.page
            return FlattenedSheet(
                picture: FlatImage(
                    photograph: capture.image, map: page.samplingMap(), filter: options.filter,
                    light: options.light, pixelsPerMeter: page.pixelsPerMeter),
                outline: search.outline, plane: sheet.plane?.model, surface: sheet.fit?.surface,
                method: sheet.method, confidence: sheet.confidence, refused: sheet.refused)
        }
    }

    /// Where the sheet lies: where the caller said, or where it is found.
    package func locateSheet(in capture: Capture) throws(FlatteningError) -> SheetSearch {
        if let corners = options.corners {
            return .found([try SheetOutline(givenCorners: corners, imageSize: capture.image.size)])
        }
        return SheetOutline.find(in: capture.image)
    }
}

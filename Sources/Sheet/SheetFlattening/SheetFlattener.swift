public import DepthGeometry
public import Diagnostics
import Imaging
import RuntimeLibraries

/// Turns a photograph, with depth and camera where there are any, into a flat picture by geometry alone: no file, no text.
///
/// ```swift
/// let capture = Capture(image: photograph, depth: depth, intrinsics: camera)
/// let sheet = try SheetFlattener().flatten(capture)
/// let flat = sheet.picture.render()
/// ```
///
/// The picture is level with the sheet's sides and its print, and stands as the photograph does; a sheet that lies on its
/// side or on its head only its text tells, which `ReceiptFlattener` reads. A flattener holds no state: one value may serve many tasks at once.
public struct SheetFlattener: Sendable {
    /// What the caller chose.
    public var options: Options

    /// A flattener; its options are checked when it is used.
    public init(options: Options = Options()) { self.options = options }

    /// Finds the sheet in a capture and makes it flat; of several the one most likely meant.
    /// - Throws: `.badInput` for options out of range, `.limitExceeded` for a photograph of more than 715 megapixels or a flat
    ///   picture beyond the options' limit, `.missingDependency` without LAPACK, `.shortage` where memory is short.
    /// - Complexity: linear in the photograph's pixels and the depth readings.
    public func flatten(_ capture: Capture) throws(FlatteningError) -> FlattenedSheet {
        try sheets(of: capture) { search in [search] }[0]
    }

    /// Finds all sheets in a capture and makes each flat.
    /// - Returns: the sheets in reading order: rows from above, and from the left in a row. At least one: where none is found
    ///   the ladder goes on without an outline, as in `flatten(_:)`. Corners that were given are one sheet's.
    /// - Throws: as `flatten(_:)`; what fails for one sheet fails for all.
    /// - Complexity: the sheets are looked for once; the rest is linear in the photograph's pixels and the depth readings, for
    ///   each sheet.
    public func flattenAll(_ capture: Capture) throws(FlatteningError) -> [FlattenedSheet] {
        try sheets(of: capture, chosenFrom: \.eachInReadingOrder)
    }

    /// - Parameter chosen: what of all that was found is made flat, at least one.
    private func sheets(
        of capture: Capture, chosenFrom chosen: (SheetSearch) -> [SheetSearch]
    ) throws(FlatteningError) -> [FlattenedSheet] {
        try options.validate()
        try ResamplingLimits.check(capture.image.size)
        try RequiredLibraries.load()
        return try RequiredLibraries.withoutShortage { () throws(FlatteningError) in
            var sheets: [FlattenedSheet] = []
            for search in chosen(try locateSheet(in: capture)) {
                sheets.append(try flattened(capture, search))
            }
            return sheets
        }
    }

    private func flattened(
        _ capture: Capture, _ search: SheetSearch
    ) throws(FlatteningError) -> FlattenedSheet {
        let (sheet, preview) = try FlatteningLadder(capture: capture, search: search, options: options)
            .climb().straightenedByPrint(on: capture.image, options: options)
        let page = preview.page.standingAsPhotographed
        return FlattenedSheet(
            picture: FlatImage(
                of: sheet, on: page, photograph: capture.image, map: page.samplingMap(), options: options),
            outline: search.outline, plane: sheet.plane?.model, surface: sheet.fit?.surface,
            method: sheet.method, confidence: sheet.confidence, refused: sheet.refused)
    }

    /// Where the sheet lies: where the caller said, or where it is found, which may be all of the picture.
    package func locateSheet(in capture: Capture) throws(FlatteningError) -> SheetSearch {
        if let corners = options.corners {
            return .found([try SheetOutline(givenCorners: corners, imageSize: capture.image.size)])
        }
        if capture.page?.drawn != nil { return .scan(.scan(of: capture.image.size, confidence: 1)) }
        guard Resources.canReserve(SheetLook.bytes) else {
            throw .shortage(of: "the network that finds sheets", stage: .network, detail: nil)
        }
        let found = SheetOutline.lyingOn(SheetOutline.find(in: capture.image), in: capture)
        guard capture.depth == nil, let page = ScannedPage(in: capture.image, found: found.outlines) else {
            return found
        }
        return .scan(.scan(of: capture.image.size, confidence: page.confidence))
    }
}

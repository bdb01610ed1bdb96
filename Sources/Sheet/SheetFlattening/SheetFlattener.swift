public import DepthGeometry
public import Diagnostics
import Imaging
import RuntimeLibraries

/// Turns a photograph, with depth and camera if available, into a flat image by geometry alone: no file, no text.
///
/// ```swift
/// let capture = Capture(image: photograph, depth: depth, intrinsics: camera)
/// let sheet = try SheetFlattener().flatten(capture)
/// let flat = sheet.picture.render()
/// ```
///
/// The image is level with the sheet's sides and its print, and keeps the orientation of the photograph. Only its text tells
/// whether a sheet lies on its side or upside down; `ReceiptFlattener` reads it. A flattener holds no state: one value may
/// serve many tasks at once.
public struct SheetFlattener: Sendable {
    /// The caller's options.
    public var options: Options

    /// Creates a flattener; its options are checked when it is used.
    public init(options: Options = Options()) { self.options = options }

    /// Finds the sheet in a capture and flattens it; if there are several, the one most likely intended.
    /// - Throws: `.badInput` for options out of range, `.limitExceeded` for a photograph of more than 715 megapixels or a flat
    ///   image beyond the options' limit, `.missingDependency` without LAPACK, `.shortage` where memory is short.
    /// - Complexity: linear in the photograph's pixels and the depth readings.
    public func flatten(_ capture: Capture) throws(FlatteningError) -> FlattenedSheet {
        try sheets(of: capture) { search in [search] }[0]
    }

    /// Finds all sheets in a capture and flattens each.
    /// - Returns: the sheets in reading order: rows from top to bottom, and from left to right in a row. At least one: if none
    ///   is found, the ladder continues without an outline, as in `flatten(_:)`. Given corners describe a single sheet.
    /// - Throws: as `flatten(_:)`; a failure of one sheet fails all.
    /// - Complexity: sheets are searched once; the rest is linear in the photograph's pixels and the depth readings, for each
    ///   sheet.
    public func flattenAll(_ capture: Capture) throws(FlatteningError) -> [FlattenedSheet] {
        try sheets(of: capture, chosenFrom: \.eachInReadingOrder)
    }

    /// - Parameter chosen: selects the sheets to flatten from all that were found, at least one.
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
        let ladder = FlatteningLadder(capture: capture, search: search, options: options)
        let (sheet, preview) = try ladder.straightened(try ladder.climb())
        let page = preview.page.standingAsPhotographed
        return FlattenedSheet(
            picture: FlatImage(
                of: sheet, on: page, photograph: capture.image, map: page.samplingMap(), options: options),
            outline: search.outline, plane: sheet.plane?.model, surface: sheet.fit?.surface,
            method: sheet.method, confidence: sheet.confidence, refused: sheet.refused)
    }

    /// The sheet's location: given by the caller, or found by search, which may return the whole image.
    package func locateSheet(in capture: Capture) throws(FlatteningError) -> SheetSearch {
        if let corners = options.corners {
            return .found([try SheetOutline(givenCorners: corners, imageSize: capture.image.size)])
        }
        if capture.page?.drawn != nil { return .scan(.scan(of: capture.image.size, confidence: 1)) }
        guard Resources.canReserve(SheetLook.bytes) else {
            throw .shortage(of: "the network that finds sheets", stage: .network, detail: nil)
        }
        let found = SheetOutline.lyingOn(SheetOutline.find(in: capture.image), in: capture)
        guard capture.depth == nil else { return found }
        let page = ScannedPage(in: capture.image, found: found.outlines)
        let isSure =
            page.map { $0.confidence >= ScannedPage.leastConfidenceAgainstOutline } ?? found.showsSheet
        // Print of several sheets does not tell where one of them ends.
        if !isSure, found.outlines.count <= 1, let sheet = SheetOutline.besidePrint(in: capture.image) {
            let beside = SheetSearch.found([sheet])
            if beside.showsSheet { return beside }
        }
        return page.map { .scan(.scan(of: capture.image.size, confidence: $0.confidence)) } ?? found
    }
}

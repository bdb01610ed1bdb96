package import Diagnostics
package import Imaging
package import PrintDetection

/// A small image of a sheet's page and the print in it, used to straighten the sheet and to tell which way is up.
package struct PreviewPage {
    /// The page, in the sheet's frame.
    package let page: PageLayout
    /// Pixels of the small image per unit of the flat coordinates.
    package let density: Double
    /// The small image and the print on it.
    package let print: PageMarks
    /// Whether a position in the small image, in pixel-centre coordinates, lies on the sheet; nil if all of it does, as far as
    /// is known.
    package let isOnSheet: (@Sendable (SIMD2<Double>) -> Bool)?

    /// The small image's longer side in pixels: letters of 2 mm on a receipt of 200 mm, or on a sheet of A4, are then 16 or 11
    /// pixels high.
    private static let longerSide = 1600.0

    /// Creates the small image of a sheet's page.
    /// - Throws: as `PageLayout` does.
    package init(
        of sheet: UnrolledSheet, photograph: RGBImage, options: SheetFlattener.Options
    ) throws(FlatteningError) {
        page = try PageLayout(sheet: sheet, photograph: photograph.size, options: options)
        density = page.previewDensity(longerSide: Self.longerSide)
        let map = page.previewMap(longerSide: Self.longerSide)
        print = PageMarks(of: photograph.resampledGray(through: map, filter: .bilinear))
        isOnSheet = sheet.isOnSheet(through: map)
    }

    /// Width and height in pixels.
    var size: SIMD2<Double> { SIMD2(Double(print.page.width), Double(print.page.height)) }
}

package import Imaging

extension FlatImage {
    /// Creates the flat image of a sheet on a page.
    /// - Parameter map: the page's own sampling map.
    package init(
        of sheet: UnrolledSheet, on page: PageLayout, photograph: RGBImage, map: SamplingMap,
        options: SheetFlattener.Options
    ) {
        let outline =
            options.edge == .fill && sheet.isFramedByOutline && sheet.outline != nil
            ? page.places(of: sheet.region) : nil
        self.init(
            photograph: photograph, map: map, filter: options.filter, light: options.light,
            pixelsPerMeter: page.pixelsPerMeter,
            edge: outline.flatMap { PaperEdge(outline: $0, of: photograph, through: map) })
    }
}

package import Imaging

extension FlatImage {
    /// Creates the flat image of a sheet on a page.
    /// - Parameter map: the page's own sampling map.
    package init(
        of sheet: UnrolledSheet, on page: PageLayout, photograph: RGBImage, map: SamplingMap,
        options: SheetFlattener.Options
    ) {
        var edge: PaperEdge?
        if options.edge == .fill {
            if !sheet.isFramedByOutline {
                edge = PaperEdge(outline: nil, of: photograph, through: map)
            } else if sheet.outline != nil {
                edge = page.places(of: sheet.region).flatMap {
                    PaperEdge(outline: $0, of: photograph, through: map)
                }
            }
        }
        self.init(
            photograph: photograph, map: map, filter: options.filter, light: options.light,
            pixelsPerMeter: page.pixelsPerMeter, edge: edge)
    }
}

import DepthGeometry

extension UnrolledSheet {
    /// Squares the sheet: makes its four sides those of a rectangle.
    /// - Parameter ink: where ink is on the flat sheet, if its rows are level by print; nil without print.
    /// - Returns: nil if depth gives the shape, no outline was found, or the sides form no rectangle.
    func squaredBySides(around ink: InkPlaces?, options: SheetFlattener.Options) -> UnrolledSheet? {
        guard depthFit == nil, isFramedByOutline else { return nil }
        let rim = PictureRim(of: outline?.imageSize ?? camera.intrinsics.imageSize)
        let isOnRim = (outline?.polygon ?? []).map(rim.contains)
        let places = region.compactMap(unrolling.flatPosition(ofPixel:)).map(frame.offset(of:))
        guard places.count == region.count, isOnRim.count == region.count,
            let rectangle = SheetRectangle(
                outline: places, isOnRim: isOnRim,
                ink: ink?.map(frame.offset))
        else { return nil }
        var sheet = self
        let former = frame
        sheet.unrolling = unrolling.moved(showing: former) { rectangle.place(of: former.offset(of: $0)) }
        let margin =
            options.marginAroundRectangle / Self.usualWidth * min(rectangle.size.x, rectangle.size.y)
        sheet.rectangle = .init(cut: rectangle.cut, greatestMove: rectangle.greatestMove)
        sheet.frame = PageFrame(
            origin: SIMD2(repeating: -margin), size: rectangle.size + 2 * margin)
        return sheet
    }

    /// The width of a usual receipt, in millimetres; assumed for a sheet without a scale.
    package static let usualWidth = 80.0
}

import Imaging

extension SheetOutline {
    /// Share of a side's vertices on the image border above which the side is the border's, not the sheet's.
    private static let greatestRimShare = 0.1

    /// The sides that were tracked in the photograph. Excludes sides between given corners, which are straight by assumption,
    /// and sides where the image ends.
    var seenSides: [[SIMD2<Double>]] {
        guard polygon.count > 4 else { return [] }
        let rim = PictureRim(of: imageSize)
        return (sides ?? []).filter { side in
            Double(side.count(where: rim.contains)) < Self.greatestRimShare * Double(side.count)
        }
    }
}

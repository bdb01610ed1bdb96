import Imaging

extension SheetOutline {
    /// The share of a side's vertices on the picture's rim from which on the side is the rim's, not the sheet's.
    private static let greatestRimShare = 0.1

    /// The sides that were tracked in the photograph: not those between given corners, which are straight by assumption, nor
    /// those where the picture ends.
    var seenSides: [[SIMD2<Double>]] {
        guard polygon.count > 4 else { return [] }
        let rim = PictureRim(of: imageSize)
        return (sides ?? []).filter { side in
            Double(side.count(where: rim.contains)) < Self.greatestRimShare * Double(side.count)
        }
    }
}

import Imaging

extension SheetOutline {
    /// How near the picture's end a vertex lies on its rim, in pixels.
    private static let rim = 3.0
    /// The share of a side's vertices on the picture's rim from which on the side is the rim's, not the sheet's.
    private static let greatestRimShare = 0.1

    /// The sides that were tracked in the photograph: not those between given corners, which are straight by assumption, nor
    /// those where the picture ends.
    var seenSides: [[SIMD2<Double>]] {
        guard polygon.count > 4 else { return [] }
        return (sides ?? []).filter { side in
            let cut = side.count { point in
                point.x < Self.rim || point.y < Self.rim || point.x > Double(imageSize.width - 1) - Self.rim
                    || point.y > Double(imageSize.height - 1) - Self.rim
            }
            return Double(cut) < Self.greatestRimShare * Double(side.count)
        }
    }
}

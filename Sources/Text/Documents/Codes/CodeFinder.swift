package import Diagnostics

extension SheetView {
    /// The codes found in the flat image and in the photograph; those on the sheet come first. A code that is read in both
    /// appears once.
    /// - Parameter onPartial: called when an image is too dense to be searched in full.
    /// - Throws: `.shortage`.
    package func codes(
        readBy reader: CodeReader, onPartial: () -> Void = {}
    ) throws(FlatteningError) -> [SheetCode] {
        try foundInBoth { picture throws(FlatteningError) in
            try reader.codes(in: picture, onPartial: onPartial)
        }
    }
}

extension SheetCode: FoundInPictures {
    /// Whether both are readings of the same printed code: the content is equal, and the places in the photograph overlap, where
    /// both are known.
    func isSame(as other: SheetCode) -> Bool {
        guard symbology == other.symbology, bytes == other.bytes else { return false }
        guard let one = photographCorners, let two = other.photographCorners else { return true }
        func middle(_ corners: [SIMD2<Double>]) -> SIMD2<Double> {
            corners.reduce(.zero, +) / Double(corners.count)
        }
        func reach(_ corners: [SIMD2<Double>]) -> Double {
            let middle = middle(corners)
            return corners.map { (($0 - middle) * ($0 - middle)).sum().squareRoot() }.max() ?? 0
        }
        let step = middle(one) - middle(two)
        return (step * step).sum().squareRoot() <= reach(one) + reach(two)
    }
}

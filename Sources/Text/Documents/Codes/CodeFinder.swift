package import Diagnostics

extension SheetView {
    /// The codes of the flat picture and of the photograph, those on the sheet first. One that is read in both stands once.
    /// - Parameter onPartial: called where a picture is too dense to be looked at in full.
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
    /// Whether both are of one printed code: equal content, and places in the photograph that reach each other, where both
    /// are known.
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

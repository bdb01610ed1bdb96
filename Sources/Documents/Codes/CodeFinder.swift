package import Diagnostics
import Imaging

extension SheetView {
    /// The codes of the flat picture and of the photograph, those on the sheet first. One that is read in both stands once.
    /// - Throws: `.missingDependency`, `.shortage`.
    package func codes() throws(FlatteningError) -> [SheetCode] {
        let reader = try CodeReader()
        var codes = try reader.codes(in: flat)
        for index in codes.indices {
            codes[index].photographCorners = codes[index].corners.flatMap { corners in
                let places = corners.map(map.source)
                return places.allSatisfy { $0.x.isFinite && $0.y.isFinite } ? places : nil
            }
        }
        for var code in try reader.codes(in: photograph.gray()) {
            code.photographCorners = code.corners
            code.corners = code.corners.flatMap { corners in
                let places = corners.compactMap { map.output(of: $0) }
                return places.count == corners.count ? SmallestRectangle.fromUpperLeft(places) : nil
            }
            if let index = codes.firstIndex(where: { $0.isSameInPhotograph(as: code) }) {
                // In either picture the place that was seen there.
                codes[index].photographCorners = code.photographCorners ?? codes[index].photographCorners
                codes[index].corners = codes[index].corners ?? code.corners
            } else {
                codes.append(code)
            }
        }
        return codes
    }
}

extension SheetCode {
    /// Whether both are of one printed code: equal content, and places in the photograph that reach each other, where both
    /// are known.
    fileprivate func isSameInPhotograph(as other: SheetCode) -> Bool {
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

import DepthGeometry
import Imaging
import RobustStatistics

extension Unrolling {
    /// How unevenly this lays a sheet flat, held against a plane through the same corners: the greatest local scale over the
    /// least, along the plane's rows or along its columns, whichever differs more. 1 for the plane itself; paper that curls by an
    /// angle has one over its cosine.
    ///
    /// The outermost parts of the sheet, in which a surface is continued more than seen, are left out at either end of the scale.
    /// O(1).
    /// - Parameters:
    ///   - plane: the unrolling of a plane.
    ///   - outline: the sheet in photograph pixels.
    /// - Returns: nil where too little of the sheet is seen on both.
    func unevenness(against plane: Unrolling, within outline: [SIMD2<Double>]) -> Double? {
        let seen = outline.compactMap(plane.flatPosition(ofPixel:))
        guard let exact = plane.exact, let first = seen.first else { return nil }
        let low = seen.reduce(first, pointwiseMin)
        let step = (seen.reduce(first, pointwiseMax) - low) / Double(Self.probes)
        let sheet = PolygonLookup(Polygon(outline))
        func place(_ column: Int, _ row: Int) -> SIMD2<Double>? {
            exact.pixel(ofFlat: low + step * (SIMD2(Double(column), Double(row)) + 0.5))
                .flatMap { sheet.contains($0) ? flatPosition(ofPixel: $0) : nil }
        }
        var scales: (along: [Double], across: [Double]) = ([], [])
        for row in 0..<Self.probes {
            for column in 0..<Self.probes {
                guard let here = place(column, row) else { continue }
                if let next = place(column + 1, row) { scales.along.append((next - here).length / step.x) }
                if let next = place(column, row + 1) { scales.across.append((next - here).length / step.y) }
            }
        }
        let ratios = [scales.along, scales.across].compactMap { scales -> Double? in
            guard scales.count >= Self.probes else { return nil }
            return scales.quantile(1 - Self.outermost) / max(scales.quantile(Self.outermost), .ulpOfOne)
        }
        return ratios.max()
    }

    /// Places along the sheet's width and height at which its scale is taken.
    private static let probes = 24
    /// The share of places, at either end of the scale, that does not count.
    private static let outermost = 0.02
}

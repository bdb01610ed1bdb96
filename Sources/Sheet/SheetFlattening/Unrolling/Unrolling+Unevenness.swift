import DepthGeometry
import Imaging
import RobustStatistics

extension Unrolling {
    /// How unevenly this unrolling flattens a sheet, compared with a plane through the same corners: the ratio of the greatest
    /// to the least local scale, along the plane's rows or its columns, whichever is larger. 1 for the plane itself; for paper
    /// that curls by an angle, one over its cosine.
    ///
    /// At either end of the scale, the outermost values are left out, because the surface there is extrapolated more than seen.
    /// O(1).
    /// - Parameters:
    ///   - plane: the unrolling of a plane.
    ///   - outline: the sheet in photograph pixels.
    /// - Returns: nil if too little of the sheet is seen on both.
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

    /// Number of positions along the sheet's width and height at which its scale is measured.
    private static let probes = 24
    /// Share of the positions, at either end of the scale, that is ignored.
    private static let outermost = 0.02
}

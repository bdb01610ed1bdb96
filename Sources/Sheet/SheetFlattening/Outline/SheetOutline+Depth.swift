import DepthGeometry

// What depth tells about outlines found in the photograph.
extension SheetOutline {
    /// Area of the largest sheet photographed for reading, in square metres: A3, plus a quarter for the errors of depth and
    /// outline.
    private static let largestSheet = 0.297 * 0.42 * 1.25
    /// Fewest readings that determine a plane.
    private static let leastReadings = 50

    /// Returns the search result. If depth shows that the first outline is larger than any sheet (a tray, a board or a shelf
    /// also stands out), puts the sheets that lie on it first. O(depth readings); in that case also nearer looks at the
    /// photograph.
    package static func lyingOn(_ found: SheetSearch, in capture: Capture) -> SheetSearch {
        guard let first = found.outline, let area = first.squareMeters(in: capture), area > largestSheet
        else {
            return found
        }
        let carrier = Contour(first.polygon)
        let sheets = nearer(in: capture.image).filter { sheet in
            let middle = sheet.polygon.reduce(.zero, +) / Double(sheet.polygon.count)
            return carrier.contains(middle)
                && sheet.squareMeters(in: capture).map { $0 <= largestSheet } ?? false
        }
        let others = found.outlines.filter { outline in
            let middle = outline.polygon.reduce(.zero, +) / Double(outline.polygon.count)
            return !sheets.contains { Contour($0.polygon).contains(middle) && $0.area > outline.area / 2 }
        }
        return sheets.isEmpty ? found : .found(sheets + others)
    }

    /// The enclosed area according to depth; nil if depth has no metric scale or shows no plane.
    private func squareMeters(in capture: Capture) -> Double? {
        guard let depth = capture.depth, depth.scale == .metric, let intrinsics = capture.intrinsics else {
            return nil
        }
        let readings = SurfaceReadings(depth: depth, intrinsics: intrinsics, outline: polygon)
        guard readings.count >= Self.leastReadings else { return nil }
        let points = zip(readings.pixels, readings.depths).map {
            SIMD3<Float>(intrinsics.unproject($0, depth: $1))
        }
        guard let plane = try? Plane.fit(to: points).model else { return nil }
        let camera = Camera(intrinsics: intrinsics, distortion: capture.distortion)
        let corners = polygon.compactMap { plane.intersection(along: camera.ray(through: $0)) }
        guard corners.count == polygon.count, let first = corners.first else { return nil }
        var sum = SIMD3<Double>.zero
        for (a, b) in zip(corners, corners.dropFirst()) { sum += (a - first).cross(b - first) }
        return (sum * sum).sum().squareRoot() / 2
    }
}

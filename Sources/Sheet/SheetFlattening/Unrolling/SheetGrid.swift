import Diagnostics
import DepthGeometry
import Platform
import Imaging

/// A regular grid over the photograph, covering the sheet and a little more, with the surface point of each vertex.
struct SheetGrid: Sendable {
    /// Number of vertices along x and y.
    let columns: Int
    let rows: Int
    /// Photograph position of the first vertex, in pixels.
    let origin: SIMD2<Double>
    /// Distance of neighbouring vertices in photograph pixels.
    let step: SIMD2<Double>
    /// The surface point of each vertex in the camera frame, metres, row after row; NaN where no ray meets the surface.
    let points: [SIMD3<Double>]
    /// Whether each vertex lies inside the outline.
    let isInside: [Bool]
    /// A surface point in the middle of the sheet.
    let center: SIMD3<Double>

    /// Target distance between vertices, in metres on the sheet.
    static let spacing = 0.002
    /// How far the grid extends past the outline, in metres.
    static let margin = 0.006

    /// - Throws: `badInput` if the outline is empty or the surface is not in front of the camera everywhere on the grid.
    init(
        over outline: [SIMD2<Double>], of surface: SheetSurface, intrinsics: CameraIntrinsics
    ) throws(FlatteningError) {
        guard outline.count >= 3, let first = outline.first,
            outline.allSatisfy({ $0.x.isFinite && $0.y.isFinite })
        else {
            throw FlatteningError(
                .badInput, "an outline has at least three finite vertices", stage: .unrolling,
                seen: "\(outline.count)")
        }
        var low = first
        var high = first
        for vertex in outline {
            low = pointwiseMin(low, vertex)
            high = pointwiseMax(high, vertex)
        }
        let inverseDepths = outline.map { surface.inverseDepth(along: intrinsics.ray(through: $0)) }
            .filter { $0 > 0 }
        guard inverseDepths.count * 2 > outline.count, let nearest = inverseDepths.max(),
            let farthest = inverseDepths.min(),
            nearest.isFinite, nearest < 20 * farthest, (high - low).x > 0, (high - low).y > 0
        else { throw SheetGrid.unseen }
        // Photograph pixels per metre across the line of sight, at the sheet's middle distance.
        let density = SIMD2(intrinsics.fx, intrinsics.fy) * (nearest + farthest) / 2
        low -= density * Self.margin
        high += density * Self.margin
        // About ten thousand vertices suffice for any sheet, however large its outline is.
        let wanted = (high - low) / (density * Self.spacing)
        let reduction = max(1, (wanted.x * wanted.y / 20_000).squareRoot())
        let cells = (wanted / reduction).rounded(.up)
        columns = max(8, min(Int(cells.x), 2_000)) + 1
        rows = max(8, min(Int(cells.y), 2_000)) + 1
        origin = low
        step = (high - low) / SIMD2(Double(columns - 1), Double(rows - 1))

        var points: [SIMD3<Double>] = []
        points.reserveCapacity(columns * rows)
        for row in 0..<rows {
            for column in 0..<columns {
                let pixel = origin + step * SIMD2(Double(column), Double(row))
                points.append(
                    surface.point(seenAt: pixel, intrinsics: intrinsics) ?? SIMD3(.nan, .nan, .nan))
            }
        }
        self.points = points
        let (gridOrigin, gridStep) = (origin, step)
        let region = PolygonRegion(
            polygon: outline.map { ($0 - gridOrigin) / gridStep }, rimWidth: 0, width: columns, height: rows)
        var isInside = [Bool](repeating: false, count: columns * rows)
        var sum = SIMD3<Double>.zero
        var count = 0
        var missing = 0
        for row in region.rows {
            for column in region.columns where region.contains(x: column, y: row) {
                let index = row * columns + column
                if points[index].z.isNaN {
                    missing += 1
                } else {
                    isInside[index] = true
                    sum += points[index]
                    count += 1
                }
            }
        }
        // A curled end may turn its back to the camera; but if much of the sheet is hidden, the fit has failed.
        guard count > 0, missing * 20 <= count else { throw SheetGrid.unseen }
        self.isInside = isInside
        center = sum / Double(count)
    }

    /// How flat positions of the vertices distort the cells inside the outline.
    func distortion(of flat: [SIMD2<Double>]) -> Unrolling.Distortion {
        var lengths: [Double] = []
        var areas: [Double] = []
        var angles: [Double] = []
        for row in 0..<rows - 1 {
            for column in 0..<columns - 1 {
                let index = row * columns + column
                guard isInside[index], isInside[index + 1], isInside[index + columns] else { continue }
                let a = points[index + 1] - points[index]
                let b = points[index + columns] - points[index]
                let p = flat[index + 1] - flat[index]
                let q = flat[index + columns] - flat[index]
                lengths.append(p.length / a.length - 1)
                lengths.append(q.length / b.length - 1)
                let cross = p.x * q.y - p.y * q.x
                areas.append(cross / a.cross(b).length - 1)
                angles.append(atan2(cross, p.dot(q)) - atan2(a.cross(b).length, a.dot(b)))
            }
        }
        return Unrolling.Distortion(length: .init(lengths), area: .init(areas), angle: .init(angles))
    }

    private static var unseen: FlatteningError {
        FlatteningError(
            .badInput, "the fitted surface cannot be seen all over the sheet's outline", stage: .unrolling,
            advice: "The outline or the depth is wrong, or the sheet is seen edge on")
    }
}

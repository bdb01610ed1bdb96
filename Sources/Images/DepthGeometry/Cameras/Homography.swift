package import Diagnostics
import Imaging
import LinearAlgebra

/// A projective map of the plane: (x, y, 1) goes to H (x, y, 1), divided by its third component.
///
/// H is defined up to a factor. Here it is stored with a Frobenius norm of 1 and, where fitted to points, with the sign for
/// which these points lie on the positive side (w > 0).
public struct Homography: Equatable, Sendable {
    /// The three rows of H.
    public let rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

    /// Creates the map with a matrix given by its rows.
    /// - Precondition: finite and not all zero.
    package init(rows first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
        let norm = (first.dot(first) + second.dot(second) + third.dot(third)).squareRoot()
        precondition(norm > 0 && norm.isFinite, "a homography's matrix is finite and not zero")
        rows = (first / norm, second / norm, third / norm)
    }

    /// The map that changes nothing.
    package static let identity = Homography(rows: SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1))

    /// Creates the map that takes each source to its target: exactly for four pairs, in the least-squares sense of the
    /// direct linear transform for more.
    ///
    /// Both sets are first moved to mean 0 and mean distance sqrt 2 (Hartley, "In defense of the eight-point algorithm", TPAMI
    /// 1997, DOI 10.1109/34.601246). O(points).
    /// - Throws: `badInput` for fewer than 4 pairs, for NaN or infinity, and for pairs that do not determine the map or
    ///   make it singular: three of four points on a line, or points that coincide.
    /// - Precondition: as many targets as sources.
    package init(
        mapping sources: [SIMD2<Double>], onto targets: [SIMD2<Double>]
    ) throws(FlatteningError) {
        precondition(sources.count == targets.count, "every source has a target")
        guard sources.count >= 4 else {
            throw FlatteningError(
                .badInput, "too few points for a homography", stage: .homography, seen: "\(sources.count)",
                allowed: "at least 4")
        }
        guard let from = Normalization(sources), let onto = Normalization(targets) else {
            throw FlatteningError(
                .badInput, "the points coincide or are not finite (or beyond 1e100)", stage: .homography)
        }

        // Two equations for each pair; a ninth row of zeros makes the matrix at least square.
        var equations = Matrix(rows: max(2 * sources.count, 9), columns: 9)
        for index in sources.indices {
            let p = from.apply(sources[index])
            let q = onto.apply(targets[index])
            let entries = [
                [p.x, p.y, 1, 0, 0, 0, -q.x * p.x, -q.x * p.y, -q.x],
                [0, 0, 0, p.x, p.y, 1, -q.y * p.x, -q.y * p.y, -q.y],
            ]
            for row in 0..<2 {
                for column in 0..<9 { equations[2 * index + row, column] = entries[row][column] }
            }
        }
        let factors: SingularValueDecomposition
        do {
            factors = try SingularValueDecomposition(of: equations, thin: true)
        } catch {
            throw FlatteningError(
                .internalInconsistency, "no singular values", stage: .homography, detail: error.description)
        }
        let h = (0..<9).map { factors.vTransposed[8, $0] }
        let normalized = Homography(
            rows: SIMD3(h[0], h[1], h[2]), SIMD3(h[3], h[4], h[5]), SIMD3(h[6], h[7], h[8]))
        // A second vanishing singular value means that more than one map fits. A vanishing determinant means that the map
        // collapses the plane onto a line. Both limits are relative to points of size 1.
        guard factors.singularValues[7] > 1e-9 * factors.singularValues[0],
            abs(normalized.determinant) > 1e-9
        else {
            throw FlatteningError(
                .badInput, "the points do not determine a homography", stage: .homography,
                allowed: "no three of four points on a line")
        }
        let map = onto.homography.inverse * normalized * from.homography
        // Points in front of the camera stay on one side of the line that goes to infinity; make that side positive.
        let side = sources.reduce(0) { $0 + (map.denominator(at: $1) < 0 ? -1 : 1) }
        self = side < 0 ? map.negated : map
    }

    /// Where a point goes. Infinite or NaN on the line that goes to infinity. O(1).
    public func callAsFunction(_ point: SIMD2<Double>) -> SIMD2<Double> {
        let position = SIMD3(point.x, point.y, 1)
        let w = rows.2.dot(position)
        return SIMD2(rows.0.dot(position) / w, rows.1.dot(position) / w)
    }

    /// The number that a mapped point is divided by. Its sign tells on which side of the line that goes to infinity the
    /// point lies; points seen together have the same sign.
    package func denominator(at point: SIMD2<Double>) -> Double {
        rows.2.dot(SIMD3(point.x, point.y, 1))
    }

    /// The determinant of the stored matrix; 0 for a map without an inverse.
    package var determinant: Double { rows.0.dot(rows.1.cross(rows.2)) }

    /// The inverse map.
    /// - Precondition: `determinant` is not 0, as for every map made by `init(mapping:onto:)`.
    package var inverse: Homography {
        precondition(determinant != 0, "a homography that collapses the plane has no inverse")
        // Up to scale the inverse is the adjugate, whose columns are the cross products of the rows. Dividing by the
        // determinant's sign keeps the positive side positive.
        let sign: Double = determinant < 0 ? -1 : 1
        let a = rows.1.cross(rows.2) * sign
        let b = rows.2.cross(rows.0) * sign
        let c = rows.0.cross(rows.1) * sign
        return Homography(rows: SIMD3(a.x, b.x, c.x), SIMD3(a.y, b.y, c.y), SIMD3(a.z, b.z, c.z))
    }

    /// The map that applies `right` first, then `left`.
    package static func * (left: Homography, right: Homography) -> Homography {
        func row(_ l: SIMD3<Double>) -> SIMD3<Double> {
            right.rows.0 * l.x + right.rows.1 * l.y + right.rows.2 * l.z
        }
        return Homography(rows: row(left.rows.0), row(left.rows.1), row(left.rows.2))
    }

    /// How a plane's coordinates appear in a camera's image: maps (s, t) of the frame to a pixel.
    ///
    /// H = K [xAxis yAxis origin]. Its inverse takes pixels to metres on the plane, each along its ray.
    package init(projecting frame: PlaneFrame, through intrinsics: CameraIntrinsics) {
        let (x, y, o) = (frame.xAxis, frame.yAxis, frame.origin)
        self.init(
            rows: SIMD3(
                intrinsics.fx * x.x + intrinsics.cx * x.z, intrinsics.fx * y.x + intrinsics.cx * y.z,
                intrinsics.fx * o.x + intrinsics.cx * o.z),
            SIMD3(
                intrinsics.fy * x.y + intrinsics.cy * x.z, intrinsics.fy * y.y + intrinsics.cy * y.z,
                intrinsics.fy * o.y + intrinsics.cy * o.z),
            SIMD3(x.z, y.z, o.z))
    }

    /// Equal matrices; maps that differ by rounding are not equal.
    public static func == (left: Homography, right: Homography) -> Bool {
        left.rows == right.rows
    }

    private var negated: Homography { Homography(rows: -rows.0, -rows.1, -rows.2) }
}

/// The similarity that moves points to mean 0 and mean distance sqrt 2.
private struct Normalization {
    let center: SIMD2<Double>
    let scale: Double

    init?(_ points: [SIMD2<Double>]) {
        let center = points.reduce(SIMD2.zero, +) / Double(points.count)
        let distance = points.reduce(0) { $0 + ($1 - center).length } / Double(points.count)
        let largest = points.reduce(0) { max($0, abs($1.x), abs($1.y)) }
        // Points closer together than the rounding of their coordinates count as one point. The limits 1e100 and 1e-100
        // keep products of three coordinates within range.
        guard largest < 1e100, distance > 1e-12 * largest, distance > 1e-100 else { return nil }
        self.center = center
        scale = 2.0.squareRoot() / distance
    }

    func apply(_ point: SIMD2<Double>) -> SIMD2<Double> { (point - center) * scale }

    var homography: Homography {
        Homography(
            rows: SIMD3(scale, 0, -scale * center.x), SIMD3(0, scale, -scale * center.y), SIMD3(0, 0, 1))
    }
}

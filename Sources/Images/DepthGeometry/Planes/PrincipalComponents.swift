public import Diagnostics
import LinearAlgebra
import Imaging

/// Weighted sums over points that give their mean and covariance, in Double.
///
/// The sums are taken about a reference point near the cloud. About the origin, half a metre away, rounding would swamp the
/// square of a hair's breadth.
struct PointMoments {
    /// The point that all positions are relative to.
    let reference: SIMD3<Double>
    var weight = 0.0
    var first = SIMD3<Double>.zero
    /// xx, yy, zz.
    var squares = SIMD3<Double>.zero
    /// yz, xz, xy.
    var products = SIMD3<Double>.zero

    init(about reference: SIMD3<Double>) { self.reference = reference }

    @inline(__always)
    mutating func add(_ point: SIMD3<Float>, weight w: Double) {
        // Lane by lane, because converting whole vectors is a generic call.
        add(
            SIMD3(Double(point.x), Double(point.y), Double(point.z)) - reference, relativeWeight: w)
    }

    @inline(__always)
    mutating func add(_ p: SIMD3<Double>, relativeWeight w: Double) {
        let weighted = p * w
        weight += w
        first += weighted
        squares += weighted * p
        products += SIMD3(weighted.y * p.z, weighted.x * p.z, weighted.x * p.y)
    }

    /// Adds points of equal weight, two at a time: processors of all kinds have vectors of two `Double`.
    mutating func add(_ points: UnsafeBufferPointer<SIMD3<Float>>) {
        var (sumX, sumY, sumZ) = (SIMD2<Double>.zero, SIMD2<Double>.zero, SIMD2<Double>.zero)
        var (xx, yy, zz) = (sumX, sumX, sumX)
        var (yz, xz, xy) = (sumX, sumX, sumX)
        let paired = points.count / 2 * 2
        for index in stride(from: 0, to: paired, by: 2) {
            let (a, b) = (points[index], points[index + 1])
            let x = SIMD2(Double(a.x) - reference.x, Double(b.x) - reference.x)
            let y = SIMD2(Double(a.y) - reference.y, Double(b.y) - reference.y)
            let z = SIMD2(Double(a.z) - reference.z, Double(b.z) - reference.z)
            sumX += x
            sumY += y
            sumZ += z
            xx += x * x
            yy += y * y
            zz += z * z
            yz += y * z
            xz += x * z
            xy += x * y
        }
        weight += Double(paired)
        first += SIMD3(sumX.sum(), sumY.sum(), sumZ.sum())
        squares += SIMD3(xx.sum(), yy.sum(), zz.sum())
        products += SIMD3(yz.sum(), xz.sum(), xy.sum())
        if paired < points.count { add(points[paired], weight: 1) }
    }

    mutating func add(_ other: PointMoments) {
        weight += other.weight
        first += other.first
        squares += other.squares
        products += other.products
    }

    /// The points' weighted mean.
    var mean: SIMD3<Double> { reference + first / weight }

    /// The weighted covariance about the mean (divided by the sum of weights).
    var covariance: Matrix {
        let m = first / weight
        let s = squares / weight
        let p = products / weight
        return Matrix([
            [s.x - m.x * m.x, p.z - m.x * m.y, p.y - m.x * m.z],
            [p.z - m.x * m.y, s.y - m.y * m.y, p.x - m.y * m.z],
            [p.y - m.x * m.z, p.x - m.y * m.z, s.z - m.z * m.z],
        ])
    }

    /// The plane through the mean, perpendicular to the smallest principal axis, and the spread along all three axes.
    func plane() throws(FlatteningError) -> (plane: Plane, spread: PrincipalSpread) {
        guard weight > 0, mean.isFinite else { throw PlaneFitError.nonFinite }
        let eigen: SymmetricEigendecomposition
        do {
            eigen = try SymmetricEigendecomposition(of: covariance)
        } catch {
            throw PlaneFitError.solver(error.description)
        }
        let spread = PrincipalSpread(variances: eigen.values)
        // In single precision, anything narrower than this share of the distance is rounding.
        let rounding = 1e-6 * (mean.length + spread.length)
        guard spread.breadth > max(1e-4 * spread.length, rounding) else {
            throw PlaneFitError.collinear(spread)
        }
        let normal = eigen.vectors.column(0)
        return (Plane(through: mean, normal: SIMD3(normal[0], normal[1], normal[2])), spread)
    }
}

/// The errors for points that determine no plane.
enum PlaneFitError {
    static var nonFinite: FlatteningError {
        FlatteningError(
            .badInput, "the points hold NaN or infinity", stage: .plane, allowed: "finite positions")
    }

    static func tooFew(_ count: Int) -> FlatteningError {
        FlatteningError(
            .badInput, "too few points for a plane", stage: .plane, seen: "\(count)", allowed: "at least 3")
    }

    static func collinear(_ spread: PrincipalSpread) -> FlatteningError {
        FlatteningError(
            .badInput, "the points lie on a line, so any plane about it fits", stage: .plane,
            seen: "spread \(spread.breadth) across \(spread.length)")
    }

    static func solver(_ detail: String) -> FlatteningError {
        FlatteningError(.internalInconsistency, "no principal components", stage: .plane, detail: detail)
    }
}

extension Plane {
    /// Creates the plane that minimises the sum of squared distances: through the mean, perpendicular to the smallest
    /// principal axis.
    ///
    /// Mean and 3 x 3 covariance are accumulated in Double; the eigenvectors are LAPACK's (`dsyev`). All points have equal
    /// weight, so outliers distort the plane; `fit(to:options:)` resists them. O(points).
    /// - Throws: `badInput` for fewer than 3 points, points on a line, NaN or infinity.
    public init(principalComponentsOf points: [SIMD3<Float>]) throws(FlatteningError) {
        guard points.count >= 3 else { throw PlaneFitError.tooFew(points.count) }
        var moments = PointMoments(about: SIMD3<Double>(points[0]))
        guard moments.reference.isFinite else { throw PlaneFitError.nonFinite }
        points.withUnsafeBufferPointer { moments.add($0) }
        self = try moments.plane().plane
    }
}

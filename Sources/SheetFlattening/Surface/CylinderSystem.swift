import DepthGeometry
import Foundation
import LinearAlgebra
import RobustStatistics

/// The normal equations of a cylinder's profile for one direction of its rulings.
///
/// Height over the plane of the frame is f(t) + slope · s: linear in f's spline coefficients, whose matrix is banded, and in
/// slope, a border of one dense column. What changes from sweep to sweep are weights alone.
struct CylinderSystem {
    /// What is solved for: the profile's coefficients in metres, and the rulings' rise.
    struct Profile {
        var coefficients: [Double]
        var slope: Double
    }

    /// No ray changes the height's residual more slowly than this: one that grazes the surface says little about it, and
    /// nothing at all past the horizon.
    private static let leastRate = -0.1

    /// Shares of the readings along the rulings between which the sheet's breadth is measured: what lies beyond may be strays.
    private static let breadth = (from: 0.03, to: 0.97)
    /// The least breadth in metres, for readings that lie on a line across the rulings.
    private static let leastBreadth = 0.001
    /// Where in each cell of the spline its curvature and slope are penalised, as shares of the cell: the middles of its halves.
    private static let penalizedPlaces = [0.25, 0.75]

    let basis: UniformCubicSpline
    /// Whether a reading counts: it was not left out.
    let isCounted: [Bool]
    private let samples: SheetSamples
    /// Numbers of the samples that are used.
    private let used: [Int]
    private let heights: [Double]
    private let rays: [SIMD3<Double>]
    private let cosine: Double
    private let sine: Double
    /// Position along the rulings in metres.
    private let s: [Double]
    private let cells: [Int]
    /// Four basis values of each reading, and their slopes.
    private let values: [SIMD4<Double>]
    private let slopes: [SIMD4<Double>]
    private let penalty: Double
    /// The basis's curvatures and slopes at the two quadrature points of a cell.
    private let curvatureBasis: [SIMD4<Double>]
    private let slopeBasis: [SIMD4<Double>]

    /// - Parameters:
    ///   - problem: the readings in the frame of the plane.
    ///   - angle: from the frame's x-axis to the rulings, in radians.
    ///   - leftOut: samples of this fold do not count.
    ///   - stride: takes every so-many-th sample only.
    init(_ problem: CylinderFit.Problem, angle: Double, leftOut: UInt8?, stride: Int) {
        let (cosine, sine) = (cos(angle), sin(angle))
        let samples = problem.samples
        let used = Swift.stride(from: 0, to: samples.count, by: stride).map { $0 }
        let t = used.map { cosine * problem.y[$0] - sine * problem.x[$0] }
        let s = used.map { cosine * problem.x[$0] + sine * problem.y[$0] }
        let (low, high) = (t.min() ?? 0, t.max() ?? 0)
        let basis = UniformCubicSpline(
            covering: (low - CylinderFit.margin)...(high + CylinderFit.margin),
            spacing: max(CylinderFit.cellLength, (high - low) / 400))
        let width = max(s.quantile(Self.breadth.to) - s.quantile(Self.breadth.from), Self.leastBreadth)
        penalty = problem.penalty * width / Double(stride)
        let cells = t.map { basis.cell(of: $0) }
        values = cells.map { UniformCubicSpline.values($0.offset) }
        slopes = cells.map { UniformCubicSpline.slopes($0.offset) / basis.spacing }
        self.cells = cells.map { $0.index }
        let unit = 1 / (basis.spacing * basis.spacing)
        curvatureBasis = Self.penalizedPlaces.map { UniformCubicSpline.curvatures($0) * unit }
        slopeBasis = Self.penalizedPlaces.map { UniformCubicSpline.slopes($0) }
        isCounted = used.map { samples.fold[$0] != leftOut }
        heights = used.map { problem.height[$0] }
        rays = used.map { problem.rays[$0] }
        (self.cosine, self.sine) = (cosine, sine)
        (self.samples, self.used, self.s, self.basis) = (samples, used, s, basis)
    }

    /// Number of readings that are used.
    var count: Int { used.count }

    /// How fast the height's residual changes along each ray, on the plane itself: the ray's part along the normal.
    var ratesOnPlane: [Double] { rays.map(\.z) }

    /// A bend for each quadrature point, as the first sweep expects it.
    var expectedBends: [Double] {
        [Double](repeating: 1 / FreeformFit.expected, count: 2 * basis.cellCount)
    }

    /// Minimises Σ weights · (height residual / rate)² + penalty · ∫ bend · f''².
    /// - Parameters:
    ///   - weights: of each reading, beside the share of its cell that held readings.
    ///   - rates: how fast each height's residual changes along its ray.
    ///   - bends: what curvature costs at each quadrature point, two to a cell.
    func solve(
        weights: [Double], rates: [Double], bends: [Double]
    ) throws(LinearAlgebraError) -> Profile {
        let count = basis.count
        var matrix = BandedMatrix(order: count, bandwidth: 3)
        var border = [Double](repeating: 0, count: count)
        var right = border
        var corner = 0.0
        var cornerRight = 0.0
        for index in used.indices where isCounted[index] {
            let weight = samples.weights[used[index]] * weights[index] / (rates[index] * rates[index])
            let first = cells[index]
            let four = values[index]
            let weighted = four * weight
            for i in 0..<4 {
                for j in i..<4 { matrix.elements[(first + i) * 4 + j - i] += weighted[i] * four[j] }
                border[first + i] += weighted[i] * s[index]
                right[first + i] += weighted[i] * heights[index]
            }
            corner += weight * s[index] * s[index]
            cornerRight += weight * s[index] * heights[index]
        }
        for cell in 0..<basis.cellCount {
            for point in 0..<2 {
                let d = curvatureBasis[point]
                let weighted = d * (penalty * bends[2 * cell + point] * basis.spacing / 2)
                for i in 0..<4 {
                    for j in i..<4 { matrix.elements[(cell + i) * 4 + j - i] += weighted[i] * d[j] }
                }
            }
        }
        let diagonal = matrix.diagonal
        let least = 1e-9 * (diagonal.max() ?? 1)
        matrix.diagonal = diagonal.map { $0 + least }
        // The one dense unknown by elimination: slope (c - bᵀA⁻¹b) = r - bᵀA⁻¹a.
        let factor = try BandedCholesky(of: matrix)
        let fromBorder = try factor.solve(border)
        let fromRight = try factor.solve(right)
        var reduced = corner
        var reducedRight = cornerRight
        for index in 0..<count {
            reduced -= border[index] * fromBorder[index]
            reducedRight -= border[index] * fromRight[index]
        }
        let slope = reduced > 1e-9 * corner ? reducedRight / reduced : 0
        return Profile(
            coefficients: (0..<count).map { fromRight[$0] - slope * fromBorder[$0] }, slope: slope)
    }

    /// Depth residual of each reading in metres, along its ray, and how fast the height's residual changes there.
    func residuals(of profile: Profile) -> (depths: [Double], rates: [Double]) {
        var depths = [Double](repeating: 0, count: used.count)
        var rates = depths
        for index in used.indices {
            let four = coefficients(of: profile, cell: cells[index])
            let error = heights[index] - (four * values[index]).sum() - profile.slope * s[index]
            let ray = rays[index]
            let across = cosine * ray.y - sine * ray.x
            let along = cosine * ray.x + sine * ray.y
            let rate = ray.z - (four * slopes[index]).sum() * across - profile.slope * along
            rates[index] = min(rate, Self.leastRate)
            depths[index] = error / rates[index]
        }
        return (depths, rates)
    }

    /// What curvature costs in the next sweep: 1 / |f''|, level below a curvature that counts as straight.
    func bends(of profile: Profile) -> [Double] {
        (0..<2 * basis.cellCount).map { place in
            let second = secondDerivative(of: profile, place)
            return 1 / (second * second + FreeformFit.straight * FreeformFit.straight).squareRoot()
        }
    }

    /// Size of the section's mean curvature over four neighbouring cells, in 1/metres.
    ///
    /// An L1 penalty sets smooth bends as a row of small kinks, which their mean over some millimetres is not.
    func meanCurvatures(of profile: Profile) -> [Double] {
        let curvatures = (0..<2 * basis.cellCount).map { place in
            // Of the section at right angles to the rulings: κ = g'' / (1 + g'²)^3/2, where g = f / secant.
            let four = coefficients(of: profile, cell: place / 2)
            let rise = (four * slopeBasis[place % 2]).sum() / basis.spacing
            let secant = (1 + profile.slope * profile.slope).squareRoot()
            let stretch = (1 + rise * rise / (secant * secant)).squareRoot()
            return secondDerivative(of: profile, place) / (secant * stretch * stretch * stretch)
        }
        let window = min(4, basis.cellCount)
        return (0...basis.cellCount - window).map { cell in
            abs(curvatures[2 * cell..<2 * (cell + window)].reduce(0, +)) / Double(2 * window)
        }
    }

    /// Root of the weighted mean square of the residuals that count; nil if none does.
    func rms(of residuals: [Double], weights: [Double]) -> Double? {
        var squares = 0.0
        var total = 0.0
        for index in used.indices where isCounted[index] {
            let weight = samples.weights[used[index]] * weights[index]
            squares += weight * residuals[index] * residuals[index]
            total += weight
        }
        return total > 0 ? (squares / total).squareRoot() : nil
    }

    /// f'' at a quadrature point, two to a cell.
    private func secondDerivative(of profile: Profile, _ place: Int) -> Double {
        (coefficients(of: profile, cell: place / 2) * curvatureBasis[place % 2]).sum()
    }

    private func coefficients(of profile: Profile, cell: Int) -> SIMD4<Double> {
        let all = profile.coefficients
        return SIMD4(all[cell], all[cell + 1], all[cell + 2], all[cell + 3])
    }
}

import DepthGeometry
import Platform
import LinearAlgebra
import RobustStatistics

/// The normal equations of a cylinder's profile for one direction of its rulings.
///
/// Height over the plane of the frame is f(t) + slope · s. It is linear in f's spline coefficients, whose matrix is banded, and
/// in slope, which adds a border of one dense column. Only weights change from sweep to sweep.
struct CylinderSystem {
    /// The solution: the profile's coefficients in metres, and the rulings' rise.
    struct Profile {
        var coefficients: [Double]
        var slope: Double
    }

    /// Limit of the rate at which the height's residual changes along a ray: a ray that grazes the surface says little about
    /// it, and a ray past the horizon says nothing.
    private static let leastRate = -0.1

    /// Quantiles of the readings' positions along the rulings between which the sheet's breadth is measured: readings outside
    /// may be strays.
    private static let breadth = (from: 0.03, to: 0.97)
    /// The least breadth in metres, for readings that lie on a line across the rulings.
    private static let leastBreadth = 0.001
    /// Positions in each spline cell where curvature and slope are penalised, as shares of the cell: the middles of its halves.
    private static let penalizedPlaces = [0.25, 0.75]
    /// All but this share of the sheet bends at least as much as its usual curvature, in the same direction.
    private static let lessCurvedShare = 0.25

    let basis: UniformCubicSpline
    /// Whether a reading counts, that is, was not left out.
    let isCounted: [Bool]
    private let samples: SheetSamples
    /// Indices of the samples in use.
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
    ///   - leftOut: samples of this fold are ignored.
    ///   - stride: uses only every `stride`-th sample.
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

    /// Number of readings in use.
    var count: Int { used.count }

    /// Rate at which the height's residual changes along each ray, on the plane itself: the ray's component along the normal.
    var ratesOnPlane: [Double] { rays.map(\.z) }

    /// The expected curvature of a sheet, and the cost of differing from it, at each quadrature point, two per cell.
    struct Bending {
        /// Second derivative of a profile that has the sheet's usual curvature everywhere.
        var usual: [Double]
        /// Cost of the squared difference from it.
        var costs: [Double]
    }

    /// The expectation of the first sweep: a straight sheet.
    var expectedBending: Bending {
        let places = 2 * basis.cellCount
        return Bending(
            usual: [Double](repeating: 0, count: places),
            costs: [Double](repeating: 1 / FreeformFit.expected, count: places))
    }

    /// Minimises Σ weights · (height residual / rate)² + penalty · ∫ cost · (f'' - usual)².
    /// - Parameters:
    ///   - weights: of each reading, in addition to the share of its cell that held readings.
    ///   - rates: how fast each height's residual changes along its ray.
    ///   - bending: the expected f''.
    func solve(
        weights: [Double], rates: [Double], bending: Bending
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
                let place = 2 * cell + point
                let weighted = d * (penalty * bending.costs[place] * basis.spacing / 2)
                for i in 0..<4 {
                    right[cell + i] += weighted[i] * bending.usual[place]
                    for j in i..<4 { matrix.elements[(cell + i) * 4 + j - i] += weighted[i] * d[j] }
                }
            }
        }
        let diagonal = matrix.diagonal
        let least = 1e-9 * (diagonal.max() ?? 1)
        matrix.diagonal = diagonal.map { $0 + least }
        // Eliminates the one dense unknown: slope (c - bᵀA⁻¹b) = r - bᵀA⁻¹a.
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

    /// Depth residual of each reading along its ray, in metres, and the rate at which the height's residual changes there.
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

    /// The expectation of the next sweep: the sheet's usual curvature everywhere. A difference costs 1 / |f'' - usual|,
    /// constant where the difference is too small to count.
    ///
    /// So a label on a bottle keeps its roundness past the last readings, which end a rim's width before its sides; a straight
    /// continuation would meet grazing rays too early. Past the readings, the slope at the last one is used.
    func bending(of profile: Profile) -> Bending {
        let first = cells.min() ?? 0
        let last = cells.max() ?? basis.cellCount - 1
        let usualCurvature = usualCurvature(of: profile, cells: first...last)
        let secant = secant(of: profile)
        var result = expectedBending
        for place in result.usual.indices {
            let nearest = min(max(place / 2, first), last)
            let stretch = stretch(of: profile, 2 * nearest + place % 2)
            result.usual[place] = usualCurvature * secant * stretch * stretch * stretch
            let difference = secondDerivative(of: profile, place) - result.usual[place]
            result.costs[place] =
                1 / (difference * difference + FreeformFit.straight * FreeformFit.straight).squareRoot()
        }
        return result
    }

    /// The curvature that most of the sheet reaches, in 1/metres; 0 if the sheet is not bent in one direction. O(cells · log
    /// cells).
    private func usualCurvature(of profile: Profile, cells: ClosedRange<Int>) -> Double {
        let curvatures = signedCurvatures(of: profile, cells: cells)
        let least = curvatures.quantile(Self.lessCurvedShare)
        let greatest = curvatures.quantile(1 - Self.lessCurvedShare)
        return least > 0 ? least : min(greatest, 0)
    }

    /// Absolute mean curvature of the section over four neighbouring cells, in 1/metres.
    func meanCurvatures(of profile: Profile) -> [Double] {
        signedCurvatures(of: profile, cells: 0...basis.cellCount - 1).map(abs)
    }

    /// The section's mean curvature over four neighbouring cells, in 1/metres, positive where it is hollow.
    ///
    /// An L1 penalty turns smooth bends into a row of small kinks; averaged over some millimetres, they are smooth again.
    private func signedCurvatures(of profile: Profile, cells: ClosedRange<Int>) -> [Double] {
        let secant = secant(of: profile)
        let curvatures = (2 * cells.lowerBound..<2 * (cells.upperBound + 1)).map { place in
            // Curvature of the section at right angles to the rulings: κ = g'' / (1 + g'²)^3/2, where g = f / secant.
            let stretch = stretch(of: profile, place)
            return secondDerivative(of: profile, place) / (secant * stretch * stretch * stretch)
        }
        let window = min(4, cells.count)
        return (0...cells.count - window).map { cell in
            curvatures[2 * cell..<2 * (cell + window)].reduce(0, +) / Double(2 * window)
        }
    }

    /// Length of a ruling per metre of s.
    private func secant(of profile: Profile) -> Double {
        (1 + profile.slope * profile.slope).squareRoot()
    }

    /// Length of the section per metre of t at a quadrature point: sqrt(1 + g'²), g = f / secant.
    private func stretch(of profile: Profile, _ place: Int) -> Double {
        let four = coefficients(of: profile, cell: place / 2)
        let rise = (four * slopeBasis[place % 2]).sum() / (basis.spacing * secant(of: profile))
        return (1 + rise * rise).squareRoot()
    }

    /// Root of the weighted mean square of the residuals that count; nil if there are none.
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

    /// f'' at a quadrature point, two per cell.
    private func secondDerivative(of profile: Profile, _ place: Int) -> Double {
        (coefficients(of: profile, cell: place / 2) * curvatureBasis[place % 2]).sum()
    }

    private func coefficients(of profile: Profile, cell: Int) -> SIMD4<Double> {
        let all = profile.coefficients
        return SIMD4(all[cell], all[cell + 1], all[cell + 2], all[cell + 3])
    }
}

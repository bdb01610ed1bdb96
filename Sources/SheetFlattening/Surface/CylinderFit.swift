import DepthGeometry
import Foundation
import Imaging
import LinearAlgebra

/// Fits a general cylinder: the rulings' direction by search, the profile and the rulings' rise by robust least squares.
///
/// For a given direction, with heights h over the plane of the frame, h = f(t) + slope · s is linear in f's spline
/// coefficients and in slope. Minimised is Σ ρ(r_i) + λ w ∫ |f''| dt, r the residuals along the rays (so the height's
/// residual divided by how fast it changes along the ray), ρ Cauchy's loss and w the sheet's width along the rulings, so
/// that λ means what it means for the free surface. |f''| lets curvature gather in creases; both are re-weighted.
struct CylinderFit {
    /// Length of a profile cell in metres.
    static let cellLength = 0.0025
    /// How far past the samples the profile reaches before it is continued straight, in metres.
    static let margin = 0.008

    let surface: CylinderSurface
    /// Depth residual of each sample in metres.
    let residuals: [Double]
    /// Root of the weighted mean square of the residuals in metres.
    let rms: Double
    /// Size of the profile's mean curvature over four neighbouring cells (10 mm), in 1/metres.
    let curvatures: [Double]

    /// The readings in the frame of the plane.
    struct Problem: Sendable {
        let samples: SheetSamples
        let frame: PlaneFrame
        /// Coordinates on the plane and height above it, towards the camera.
        let x: [Double]
        let y: [Double]
        let height: [Double]
        /// The rays in the frame.
        let rays: [SIMD3<Double>]
        let penalty: Double

        init(samples: SheetSamples, plane: Plane) {
            self.samples = samples
            let points = samples.rays.indices.map { samples.rays[$0] / samples.inverseDepths[$0] }
            let center = points.reduce(SIMD3<Double>.zero, +) / Double(points.count)
            let frame = PlaneFrame(on: plane, origin: center)
            self.frame = frame
            let normal = frame.normal
            x = points.map { ($0 - frame.origin).dot(frame.xAxis) }
            y = points.map { ($0 - frame.origin).dot(frame.yAxis) }
            height = points.map { ($0 - frame.origin).dot(normal) }
            rays = samples.rays.map { SIMD3($0.dot(frame.xAxis), $0.dot(frame.yAxis), $0.dot(normal)) }
            penalty = FreeformFit.bendingLength * samples.noise * samples.noise * samples.density
        }
    }

    /// The best cylinder: 24 directions on some 1500 samples, then halved steps around the best on twice as many, down to
    /// a quarter of a milliradian (which moves the end of a receipt by hundredths of a millimetre).
    init(to samples: SheetSamples, plane: Plane) throws(FlatteningError) {
        let problem = Problem(samples: samples, plane: plane)
        let step = Double.pi / 24
        let stride = max(1, samples.count / 1_500)
        let directions = try concurrentMap(Array(0..<24)) { index throws(FlatteningError) in
            let angle = Double(index) * step
            let fit = try? CylinderFit(problem, angle: angle, sweeps: 4, stride: stride)
            return (angle: angle, rms: fit?.rms ?? .infinity)
        }
        guard var best = directions.min(by: { $0.rms < $1.rms }), best.rms < .infinity else {
            throw Self.undetermined("no direction of rulings fits")
        }
        var finer = step / 2
        best.rms = .infinity
        let half = max(1, stride / 2)
        for level in 0..<9 {
            let candidates =
                level == 0
                ? [best.angle - finer, best.angle, best.angle + finer]
                : [best.angle - finer, best.angle + finer]
            let fits = try concurrentMap(candidates) { angle throws(FlatteningError) in
                let fit = try? CylinderFit(problem, angle: angle, sweeps: 4, stride: half)
                return (angle: angle, rms: fit?.rms ?? .infinity)
            }
            for fit in fits where fit.rms < best.rms { best = fit }
            finer /= 2
        }
        try self.init(problem, angle: best.angle, sweeps: 10)
    }

    /// The best profile for a given direction of the rulings.
    /// - Parameters:
    ///   - angle: from the frame's x-axis to the rulings, in radians.
    ///   - leftOut: samples of this fold do not count.
    ///   - sweeps: how often weights are renewed.
    ///   - stride: takes every so-many-th sample only.
    init(
        _ problem: Problem, angle: Double, leftOut: UInt8? = nil, sweeps: Int, stride: Int = 1
    ) throws(FlatteningError) {
        let (cosine, sine) = (cos(angle), sin(angle))
        let samples = problem.samples
        let used = Swift.stride(from: 0, to: samples.count, by: stride).map { $0 }
        let t = used.map { cosine * problem.y[$0] - sine * problem.x[$0] }
        let s = used.map { cosine * problem.x[$0] + sine * problem.y[$0] }
        let basis = UniformCubicSpline(
            covering: ((t.min() ?? 0) - Self.margin)...((t.max() ?? 0) + Self.margin),
            spacing: max(Self.cellLength, ((t.max() ?? 0) - (t.min() ?? 0)) / 400))
        let width = max(s.quantile(0.97) - s.quantile(0.03), 0.001)
        let penalty = problem.penalty * width / Double(stride)
        let count = basis.count
        let cells = t.map { basis.cell(of: $0) }
        let values = cells.map { UniformCubicSpline.values($0.offset) }
        let slopes = cells.map { UniformCubicSpline.slopes($0.offset) / basis.spacing }
        let unit = 1 / (basis.spacing * basis.spacing)
        let curvatureBasis = [0.25, 0.75].map { UniformCubicSpline.curvatures($0) * unit }
        let slopeBasis = [0.25, 0.75].map { UniformCubicSpline.slopes($0) }
        let isLeftOut = used.map { samples.fold[$0] == leftOut }

        var robust = [Double](repeating: 1, count: used.count)
        // How fast the height's residual changes along each ray; on the plane itself, the ray's part along the normal.
        var rate = used.map { problem.rays[$0].z }
        var bend = [Double](repeating: 1 / FreeformFit.expected, count: 2 * basis.cellCount)
        var coefficients = [Double](repeating: 0, count: count)
        var slope = 0.0
        var residuals = [Double](repeating: 0, count: used.count)
        var magnitudes = residuals
        var curvatures: [Double] = []
        for _ in 0..<sweeps {
            var matrix = BandedMatrix(order: count, bandwidth: 3)
            var border = [Double](repeating: 0, count: count)
            var right = border
            var corner = 0.0
            var cornerRight = 0.0
            for index in used.indices where !isLeftOut[index] {
                let weight = samples.weights[used[index]] * robust[index] / (rate[index] * rate[index])
                let height = problem.height[used[index]]
                let first = cells[index].index
                let four = values[index]
                let weighted = four * weight
                for i in 0..<4 {
                    for j in i..<4 { matrix.elements[(first + i) * 4 + j - i] += weighted[i] * four[j] }
                    border[first + i] += weighted[i] * s[index]
                    right[first + i] += weighted[i] * height
                }
                corner += weight * s[index] * s[index]
                cornerRight += weight * s[index] * height
            }
            for cell in 0..<basis.cellCount {
                for point in 0..<2 {
                    let d = curvatureBasis[point]
                    let weighted = d * (penalty * bend[2 * cell + point] * basis.spacing / 2)
                    for i in 0..<4 {
                        for j in i..<4 { matrix.elements[(cell + i) * 4 + j - i] += weighted[i] * d[j] }
                    }
                }
            }
            let diagonal = matrix.diagonal
            let least = 1e-9 * (diagonal.max() ?? 1)
            matrix.diagonal = diagonal.map { $0 + least }
            do {
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
                slope = reduced > 1e-9 * corner ? reducedRight / reduced : 0
                for index in 0..<count { coefficients[index] = fromRight[index] - slope * fromBorder[index] }
            } catch {
                throw Self.undetermined("\(error)")
            }
            for index in used.indices {
                let first = cells[index].index
                let four = SIMD4(
                    coefficients[first], coefficients[first + 1], coefficients[first + 2],
                    coefficients[first + 3])
                let error = problem.height[used[index]] - (four * values[index]).sum() - slope * s[index]
                let ray = problem.rays[used[index]]
                let across = cosine * ray.y - sine * ray.x
                let along = cosine * ray.x + sine * ray.y
                rate[index] = ray.z - (four * slopes[index]).sum() * across - slope * along
                // A ray that grazes the surface says little about it, and nothing at all past the horizon.
                rate[index] = min(rate[index], -0.1)
                residuals[index] = error / rate[index]
                magnitudes[index] = isLeftOut[index] ? .infinity : abs(residuals[index])
            }
            // What is within the readings' own noise is not wild, however well most of them are met.
            let scale = max(1.4826 * magnitudes.filter { $0 < .infinity }.median(), samples.noise)
            for index in used.indices {
                let relative = residuals[index] / (3 * scale)
                robust[index] = 1 / (1 + relative * relative)
            }
            curvatures.removeAll(keepingCapacity: true)
            for cell in 0..<basis.cellCount {
                let four = SIMD4(
                    coefficients[cell], coefficients[cell + 1], coefficients[cell + 2], coefficients[cell + 3]
                )
                for point in 0..<2 {
                    let second = (four * curvatureBasis[point]).sum()
                    bend[2 * cell + point] =
                        1 / (second * second + FreeformFit.straight * FreeformFit.straight).squareRoot()
                    // Of the section at right angles to the rulings: κ = g'' / (1 + g'²)^3/2, where g = f / secant.
                    let rise = (four * slopeBasis[point]).sum() / basis.spacing
                    let secant = (1 + slope * slope).squareRoot()
                    let stretch = (1 + rise * rise / (secant * secant)).squareRoot()
                    curvatures.append(second / (secant * stretch * stretch * stretch))
                }
            }
        }
        var squares = 0.0
        var total = 0.0
        for index in used.indices where !isLeftOut[index] {
            let weight = samples.weights[used[index]] * robust[index]
            squares += weight * residuals[index] * residuals[index]
            total += weight
        }
        guard total > 0, slope.isFinite else { throw Self.undetermined("no readings") }
        rms = (squares / total).squareRoot()
        self.residuals = residuals
        // An L1 penalty sets smooth bends as a row of small kinks, which their mean over some millimetres is not.
        let window = min(4, basis.cellCount)
        self.curvatures = (0...basis.cellCount - window).map { cell in
            abs(curvatures[2 * cell..<2 * (cell + window)].reduce(0, +)) / Double(2 * window)
        }
        surface = CylinderSurface(
            frame: problem.frame, angle: angle, slope: slope, basis: basis, coefficients: coefficients)
    }

    private static func undetermined(_ detail: String) -> FlatteningError {
        FlatteningError(
            .badInput, "the depth readings determine no cylinder", stage: "surface", detail: detail)
    }
}

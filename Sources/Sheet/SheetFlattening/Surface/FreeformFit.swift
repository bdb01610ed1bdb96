import Diagnostics
import DepthGeometry
import Platform
import Imaging
import LinearAlgebra
import RobustStatistics

/// Fits a free surface: robust to wild readings, smooth where it can be, creased where it must.
///
/// Minimises over the relief h
///
///     Σ ρ(r_i) + λ ∫ |κ₁| + |κ₂| dA,
///
/// r the depth residuals, ρ Cauchy's loss and κ the eigenvalues of h's Hessian: the Hessian's nuclear norm. That norm
/// favours one vanishing curvature (paper is developable: its Hessian has rank 1) and lets the other gather in creases,
/// as an L1 norm does. It is minimised by re-weighted least squares: |κ₁| + |κ₂| ≈ tr(H W H) with W = (H² + δ²)^-1/2 from the
/// previous sweep (Mohan & Fazel, "Iterative reweighted algorithms for matrix rank minimization", JMLR 2012; Lefkimmiatis et
/// al., "Hessian Schatten-norm regularization", IEEE TIP 2013). Each sweep is one banded Cholesky factorisation, with the
/// coefficients of the grid's short side next to each other.
struct FreeformFit {
    /// Length of a spline cell in metres.
    static let cellLength = 0.005
    /// Curvature in 1/metres below which the penalty is quadratic: a radius of 10 m is flat.
    static let straight = 0.1
    /// Curvature in 1/metres assumed in the first sweep.
    static let expected = 3.0
    /// λ = this length (in metres) · noise² · sample density: how much noise a turn of one radian has to explain.
    static let bendingLength = 0.02

    let surface: FreeformSurface
    /// Depth residual of each sample in metres.
    let residuals: [Double]
    /// Scale (1.4826 median |r|) of the residuals in metres.
    let scale: Double
    /// The larger curvature, by absolute value, of each spline cell that holds samples, in 1/metres.
    let curvatures: [Double]

    /// - Parameters:
    ///   - samples: the averaged readings.
    ///   - plane: inverse depth of the plane under the relief.
    ///   - outline: rays that the surface must cover.
    ///   - leftOut: samples of this fold are ignored.
    ///   - start: the fit to start from, for instance the fit to all samples; on the same basis.
    ///   - sweeps: upper limit of re-weightings.
    init(
        to samples: SheetSamples, plane gradient: SIMD3<Double>, outline: [SIMD3<Double>],
        leftOut: UInt8? = nil,
        start: FreeformFit? = nil, sweeps: Int = 12
    ) throws(FlatteningError) {
        let depth = samples.depth
        let system =
            if let start {
                FreeformSystem(
                    samples: samples, alongX: start.surface.alongX, alongY: start.surface.alongY,
                    leftOut: leftOut)
            } else { Self.system(samples, outline: outline, leftOut: leftOut) }
        let heights = samples.rays.indices.map {
            (gradient.dot(samples.rays[$0]) - samples.inverseDepths[$0]) * depth * depth
        }
        let penalty = Self.bendingLength * samples.noise * samples.noise * samples.density
        var coefficients = start?.surface.coefficients
        var bending = system.bending(of: coefficients, straight: Self.straight, expected: Self.expected)
        let outcome = try Reweighting(
            loss: RobustLoss(.cauchy, cut: CylinderFit.cut), sweeps: sweeps, leastScale: samples.noise
        ).run(prior: samples.weights) { weights throws(FlatteningError) in
            let next: [Double]
            do {
                next = try system.solve(
                    heights: heights, weights: weights, bending: bending, penalty: penalty)
            } catch {
                throw FlatteningError(
                    .badInput, "the depth readings determine no surface", stage: .surface, detail: "\(error)"
                )
            }
            var change = coefficients == nil ? Double.infinity : 0
            if let coefficients {
                for index in next.indices { change = max(change, abs(next[index] - coefficients[index])) }
            }
            coefficients = next
            bending = system.bending(of: next, straight: Self.straight, expected: Self.expected)
            // Changes below a twentieth of the noise are invisible.
            return (system.residuals(of: next, heights: heights), change < samples.noise / 20)
        }
        surface = FreeformSurface(
            gradient: gradient, depth: depth, alongX: system.alongX, alongY: system.alongY,
            coefficients: coefficients ?? [])
        residuals = outcome.residuals
        scale = outcome.scale
        curvatures = system.occupiedCurvatures(of: coefficients ?? [])
    }

    /// Creates the system on cells that cover the readings and the outline.
    private static func system(
        _ samples: SheetSamples, outline: [SIMD3<Double>], leftOut: UInt8?
    ) -> FreeformSystem {
        let all = outline + samples.rays
        func range(_ values: [Double]) -> ClosedRange<Double> {
            ((values.min() ?? 0) * samples.depth - SheetGrid.margin)...((values.max() ?? 0) * samples.depth
                + SheetGrid.margin)
        }
        let (rangeX, rangeY) = (range(all.map(\.x)), range(all.map(\.y)))
        // A sheet larger than expected gets larger cells, so that there are no more than a few thousand unknowns.
        let area = (rangeX.upperBound - rangeX.lowerBound) * (rangeY.upperBound - rangeY.lowerBound)
        let length = max(cellLength, (area / 2_500).squareRoot())
        return FreeformSystem(
            samples: samples, alongX: UniformCubicSpline(covering: rangeX, spacing: length),
            alongY: UniformCubicSpline(covering: rangeY, spacing: length), leftOut: leftOut)
    }
}

import LinearAlgebra

/// The normal equations of a displacement field under which the points of each level share one height.
///
/// A point (x, y) of a level at height v gives the equation y = e(x, v) + c, where c is a constant of the level. Since e is
/// evaluated at the level's height, not at the point's, noise in the points does not bend it; and since c is free, nothing is
/// assumed about the distances between levels. The c are eliminated, as they are the weighted means of y - e:
/// Σ [Σ w φ φᵀ - (Σ w φ)(Σ w φ)ᵀ / Σ w] k = Σ [Σ w y φ - (Σ w y)(Σ w φ) / Σ w], sums over levels of sums over points.
/// Where there are no points, bending and slope are minimised (a plate under tension), so the field fades away from known
/// places. A level touches four rows of coefficients, so the band is four rows wide.
struct LevelSystem: Sendable {
    /// A run of points that should share a height.
    struct Level {
        /// The height assumed for the level, in pixels.
        var height: Double
        /// The points as measured.
        var points: [SIMD2<Double>]
    }

    let alongX: UniformCubicSpline
    let alongY: UniformCubicSpline
    private let resistance: BandedMatrix

    /// Approximate number of cells that cover the page, whatever its shape: a crease is then blurred over a sixteenth of its
    /// length.
    private static let cellCount = 256.0
    /// Length over which a slope fades where there is no print, as a share of the page's shorter side: about the length of a
    /// blank between blocks of text.
    private static let fading = 0.25

    init(page: SIMD2<Double>) {
        let spacing = (page.x * page.y / Self.cellCount).squareRoot()
        alongX = UniformCubicSpline(covering: 0...page.x, spacing: spacing)
        alongY = UniformCubicSpline(covering: 0...page.y, spacing: spacing)
        resistance = Self.resistance(alongX, alongY, fading: Self.fading * min(page.x, page.y))
    }

    /// Returns the field that minimises Σ weights · (y - e - c)² + penalty · Σ cells' means of |e''|² + |e'|² / fading².
    /// O(unknowns · band²).
    /// - Parameter weights: the weights of each level's points, not all 0.
    func solve(
        _ levels: [Level], weights: [[Double]], penalty: Double
    ) throws(LinearAlgebraError) -> DisplacementField {
        let columns = alongX.count
        let count = columns * alongY.count
        var matrix = BandedMatrix(order: count, bandwidth: resistance.bandwidth)
            .adding(resistance, times: penalty)
        var right = [Double](repeating: 0, count: count)
        var outer = [Double](repeating: 0, count: columns * columns)
        for (level, weights) in zip(levels, weights) {
            // Σ w φ φᵀ etc. along x; vertically, all points of a level have the same four spline values.
            for index in outer.indices { outer[index] = 0 }
            var sums = [Double](repeating: 0, count: columns)
            var moments = sums
            var (weight, moment) = (0.0, 0.0)
            for (point, w) in zip(level.points, weights) {
                let (i, s) = alongX.cell(of: point.x)
                let values = UniformCubicSpline.values(s)
                // Heights relative to the level keep the sums small.
                let wy = w * (point.y - level.height)
                weight += w
                moment += wy
                for a in 0..<4 {
                    sums[i + a] += w * values[a]
                    moments[i + a] += wy * values[a]
                    for b in 0..<4 { outer[(i + a) * columns + i + b] += w * values[a] * values[b] }
                }
            }
            let (j, t) = alongY.cell(of: level.height)
            let down = UniformCubicSpline.values(t)
            let stride = matrix.columnStride
            matrix.elements.withUnsafeMutableBufferPointer { elements in
                for a in 0..<columns where sums[a] != 0 {
                    for c in 0..<4 {
                        let row = (j + c) * columns + a
                        right[row] += down[c] * (moments[a] - moment * sums[a] / weight)
                        for b in 0..<columns where sums[b] != 0 {
                            let value = outer[a * columns + b] - sums[a] * sums[b] / weight
                            for d in 0..<4 {
                                let column = (j + d) * columns + b
                                if row >= column {
                                    elements[column * stride + row - column] += down[c] * down[d] * value
                                }
                            }
                        }
                    }
                }
            }
        }
        // A field that depends on the height alone keeps every level straight, so the points do not determine it; this small
        // diagonal keeps it minimal.
        let diagonal = matrix.diagonal
        let least = 1e-8 * (diagonal.max() ?? 1)
        matrix.diagonal = diagonal.map { $0 + least }
        return DisplacementField(
            alongX: alongX, alongY: alongY, coefficients: try BandedCholesky(of: matrix).solve(right))
    }

    /// The quadratic form of bending and slope: the sum over cells of the means of e_xx² + 2 e_xy² + e_yy² and of (e_x² + e_y²)
    /// / fading², as products of one-dimensional forms.
    private static func resistance(
        _ alongX: UniformCubicSpline, _ alongY: UniformCubicSpline, fading: Double
    ) -> BandedMatrix {
        let x = Forms(alongX)
        let y = Forms(alongY)
        let tension = 1 / (fading * fading)
        var matrix = BandedMatrix(order: alongX.count * alongY.count, bandwidth: 4 * alongX.count - 1)
        for j in 0..<alongY.count {
            for i in 0..<alongX.count {
                for q in j..<min(j + 4, alongY.count) {
                    for p in max(0, i - 3)..<min(i + 4, alongX.count) {
                        let (row, column) = (q * alongX.count + p, j * alongX.count + i)
                        guard row >= column else { continue }
                        let bending =
                            x.curvature[i, p] * y.value[j, q] + 2 * x.slope[i, p] * y.slope[j, q]
                            + x.value[i, p] * y.curvature[j, q]
                        let slope = x.slope[i, p] * y.value[j, q] + x.value[i, p] * y.slope[j, q]
                        matrix[row, column] = bending + tension * slope
                    }
                }
            }
        }
        return matrix
    }

    /// Sums over the cells of the mean products of a basis's functions, of their slopes and of their curvatures.
    private struct Forms {
        var value: Matrix
        var slope: Matrix
        var curvature: Matrix

        init(_ spline: UniformCubicSpline) {
            value = Matrix(rows: spline.count, columns: spline.count)
            slope = value
            curvature = value
            // Gauss's three points, 1/2 and 1/2 ± sqrt(3/5) / 2, integrate polynomials up to the fifth degree exactly; the
            // sixth degree, found only in products of values, is off by a few parts in a thousand.
            let offset = 0.15.squareRoot()
            let places = [(0.5 - offset, 5.0 / 18), (0.5, 8.0 / 18), (0.5 + offset, 5.0 / 18)]
            for cell in 0..<spline.cellCount {
                for (place, share) in places {
                    let values = UniformCubicSpline.values(place)
                    let slopes = UniformCubicSpline.slopes(place) / spline.spacing
                    let curvatures = UniformCubicSpline.curvatures(place) / (spline.spacing * spline.spacing)
                    for a in 0..<4 {
                        for b in 0..<4 {
                            value[cell + a, cell + b] += share * values[a] * values[b]
                            slope[cell + a, cell + b] += share * slopes[a] * slopes[b]
                            curvature[cell + a, cell + b] += share * curvatures[a] * curvatures[b]
                        }
                    }
                }
            }
        }
    }
}

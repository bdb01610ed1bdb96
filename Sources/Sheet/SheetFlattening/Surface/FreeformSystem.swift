import DepthGeometry
import LinearAlgebra
import Parallelism

/// The normal equations of a bicubic relief over scattered samples.
///
/// All samples of a spline cell share the same sixteen coefficients, so sums are gathered cell by cell in a dense 16 x 16 block
/// and scattered once. Coefficient (i, j) is unknown i + j · short side, which makes the band as narrow as possible: three
/// short sides plus three.
struct FreeformSystem: Sendable {
    /// Weights of the four quadrature points of a cell: H -> tr(H W H).
    struct Bending: Sendable {
        /// The entries xx, yy and xy of W, one triple per quadrature point, four per cell.
        var weights: [SIMD3<Double>]
    }

    let alongX: UniformCubicSpline
    let alongY: UniformCubicSpline
    /// Samples ordered by cell; `starts[cell]..<starts[cell + 1]` belong to a cell.
    private let order: [Int32]
    private let starts: [Int32]
    /// Sixteen basis values of each ordered sample, x fastest.
    private let basis: [SIMD16<Double>]
    private let isLeftOut: [Bool]
    /// Second derivatives xx, xy, yy of the sixteen functions at the four quadrature points, the same in each cell.
    private let derivatives: [(xx: SIMD16<Double>, xy: SIMD16<Double>, yy: SIMD16<Double>)]

    init(samples: SheetSamples, alongX: UniformCubicSpline, alongY: UniformCubicSpline, leftOut: UInt8?) {
        self.alongX = alongX
        self.alongY = alongY
        let cells = alongX.cellCount * alongY.cellCount
        var counts = [Int32](repeating: 0, count: cells + 1)
        var cellOf = [Int32](repeating: 0, count: samples.count)
        var values = [SIMD16<Double>](repeating: .zero, count: samples.count)
        for index in samples.rays.indices {
            let (i, s) = alongX.cell(of: samples.rays[index].x * samples.depth)
            let (j, t) = alongY.cell(of: samples.rays[index].y * samples.depth)
            cellOf[index] = Int32(j * alongX.cellCount + i)
            counts[j * alongX.cellCount + i + 1] += 1
            values[index] = Self.product(UniformCubicSpline.values(s), UniformCubicSpline.values(t))
        }
        for cell in 0..<cells { counts[cell + 1] += counts[cell] }
        starts = counts
        var next = counts
        var order = [Int32](repeating: 0, count: samples.count)
        for index in samples.rays.indices {
            order[Int(next[Int(cellOf[index])])] = Int32(index)
            next[Int(cellOf[index])] += 1
        }
        self.order = order
        basis = order.map { values[Int($0)] }
        isLeftOut = samples.fold.map { $0 == leftOut }
        var derivatives: [(xx: SIMD16<Double>, xy: SIMD16<Double>, yy: SIMD16<Double>)] = []
        let unit = 1 / (alongX.spacing * alongX.spacing)
        for t in [0.25, 0.75] {
            for s in [0.25, 0.75] {
                derivatives.append(
                    (
                        Self.product(UniformCubicSpline.curvatures(s), UniformCubicSpline.values(t)) * unit,
                        Self.product(UniformCubicSpline.slopes(s), UniformCubicSpline.slopes(t)) * unit,
                        Self.product(UniformCubicSpline.values(s), UniformCubicSpline.curvatures(t)) * unit
                    ))
            }
        }
        self.derivatives = derivatives
    }

    private static func product(_ x: SIMD4<Double>, _ y: SIMD4<Double>) -> SIMD16<Double> {
        let low = SIMD8(lowHalf: x * y[0], highHalf: x * y[1])
        return SIMD16(lowHalf: low, highHalf: SIMD8(lowHalf: x * y[2], highHalf: x * y[3]))
    }

    private var isXShort: Bool { alongX.count <= alongY.count }

    /// Numbers of the unknowns of a cell's sixteen coefficients.
    private func unknowns(ofCell column: Int, _ row: Int) -> [Int] {
        (0..<16).map {
            let (i, j) = (column + $0 % 4, row + $0 / 4)
            return isXShort ? j * alongX.count + i : i * alongY.count + j
        }
    }

    /// The coefficients of a cell, x fastest.
    private func coefficients(_ all: UnsafeBufferPointer<Double>, ofCell column: Int, _ row: Int) -> SIMD16<
        Double
    > {
        var sixteen = SIMD16<Double>.zero
        for j in 0..<4 {
            let start = (row + j) * alongX.count + column
            for i in 0..<4 { sixteen[4 * j + i] = all[start + i] }
        }
        return sixteen
    }

    /// Minimises Σ weights · (heights - h)² + penalty · ∫ tr(H W H). The answer has `alongX.count` coefficients in a row.
    func solve(
        heights: [Double], weights: [Double], bending: Bending, penalty: Double
    ) throws(LinearAlgebraError) -> [Double] {
        let short = min(alongX.count, alongY.count)
        var matrix = BandedMatrix(order: alongX.count * alongY.count, bandwidth: 3 * short + 3)
        var right = [Double](repeating: 0, count: matrix.order)
        let sums = sums(
            heights: heights, weights: weights, bending: bending,
            area: penalty * alongX.spacing * alongY.spacing / 4)
        let stride = matrix.columnStride
        for row in 0..<alongY.cellCount {
            for column in 0..<alongX.cellCount {
                let block = Self.sumsOfCell * (row * alongX.cellCount + column)
                let load = sums[block + 16]
                let unknowns = unknowns(ofCell: column, row)
                matrix.elements.withUnsafeMutableBufferPointer { elements in
                    for i in 0..<16 {
                        right[unknowns[i]] += load[i]
                        let values = sums[block + i]
                        for j in 0..<16 where unknowns[j] >= unknowns[i] {
                            elements[unknowns[i] * stride + unknowns[j] - unknowns[i]] += values[j]
                        }
                    }
                }
            }
        }
        // In cells without readings the penalty leaves a plane undetermined; this small diagonal fixes it.
        let diagonal = matrix.diagonal
        let least = 1e-9 * (diagonal.max() ?? 1)
        matrix.diagonal = diagonal.map { $0 + least }
        let solution = try BandedCholesky(of: matrix).solve(right)
        guard !isXShort else { return solution }
        var coefficients = solution
        for j in 0..<alongY.count {
            for i in 0..<alongX.count { coefficients[j * alongX.count + i] = solution[i * alongY.count + j] }
        }
        return coefficients
    }

    /// Rows of a cell's block: sixteen, and its right-hand side.
    private static let sumsOfCell = 17

    /// The contribution of each cell to the normal equations. Cells are computed in parallel: they take most of the time, and
    /// none needs another.
    private func sums(
        heights: [Double], weights: [Double], bending: Bending, area: Double
    ) -> [SIMD16<Double>] {
        let columns = alongX.cellCount
        let count = Self.sumsOfCell * columns * alongY.cellCount
        return [SIMD16<Double>](unsafeUninitializedCapacity: count) { memory, initialized in
            let blocks = DisjointRows(memory, rowLength: Self.sumsOfCell)
            forEachBand(of: 0..<alongY.cellCount, threading: .allCores, minimumRows: 4) { rows in
                for cell in rows.lowerBound * columns..<rows.upperBound * columns {
                    let block = blocks[cell]
                    block.initialize(repeating: .zero)
                    add(readingsOf: cell, heights: heights, weights: weights, to: block)
                    for point in 0..<4 {
                        let w = bending.weights[4 * cell + point] * area
                        let d = derivatives[point]
                        let alongFirst = d.xx * w.x + d.xy * w.z
                        let cross = d.xy * (w.x + w.y) + (d.xx + d.yy) * w.z
                        let alongSecond = d.yy * w.y + d.xy * w.z
                        for i in 0..<16 {
                            block[i] += alongFirst * d.xx[i] + cross * d.xy[i] + alongSecond * d.yy[i]
                        }
                    }
                }
            }
            initialized = count
        }
    }

    private func add(
        readingsOf cell: Int, heights: [Double], weights: [Double],
        to block: UnsafeMutableBufferPointer<SIMD16<Double>>
    ) {
        for place in Int(starts[cell])..<Int(starts[cell + 1]) {
            let sample = Int(order[place])
            guard !isLeftOut[sample] else { continue }
            let phi = basis[place]
            let weighted = phi * weights[sample]
            block[16] += weighted * heights[sample]
            for i in 0..<16 { block[i] += weighted * phi[i] }
        }
    }

    /// heights - h for each sample, in the samples' order.
    func residuals(of coefficients: [Double], heights: [Double]) -> [Double] {
        var residuals = heights
        coefficients.withUnsafeBufferPointer { all in
            for row in 0..<alongY.cellCount {
                for column in 0..<alongX.cellCount {
                    let cell = row * alongX.cellCount + column
                    guard starts[cell] < starts[cell + 1] else { continue }
                    let sixteen = self.coefficients(all, ofCell: column, row)
                    for place in Int(starts[cell])..<Int(starts[cell + 1]) {
                        residuals[Int(order[place])] -= (sixteen * basis[place]).sum()
                    }
                }
            }
        }
        return residuals
    }

    /// The weights W = (H² + δ²)^-1/2 of the next sweep; without coefficients, the weights of an expected curvature.
    func bending(of coefficients: [Double]?, straight: Double, expected: Double) -> Bending {
        let count = alongX.cellCount * alongY.cellCount
        guard let coefficients else {
            return Bending(
                weights: Array(repeating: SIMD3(1 / (2 * expected), 1 / (2 * expected), 0), count: 4 * count))
        }
        var weights: [SIMD3<Double>] = []
        weights.reserveCapacity(4 * count)
        coefficients.withUnsafeBufferPointer { all in
            for row in 0..<alongY.cellCount {
                for column in 0..<alongX.cellCount {
                    let sixteen = self.coefficients(all, ofCell: column, row)
                    for point in 0..<4 {
                        let hessian = Eigenvalues(of: sixteen, derivatives[point])
                        let first = 1 / (hessian.first * hessian.first + straight * straight).squareRoot()
                        let second = 1 / (hessian.second * hessian.second + straight * straight).squareRoot()
                        let (mean, half) = ((first + second) / 2, (first - second) / 2)
                        weights.append(
                            SIMD3(
                                mean + half * hessian.cosine, mean - half * hessian.cosine,
                                half * hessian.sine))
                    }
                }
            }
        }
        return Bending(weights: weights)
    }

    /// The larger curvature of each cell that holds samples, from its mean Hessian.
    func occupiedCurvatures(of coefficients: [Double]) -> [Double] {
        var curvatures: [Double] = []
        coefficients.withUnsafeBufferPointer { all in
            for row in 0..<alongY.cellCount {
                for column in 0..<alongX.cellCount {
                    let cell = row * alongX.cellCount + column
                    guard starts[cell + 1] - starts[cell] >= 4 else { continue }
                    let sixteen = self.coefficients(all, ofCell: column, row)
                    var mean = derivatives[0]
                    for point in derivatives.dropFirst() {
                        mean.xx += point.xx
                        mean.xy += point.xy
                        mean.yy += point.yy
                    }
                    mean.xx /= 4
                    mean.xy /= 4
                    mean.yy /= 4
                    let hessian = Eigenvalues(of: sixteen, mean)
                    curvatures.append(max(abs(hessian.first), abs(hessian.second)))
                }
            }
        }
        return curvatures
    }

    /// The eigenvalues of a relief's Hessian, and the double angle of the first one's direction.
    private struct Eigenvalues {
        let first: Double
        let second: Double
        let cosine: Double
        let sine: Double

        init(
            of sixteen: SIMD16<Double>, _ d: (xx: SIMD16<Double>, xy: SIMD16<Double>, yy: SIMD16<Double>)
        ) {
            let (xx, xy, yy) = ((sixteen * d.xx).sum(), (sixteen * d.xy).sum(), (sixteen * d.yy).sum())
            let mean = (xx + yy) / 2
            let half = (xx - yy) / 2
            let radius = (half * half + xy * xy).squareRoot()
            first = mean + radius
            second = mean - radius
            cosine = radius > 0 ? half / radius : 1
            sine = radius > 0 ? xy / radius : 0
        }
    }
}

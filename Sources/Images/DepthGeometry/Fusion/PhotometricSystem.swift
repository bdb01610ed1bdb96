import Imaging
import LinearAlgebra

/// Brightness and its slopes, interpolated between an image's pixels.
struct BrightnessReading {
    /// Row by row.
    let luma: UnsafeBufferPointer<Float>
    let width: Int
    let height: Int

    /// Bilinear brightness at a position in pixels, and its change per pixel along x and y by central differences; nil at
    /// the image's border.
    @inline(__always)
    func read(at pixel: SIMD2<Double>) -> (value: Double, slope: SIMD2<Double>)? {
        guard pixel.x >= 1, pixel.y >= 1, pixel.x < Double(width - 2), pixel.y < Double(height - 2) else {
            return nil
        }
        let cell = BilinearCell(continuing: pixel, columns: width, rows: height)
        @inline(__always) func mixed(_ shift: Int) -> Double { cell.weighted { Double(luma[$0 + shift]) } }
        return (mixed(0), SIMD2((mixed(1) - mixed(-1)) / 2, (mixed(width) - mixed(-width)) / 2))
    }
}

/// Normal equations of motion (six numbers) and brightness (gain, offset), summed over points.
struct PhotometricSystem {
    /// Absolute residuals of the points that the other image shows.
    private(set) var residuals: [Double] = []
    /// The right side: the gradient of half the weighted sum of squares.
    private(set) var gradient = SIMD8<Double>.zero
    private var rows = [SIMD8<Double>](repeating: .zero, count: 8)
    private var depths = 0.0
    private var moments = (weight: 0.0, own: 0.0, other: 0.0, ownSquare: 0.0, otherSquare: 0.0, product: 0.0)

    init(capacity: Int) { residuals.reserveCapacity(capacity) }

    /// Adds a point's row of the Jacobian.
    @inline(__always)
    mutating func add(_ row: SIMD8<Double>, residual: Double, weight: Double) {
        residuals.append(abs(residual))
        let weighted = row * weight
        gradient += weighted * residual
        for i in 0..<8 { rows[i] += row * weighted[i] }
    }

    /// Adds a point's brightness in both images, and its depth.
    @inline(__always)
    mutating func compare(_ own: Double, with other: Double, depth: Double, weight: Double) {
        depths += depth
        moments.weight += weight
        moments.own += weight * own
        moments.other += weight * other
        moments.ownSquare += weight * own * own
        moments.otherSquare += weight * other * other
        moments.product += weight * own * other
    }

    /// JᵀWJ.
    var normalMatrix: Matrix {
        var matrix = Matrix(rows: 8, columns: 8)
        for i in 0..<8 {
            for j in 0...i {
                matrix[i, j] = rows[i][j]
                matrix[j, i] = rows[i][j]
            }
        }
        return matrix
    }

    /// Mean depth of the points in metres.
    var meanDepth: Double { depths / Double(max(residuals.count, 1)) }

    /// Weighted correlation of the two images at the points, -1 to 1; 0 if one of them has no pattern.
    var correlation: Double {
        guard moments.weight > 0 else { return 0 }
        let (own, other) = (moments.own / moments.weight, moments.other / moments.weight)
        let covariance = moments.product / moments.weight - own * other
        let variances =
            (moments.ownSquare / moments.weight - own * own)
            * (moments.otherSquare / moments.weight - other * other)
        return variances > 0 ? covariance / variances.squareRoot() : 0
    }
}

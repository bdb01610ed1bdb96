import Diagnostics
import DepthGeometry
import Imaging
import LinearAlgebra

/// The single profile that best explains the readings of both curved sides: a smoothing spline.
///
/// It minimises Σ (gain (height - f(t)))² + μ ∫ f''² dt, with μ set by a smoothing length ℓ: for readings of mean squared gain
/// g², ρ of them per unit of length, μ = ρ g² ℓ⁴ removes waves much shorter than 2π ℓ (Silverman, "Spline smoothing: the
/// equivalent variable kernel method", 1984, DOI 10.1214/aos/1176346710).
struct ProfileFit {
    let basis: UniformCubicSpline
    /// The profile's coefficients, in the unit of the heights.
    let coefficients: [Double]

    /// - Throws: `badInput` if the readings determine no profile. O(readings + cells).
    init(
        to readings: [SideProfile.Reading], basis: UniformCubicSpline, smoothingLength: Double
    ) throws(FlatteningError) {
        var matrix = BandedMatrix(order: basis.count, bandwidth: 3)
        var right = [Double](repeating: 0, count: basis.count)
        var weights = 0.0
        for reading in readings {
            let (first, offset) = basis.cell(of: reading.t)
            let four = UniformCubicSpline.values(offset)
            let weight = reading.gain * reading.gain
            let weighted = four * weight
            for i in 0..<4 {
                for j in i..<4 { matrix.elements[(first + i) * 4 + j - i] += weighted[i] * four[j] }
                right[first + i] += weighted[i] * reading.height
            }
            weights += weight
        }
        let squared = smoothingLength * smoothingLength
        let penalty = weights / (basis.end - basis.origin) * squared * squared
        let unit = 1 / (basis.spacing * basis.spacing)
        // Gauss's two points per cell integrate the square of the second derivative, which is linear there, exactly.
        for place in [0.5 - 0.5 / 3.squareRoot(), 0.5 + 0.5 / 3.squareRoot()] {
            let bend = UniformCubicSpline.curvatures(place) * unit
            let weighted = bend * (penalty * basis.spacing / 2)
            for cell in 0..<basis.cellCount {
                for i in 0..<4 {
                    for j in i..<4 { matrix.elements[(cell + i) * 4 + j - i] += weighted[i] * bend[j] }
                }
            }
        }
        self.basis = basis
        do {
            coefficients = try BandedCholesky(of: matrix).solve(right)
        } catch {
            throw FlatteningError(
                .badInput, "the sides determine no profile", stage: .surface, detail: error.description)
        }
    }

    /// The heights in the middle of each cell.
    var heights: [Double] {
        coefficients.withUnsafeBufferPointer { coefficients in
            (0..<basis.cellCount).map {
                basis.value(of: coefficients, at: basis.origin + (Double($0) + 0.5) * basis.spacing).value
            }
        }
    }

    /// The sum of the squared distances of readings from the profile in the image, in square pixels.
    func squaredDeviation(of readings: [SideProfile.Reading]) -> Double {
        coefficients.withUnsafeBufferPointer { coefficients in
            readings.reduce(0) { sum, reading in
                let deviation = reading.deviation(from: basis.value(of: coefficients, at: reading.t).value)
                return sum + deviation * deviation
            }
        }
    }
}

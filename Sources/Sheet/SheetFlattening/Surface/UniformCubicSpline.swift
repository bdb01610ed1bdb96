/// The cubic B-splines over equidistant knots: a basis of `count` functions, four of which are nonzero at any position.
///
/// Cell k spans origin + k · spacing ... origin + (k + 1) · spacing and carries the functions k ... k + 3. De Boor,
/// "A Practical Guide to Splines", 1978.
struct UniformCubicSpline: Equatable, Sendable {
    /// Start of the first cell.
    let origin: Double
    /// Length of a cell.
    let spacing: Double
    /// Number of basis functions, at least 4.
    let count: Int

    /// Creates the basis that covers a range with cells of a given length.
    init(covering range: ClosedRange<Double>, spacing: Double) {
        precondition(spacing > 0, "cells have a length")
        origin = range.lowerBound
        self.spacing = spacing
        count = max(1, Int(((range.upperBound - range.lowerBound) / spacing).rounded(.up))) + 3
    }

    /// Number of cells.
    var cellCount: Int { count - 3 }

    /// End of the last cell.
    var end: Double { origin + Double(cellCount) * spacing }

    /// The cell of a position and its offset within the cell, 0 to 1; positions outside map to the end of the nearest cell.
    @inline(__always)
    func cell(of place: Double) -> (index: Int, offset: Double) {
        let scaled = min(max((place - origin) / spacing, 0), Double(cellCount))
        let index = min(Int(scaled), cellCount - 1)
        return (index, scaled - Double(index))
    }

    /// Values of a cell's four functions at an offset into it.
    @inline(__always)
    static func values(_ f: Double) -> SIMD4<Double> {
        let g = 1 - f
        return SIMD4(g * g * g, (3 * f - 6) * f * f + 4, ((3 - 3 * f) * f + 3) * f + 1, f * f * f) / 6
    }

    /// First derivatives of these functions, for cells of length 1.
    @inline(__always)
    static func slopes(_ f: Double) -> SIMD4<Double> {
        let g = 1 - f
        return SIMD4(-g * g, (3 * f - 4) * f, (2 - 3 * f) * f + 1, f * f) / 2
    }

    /// Second derivatives of these functions, for cells of length 1.
    @inline(__always)
    static func curvatures(_ f: Double) -> SIMD4<Double> {
        SIMD4(1 - f, 3 * f - 2, 1 - 3 * f, f)
    }

    /// Value and slope of a combination of the basis; continued straight outside the cells.
    @inline(__always)
    func value(of coefficients: UnsafeBufferPointer<Double>, at place: Double) -> (
        value: Double, slope: Double
    ) {
        let (index, offset) = cell(of: place)
        let four = SIMD4(
            coefficients[index], coefficients[index + 1], coefficients[index + 2], coefficients[index + 3])
        let value = (four * Self.values(offset)).sum()
        let slope = (four * Self.slopes(offset)).sum() / spacing
        let beyond = place - (origin + (Double(index) + offset) * spacing)
        return (value + slope * beyond, slope)
    }
}

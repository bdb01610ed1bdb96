@testable import SheetFlattening

/// The cubic B-spline over whole numbers by its closed form about its middle, as books have it, not cell by
/// cell.
enum CardinalCubic {
    /// Its value at a distance from its middle.
    static func value(_ distance: Double) -> Double {
        let x = abs(distance)
        if x < 1 { return 2.0 / 3 - x * x + x * x * x / 2 }
        return x < 2 ? (2 - x) * (2 - x) * (2 - x) / 6 : 0
    }

    /// Its first derivative there.
    static func slope(_ distance: Double) -> Double {
        let x = abs(distance)
        let outward = x < 1 ? 1.5 * x * x - 2 * x : x < 2 ? -(2 - x) * (2 - x) / 2 : 0
        return distance < 0 ? -outward : outward
    }

    /// Its second derivative there.
    static func curvature(_ distance: Double) -> Double {
        let x = abs(distance)
        return x < 1 ? 3 * x - 2 : x < 2 ? 2 - x : 0
    }

    /// Where the function of a number has its middle: the first one's is a cell before the first cell.
    static func middle(_ index: Int, of basis: UniformCubicSpline) -> Double {
        basis.origin + (Double(index) - 1) * basis.spacing
    }

    /// What a basis's functions are at a place: their values, slopes or curvatures.
    static func terms(
        _ basis: UniformCubicSpline, at place: Double, _ kind: (Double) -> Double, degree: Int
    ) -> [DenseEquations.Term] {
        var unit = 1.0
        for _ in 0..<degree { unit /= basis.spacing }
        return (0..<basis.count).compactMap { index in
            let value = kind((place - middle(index, of: basis)) / basis.spacing) * unit
            return value == 0 ? nil : (index: index, value: value)
        }
    }

    static func values(_ basis: UniformCubicSpline, at place: Double) -> [DenseEquations.Term] {
        terms(basis, at: place, value, degree: 0)
    }

    static func slopes(_ basis: UniformCubicSpline, at place: Double) -> [DenseEquations.Term] {
        terms(basis, at: place, slope, degree: 1)
    }

    static func curvatures(_ basis: UniformCubicSpline, at place: Double) -> [DenseEquations.Term] {
        terms(basis, at: place, curvature, degree: 2)
    }

    /// The products of functions along x and along y, numbered with x fastest.
    static func products(
        _ x: [DenseEquations.Term], _ y: [DenseEquations.Term], columns: Int
    ) -> [DenseEquations.Term] {
        y.flatMap { down in
            x.map { across in
                (index: down.index * columns + across.index, value: down.value * across.value)
            }
        }
    }
}

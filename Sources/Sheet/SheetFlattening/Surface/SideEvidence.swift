import DepthGeometry
import Imaging
import LinearAlgebra

/// Tests with the sheet's sides which of two surfaces is right: sides are cut straight, so they must be straight on the
/// flattened sheet.
///
/// A side flattened by the right surface shows only its raggedness n, from its cut and its detection. A wrong surface adds d,
/// the sideways shift caused by its false relief. So of two surfaces that differ by d along the sides, the right one leaves n²
/// and the wrong one n² + d² (mean squares; noise and shift are uncorrelated). The photograph shows sides to a fraction of a
/// millimetre, where depth cameras err by several. Each side's weight depends on how straight it can be made, so that torn ends
/// do not hide the evidence of cut ones.
struct SideEvidence {
    /// Root mean square sideways shift between the two surfaces' sides, without straight lines, divided by the sides' own
    /// raggedness: how much the sides can tell.
    let strength: Double
    /// The share of the shift that the richer surface explains: 1 if all of it makes the sides straighter, -1 if all of it
    /// bends them.
    let explained: Double

    /// Number of points examined along a side.
    static let placesAlongSide = 40
    /// The share of a side next to each corner that is ignored: corners are torn, folded and rounded.
    private static let cornerShare = 0.06
    /// Raggedness in metres that is added, squared, to that of each side. Outlines of drawn straight sides leave 0.015 to 0.06
    /// mm; lenses and cutters of real ones are no better than this.
    static let leastRaggedness = 0.00005
    /// Least strength that distinguishes the surfaces: about five points on a side are independent, so noise as large as the
    /// shift leaves `explained` uncertain by half.
    private static let leastStrength = 1.0

    /// Whether the sides can distinguish the two surfaces.
    var isTelling: Bool { strength > Self.leastStrength }

    /// - Parameters:
    ///   - sides: polylines from corner to corner in photograph pixels, as seen.
    ///   - simpler: one surface, flattened.
    ///   - richer: the other surface, flattened.
    /// - Returns: nil if no side can be judged. O(places).
    init?(of sides: [[SIMD2<Double>]], simpler: Unrolling, richer: Unrolling) {
        var (gained, between, count) = (0.0, 0.0, 0.0)
        for side in sides {
            let pairs = Self.places(along: side).compactMap { pixel in
                simpler.flatPosition(ofPixel: pixel).flatMap { first in
                    richer.flatPosition(ofPixel: pixel).map { (first, $0) }
                }
            }
            guard 2 * pairs.count > Self.placesAlongSide else { continue }
            let (a, b) = (Self.offsets(of: pairs.map(\.0)), Self.offsets(of: pairs.map(\.1)))
            let (simple, rich) = (Self.meanSquare(a), Self.meanSquare(b))
            let weight = 1 / (min(simple, rich) + Self.leastRaggedness * Self.leastRaggedness)
            gained += weight * (simple - rich)
            between += weight * Self.meanSquare(zip(a, b).map { $0 - $1 })
            count += 1
        }
        guard count > 0, between > 0 else { return nil }
        strength = (between / count).squareRoot()
        explained = gained / between
    }

    private static func meanSquare(_ values: [Double]) -> Double {
        values.reduce(0) { $0 + $1 * $1 } / Double(values.count)
    }

    /// Points at equal distances along a polyline, away from its ends.
    static func places(along line: [SIMD2<Double>]) -> [SIMD2<Double>] {
        let lengths = zip(line, line.dropFirst()).map { ($1 - $0).length }
        let whole = lengths.reduce(0, +)
        let (first, last) = (cornerShare * whole, (1 - cornerShare) * whole)
        let spacing = (last - first) / Double(placesAlongSide - 1)
        var places: [SIMD2<Double>] = []
        var passed = 0.0
        for (index, length) in lengths.enumerated() {
            while places.count < placesAlongSide {
                let offset = first + Double(places.count) * spacing - passed
                guard offset <= length, length > 0 else { break }
                places.append(line[index] + (line[index + 1] - line[index]) * (offset / length))
            }
            passed += length
        }
        return places
    }

    /// Signed distances of points from their best-fitting line, perpendicular to the direction from the first to the last
    /// point.
    private static func offsets(of points: [SIMD2<Double>]) -> [Double] {
        let count = Double(points.count)
        let middle = points.reduce(SIMD2<Double>.zero, +) / count
        let chord = points[points.count - 1] - points[0]
        let along = chord / max(chord.length, .leastNormalMagnitude)
        let across = SIMD2(-along.y, along.x)
        var (moment, product) = (0.0, 0.0)
        for point in points {
            let place = point - middle
            moment += place.dot(along) * place.dot(along)
            product += place.dot(along) * place.dot(across)
        }
        let slope = moment > 0 ? product / moment : 0
        return points.map { ($0 - middle).dot(across) - slope * ($0 - middle).dot(along) }
    }

    /// Root mean square of a side's offsets from the best-fitting cubic: the part that no smooth depth error explains. Nil if
    /// no cubic is determined; such a side tells nothing.
    static func raggedness(_ lengths: [Double], _ offsets: [Double]) -> Double? {
        let reach = lengths.reduce(0) { max($0, abs($1)) }
        guard reach > 0 else { return nil }
        var matrix = Matrix(rows: 4, columns: 4)
        var right = [Double](repeating: 0, count: 4)
        let rows = lengths.map { length -> [Double] in
            let t = length / reach
            return [1, t, t * t, t * t * t]
        }
        for (row, offset) in zip(rows, offsets) {
            for i in 0..<4 {
                for j in 0..<4 { matrix[i, j] += row[i] * row[j] }
                right[i] += row[i] * offset
            }
        }
        guard let cubic = try? CholeskyFactorization(of: matrix).solve(right) else { return nil }
        return meanSquare(
            zip(rows, offsets).map { row, offset in offset - zip(row, cubic).reduce(0) { $0 + $1.0 * $1.1 } }
        ).squareRoot()
    }
}

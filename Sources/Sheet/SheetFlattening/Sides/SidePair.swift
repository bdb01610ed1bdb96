import Diagnostics
import DepthGeometry
import Imaging

/// Two opposite sides of a sheet, assumed to be the curved sides of a cylinder.
struct SidePair {
    /// How well each side predicts the other.
    struct Prediction {
        /// The smoothing length that predicts best.
        let smoothingLength: Double
        /// Reduction, by the prediction, of the sum of squared distances in the image from straight sides, in square pixels.
        let gain: Double
        /// The same as a share of that sum; negative where the prediction is worse than a straight side.
        let share: Double
    }

    typealias Chord = (first: SIMD3<Double>, last: SIMD3<Double>)

    private let one: SideProfile
    private let other: SideProfile
    private let frame: PlaneFrame
    private let basis: UniformCubicSpline
    /// Root mean square distance of the sides in the image from straight lines, as a share of the sides' length there.
    let bend: Double

    /// - Parameters:
    ///   - sides: the sides in the image, in ideal pixels, both in the same direction.
    ///   - chords: the sides' ends in the camera frame; straight ends join first to first and last to last.
    ///   - plane: the plane of the chords.
    init(
        sides: (one: [SIMD2<Double>], other: [SIMD2<Double>]), chords: (one: Chord, other: Chord),
        plane: Plane, intrinsics: CameraIntrinsics
    ) {
        let ruling = chords.other.first - chords.one.first
        let frame = PlaneFrame(on: plane, origin: chords.one.first, along: ruling)
        func profile(_ side: [SIMD2<Double>], _ chord: Chord) -> SideProfile {
            SideProfile(
                side, first: chord.first, last: chord.last, frame: frame, intrinsics: intrinsics,
                count: CurvedSides.readingCount)
        }
        one = profile(sides.one, chords.one)
        other = profile(sides.other, chords.other)
        self.frame = frame
        let end = (chords.one.last - chords.one.first).dot(frame.yAxis)
        basis = UniformCubicSpline(
            covering: min(end, 0)...max(end, 0), spacing: abs(end) / Double(CurvedSides.cellCount))
        let length = [sides.one, sides.other].reduce(0.0) { sum, side in
            sum + zip(side, side.dropFirst()).reduce(0.0) { $0 + ($1.1 - $1.0).length } / 2
        }
        let readings = one.readings + other.readings
        bend =
            readings.isEmpty
            ? 0 : (Self.squaredBend(readings) / Double(readings.count)).squareRoot() / length
    }

    /// The sum of the squared distances from straight sides, in square pixels.
    private static func squaredBend(_ readings: [SideProfile.Reading]) -> Double {
        readings.reduce(0) { $0 + $1.deviation(from: 0) * $1.deviation(from: 0) }
    }

    /// Predicts each stretch of the profile on one side from the other side and the neighbouring stretches.
    func prediction() throws(FlatteningError) -> Prediction {
        let end = basis.end - basis.origin
        func isLeftOut(_ reading: SideProfile.Reading) -> Bool {
            Int((reading.t - basis.origin) / end * Double(CurvedSides.stretchCount)) % 2 == 0
        }
        let first = one.readings.filter(isLeftOut) + other.readings.filter { !isLeftOut($0) }
        let second = one.readings.filter { !isLeftOut($0) } + other.readings.filter(isLeftOut)
        let bend = Self.squaredBend(first) + Self.squaredBend(second)
        var best = Prediction(smoothingLength: 0, gain: -.infinity, share: -.infinity)
        for share in CurvedSides.smoothingLengths {
            let length = share * end
            let error =
                try ProfileFit(to: first, basis: basis, smoothingLength: length).squaredDeviation(of: second)
                + ProfileFit(to: second, basis: basis, smoothingLength: length).squaredDeviation(of: first)
            if bend - error > best.gain {
                best = Prediction(
                    smoothingLength: length, gain: bend - error, share: bend > 0 ? 1 - error / bend : 0)
            }
        }
        return best
    }

    /// The share of both sides' bend that has one shape, even if one side bends more: the first principal component's share of
    /// the two profiles, each scaled by how clearly it is seen. O(cells).
    func likeness(smoothingLength: Double) throws(FlatteningError) -> Double {
        var seen: [[Double]] = []
        for side in [one, other] {
            let fit = try ProfileFit(to: side.readings, basis: basis, smoothingLength: smoothingLength)
            let squares = side.readings.reduce(0) { $0 + $1.gain * $1.gain }
            let gain = (squares / Double(side.readings.count)).squareRoot()
            seen.append(fit.heights.map { $0 * gain })
        }
        func product(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } }
        let (a, b, mixed) = (product(seen[0], seen[0]), product(seen[1], seen[1]), product(seen[0], seen[1]))
        // If the sides bend in opposite directions, the best shared shape is that of the side that bends more, with the other
        // straight.
        guard mixed > 0 else { return max(a, b) / (a + b) }
        return ((a + b) / 2 + ((a - b) * (a - b) / 4 + mixed * mixed).squareRoot()) / (a + b)
    }

    /// The cylinder over the profile that both sides show.
    func cylinder(smoothingLength: Double) throws(FlatteningError) -> CylinderSurface {
        let fit = try ProfileFit(
            to: one.readings + other.readings, basis: basis, smoothingLength: smoothingLength)
        return CylinderSurface(
            frame: frame, angle: 0, slope: 0, basis: fit.basis, coefficients: fit.coefficients)
    }
}

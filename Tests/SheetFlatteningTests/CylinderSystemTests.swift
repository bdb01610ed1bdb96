import DepthGeometry
import Foundation
import Imaging
import RobustStatistics
import Testing

@testable import SheetFlattening

/// Profiles of cylinders on readings of known place, against dense equations, closed forms and differences.
@Suite struct CylinderSystemTests {
    private static let plane = Plane(through: SIMD3(0, 0, 0.3), normal: SIMD3(0.1, 0.2, -1))
    private static let angle = 0.6

    /// Readings at places (t, s), across the rulings and along them, so high over the plane.
    private static func problem(
        _ places: [SIMD2<Double>], height: (SIMD2<Double>) -> Double
    ) -> CylinderFit.Problem {
        // A lattice of exact readings, a sample each, gives noise and density; what is read comes in its
        // stead.
        let camera = CameraIntrinsics(
            fx: 1000, fy: 1000, cx: 20, cy: 20, imageSize: PixelSize(width: 40, height: 40))
        let lattice = (0..<100).map { (index: Int) -> SIMD2<Double> in
            let (column, row) = (Double(index % 10), Double(index / 10))
            return SIMD2(4 * column + 1.5, 4 * row + 1.5)
        }
        var samples = SheetSamples(
            of: SurfaceReadings(
                pixels: lattice, depths: lattice.map { _ in 0.3 }, depthPixelSize: SIMD2(4, 4)),
            intrinsics: camera)
        let frame = PlaneFrame(on: plane, origin: SIMD3(0, 0, 0.3))
        let across = frame.yAxis * cos(angle) - frame.xAxis * sin(angle)
        let along = frame.xAxis * cos(angle) + frame.yAxis * sin(angle)
        let points = places.map { place in
            let foot = frame.origin + across * place.x + along * place.y
            return foot + frame.normal * height(place)
        }
        samples.rays = points.map { $0 / $0.z }
        samples.inverseDepths = points.map { 1 / $0.z }
        samples.weights = places.indices.map { 0.4 + 0.1 * Double($0 % 7) }
        samples.block = places.map { _ in 0 }
        samples.fold = places.indices.map { $0.isMultiple(of: 3) ? 1 : 0 }
        return CylinderFit.Problem(samples: samples, plane: plane)
    }

    /// Five rows of readings across the rulings, 1 mm apart.
    private static let rows = (0..<205).map { (index: Int) -> SIMD2<Double> in
        let (t, s) = (Double(index % 41 - 20), Double(index / 41 - 2))
        return SIMD2(t / 1000, s / 100)
    }

    @Test(arguments: [(nil, 1), (1, 1), (0, 2)] as [(UInt8?, Int)])
    func theProfileIsThatOfDenseNormalEquations(leftOut: UInt8?, stride: Int) throws {
        let seed: UInt64 = 7
        var generator = SplitMix64(seed: seed)
        func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
        let places = (0..<300).map { _ in SIMD2(number(-0.02...0.02), number(-0.03...0.03)) }
        let problem = Self.problem(places) { place in
            let wave = 0.001 * sin(400 * place.x)
            return 5 * place.x * place.x + wave + 0.1 * place.y
        }
        let system = CylinderSystem(problem, angle: Self.angle, leftOut: leftOut, stride: stride)
        let used = Array(Swift.stride(from: 0, to: places.count, by: stride))
        try #require(system.count == used.count)
        let basis = system.basis
        let weights = used.map { _ in number(0.2...1) }
        let rates = used.map { _ in number(-1.2...(-0.3)) }
        let bending = CylinderSystem.Bending(
            usual: (0..<2 * basis.cellCount).map { _ in number(-20...20) },
            costs: (0..<2 * basis.cellCount).map { _ in number(0.1...1) })
        let profile = try system.solve(weights: weights, rates: rates, bending: bending)

        let (cosine, sine) = (cos(Self.angle), sin(Self.angle))
        let t = used.map { cosine * problem.y[$0] - sine * problem.x[$0] }
        let s = used.map { cosine * problem.x[$0] + sine * problem.y[$0] }
        var equations = DenseEquations(order: basis.count + 1)
        for index in used.indices where problem.samples.fold[used[index]] != leftOut {
            let rate = rates[index]
            equations.add(
                CardinalCubic.values(basis, at: t[index]) + [(index: basis.count, value: s[index])],
                weight: problem.samples.weights[used[index]] * weights[index] / (rate * rate),
                target: problem.height[used[index]])
        }
        // The breadth between 3 % and 97 % of the readings.
        let sorted = s.sorted()
        let breadth =
            sorted[Int(0.97 * Double(sorted.count))] - sorted[Int(0.03 * Double(sorted.count))]
        let penalty = problem.penalty * breadth / Double(stride)
        for place in 0..<2 * basis.cellCount {
            let offset = Double(place / 2) + (place.isMultiple(of: 2) ? 0.25 : 0.75)
            equations.add(
                CardinalCubic.curvatures(basis, at: basis.origin + offset * basis.spacing),
                weight: penalty * bending.costs[place] * basis.spacing / 2, target: bending.usual[place])
        }
        equations.strengthen(first: basis.count, by: 1e-9)
        let wanted = equations.solved()
        let misses = zip(profile.coefficients + [profile.slope], wanted).map { abs($0 - $1) }
        // Coefficients of millimetres; elimination loses six of sixteen digits on such equations.
        #expect((misses.max() ?? .infinity) < 1e-9, "seed \(seed): \(misses)")
        try #require(wanted.count == profile.coefficients.count + 1)
    }

    @Test func aParabolaAndTheRiseOfItsRulingsAreFoundExactly() throws {
        let problem = Self.problem(Self.rows) { (place: SIMD2<Double>) -> Double in
            let bent = 6 * place.x * place.x
            return bent + 0.1 * place.x + 0.12 * place.y
        }
        let system = CylinderSystem(problem, angle: Self.angle, leftOut: nil, stride: 1)
        var bending = system.expectedBending
        bending.usual = bending.usual.map { _ in 12 }
        let profile = try system.solve(
            weights: Self.rows.map { _ in 1 }, rates: system.ratesOnPlane, bending: bending)
        // What keeps empty cells solvable is a billionth of the matrix: it moves the end of the profile by a
        // nanometre.
        #expect(abs(profile.slope - 0.12) < 1e-7, "\(profile.slope)")
        let misses: [Double] = system.residuals(of: profile).depths
        #expect(misses.allSatisfy { abs($0) < 3e-9 })
        // Past the readings too, where only what is expected holds the profile: second differences of a
        // parabola.
        let c = profile.coefficients
        for index in 2..<c.count {
            let second = c[index] - 2 * c[index - 1] + c[index - 2]
            let curvature = second / (system.basis.spacing * system.basis.spacing)
            #expect(abs(curvature - 12) < 1e-3, "\(index): \(curvature)")
        }
    }

    @Test(arguments: [0.004, 0.05])
    func ratesAreTheDerivativesOfTheHeightsResidualAlongTheRay(amplitude: Double) throws {
        let problem = Self.problem(Self.rows) { 3 * $0.x * $0.x }
        let system = CylinderSystem(problem, angle: Self.angle, leftOut: nil, stride: 1)
        let basis = system.basis
        let profile = CylinderSystem.Profile(
            coefficients: (0..<basis.count).map { amplitude * sin(0.9 * Double($0)) }, slope: 0.15)
        let (depths, rates): ([Double], [Double]) = system.residuals(of: profile)
        /// How far a point lies over the profile.
        func error(_ point: SIMD3<Double>) -> Double {
            let offset = point - problem.frame.origin
            let (x, y) = (offset.dot(problem.frame.xAxis), offset.dot(problem.frame.yAxis))
            let t = cos(Self.angle) * y - sin(Self.angle) * x
            let s = cos(Self.angle) * x + sin(Self.angle) * y
            let height = CardinalCubic.values(basis, at: t).reduce(0) {
                $0 + $1.value * profile.coefficients[$1.index]
            }
            return offset.dot(problem.frame.normal) - height - profile.slope * s
        }
        var held = 0
        for index in Self.rows.indices {
            let (ray, depth) = (problem.samples.rays[index], 1 / problem.samples.inverseDepths[index])
            let step = 1e-6
            let slope = (error(ray * (depth + step)) - error(ray * (depth - step))) / (2 * step)
            let rate = min(slope, -0.1)
            if slope > -0.1 { held += 1 }
            // A sixth of a square micrometre times third derivatives of up to 2e6.
            #expect(abs(rates[index] - rate) < 1e-5, "\(index): \(rates[index]), \(slope)")
            let wanted: Double = error(ray * depth) / rates[index]
            #expect(abs(depths[index] - wanted) < 1e-12, "\(index)")
        }
        // Only the steep profile has rays that graze it.
        #expect((held > 0) == (amplitude > 0.01), "\(held)")
    }

    @Test(arguments: [1.0, -1])
    func aRoundProfileIsExpectedToGoOnAsRound(sign: Double) throws {
        // A radius of 50 mm at right angles to rulings that rise by a fifth: f is the secant of that higher.
        let (radius, slope) = (0.05, 0.2)
        let secant = (1 + slope * slope).squareRoot()
        let system = CylinderSystem(
            Self.problem(Self.rows) { _ in 0 }, angle: Self.angle, leftOut: nil, stride: 1)
        let basis = system.basis
        func curvature(_ t: Double) -> Double {
            let root = (radius * radius - t * t).squareRoot()
            return sign * secant * radius * radius / (root * root * root)
        }
        // The spline of a smooth function: its value less a sixth of its second difference over a cell.
        let coefficients = (0..<basis.count).map { index in
            let t = CardinalCubic.middle(index, of: basis)
            let height = sign * secant * (radius - (radius * radius - t * t).squareRoot())
            return height - basis.spacing * basis.spacing / 6 * curvature(t)
        }
        let profile = CylinderSystem.Profile(coefficients: coefficients, slope: slope)
        // Fourth derivatives over cells of a twentieth of the radius: parts in ten thousand.
        #expect(system.meanCurvatures(of: profile).allSatisfy { abs($0 * radius - 1) < 1e-3 })
        let bending = system.bending(of: profile)
        let (first, last) = (basis.cell(of: -0.02).index, basis.cell(of: 0.02).index)
        for place in 0..<2 * basis.cellCount {
            let nearest = 2 * min(max(place / 2, first), last) + place % 2
            let offset = Double(nearest / 2) + (nearest.isMultiple(of: 2) ? 0.25 : 0.75)
            let wanted = curvature(basis.origin + offset * basis.spacing)
            // Past the readings as at the last of them.
            #expect(abs(bending.usual[place] / wanted - 1) < 1e-3, "\(place)")
            // What is left between the two is small beside 0.1 a metre, which counts as none.
            if place == nearest { #expect(abs(bending.costs[place] - 10) < 0.1, "\(place)") }
        }
    }
}

import DepthGeometry
import Foundation
import Testing

@testable import SheetFlattening

@Suite("The choice of a surface, and why a richer one is refused")
struct SurfaceLadderTests {
    private func ladder(
        _ scene: SurfaceScene, noise: Double, slowError: ((Double) -> Double)? = nil,
        usualSlowError: ((Double) -> Double)? = nil, sides: [[SIMD2<Double>]] = [],
        changing change: (inout SurfaceFit.Options) -> Void = { _ in }
    ) throws -> SurfaceLadder {
        let samples = SheetSamples(of: scene.readings(noise: noise, seed: 5), intrinsics: scene.camera)
        let plane = try InverseDepthPlane.fit(
            rays: samples.rays, inverseDepths: samples.inverseDepths, prior: samples.weights)
        var options = SurfaceFit.Options()
        change(&options)
        return SurfaceLadder(
            samples: samples, plane: plane,
            slowError: slowError.map { $0(plane.rms * samples.depth * samples.depth) },
            usualSlowError: usualSlowError.map {
                let error = $0(plane.rms * samples.depth * samples.depth)
                return UsualSlowError(deviation: error, inShape: error)
            } ?? .none,
            intrinsics: scene.camera, outline: scene.outline, sides: sides, options: options)
    }

    private func reasons(_ ladder: SurfaceLadder) throws -> (SurfaceMethod, [SurfaceMethod: String]) {
        let step = try ladder.climb()
        return (
            step.surface.method,
            Dictionary(uniqueKeysWithValues: step.refused.map { ($0.method, $0.reason) })
        )
    }

    private let bent = SurfaceScene.cylinder(radius: 0.08, angle: 0.3)

    @Test("What is left of a flat sheet is noise: nothing richer is tried")
    func noise() throws {
        let (method, refused) = try reasons(try ladder(.plane, noise: 0.0005))
        #expect(method == .plane)
        for richer in [SurfaceMethod.cylinder, .freeform] {
            #expect(refused[richer]?.hasSuffix("is the sensor's noise") == true, "\(refused)")
        }
    }

    @Test("What is left is less than the sensor's slow error: nothing richer is tried")
    func slowError() throws {
        let (method, refused) = try reasons(try ladder(bent, noise: 0.0002) { 2 * $0 })
        #expect(method == .plane)
        #expect(refused[.cylinder]?.contains("is less than the sensor's slow error") == true, "\(refused)")
    }

    @Test("A shape that is not twice the slow error may be that error")
    func addedShape() throws {
        // Smaller than what is left of the plane, and larger than half of it.
        let (method, refused) = try reasons(try ladder(bent, noise: 0.0002) { 0.7 * $0 })
        #expect(method == .plane)
        #expect(refused[.cylinder]?.hasPrefix("the shape that it adds") == true, "\(refused)")
    }

    @Test("Without a table the usual slow error stands in for the measured one")
    func usualSlowError() throws {
        let (method, refused) = try reasons(try ladder(bent, noise: 0.0002, usualSlowError: { 2 * $0 }))
        #expect(method == .plane)
        #expect(refused[.cylinder]?.contains("which no table shows") == true, "\(refused)")
    }

    @Test("Sides that the shape makes straight outweigh any slow error", arguments: [true, false])
    func provenBySides(isMeasured: Bool) throws {
        let error = { (residual: Double) in 0.7 * residual }
        let (method, refused) = try reasons(
            try ladder(
                bent, noise: 0.0002, slowError: isMeasured ? error : nil, usualSlowError: error,
                sides: bent.sides))
        #expect(method == .cylinder, "\(refused)")
    }

    @Test("A shape that would bend sides which are straight is the sensor's")
    func refusedBySides() throws {
        // The readings are of a bent sheet, the sides of the photograph those of its flat chord.
        let corners = bent.sides.map { $0[0] }
        let straight = (0..<4).map { side -> [SIMD2<Double>] in
            let way = (corners[(side + 1) % 4] - corners[side]) / 30
            return (0...30).map { corners[side] + way * Double($0) }
        }
        let (method, refused) = try reasons(try ladder(bent, noise: 0.0002, sides: straight))
        #expect(method == .plane)
        #expect(refused[.cylinder]?.hasPrefix("the sheet's sides, straight") == true, "\(refused)")
    }

    @Test("A gain that chance could have made is none")
    func significance() throws {
        let (method, refused) = try reasons(
            try ladder(bent, noise: 0.0002, changing: { $0.leastSignificance = 1e9 }))
        #expect(method == .plane)
        #expect(refused[.cylinder]?.hasPrefix("it predicts left-out readings to") == true, "\(refused)")
    }

    @Test("A shape that moves nothing on the flat sheet is left out")
    func displacement() throws {
        let (method, refused) = try reasons(
            try ladder(bent, noise: 0.0002, changing: { $0.leastDisplacement = 1 }))
        #expect(method == .plane)
        #expect(refused[.cylinder]?.hasPrefix("it would move the sheet by") == true, "\(refused)")
    }

    @Test("The chosen step carries the unrolling that its surface has")
    func unrolling() throws {
        let ladder = try ladder(bent, noise: 0.0002)
        let step = try ladder.climb()
        #expect(step.surface.method == .cylinder, "\(step.refused)")
        let unrolling = try #require(step.unrolling)
        let again = try Unrolling(of: step.surface, intrinsics: bent.camera, outline: bent.outline)
        #expect(unrolling.flatPositions == again.flatPositions)
        #expect(unrolling.distortion == again.distortion)
        // A plane that nothing was compared with was not unrolled.
        #expect(ladder.planeStep().unrolling == nil)
    }

    @Test("Every surface stands on the plane in inverse depth")
    func basePlane() throws {
        let ladder = try ladder(bent, noise: 0.0002)
        let plane = ladder.plane.plane
        for step in [
            ladder.planeStep(), try ladder.cylinderStep(isTested: false),
            try ladder.freeformStep(isTested: false),
        ] {
            #expect(step.surface.basePlane.angle(to: plane) < 1e-12)
            #expect(abs(step.surface.basePlane.offset - plane.offset) < 1e-12)
        }
    }
}

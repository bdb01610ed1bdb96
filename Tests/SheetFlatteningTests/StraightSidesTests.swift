import Foundation
import Imaging
import Testing

@testable import SheetFlattening

@Suite("Straight sides")
struct StraightSidesTests {
    /// A rectangle of 220 x 140 pixels in the middle of a picture, turned by some degrees.
    private func scene(turned degrees: Double) -> OutlineScene {
        var scene = OutlineScene()
        let along = SIMD2(cos(degrees * .pi / 180), sin(degrees * .pi / 180))
        let across = SIMD2(-along.y, along.x)
        let signs: [(Double, Double)] = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
        scene.corners = signs.map { SIMD2(240.0, 180) + along * (110 * $0.0) + across * (70 * $0.1) }
        return scene
    }

    private func best(_ scene: OutlineScene, most: Int = 1) -> (contours: [Contour], factor: Double) {
        let middle = ReducedPicture(scene.image())
        let small = ReducedPicture(reducing: middle, toLongestSide: 192)
        let found = StraightSides(SmallPicture(small, reducedFrom: middle)).quadrilaterals(most: most)
        return (
            found.map { Contour($0.points.map { small.photographPoint($0) }) }, Double(small.factor)
        )
    }

    /// The greatest distance from a true corner to the contour, and the share by which its area differs from the rectangle's.
    private func compare(_ contour: Contour, _ scene: OutlineScene) -> (corner: Double, area: Double) {
        let corner =
            scene.corners.map { corner in
                contour.points.map { distance($0, corner) }.min() ?? .infinity
            }.max() ?? .infinity
        return (corner, abs(contour.signedArea / scene.area - 1))
    }

    /// A line is known to half a pixel of the small picture and half a degree, over half a side of 37 pixels a third of one.
    /// Two lines that are off by 0.8 each meet 1.2 off; the contour's points lie a pixel apart: 2 pixels in all.
    private let tolerance = 2.0

    @Test(
        "The best four straight sides of a lone rectangle are its own, however it is turned",
        arguments: [0.0, 7, 30, 45, 62, 90, 131])
    func turned(degrees: Double) throws {
        let scene = scene(turned: degrees)
        let found = best(scene)
        let (corner, area) = compare(try #require(found.contours.first), scene)
        #expect(corner < tolerance * found.factor, "\(degrees) degrees")
        // 0.8 pixels more or less on each side of 73 x 47 pixels.
        let areaTolerance: Double = 1.6 / 73 + 1.6 / 47
        #expect(area < areaTolerance, "\(degrees) degrees")
    }

    @Test("The edge of a cast shadow that crosses the sheet does not replace a side", arguments: [5.0, 40])
    func shadow(degrees: Double) throws {
        var scene = scene(turned: degrees)
        scene.light = { $0.x + 0.4 * $0.y < 330 ? 1 : 0.45 }
        let found = best(scene)
        let (corner, _) = compare(try #require(found.contours.first), scene)
        #expect(corner < tolerance * found.factor, "\(degrees) degrees")
    }

    @Test("Where a corner is cut off the sides go on to where they would meet", arguments: [0.1, 0.25])
    func cutCorner(cut: Double) throws {
        var scene = scene(turned: 20)
        scene.cut = cut
        let found = best(scene)
        let (corner, _) = compare(try #require(found.contours.first), scene)
        #expect(corner < tolerance * found.factor, "cut at \(cut)")
    }

    @Test("A sheet that runs off the picture shows three sides and so has no four")
    func runsOff() {
        var scene = OutlineScene()
        scene.corners = [SIMD2(-60, 80), SIMD2(260, 80), SIMD2(260, 290), SIMD2(-60, 290)]
        #expect(best(scene).contours.isEmpty)
    }

    @Test("A round patch of light and an empty table have no straight sides")
    func none() {
        var scene = OutlineScene()
        scene.paper = scene.table
        scene.hasText = false
        #expect(best(scene, most: 60).contours.isEmpty)
        scene.light = { distance($0, SIMD2(240, 180)) < 110 ? 2.2 : 1 }
        #expect(best(scene, most: 60).contours.isEmpty)
    }
}

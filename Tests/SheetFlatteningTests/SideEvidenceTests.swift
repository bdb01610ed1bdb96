import DepthGeometry
import Foundation
import Imaging
import RobustStatistics
import Testing

@testable import SheetFlattening

@Suite("What a sheet's sides say about its shape")
struct SideEvidenceTests {
    private let bent = SurfaceScene.cylinder(radius: 0.08, angle: 0.3)

    private func unrolled(_ scene: SurfaceScene, _ method: SurfaceMethod) throws -> Unrolling {
        try SurfaceFit.fit(
            scene.readings(noise: 0.0001, seed: 3), intrinsics: scene.camera, outline: scene.outline,
            method: method
        ).unrolled()
    }

    /// A side torn raggedly: each vertex off by up to 3.5 pixels, 2 on average, of 0.75 mm each; the bend moves the sides by
    /// some tenths of a millimetre.
    private func torn(_ side: [SIMD2<Double>], using generator: inout SplitMix64) -> [SIMD2<Double>] {
        side.map {
            $0
                + SIMD2(
                    Double.random(in: -3.5...3.5, using: &generator),
                    Double.random(in: -3.5...3.5, using: &generator))
        }
    }

    @Test("A bent sheet's sides are explained by its bend, whole")
    func bend() throws {
        let evidence = try #require(
            SideEvidence(
                of: bent.sides, simpler: try unrolled(bent, .plane), richer: try unrolled(bent, .cylinder)))
        #expect(evidence.isTelling)
        // The plane's tilt is that of the bent readings, so the parts are not quite at right angles.
        #expect(abs(evidence.explained - 1) < 0.05, "\(evidence.explained)")
    }

    @Test("The same bend is contradicted by a flat sheet's sides, whole")
    func flat() throws {
        let evidence = try #require(
            SideEvidence(
                of: SurfaceScene.plane.sides, simpler: try unrolled(.plane, .plane),
                richer: try unrolled(bent, .cylinder)))
        #expect(evidence.isTelling)
        #expect(abs(evidence.explained + 1) < 0.05, "\(evidence.explained)")
    }

    @Test("Sides more ragged than the shift say nothing")
    func ragged() throws {
        var generator = SplitMix64(seed: 8)
        let sides = bent.sides.map { torn($0, using: &generator) }
        let evidence = try #require(
            SideEvidence(
                of: sides, simpler: try unrolled(bent, .plane), richer: try unrolled(bent, .cylinder)))
        #expect(!evidence.isTelling)
    }

    @Test("One torn end does not drown what the cut sides say")
    func tornEnd() throws {
        var generator = SplitMix64(seed: 8)
        var sides = bent.sides
        sides[2] = torn(sides[2], using: &generator)
        let evidence = try #require(
            SideEvidence(
                of: sides, simpler: try unrolled(bent, .plane), richer: try unrolled(bent, .cylinder)))
        #expect(evidence.isTelling)
        #expect(evidence.explained > 0.8, "\(evidence.explained)")
    }

    @Test("Without sides, and between equal surfaces, nothing is said")
    func nothing() throws {
        let plane = try unrolled(bent, .plane)
        #expect(SideEvidence(of: [], simpler: plane, richer: try unrolled(bent, .cylinder)) == nil)
        #expect(SideEvidence(of: bent.sides, simpler: plane, richer: plane) == nil)
    }

    @Test("Sides along the picture's rim, and between given corners, were not seen")
    func seen() throws {
        let size = PixelSize(width: 400, height: 300)
        // Up the left rim, which cuts the sheet off, and otherwise inside the picture.
        let top = (0...19).map { SIMD2(10 * Double($0), 50) }
        let right = (0...9).map { SIMD2(200, 60 + 20 * Double($0)) }
        let bottom = (0...18).map { SIMD2(190 - 10 * Double($0), 250) } + [SIMD2(0, 250)]
        let left = (0...8).map { SIMD2(0, 230 - 20 * Double($0)) }
        let polygon = top + right + bottom + left
        let outline = SheetOutline(
            imageSize: size, polygon: polygon, cornerIndices: [0, 20, 30, 49], confidence: 1, borderShare: 0.2
        )
        #expect(outline.sides?.count == 4)
        #expect(outline.seenSides.count == 3)
        let given = try #require(
            SheetOutline(
                corners: [SIMD2(50, 50), SIMD2(200, 50), SIMD2(200, 250), SIMD2(50, 250)], imageSize: size))
        #expect(given.seenSides.isEmpty)
    }
}

@Suite("The slow error that depth cameras have as a rule")
struct UsualSlowErrorTests {
    @Test("It grows with z² in large maps, and is the same at any distance of receipts in small ones")
    func laws() {
        func usual(_ z: Double, _ width: Double, _ height: Double) -> UsualSlowError {
            UsualSlowError(atDepth: z, mapSize: SIMD2(width, height))
        }
        let near = usual(0.5, 640, 480)
        #expect(near.deviation == near.inShape)
        #expect(abs(usual(1, 640, 480).deviation / near.deviation - 4) < 1e-12)
        for z in [0.2, 0.4] {
            #expect(usual(z, 256, 192).deviation == 0.001)
            #expect(usual(z, 192, 256).deviation == 0.001)
            // What looks like a shape is what any camera may have at that distance.
            #expect(usual(z, 192, 256).inShape == usual(z, 640, 480).inShape)
        }
        #expect(usual(1, 192, 256).deviation == usual(1, 640, 480).deviation)
    }
}

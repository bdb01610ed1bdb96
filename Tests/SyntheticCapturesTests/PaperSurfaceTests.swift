import Foundation
import SyntheticCaptures
import Testing

@Suite("Paper surfaces")
struct PaperSurfaceTests {
    static let developable = SheetShape.Kind.allCases.filter { $0 != .crumple }

    @Test("Developable sheets keep every length", arguments: developable, [1, 2, 3] as [UInt64])
    func developableSheetsKeepLengths(kind: SheetShape.Kind, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let shape = SheetShape.random(kind, width: 0.058, height: 0.12, using: &generator)
        let surface = PaperSurface(shape: shape, width: 0.058, height: 0.12)
        let stretch = surface.stretch(edge: 2e-5, spacing: 0.004)
        // A chord of length c over a bend of radius r is shorter by c²/24r²: 2e-5 for the tightest crease (1 mm).
        #expect(stretch.worst < 1e-4, "seed \(seed), \(shape)")
    }

    @Test("A crumpled sheet hardly stretches")
    func crumpledSheetsHardlyStretch() {
        let surface = PaperSurface(
            shape: .crumple(slope: 0.35, ridgeCount: 9, seed: 5), width: 0.058, height: 0.09)
        let stretch = surface.stretch()
        // Crossing ridges cannot be smooth and developable: a percent or two at the crossings, a tenth of that elsewhere.
        #expect(stretch.worst < 0.03)
        #expect(stretch.rms < 0.003)
        // It does leave the table.
        let heights = (0...20).map { -surface.point(u: 0.029, v: 0.09 * Double($0) / 20).z }
        #expect((heights.max() ?? 0) > 0.001)
    }

    @Test("A curl is the arc of a circle")
    func curlIsACircle() {
        let radius = 0.2
        let surface = PaperSurface(
            shape: .curl(curvature: 1 / radius, direction: .pi / 2), width: 0.08, height: 0.15)
        for place in stride(from: -0.075, through: 0.075, by: 0.0125) {
            let point = surface.point(u: 0.03, v: 0.075 + place)
            // Flat in the middle, which touches the table.
            #expect(abs(point.x - (0.03 - 0.04)) < 1e-9)
            #expect(abs(point.y - radius * sin(place / radius)) < 1e-9)
            #expect(abs(point.z + radius * (1 - cos(place / radius))) < 1e-9)
        }
    }

    @Test("A cone's rulings are straight and meet in its apex")
    func coneIsRuled() {
        let surface = PaperSurface(
            shape: .cone(apexDistance: 0.2, curvature: 6, direction: .pi / 2), width: 0.08, height: 0.15)
        // With direction pi / 2 the sheet bends along v and the apex lies at the right, 0.2 m from the centre.
        let apex = SIMD2(0.04 + 0.2, 0.075)
        for v in [0.01, 0.05, 0.13] {
            let rim = SIMD2(0.002, v)
            let points = [0.0, 0.2, 0.35].map { share -> SIMD3<Double> in
                let flat = rim + (apex - rim) * share
                return surface.point(u: flat.x, v: flat.y)
            }
            let a = points[1] - points[0]
            let b = points[2] - points[0]
            let cross = SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
            #expect((cross * cross).sum().squareRoot() < 1e-12, "v = \(v)")
        }
        let tip = surface.point(u: apex.x, v: apex.y)
        let from = surface.point(u: 0, v: 0.02)
        let flat = apex - SIMD2(0, 0.02)
        #expect(
            abs(((tip - from) * (tip - from)).sum().squareRoot() - (flat * flat).sum().squareRoot()) < 1e-9)
    }

    @Test("Every sheet rests on the table", arguments: SheetShape.Kind.allCases)
    func sheetsRestOnTheTable(kind: SheetShape.Kind) {
        var generator = SeededGenerator(seed: 11)
        let shape = SheetShape.random(kind, width: 0.058, height: 0.1, using: &generator)
        let surface = PaperSurface(shape: shape, width: 0.058, height: 0.1)
        var lowest = -Double.infinity
        for row in 0...60 {
            for column in 0...40 {
                let point = surface.point(u: 0.058 * Double(column) / 40, v: 0.1 * Double(row) / 60)
                lowest = max(lowest, point.z)
            }
        }
        // The touching point is found on a net of 2 mm: a bend of radius 1 cm is then missed by 50 micrometres at most.
        #expect(abs(lowest) < 5e-5)
        let normal = surface.normal(u: 0.029, v: 0.05)
        #expect(normal.z < 0)
        #expect(abs((normal * normal).sum() - 1) < 1e-12)
    }
}

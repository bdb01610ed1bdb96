import DepthGeometry
import Diagnostics
import Foundation
import Imaging
import RobustStatistics
import Testing

@testable import SheetFlattening

@Suite("Unrolling a plane")
struct UnrollingPlaneTests {
    let camera = CameraIntrinsics(
        fx: 3000, fy: 3000, cx: 2001, cy: 1502, imageSize: PixelSize(width: 4032, height: 3024))
    let plane = Plane(through: SIMD3(0.01, -0.005, 0.3), normal: SIMD3(0.3, -0.2, -1))

    /// Corners of a sheet of 60 x 90 mm on the plane, and where they are seen.
    func sheet() -> (points: [SIMD3<Double>], outline: [SIMD2<Double>]) {
        let frame = PlaneFrame(on: plane, origin: SIMD3(0, 0, 0.3))
        let points = [
            SIMD2(-0.03, -0.045), SIMD2(0.03, -0.045), SIMD2(0.03, 0.045), SIMD2(-0.03, 0.045),
        ].map { frame.point($0) }
        return (points, points.map { camera.project($0) })
    }

    @Test("Flat positions keep every distance and are not mirrored")
    func isometry() throws {
        let (points, outline) = sheet()
        let unrolling = try Unrolling(of: .plane(plane), intrinsics: camera, outline: outline)
        let flat = try outline.map { try #require(unrolling.flatPosition(ofPixel: $0)) }
        for i in 0..<4 {
            for j in 0..<i {
                // Exact but for rounding: 0.3 m · 2^-52 a few times over.
                let expected = (points[i] - points[j]).length
                #expect(abs((flat[i] - flat[j]).length - expected) < 1e-12)
            }
        }
        let (a, b) = (flat[1] - flat[0], flat[3] - flat[0])
        #expect(a.x * b.y - a.y * b.x > 0, "clockwise in the picture is clockwise on the sheet")
        #expect(unrolling.distortion.length.maximum < 1e-9)
        #expect(unrolling.distortion.area.maximum < 1e-9)
        #expect(unrolling.distortion.angle.maximum < 1e-9)
    }

    @Test("The map leads each output pixel back to where its flat position was seen", arguments: [1, 16])
    func map(spacing: Int) throws {
        let (_, outline) = sheet()
        let unrolling = try Unrolling(of: .plane(plane), intrinsics: camera, outline: outline)
        let angle = 0.4
        let frame = PageFrame(
            origin: SIMD2(-0.01, -0.03), xAxis: SIMD2(cos(angle), sin(angle)), size: SIMD2(0.02, 0.03))
        let map = unrolling.samplingMap(frame: frame, pixelsPerMeter: 5_000, spacing: spacing)
        #expect(map.outputSize == PixelSize(width: 100, height: 150))
        for pixel in [SIMD2(0.0, 0.0), SIMD2(99, 0), SIMD2(48, 80), SIMD2(99, 149)] {
            let flat = try #require(unrolling.flatPosition(ofPixel: map.source(of: pixel)))
            let expected = frame.flatPosition(at: (pixel + 0.5) / 5_000)
            // A node is a Float near 2000 (1e-4 px), and a straight chord over 16 px of 0.2 mm in a perspective
            // tilted by 20 degrees departs by under 0.02 px; one photograph pixel is 0.1 mm.
            #expect((flat - expected).length < 5e-6)
        }
    }

    @Test("A plane that the rays miss is an error, not a trap")
    func edgeOn() {
        let edgeOn = Plane(through: SIMD3(0, 0.001, 0.3), normal: SIMD3(0, -1, 0.001))
        let (_, outline) = sheet()
        #expect(throws: FlatteningError.self) {
            try Unrolling(of: .plane(edgeOn), intrinsics: camera, outline: outline)
        }
        #expect(throws: FlatteningError.self) {
            try Unrolling(of: .plane(plane), intrinsics: camera, outline: [SIMD2(.nan, 0)])
        }
    }

    @Test("A plane comes out of noise, whatever the seed", arguments: [1, 2, 3] as [UInt64])
    func fit(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let (_, outline) = sheet()
        var pixels: [SIMD2<Double>] = []
        var depths: [Double] = []
        let region = PolygonRegion(polygon: outline.map { $0 / 8 }, rimWidth: 0, width: 504, height: 378)
        for y in region.rows {
            for x in region.columns where region.contains(x: x, y: y) {
                let pixel = SIMD2(Double(x), Double(y)) * 8
                let point = try #require(plane.intersection(along: camera.ray(through: pixel)))
                // Nearly normal noise of deviation 0.5 mm, and one wild reading in fifty.
                let noise = (0..<3).reduce(0) { sum, _ in
                    sum + Double.random(in: -0.0005...0.0005, using: &generator)
                }
                let wild = Int.random(in: 0..<50, using: &generator) == 0 ? 0.03 : 0
                pixels.append(pixel)
                depths.append(point.z + noise + wild)
            }
        }
        let readings = SurfaceReadings(pixels: pixels, depths: depths, depthPixelSize: SIMD2(8, 8))
        let fit = try SurfaceFit.fit(
            readings, intrinsics: camera, outline: outline, method: .plane)
        guard case .plane(let fitted) = fit.surface else {
            Issue.record("not a plane")
            return
        }
        // About 6000 readings of 0.5 mm over 60 mm: 0.5 / (17 · sqrt(6000)) rad = 0.02 degrees, taken four times.
        #expect(fitted.angle(to: plane) < 0.0016)
        // Cells of one or of four readings, Cauchy's weights take a fifth off the 0.5 mm or its half, wild readings add some.
        #expect(fit.residual > 0.15 && fit.residual < 0.55)
    }

    @Test("Too few readings, and readings on a line, are errors")
    func degenerate() {
        let (_, outline) = sheet()
        let few = SurfaceReadings(pixels: [SIMD2(1, 1)], depths: [0.3])
        #expect(throws: FlatteningError.self) {
            try SurfaceFit.fit(few, intrinsics: camera, outline: outline)
        }
        let line = SurfaceReadings(
            pixels: (0..<200).map { SIMD2(Double($0), 5) }, depths: Array(repeating: 0.3, count: 200))
        #expect(throws: FlatteningError.self) {
            try SurfaceFit.fit(line, intrinsics: camera, outline: outline)
        }
    }
}

import DepthGeometry
import Imaging
import Testing

@testable import SheetFlattening

@Suite("Readings on the sheet")
struct SurfaceReadingsTests {
    let photograph = CameraIntrinsics(
        fx: 800, fy: 800, cx: 319.5, cy: 239.5, imageSize: PixelSize(width: 640, height: 480))
    /// 200 x 160 photograph pixels, 50 x 40 depth pixels of a map a quarter as large.
    let outline: [SIMD2<Double>] = [SIMD2(200, 160), SIMD2(400, 160), SIMD2(400, 320), SIMD2(200, 320)]

    func depth(_ value: (Int, Int) -> Float) -> DepthMap {
        let empty = Raster<Float>(width: 160, height: 120, filledWith: 1)
        return DepthMap(readings: empty).mapReadings { x, y, _ in value(x, y) }
    }

    @Test("Readings lie inside the outline, at least the rim's width from its edge")
    func rim() {
        let readings = SurfaceReadings(
            depth: depth { _, _ in 0.3 }, intrinsics: photograph, outline: outline, rimWidth: 2)
        #expect(readings.depthPixelSize == SIMD2(4, 4))
        #expect(readings.validFraction == 1)
        for pixel in readings.pixels {
            #expect(pixel.x >= 208 && pixel.x <= 392 && pixel.y >= 168 && pixel.y <= 312)
        }
        // Depth pixel i is centred at 4 i + 1.5: 52 ... 97 and 42 ... 77 are left.
        #expect(readings.count == 46 * 36)
        #expect(readings.pixels.first == SIMD2(209.5, 169.5))
    }

    @Test("Holes are not readings, and the valid share says how many")
    func holes() {
        let readings = SurfaceReadings(
            depth: depth { x, _ in x % 2 == 0 ? 0.3 : .nan }, intrinsics: photograph, outline: outline)
        #expect(readings.count == 23 * 36)
        #expect(abs(readings.validFraction - 0.5) < 1e-12)
    }

    @Test("A flying pixel is dropped, a crease is not")
    func flying() {
        let creased = depth { x, y in
            if x == 70 && y == 60 { return 0.35 }
            return 0.3 + 0.002 * Float(abs(x - 75)) + 0.0001 * Float((x * 7 + y * 13) % 5)
        }
        let readings = SurfaceReadings(depth: creased, intrinsics: photograph, outline: outline)
        #expect(readings.flyingCount == 1)
        #expect(readings.count == 46 * 36 - 1)
        #expect(!readings.depths.contains { $0 > 0.349 && $0 < 0.351 })
    }

    @Test("A sheet that runs off the picture keeps its readings at the picture's border")
    func border() {
        let beyond: [SIMD2<Double>] = [SIMD2(-50, 160), SIMD2(400, 160), SIMD2(400, 320), SIMD2(-50, 320)]
        let readings = SurfaceReadings(depth: depth { _, _ in 0.3 }, intrinsics: photograph, outline: beyond)
        #expect(readings.pixels.contains { $0.x == 1.5 })
    }

    @Test("No outline and no overlap give no readings")
    func nothing() {
        let map = depth { _, _ in 0.3 }
        #expect(SurfaceReadings(depth: map, intrinsics: photograph, outline: []).count == 0)
        let elsewhere = outline.map { $0 + 5000 }
        #expect(SurfaceReadings(depth: map, intrinsics: photograph, outline: elsewhere).count == 0)
        let unfinished = outline + [SIMD2(.nan, .infinity)]
        #expect(SurfaceReadings(depth: map, intrinsics: photograph, outline: unfinished).count == 46 * 36)
    }
}

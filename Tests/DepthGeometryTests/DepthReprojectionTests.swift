import DepthGeometry
import Imaging
import Testing

@Suite struct DepthReprojectionTests {
    static let size = PixelSize(width: 64, height: 48)
    static let camera = Camera(
        intrinsics: CameraIntrinsics(fx: 60, fy: 60, cx: 31.5, cy: 23.5, imageSize: size))

    @Test func theSameCameraKeepsTheMap() {
        let map = DepthMap(
            readings: Raster(
                width: 64, height: 48, elements: (0..<(64 * 48)).map { 0.5 + Float($0 % 64) / 1000 }))
        #expect(map.reprojected(from: Self.camera, to: Self.camera, by: .identity) == map)
    }

    /// A plane stays the plane, wherever it is looked at from: z at each pixel follows from its equation.
    @Test func aPlaneSeenFromASideHasThePlanesDepthAndNoHoles() throws {
        // 5 degrees about y, 50 mm to the right and 10 mm ahead; the plane lies at z = 0.6 + 0.2 x of the source.
        let (s, c) = (0.0871557427, 0.9961946981)
        let transform = try #require(
            RigidTransform(rotation: [c, 0, s, 0, 1, 0, -s, 0, c], translation: SIMD3(0.05, 0, 0.01)))
        let source = Self.camera.intrinsics
        let map = DepthMap(
            readings: Raster(
                width: 64, height: 48,
                elements: (0..<(64 * 48)).map {
                    Float(0.6 / (1 - 0.2 * (Double($0 % 64) - source.cx) / source.fx))
                }))
        let target = Camera(
            intrinsics: CameraIntrinsics(
                fx: 150, fy: 150, cx: 79.5, cy: 59.5, imageSize: PixelSize(width: 160, height: 120)))
        let moved = map.reprojected(from: Self.camera, to: target, by: transform)
        // No finer than the source: 60 / 150 of 160 x 120.
        #expect(moved.size == Self.size)
        // Normal and offset of the plane in the target's frame: n' = R n, d' = d + n' t.
        let normal = transform.apply(SIMD3(-0.2, 0, 1)) - transform.translation
        let offset = 0.6 + (normal * transform.translation).sum()
        let camera = target.scaled(to: moved.size)
        for y in 8..<40 {
            for x in 16..<56 {
                let ray = camera.ray(through: SIMD2(Double(x), Double(y)))
                let expected = offset / (normal * ray).sum()
                // A pixel holds the nearest reading that covers it: up to a pixel (10 mm at 0.6 m) aside, on a slope of 0.3.
                #expect(abs(Double(moved[x: x, y: y]) - expected) < 0.004, "\(x) \(y)")
            }
        }
    }

    @Test func theNearerOfTwoHidesTheOther() throws {
        // A bar at 0.3 m before a wall at 0.9 m; from 0.1 m to the left the bar hides other parts of the wall.
        let map = DepthMap(
            readings: Raster(
                width: 64, height: 48,
                elements: (0..<(64 * 48)).map { (30...33).contains($0 % 64) ? 0.3 : 0.9 }))
        let transform = try #require(
            RigidTransform(rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], translation: SIMD3(0.1, 0, 0)))
        let moved = map.reprojected(from: Self.camera, to: Self.camera, by: transform)
        // The bar moves by 60 * 0.1 / 0.3 = 20 columns, the wall by 6.67.
        #expect(abs(moved[x: 51, y: 20] - 0.3) < 1e-6)
        #expect(abs(moved[x: 45, y: 20] - 0.9) < 1e-6)
        // What neither reading covers stays unknown: the wall behind where the bar was.
        #expect(moved[x: 38, y: 20].isNaN)
        #expect(moved[x: 2, y: 20].isNaN)
    }

    @Test func onlyTurnsAndShiftsAreTransforms() {
        #expect(RigidTransform(rotation: [1, 0, 0, 0, 1, 0, 0, 0, -1], translation: .zero) == nil)
        #expect(RigidTransform(rotation: [2, 0, 0, 0, 1, 0, 0, 0, 1], translation: .zero) == nil)
        #expect(RigidTransform(rotation: [.nan, 0, 0, 0, 1, 0, 0, 0, 1], translation: .zero) == nil)
        #expect(RigidTransform(quaternion: .zero, translation: .zero) == nil)
        #expect(
            RigidTransform(quaternion: SIMD4(0, 0, 0, 2), translation: .zero) == .identity)
    }
}

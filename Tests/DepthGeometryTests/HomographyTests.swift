import DepthGeometry
import Diagnostics
import Foundation
import Imaging
import RobustStatistics
import TestSupport
import Testing

@Suite struct HomographyTests {
    /// A map with a strong perspective, well away from its line at infinity inside 0...100.
    private let map = Homography(rows: SIMD3(1.2, -0.3, 40), SIMD3(0.2, 0.9, -15), SIMD3(0.002, -0.003, 1))

    @Test("Four pairs give the map that they came from")
    func four() throws {
        let sources = [SIMD2(0.0, 0), SIMD2(90, 5), SIMD2(100, 80), SIMD2(-3, 95)]
        let found = try Homography(mapping: sources, onto: sources.map { map($0) })
        for point in [SIMD2(50.0, 50), SIMD2(10, 90), SIMD2(99, 1)] {
            // Rounding of a few hundred pixels through a well conditioned system.
            #expect((found(point) - map(point)).length < 1e-10)
            #expect(found.denominator(at: point) > 0)
        }
    }

    @Test("Many noisy pairs give the map to within the noise's mean", arguments: [1, 2, 3] as [UInt64])
    func many(seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let sources = (0..<400).map { _ in
            SIMD2(
                Double.random(in: 0...100, using: &generator), Double.random(in: 0...100, using: &generator))
        }
        let targets = sources.map {
            map($0) + SIMD2(0.1 * generator.normalByDoubleRandom(), 0.1 * generator.normalByDoubleRandom())
        }
        let found = try Homography(mapping: sources, onto: targets)
        // Eight unknowns from 800 values: 0.1 · sqrt(8 / 800) = 0.01 on average, three times that at the rim.
        for point in [SIMD2(50.0, 50), SIMD2(5, 90), SIMD2(95, 5)] {
            #expect((found(point) - map(point)).length < 0.05)
        }
    }

    @Test("The inverse undoes the map, and a product does one after the other")
    func algebra() {
        let other = Homography(rows: SIMD3(0.7, 0.1, 3), SIMD3(-0.2, 1.1, 8), SIMD3(-0.001, 0.0005, 1))
        for point in [SIMD2(0.0, 0), SIMD2(100, 30), SIMD2(20, 77)] {
            #expect((map.inverse(map(point)) - point).length < 1e-11)
            #expect(((other * map)(point) - other(map(point))).length < 1e-11)
            #expect(Homography.identity(point) == point)
        }
        #expect(map.inverse.denominator(at: map(SIMD2(3, 4))) > 0)
    }

    @Test("Pairs that leave the map open are refused")
    func degenerate() {
        let square = [SIMD2(0.0, 0), SIMD2(1, 0), SIMD2(1, 1), SIMD2(0, 1)]
        let threeInARow = [SIMD2(0.0, 0), SIMD2(1, 0), SIMD2(2, 0), SIMD2(0, 1)]
        let coinciding = [SIMD2(0.0, 0), SIMD2(0, 0), SIMD2(1, 1), SIMD2(0, 1)]
        let onePlace = [SIMD2<Double>](repeating: SIMD2(3, 4), count: 4)
        let line = (0..<10).map { SIMD2(Double($0), 2 * Double($0)) }
        for points in [threeInARow, coinciding, onePlace] {
            #expect(throws: FlatteningError.self) { try Homography(mapping: points, onto: square) }
            #expect(throws: FlatteningError.self) { try Homography(mapping: square, onto: points) }
        }
        #expect(throws: FlatteningError.self) { try Homography(mapping: line, onto: line) }
        #expect(throws: FlatteningError.self) {
            try Homography(mapping: Array(square.prefix(3)), onto: Array(square.prefix(3)))
        }
        for value in [Double.nan, .infinity, 1e300] {
            var broken = square
            broken[2].x = value
            #expect(throws: FlatteningError.self) { try Homography(mapping: broken, onto: square) }
            #expect(throws: FlatteningError.self) { try Homography(mapping: square, onto: broken) }
        }
    }

    @Test("A plane's frame appears where its points project")
    func planeFrame() {
        let intrinsics = phoneIntrinsics()
        let frame = PlaneFrame(on: tiltedPlane, origin: SIMD3(0.01, -0.02, 0.3))
        let map = Homography(projecting: frame, through: intrinsics)
        for place in [SIMD2(0.0, 0), SIMD2(0.08, 0.1), SIMD2(-0.05, 0.03)] {
            let pixel = intrinsics.project(frame.point(place))
            #expect((map(place) - pixel).length < 1e-10)
            #expect((map.inverse(pixel) - place).length < 1e-14)
        }
    }
}

@Suite struct QuadrilateralTests {
    /// The corners of a rectangle on a frame, as a camera sees them.
    private func quadrilateral(
        width: Double, height: Double, on frame: PlaneFrame, seenBy intrinsics: CameraIntrinsics
    ) -> Quadrilateral {
        func corner(_ x: Double, _ y: Double) -> SIMD2<Double> {
            intrinsics.project(frame.point(SIMD2(x, y)))
        }
        return Quadrilateral(
            topLeft: corner(0, 0), topRight: corner(width, 0), bottomRight: corner(width, height),
            bottomLeft: corner(0, height))
    }

    private let frames = [
        PlaneFrame(on: tiltedPlane, origin: SIMD3(-0.04, -0.07, 0.3)),
        PlaneFrame(
            on: Plane(through: SIMD3(0, 0, 0.4), normal: SIMD3(-0.6, 0.7, -1)),
            origin: SIMD3(-0.05, -0.06, 0.4),
            along: SIMD3(1, 0.4, 0)),
        PlaneFrame(on: Plane(normal: SIMD3(0, 0, -1), offset: 0.35), origin: SIMD3(-0.03, -0.06, 0.35)),
    ]

    @Test("A rectangle's pose is found but for its size, with the principal point anywhere", arguments: 0..<3)
    func pose(index: Int) throws {
        let frame = frames[index]
        for (cx, cy) in [(320.0, 240.0), (60, 470), (900, -100)] {
            let intrinsics = CameraIntrinsics(
                fx: 610, fy: 590, cx: cx, cy: cy, imageSize: PixelSize(width: 640, height: 480))
            let seen = quadrilateral(width: 0.08, height: 0.15, on: frame, seenBy: intrinsics)
            let pose = try #require(seen.pose(intrinsics: intrinsics))
            #expect(abs(pose.width / pose.height - 0.08 / 0.15) < 1e-10)
            #expect(pose.plane.normal.dot(frame.normal) > 1 - 1e-12)
            #expect(pose.skew < 1e-9)
            // The unit is the depth of the top-left corner.
            let unit = frame.origin.z
            #expect(abs(pose.width * unit - 0.08) < 1e-10)
            let corner = frame.point(SIMD2(0.08, 0.15))
            #expect((pose.corners[2] * unit - corner).length < 1e-10)
        }
    }

    @Test("The wrong focal length shows as skew")
    func skew() throws {
        let intrinsics = phoneIntrinsics()
        let seen = quadrilateral(width: 0.08, height: 0.15, on: frames[1], seenBy: intrinsics)
        let wrong = CameraIntrinsics(
            fx: 2 * intrinsics.fx, fy: 2 * intrinsics.fy, cx: intrinsics.cx, cy: intrinsics.cy,
            imageSize: intrinsics.imageSize)
        #expect(try #require(seen.pose(intrinsics: wrong)).skew > 0.02)
    }

    @Test("Crossed and broken corners are no rectangle, and flat ones have no homography")
    func noRectangle() {
        let square = Quadrilateral(
            topLeft: SIMD2(0, 0), topRight: SIMD2(10, 0), bottomRight: SIMD2(10, 10), bottomLeft: SIMD2(0, 10)
        )
        #expect(square.area == 100)
        var crossed = square
        crossed.topRight = square.bottomRight
        crossed.bottomRight = square.topRight
        var broken = square
        broken.topLeft.x = .nan
        var flat = square
        flat.bottomRight = SIMD2(20, 0)
        let intrinsics = phoneIntrinsics()
        #expect(broken.pose(intrinsics: intrinsics) == nil)
        #expect(crossed.pose(intrinsics: intrinsics) == nil)
        #expect(throws: FlatteningError.self) { try flat.homography(width: 1, height: 1) }
    }

    @Test("The homography of a size puts the corners in place")
    func homography() throws {
        let seen = quadrilateral(width: 0.08, height: 0.15, on: frames[0], seenBy: phoneIntrinsics())
        let map = try seen.homography(width: 80, height: 150)
        #expect((map(SIMD2(80, 150)) - seen.bottomRight).length < 1e-10)
        #expect((map(SIMD2(0, 150)) - seen.bottomLeft).length < 1e-10)
    }
}

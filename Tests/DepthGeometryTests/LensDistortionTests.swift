import DepthGeometry
import Diagnostics
import Foundation
import Imaging
import Testing

@Suite struct BrownConradyTests {
    /// Lenses as calibrations give them: a phone, a RealSense colour camera, a webcam, one with strong tangential terms.
    static let lenses = [
        BrownConrady(k1: 0.12, k2: -0.25, p1: 0.0006, p2: -0.0004, k3: 0.11),
        BrownConrady(k1: -0.055, k2: 0.066, p1: 0.0009, p2: 0.0006, k3: -0.021),
        BrownConrady(k1: -0.28, k2: 0.11, p1: -0.001, p2: 0.0012, k3: -0.02),
        BrownConrady(k1: 0.02, k2: 0, p1: 0.01, p2: -0.015),
    ]

    @Test("Coefficients act as in OpenCV's formula")
    func formula() {
        let point = SIMD2(0.5, -0.25)
        // r² = 0.3125, worked out by hand one coefficient at a time.
        #expect(BrownConrady(k1: 1, k2: 0, p1: 0, p2: 0).distort(point) == SIMD2(0.65625, -0.328125))
        #expect(BrownConrady(k1: 0, k2: 1, p1: 0, p2: 0).distort(point) == SIMD2(0.548828125, -0.2744140625))
        #expect(BrownConrady(k1: 0, k2: 0, p1: 1, p2: 0).distort(point) == SIMD2(0.25, 0.1875))
        #expect(BrownConrady(k1: 0, k2: 0, p1: 0, p2: 1).distort(point) == SIMD2(1.3125, -0.5))
        let cubed = 0.3125 * 0.3125 * 0.3125
        #expect(
            BrownConrady(k1: 0, k2: 0, p1: 0, p2: 0, k3: 1).distort(point) == point + point * cubed)
    }

    @Test("Points project where OpenCV's projectPoints puts them", arguments: [0, 2])
    func againstOpenCV(index: Int) {
        // OpenCV 4, cv2.projectPoints with the same camera, coefficients and points.
        let expected = [
            0: [
                SIMD2(523.4295573149977, 100.31292446883171), SIMD2(69.346205, 427.88518562499996),
                SIMD2(588.6731574739963, 473.96833726163203),
            ],
            2: [
                SIMD2(512.38103276278, 107.93542114839047), SIMD2(89.54239000000004, 412.80170375),
                SIMD2(562.9280690901577, 451.485100166589),
            ],
        ]
        let camera = Camera(
            intrinsics: CameraIntrinsics(
                fx: 610, fy: 605, cx: 317.5, cy: 243.25, imageSize: PixelSize(width: 640, height: 480)),
            distortion: .brownConrady(Self.lenses[index]))
        let points = [SIMD3(0.1, -0.07, 0.3), SIMD3(-0.2, 0.15, 0.5), SIMD3(0.35, 0.3, 0.8)]
        for (point, pixel) in zip(points, expected[index] ?? []) {
            #expect((camera.project(point) - pixel).length < 1e-10)
        }
    }

    @Test("Undistorting undoes distorting within a field of 70 degrees", arguments: lenses.indices)
    func inverse(index: Int) {
        let lens = Self.lenses[index]
        let edge = tan(35 * Double.pi / 180)
        for row in -10...10 {
            for column in -10...10 {
                let ideal = SIMD2(Double(column), Double(row)) / 10 * edge
                guard ideal.length <= edge else { continue }
                // The last Newton step was below 1e-9, so its error is of the order of 1e-18: rounding is left.
                #expect((lens.undistort(lens.distort(ideal)) - ideal).length < 1e-12)
                let bent = lens.undistort(ideal)
                guard bent.x.isFinite else { continue }
                #expect((lens.distort(bent) - ideal).length < 1e-12)
            }
        }
    }

    @Test("Past the fold of a polynomial there is no direction")
    func fold() {
        // r (1 - 0.3 r²) has its maximum at r = 1.054, 0.703: nothing is imaged farther out.
        let lens = BrownConrady(k1: -0.3, k2: 0, p1: 0, p2: 0)
        #expect(lens.undistort(SIMD2(0.69, 0)).x.isFinite)
        #expect(lens.undistort(SIMD2(0.71, 0)).x.isNaN)
        #expect(lens.undistort(SIMD2(5, 5)).x.isNaN)
    }

    @Test("A turned lens bends a turned picture as before", arguments: ImageOrientation.allCases)
    func rotation(orientation: ImageOrientation) {
        let size = PixelSize(width: 640, height: 480)
        let camera = Camera(
            intrinsics: phoneIntrinsics(), distortion: .brownConrady(Self.lenses[3]))
        expectSameRays(camera, turnedBy: orientation, in: size)
    }
}

@Suite struct RadialDistortionTableTests {
    static let size = PixelSize(width: 640, height: 480)

    private func table(
        _ direction: RadialDistortionTable.Direction = .distorting
    ) throws -> RadialDistortionTable {
        let values = (0..<42).map { 0.02 * pow(Double($0) / 41, 2) - 0.035 * pow(Double($0) / 41, 4) }
        return try RadialDistortionTable(
            magnifications: values, direction: direction, center: SIMD2(330, 232), imageSize: Self.size)
    }

    @Test("A table's value moves its radius, and values between are interpolated")
    func lookUp() throws {
        // The farthest corner of 61 x 41 pixels from the middle is 30.5, 20.5 away.
        let radius = SIMD2(30.5, 20.5).length
        let lens = try RadialDistortionTable(
            magnifications: [0, 0.1, 0.4], direction: .distorting, center: SIMD2(30, 20),
            imageSize: PixelSize(width: 61, height: 41))
        #expect(lens.distort(SIMD2(30, 20)) == SIMD2(30, 20))
        #expect(abs(lens.distort(SIMD2(30 + radius / 2, 20)).x - (30 + radius / 2 * 1.1)) < 1e-12)
        #expect(abs(lens.distort(SIMD2(30, 20 + radius * 0.75)).y - (20 + radius * 0.75 * 1.25)) < 1e-12)
        // Constant past the last radius.
        #expect(abs(lens.distort(SIMD2(30 + 2 * radius, 20)).x - (30 + 2 * radius * 1.4)) < 1e-12)
    }

    @Test("Undistorting undoes distorting, whichever way the table leads")
    func inverse() throws {
        for lens in [try table(.distorting), try table(.undistorting)] {
            for y in stride(from: -40.0, through: 520, by: 37) {
                for x in stride(from: -40.0, through: 680, by: 41) {
                    let pixel = SIMD2(x, y)
                    // Rounding of a few hundred pixels.
                    #expect((lens.undistort(lens.distort(pixel)) - pixel).length < 1e-10)
                    #expect((lens.distort(lens.undistort(pixel)) - pixel).length < 1e-10)
                }
            }
            #expect(lens.undistort(SIMD2(330, 232)) == SIMD2(330, 232))
        }
    }

    @Test("A scaled lens bends the scaled picture as before")
    func scaling() throws {
        let camera = Camera(intrinsics: phoneIntrinsics(), distortion: .radialTable(try table()))
        let size = PixelSize(width: 160, height: 160)
        let scaled = camera.scaled(to: size)
        for pixel in [SIMD2(0.0, 0), SIMD2(639, 0), SIMD2(100, 400), SIMD2(331, 233)] {
            let small = (pixel + 0.5) * SIMD2(0.25, 1.0 / 3) - 0.5
            #expect((camera.ray(through: pixel) - scaled.ray(through: small)).length < 1e-12)
        }
    }

    @Test("A turned lens bends a turned picture as before", arguments: ImageOrientation.allCases)
    func rotation(orientation: ImageOrientation) throws {
        let camera = Camera(intrinsics: phoneIntrinsics(), distortion: .radialTable(try table()))
        expectSameRays(camera, turnedBy: orientation, in: Self.size)
    }

    @Test("A cropped lens bends the part as it bent the whole")
    func crop() throws {
        let camera = Camera(intrinsics: phoneIntrinsics(), distortion: .radialTable(try table()))
        let part = camera.cropped(x: 100, y: 50, size: PixelSize(width: 200, height: 200))
        let difference = camera.ray(through: SIMD2(150, 90)) - part.ray(through: SIMD2(50, 40))
        #expect(difference.length < 1e-13)
    }

    @Test("Tables that cannot be are refused")
    func refusals() {
        for values in [[], [0], [0, .nan], [0, .infinity], [0, -1.5], [0, 0.5, -0.9, 0]] as [[Double]] {
            #expect(throws: FlatteningError.self) {
                try RadialDistortionTable(
                    magnifications: values, direction: .distorting, center: SIMD2(30, 20),
                    imageSize: Self.size)
            }
        }
        #expect(throws: FlatteningError.self) {
            try RadialDistortionTable(
                magnifications: [0, 0.1], direction: .distorting, center: SIMD2(.nan, 20),
                imageSize: Self.size)
        }
    }
}

@Suite struct CameraTests {
    @Test("Projecting undoes unprojecting through a lens", arguments: BrownConradyTests.lenses.indices)
    func identity(index: Int) {
        let camera = Camera(
            intrinsics: phoneIntrinsics(), distortion: .brownConrady(BrownConradyTests.lenses[index]))
        for y in stride(from: 0.0, through: 479, by: 31) {
            for x in stride(from: 0.0, through: 639, by: 37) {
                let point = camera.unproject(SIMD2(x, y), depth: 0.37)
                // 1e-9 pixels: Newton's rounding times a focal length of 600.
                #expect((camera.project(point) - SIMD2(x, y)).length < 1e-9)
                #expect(point.z == 0.37)
            }
        }
    }

    @Test("A cloud seen through a lens lies where the camera's rays say", arguments: [0, 1, 2, 3, 4])
    func cloud(index: Int) throws {
        let intrinsics = phoneIntrinsics(width: 64, height: 48)
        let distortion: LensDistortion =
            index < 4
            ? .brownConrady(BrownConradyTests.lenses[index])
            : .radialTable(
                try RadialDistortionTable(
                    magnifications: [0, 0.01, -0.03], direction: .undistorting, center: SIMD2(30, 22),
                    imageSize: intrinsics.imageSize))
        let camera = Camera(intrinsics: intrinsics, distortion: distortion)
        let depth = depthMap(intrinsics) { pixel, _ in 0.5 + 0.001 * pixel.x }
        let cloud = PointCloud(unprojecting: depth, intrinsics: intrinsics, distortion: distortion)
        #expect(cloud.count == 64 * 48)
        for (point, pixel) in zip(cloud.positions, cloud.pixelIndices) {
            let (x, y) = (Int(pixel) % 64, Int(pixel) / 64)
            let expected = camera.unproject(SIMD2(Double(x), Double(y)), depth: Double(point.z))
            let difference = SIMD3<Double>(point) - expected
            // Single precision at half a metre.
            #expect(difference.length < 2e-7)
        }
    }
}

/// Expects that turning picture and camera together turns rays about the optical axis, and nothing else.
private func expectSameRays(_ camera: Camera, turnedBy orientation: ImageOrientation, in size: PixelSize) {
    let turned = camera.rotated(orientation)
    let right = orientation.turn(SIMD2(1, 0), in: size) - orientation.turn(.zero, in: size)
    let down = orientation.turn(SIMD2(0, 1), in: size) - orientation.turn(.zero, in: size)
    for pixel in [SIMD2(0.0, 0), SIMD2(639, 0), SIMD2(100, 400), SIMD2(331, 233), SIMD2(639, 479)] {
        let ray = camera.ray(through: pixel)
        let expected = SIMD3(
            ray.x * right.x + ray.y * down.x, ray.x * right.y + ray.y * down.y, 1)
        let difference = turned.ray(through: orientation.turn(pixel, in: size)) - expected
        #expect(difference.length < 1e-12)
    }
}

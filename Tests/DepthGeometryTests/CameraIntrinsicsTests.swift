import DepthGeometry
import Diagnostics
import Foundation
import Imaging
import Testing

@Suite struct CameraIntrinsicsTests {
    @Test("The principal point is seen straight ahead, and a focal length to its right at 45 degrees")
    func rays() {
        let camera = phoneIntrinsics()
        #expect(camera.ray(through: SIMD2(camera.cx, camera.cy)) == SIMD3(0, 0, 1))
        #expect(camera.ray(through: SIMD2(camera.cx + camera.fx, camera.cy)) == SIMD3(1, 0, 1))
        #expect(camera.ray(through: SIMD2(camera.cx, camera.cy + camera.fy)) == SIMD3(0, 1, 1))
        #expect(camera.project(SIMD3(0, 0, 7)) == SIMD2(camera.cx, camera.cy))
    }

    @Test("Projecting undoes unprojecting", arguments: [0.05, 0.3, 4] as [Double])
    func identity(depth: Double) {
        let camera = phoneIntrinsics()
        for pixel in [SIMD2(0.0, 0), SIMD2(639, 479), SIMD2(17.25, 400.5)] {
            let point = camera.unproject(pixel, depth: depth)
            #expect(point.z == depth)
            #expect((camera.project(point) - pixel).length < 1e-12)
        }
    }

    @Test("A phone's matrix counts from the pixel's corner, whatever size the picture has")
    func matrix() throws {
        let reference = PixelSize(width: 640, height: 480)
        let camera = try CameraIntrinsics(
            matrix: (SIMD3(500, 0, 0), SIMD3(0, 501, 0), SIMD3(320, 240, 1)), referenceSize: reference)
        #expect(camera == CameraIntrinsics(fx: 500, fy: 501, cx: 319.5, cy: 239.5, imageSize: reference))
        // The middle stays the middle.
        let half = camera.scaled(to: PixelSize(width: 320, height: 240))
        #expect(half.cx == 159.5 && half.cy == 119.5 && half.fx == 250)
        for matrix in [
            (SIMD3<Float>(500, 1, 0), SIMD3<Float>(0, 501, 0), SIMD3<Float>(320, 240, 1)),
            (SIMD3(500, 0, 320), SIMD3(0, 501, 240), SIMD3(0, 0, 1)),
            (SIMD3(-1, 0, 0), SIMD3(0, 501, 0), SIMD3(320, 240, 1)),
            (SIMD3(500, 0, 0), SIMD3(0, 501, 0), SIMD3(.nan, 240, 1)),
        ] {
            #expect(throws: FlatteningError.self) {
                try CameraIntrinsics(matrix: matrix, referenceSize: reference)
            }
        }
    }

    @Test("A field of view spans the longer side, rim to rim")
    func fieldOfView() {
        for size in [PixelSize(width: 400, height: 300), PixelSize(width: 300, height: 400)] {
            let camera = CameraIntrinsics(fieldOfView: .pi / 2, imageSize: size)
            // At 90 degrees the rims of the picture, half a pixel outside the outer centres, lie at 45 degrees.
            #expect(abs(camera.fx - 200) < 1e-12)
            #expect(abs(camera.fieldOfView - .pi / 2) < 1e-12)
            let rim = camera.ray(
                through: SIMD2(Double(size.width) - 0.5, Double(size.height) - 0.5))
            #expect(abs(max(rim.x, rim.y) - 1) < 1e-12)
        }
    }

    @Test("Scaling there and back changes nothing, and rims stay rims")
    func scaling() {
        let camera = phoneIntrinsics()
        let small = camera.scaled(to: PixelSize(width: 256, height: 192))
        let back = small.scaled(to: camera.imageSize)
        #expect(abs(back.cx - camera.cx) < 1e-12 && abs(back.cy - camera.cy) < 1e-12)
        #expect(abs(back.fx - camera.fx) < 1e-12 && abs(back.fy - camera.fy) < 1e-12)
        let rim = camera.ray(through: SIMD2(639.5, 479.5))
        #expect((small.ray(through: SIMD2(255.5, 191.5)) - rim).length < 1e-14)
    }

    @Test("A part of the picture sees what it saw in the whole")
    func cropping() {
        let camera = phoneIntrinsics()
        let part = camera.cropped(x: 40, y: 90, size: PixelSize(width: 100, height: 50))
        #expect((part.ray(through: SIMD2(3, 4)) - camera.ray(through: SIMD2(43, 94))).length < 1e-14)
        #expect(part.imageSize == PixelSize(width: 100, height: 50))
    }

    @Test("A turn and its inverse leave the camera as it was", arguments: ImageOrientation.allCases)
    func turning(orientation: ImageOrientation) {
        let camera = phoneIntrinsics()
        let back = camera.rotated(orientation).rotated(orientation.inverse)
        #expect(abs(back.cx - camera.cx) < 1e-12 && abs(back.cy - camera.cy) < 1e-12)
        #expect(back.fx == camera.fx && back.fy == camera.fy && back.imageSize == camera.imageSize)
    }

    @Test("Stored, a camera is six numbers by the names that captures use, and comes back as it was")
    func storing() throws {
        let camera = phoneIntrinsics()
        let stored = try JSONEncoder().encode(camera)
        #expect(
            try JSONDecoder().decode([String: Double].self, from: stored) == [
                "fx": camera.fx, "fy": camera.fy, "cx": camera.cx, "cy": camera.cy, "width": 640,
                "height": 480,
            ])
        #expect(try JSONDecoder().decode(CameraIntrinsics.self, from: stored) == camera)
    }

    /// Numbers of a camera of 40 x 30 pixels, with one that no camera has, and its name.
    private static let faults: [(name: String, fx: Double, fy: Double, cx: Double, cy: Double, width: Int)] =
        [
            ("fx", 0, 44, 18, 16, 40), ("fx", .nan, 44, 18, 16, 40), ("fx", .infinity, 44, 18, 16, 40),
            ("fy", 42, -44, 18, 16, 40), ("fy", 42, -.infinity, 18, 16, 40), ("cx", 42, 44, .nan, 16, 40),
            ("cy", 42, 44, 18, .infinity, 40), ("imageSize", 42, 44, 18, 16, 0),
            ("imageSize", 42, 44, 18, 16, .min),
        ]

    @Test("A number of another's that no camera has is an error with its name and value", arguments: faults)
    func validation(
        _ fault: (name: String, fx: Double, fy: Double, cx: Double, cy: Double, width: Int)
    ) throws {
        let error = #expect(throws: FlatteningError.self) {
            try CameraIntrinsics(
                validatingFx: fault.fx, fy: fault.fy, cx: fault.cx, cy: fault.cy,
                imageSize: PixelSize(width: fault.width, height: 30))
        }
        let value =
            ["fx": "\(fault.fx)", "fy": "\(fault.fy)", "cx": "\(fault.cx)", "cy": "\(fault.cy)"][fault.name]
            ?? "\(fault.width) x 30"
        #expect(error?.code == .badInput && error?.seen == value && error?.allowed != nil)
        #expect(error?.message.hasPrefix(fault.name) == true)
        #expect(
            try CameraIntrinsics(
                validatingFx: 42, fy: 44, cx: 18, cy: 16, imageSize: PixelSize(width: 40, height: 30))
                == CameraIntrinsics(
                    fx: 42, fy: 44, cx: 18, cy: 16, imageSize: PixelSize(width: 40, height: 30)))
    }

    @Test(
        "A field of view of another's that no camera has is an error with its value",
        arguments: [0, -1, .pi, 4, .nan, .infinity, .leastNonzeroMagnitude] as [Double])
    func validation(ofFieldOfView angle: Double) {
        let size = PixelSize(width: 40, height: 30)
        let error = #expect(throws: FlatteningError.self) {
            try CameraIntrinsics(validatingFieldOfView: angle, imageSize: size)
        }
        #expect(error?.seen == "\(angle)" && error?.allowed == "radians between 0 and pi")
        let noPicture = #expect(throws: FlatteningError.self) {
            try CameraIntrinsics(validatingFieldOfView: 1, imageSize: PixelSize(width: 0, height: 0))
        }
        #expect(noPicture?.seen == "0 x 0")
    }

    @Test(
        "Stored numbers that no camera has are refused by the same words",
        arguments: [
            (
                #"{"fx":0,"fy":44,"cx":18,"cy":16,"width":40,"height":30}"#,
                "fx is not a focal length (seen: 0.0"
            ),
            (#"{"fx":42,"fy":-44,"cx":18,"cy":16,"width":40,"height":30}"#, "fy is not"),
            (#"{"fx":42,"fy":44,"cx":18,"cy":16,"width":0,"height":30}"#, "(seen: 0 x 30"),
        ])
    func refusal(text: String, words: String) throws {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(CameraIntrinsics.self, from: Data(text.utf8))
        }
        guard case .dataCorrupted(let context) = try #require(error) else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.underlyingError is FlatteningError)
        #expect(context.debugDescription.contains(words), "\(context.debugDescription)")
    }

    @Test("A stored camera with a number missing is refused")
    func missingNumber() {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(
                CameraIntrinsics.self, from: Data(#"{"fx":42,"fy":44,"cx":18,"width":40,"height":30}"#.utf8))
        }
    }
}

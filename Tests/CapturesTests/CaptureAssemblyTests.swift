import DepthGeometry
import Foundation
import Imaging
import TestSupport
import Testing

@testable import Captures

@Suite struct CaptureAssemblyTests {
    /// Intrinsics of the fixtures' picture as stored, 40 x 30.
    static let stored = CameraIntrinsics(
        fx: 42, fy: 44, cx: 18, cy: 16, imageSize: PixelSize(width: 40, height: 30))

    static func description(
        _ image: String, depth: String? = nil, unit: Double? = nil
    ) throws -> CaptureDescription {
        var description = CaptureDescription(imagePath: try Fixture.path(image))
        if let depth { description.depth = .init(path: try Fixture.path(depth), unit: unit) }
        return description
    }

    static func given(_ camera: CameraIntrinsics, sized: Bool = true) throws -> CaptureDescription.Intrinsics
    {
        .given(
            try IntrinsicsDocument(
                fx: camera.fx, fy: camera.fy, cx: camera.cx, cy: camera.cy,
                size: sized ? camera.imageSize : nil))
    }

    @Test("A folder is read as its capture.json says")
    func folder() throws {
        let folder = try ScratchFolder()
        try folder.copy("picture.png", "depth-mm.png")
        _ = try folder.write(
            """
            {"image": "picture.png", "depth": {"file": "depth-mm.png", "unit_metres": 0.001},
             "intrinsics": {"width": 40, "height": 30, "fx": 42, "fy": 44, "cx": 18, "cy": 16}}
            """, as: "capture.json")
        let capture = try Capture.read(folder.path)
        #expect(capture.image.size == PixelSize(width: 40, height: 30))
        #expect(capture.image[x: 7, y: 3] == RGB(red: 42, green: 24, blue: 128))
        let depth = try #require(capture.depth)
        #expect(depth.size == PixelSize(width: 20, height: 15))
        #expect(depth[x: 0, y: 0].isNaN)
        // One rounding of the product to Float.
        #expect(abs(depth[x: 3, y: 2] - 0.323) < 1e-6)
        #expect(capture.intrinsics == Self.stored)
        #expect(capture.metadata.intrinsicsOrigin.description == "capture.json")
        #expect(capture.warnings.isEmpty && capture.depthRefusal == nil)
    }

    @Test("Picture, depth, confidence and camera turn together", arguments: ImageOrientation.allCases)
    func turning(orientation: ImageOrientation) throws {
        var description = try Self.description(
            "picture-\(orientation.rawValue).jpg", depth: "depth-mm.png", unit: 0.001)
        description.confidencePath = try Fixture.path("confidence-012.png")
        description.intrinsics = try Self.given(Self.stored)
        let capture = try Capture.read(description)
        let depth = try #require(capture.depth)
        let camera = try #require(capture.intrinsics)
        #expect(capture.metadata.orientation == orientation)
        #expect(capture.image.size == orientation.size(turning: PixelSize(width: 40, height: 30)))
        #expect(camera.imageSize == capture.image.size)

        // A point's ray leaves the camera through the same colour and the same depth before and after turning.
        for (x, y) in [(12, 5), (31, 22), (25, 14)] {
            let pixel = SIMD2(Double(x), Double(y))
            let turned = orientation.turn(pixel, in: PixelSize(width: 40, height: 30))
            let color = capture.image[x: Int(turned.x), y: Int(turned.y)]
            // JPEG at quality 98.
            #expect(abs(Int(color.red) - 6 * x) <= 4 && abs(Int(color.green) - 8 * y) <= 4)
            let before = Self.stored.ray(through: pixel)
            let after = camera.ray(through: turned)
            let expected = orientation.swapsAxes ? SIMD2(before.y, before.x) : SIMD2(before.x, before.y)
            #expect(
                abs(abs(after.x) - abs(expected.x)) < 1e-12 && abs(abs(after.y) - abs(expected.y)) < 1e-12)
            let reading = orientation.turn(
                SIMD2(Double(x / 2), Double(y / 2)), in: PixelSize(width: 20, height: 15))
            let value = depth[x: Int(reading.x), y: Int(reading.y)]
            #expect(abs(value - Float(300 + x / 2 + 10 * (y / 2)) / 1000) < 1e-6)
        }
        // Columns 0 to 4 have low confidence; (0, 0) has no reading anyway.
        let gone = orientation.turn(SIMD2(2, 7), in: PixelSize(width: 20, height: 15))
        #expect(depth[x: Int(gone.x), y: Int(gone.y)].isNaN)
        #expect(abs(depth.validFraction - 0.75) < 1e-12)
        let share = try #require(capture.metadata.shareDroppedByConfidence)
        #expect(abs(share - 74.0 / 299) < 1e-9)
    }

    @Test("What stands upright already is left so, and the metadata says it")
    func uprightAlready() throws {
        var description = try Self.description("picture-6.jpg", depth: "depth-mm-upright.png", unit: 0.001)
        let standing = Self.stored.rotated(.right)
        description.intrinsics = try Self.given(standing)
        let capture = try Capture.read(description)
        #expect(capture.intrinsics == standing)
        #expect(capture.metadata.depthOrientation == .up)
        #expect(capture.warnings.contains { $0.contains("upright") })
        // The same as turning the lying depth.
        let lying = try Capture.read(Self.description("picture-6.jpg", depth: "depth-mm.png", unit: 0.001))
        #expect(lying.metadata.depthOrientation == .right)
        #expect(
            lying.depth.map { $0.values.map(\.bitPattern) }
                == capture.depth.map { $0.values.map(\.bitPattern) })
    }

    @Test("Without a stated size the principal point tells which way the camera lies")
    func unsized() throws {
        let off = CameraIntrinsics(
            fx: 42, fy: 42, cx: 19, cy: 14, imageSize: PixelSize(width: 40, height: 30))
        for (given, expected) in [(off, off.rotated(.right)), (off.rotated(.right), off.rotated(.right))] {
            var description = try Self.description("picture-6.jpg")
            description.intrinsics = try Self.given(given, sized: false)
            let capture = try Capture.read(description)
            #expect(capture.intrinsics == expected)
            // Numbers given by hand have no place for a size; a file that leaves it out is worth a word.
            #expect(!capture.warnings.contains { $0.contains("no picture size") })
            if case .given(var document) = description.intrinsics {
                document.form = "a file"
                description.intrinsics = .given(document)
            }
            #expect(try Capture.read(description).warnings.contains { $0.contains("no picture size") })
        }
    }

    @Test("Intrinsics for another size are scaled about pixel edges")
    func scaling() throws {
        var description = try Self.description("picture.png")
        description.intrinsics = try Self.given(Self.stored.scaled(to: PixelSize(width: 4032, height: 3024)))
        let camera = try #require(try Capture.read(description).intrinsics)
        #expect(camera.imageSize == PixelSize(width: 40, height: 30))
        #expect(abs(camera.fx - 42) < 1e-9 && abs(camera.cx - 18) < 1e-9 && abs(camera.cy - 16) < 1e-9)
        #expect(try Capture.read(description).warnings.contains { $0.contains("4032 x 3024") })
    }

    @Test("Intrinsics of another shape contradict the picture")
    func contradiction() throws {
        var description = try Self.description("picture.png")
        let wide = CameraIntrinsics(
            fx: 1000, fy: 1000, cx: 960, cy: 540, imageSize: PixelSize(width: 1920, height: 1080))
        description.intrinsics = try Self.given(wide)
        let error = try #require(failure { try Capture.read(description) })
        #expect(error.code == .badInput && error.message.contains("contradict"))
    }

    @Test("The lens turns with the picture")
    func lens() throws {
        var description = try Self.description("picture-6.jpg")
        let document = try IntrinsicsDocument(
            fx: 42, fy: 42, cx: 18, cy: 16, size: PixelSize(width: 40, height: 30),
            distortion: .brownConrady(k1: 0.1, k2: 0, p1: 0.01, p2: -0.02, k3: 0))
        description.intrinsics = .given(document)
        let capture = try Capture.read(description)
        let camera = Camera(
            intrinsics: try #require(capture.intrinsics), distortion: capture.distortion)
        let lying = Camera(
            intrinsics: CameraIntrinsics(
                fx: 42, fy: 42, cx: 18, cy: 16, imageSize: PixelSize(width: 40, height: 30)),
            distortion: .brownConrady(BrownConrady(k1: 0.1, k2: 0, p1: 0.01, p2: -0.02)))
        let point = SIMD3(0.2, -0.3, 1.0)
        // Turned clockwise, right becomes down and down becomes left.
        let turned = camera.project(SIMD3(-point.y, point.x, point.z))
        let expected = ImageOrientation.right.turn(lying.project(point), in: PixelSize(width: 40, height: 30))
        #expect(abs(turned.x - expected.x) < 1e-9 && abs(turned.y - expected.y) < 1e-9)
    }

    @Test("EXIF's focal length gives a camera where there is no other")
    func exif() throws {
        let capture = try Capture.read(Self.description("picture-6.jpg"))
        let camera = try #require(capture.intrinsics)
        // 26 mm on a diagonal of 43.27 mm; this picture's diagonal is 50 pixels.
        #expect(abs(camera.fx - 26 * 50 / 43.266615) < 1e-4)
        #expect(camera.imageSize == PixelSize(width: 30, height: 40))
        #expect(camera.cx == 14.5 && camera.cy == 19.5)
        #expect(capture.metadata.intrinsicsOrigin == .exifFocalLength(millimeters: 26))
        #expect(try Capture.read(Self.description("picture-2.jpg")).intrinsics == nil)
    }

    @Test("Millimetres, metres and disparity of one scene are one depth")
    func kinds() throws {
        let whole = try #require(
            try Capture.read(Self.description("picture.png", depth: "depth-mm.png")).depth)
        let metres = try #require(
            try Capture.read(Self.description("picture.png", depth: "depth-m.tif")).depth)
        var description = try Self.description("picture.png", depth: "disparity.tif")
        description.depth?.kind = .disparity
        let disparity = try #require(try Capture.read(description).depth)
        for index in whole.values.elements.indices {
            let expected = whole.values.elements[index]
            #expect(metres.values.elements[index].isNaN == expected.isNaN)
            #expect(disparity.values.elements[index].isNaN == expected.isNaN)
            if expected.isNaN { continue }
            // Two roundings to Float each.
            #expect(abs(metres.values.elements[index] - expected) < 1e-6)
            #expect(abs(disparity.values.elements[index] - expected) < 1e-6)
        }
        let assumed = try Capture.read(Self.description("picture.png", depth: "depth-mm.png"))
        #expect(assumed.warnings.contains { $0.contains("millimetres are assumed") })
        #expect(assumed.metadata.assumedDepthUnit == 0.001)
        var stated = try Self.description("picture.png", depth: "depth-mm.png")
        stated.depth?.unit = 0.001
        #expect(try Capture.read(stated).metadata.assumedDepthUnit == nil)
    }

    @Test("Relative disparity has shape and no scale, even in 8 bits")
    func relative() throws {
        var description = try Self.description("picture.png", depth: "depth-8bit.png")
        #expect(failure { try Capture.read(description) }?.code == .unsupported)
        description.depth?.kind = .disparity
        description.depth?.accuracy = .relative
        let depth = try #require(try Capture.read(description).depth)
        #expect(depth.scale == .relative)
        #expect(abs(depth[x: 10, y: 3] - 1 / 120) < 1e-6)
        #expect(depth[x: 0, y: 3].isNaN)
    }

    @Test("Distances along rays are turned to the axis, by the camera or by the one that is assumed")
    func radial() throws {
        var description = try Self.description("picture.png", depth: "depth-radial.tif")
        description.depth?.projection = .radial
        for known in [Self.stored, nil] {
            description.intrinsics = try known.map { try Self.given($0) }
            let capture = try Capture.read(description)
            let depth = try #require(capture.depth)
            let camera = (known ?? .assumed(imageSize: capture.image.size)).scaled(to: depth.size)
            for (x, y) in [(0, 0), (9, 7), (19, 14)] {
                let point = camera.unproject(SIMD2(Double(x), Double(y)), depth: Double(depth[x: x, y: y]))
                #expect(abs((point * point).sum().squareRoot() - 0.5) < 1e-6)
            }
        }
    }

    @Test("Depth that cannot be used is left out with its reason, and the picture goes on")
    func refusals() throws {
        let wide = try Capture.read(Self.description("picture.png", depth: "depth-wide.png"))
        #expect(wide.depth == nil && wide.depthRefusal?.contains("shape") == true)
        let zero = try Capture.read(Self.description("picture.png", depth: "depth-zero.png"))
        #expect(zero.depth == nil && zero.depthRefusal?.contains("no valid reading") == true)
        #expect(zero.image.size == PixelSize(width: 40, height: 30))
        for unit in [100.0, 1e-9] {
            let absurd = try Capture.read(Self.description("picture.png", depth: "depth-mm.png", unit: unit))
            #expect(absurd.depth == nil && absurd.depthRefusal?.contains("implausible") == true)
        }
        // Without EXIF's turn a standing depth map belongs to no lying picture.
        let standing = try Capture.read(Self.description("picture.png", depth: "depth-mm-upright.png"))
        #expect(standing.depth == nil)
    }

    @Test("Confidence of both scales takes out the same readings; another size is passed over")
    func confidence() throws {
        for (minimum, columns) in [(ConfidenceMap.Level.low, 20), (.medium, 15), (.high, 10)] {
            for name in ["confidence-012.png", "confidence-255.png"] {
                var description = try Self.description("picture.png", depth: "depth-m.tif")
                description.confidencePath = try Fixture.path(name)
                let depth = try #require(
                    try Capture.read(description, minimumConfidence: minimum).depth)
                let valid = (0..<20).filter { !depth[x: $0, y: 9].isNaN }
                #expect(valid == Array((20 - columns)..<20))
            }
        }
        var description = try Self.description("picture.png", depth: "depth-m.tif")
        description.confidencePath = try Fixture.path("confidence-wide.png")
        let capture = try Capture.read(description)
        #expect(capture.metadata.shareDroppedByConfidence == nil)
        #expect(capture.warnings.contains { $0.contains("does not have the shape") })
    }

    @Test("Confidence of floating point or of no known scale is refused with its file's name")
    func unknownConfidence() throws {
        var description = try Self.description("picture.png", depth: "depth-m.tif")
        for name in ["depth-m.tif", "depth-mm.png"] {
            description.confidencePath = try Fixture.path(name)
            let error = try #require(failure { try Capture.read(description) })
            #expect(error.file?.hasSuffix(name) == true, "\(error)")
        }
        description = try Self.description("picture.png")
        description.confidencePath = try Fixture.path("confidence-012.png")
        #expect(try Capture.read(description).warnings.contains { $0.contains("without depth is ignored") })
    }

    @Test("Disparity of whole numbers needs a unit, unless only its shape counts")
    func disparityWithoutUnit() throws {
        var description = try Self.description("picture.png", depth: "depth-mm.png")
        description.depth?.kind = .disparity
        let error = try #require(failure { try Capture.read(description) })
        #expect(error.code == .badInput && error.advice?.contains("1/metres") == true)
        description.depth?.accuracy = .relative
        #expect(try Capture.read(description).depth?.scale == .relative)
    }

    @Test("Intrinsics of a file of their own are named by it")
    func intrinsicsFile() throws {
        let folder = try ScratchFolder()
        var description = try Self.description("picture.png")
        let path = try folder.write(#"{"fx": 42, "fy": 44, "cx": 18, "cy": 16}"#, as: "camera.json")
        description.intrinsics = .file(path)
        let capture = try Capture.read(description)
        #expect(capture.intrinsics == Self.stored)
        #expect(capture.metadata.intrinsicsOrigin == .file(name: path, form: "fx, fy, cx, cy"))
    }

    @Test("Files that are broken or not there are errors that name them")
    func errors() throws {
        let folder = try ScratchFolder()
        let text = try folder.write("no picture", as: "a.png")
        #expect(failure { try Capture.read(text) }?.file == text)
        #expect(failure { try Capture.read(folder.path + "/none.png") }?.code == .fileAccess)
        var description = try Self.description("picture.png")
        description.depth = .init(path: text)
        #expect(failure { try Capture.read(description) }?.file == text)
        description.depth = .init(path: try Fixture.path("picture.png"))
        #expect(failure { try Capture.read(description) }?.code == .badInput)
        description.depth = .init(path: try Fixture.path("depth-m.tif"), unit: -.infinity)
        #expect(failure { try Capture.read(description) }?.code == .badInput)
        description.depth = nil
        description.intrinsics = .file(text)
        #expect(failure { try Capture.read(description) }?.file == text)
    }
}

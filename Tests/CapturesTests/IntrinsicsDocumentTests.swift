import Diagnostics
import Imaging
import LocalFiles
import TestSupport
import Testing

@testable import Captures

@Suite struct IntrinsicsDocumentTests {
    static func parse(_ text: String) throws -> IntrinsicsDocument {
        try IntrinsicsDocument.parse(InputFile(text))
    }

    static let expected: [(String, String, Bool)] = [
        ("own", #"{"width": 640, "height": 480, "fx": 500, "fy": 510, "cx": 320, "cy": 240}"#, true),
        ("own without size", #"{"fx": 500, "fy": 510, "cx": 320, "cy": 240}"#, false),
        (
            "capture.json",
            #"{"image": "a.jpg", "intrinsics": {"width": 640, "height": 480, "fx": 500, "fy": 510, "cx": 320, "cy": 240}}"#,
            true
        ),
        (
            "Open3D",
            #"{"width": 640, "height": 480, "intrinsic_matrix": [500, 0, 0, 0, 510, 0, 320, 240, 1]}"#, true
        ),
        (
            "Open3D trajectory",
            #"{"class_name": "x", "intrinsic": {"width": 640, "height": 480, "intrinsic_matrix": [500,0,0,0,510,0,320,240,1]}}"#,
            true
        ),
        (
            "RealSense",
            """
            {"width": 640, "height": 480, "fx": 500.0, "fy": 510.0, "ppx": 320.0, "ppy": 240.0,
             "coeffs": [0.0, 0.0, 0.0, 0.0, 0.0], "model": "distortion.inverse_brown_conrady"}
            """, true
        ),
        (
            "nested rows",
            #"{"cam_matrix": [[500, 0, 320], [0, 510, 240], [0, 0, 1]], "dist": [0, 0, 0, 0, 0]}"#, false
        ),
        ("nested columns", #"{"intrinsics": [[500, 0, 0], [0, 510, 0], [320, 240, 1]]}"#, false),
        ("flat rows", #"{"K": [500, 0, 320, 0, 510, 240, 0, 0, 1]}"#, false),
        ("bare rows", "[[500, 0, 320], [0, 510, 240], [0, 0, 1]]", false),
        ("bare columns", "[500, 0, 0, 0, 510, 0, 320, 240, 1]", false),
        (
            "nerfstudio",
            #"{"fl_x": 500, "fl_y": 510, "cx": 320, "cy": 240, "w": 640, "h": 480, "frames": []}"#, true
        ),
        (
            "ROS",
            """
            image_width: 640
            image_height: 480
            camera_name: rgb
            camera_matrix:
              rows: 3
              cols: 3
              data: [500.0, 0.0, 320.0, 0.0, 510.0, 240.0, 0.0, 0.0, 1.0]
            distortion_model: plumb_bob
            distortion_coefficients:
              rows: 1
              cols: 5
              data: [0, 0, 0, 0, 0]
            """, true
        ),
        (
            "OpenCV",
            """
            %YAML:1.0
            ---
            image_width: 640
            image_height: 480
            camera_matrix: !!opencv-matrix
               rows: 3
               cols: 3
               dt: d
               data: [ 500., 0., 3.2000000000000000e+02, 0.,
                   5.1e2, 240., 0., 0., 1. ]
            """, true
        ),
        (
            "OpenCV matrix under another key",
            "intrinsics:\n  rows: 3\n  cols: 3\n  data: [500, 0, 320, 0, 510, 240, 0, 0, 1]\n", false
        ),
        (
            "RealSense streams",
            #"{"color": {"width": 640, "height": 480, "fx": 500, "fy": 510, "ppx": 320, "ppy": 240}, "depth": {"fx": 1}}"#,
            true
        ),
        ("plain YAML", "fx: 500\nfy: 510\ncx: 320\ncy: 240\nwidth: 640\nheight: 480\n", true),
    ]

    @Test("Each program's form gives the same camera", arguments: expected.map(\.0))
    func forms(name: String) throws {
        let (_, text, hasSize) = try #require(Self.expected.first { $0.0 == name })
        let document = try Self.parse(text)
        #expect([document.fx, document.fy, document.cx, document.cy] == [500, 510, 320, 240])
        #expect(document.size == (hasSize ? PixelSize(width: 640, height: 480) : nil))
        #expect(document.distortion == nil)
    }

    @Test("Lens distortion comes in OpenCV's order, whatever holds it")
    func distortion() throws {
        let numbers = #""fx": 500, "fy": 510, "cx": 320, "cy": 240"#
        let expected = DistortionDocument.brownConrady(k1: 0.1, k2: -0.2, p1: 0.001, p2: 0.002, k3: 0.05)
        for text in [
            "{\(numbers), \"distortion\": [0.1, -0.2, 0.001, 0.002, 0.05]}",
            "{\(numbers), \"distortion\": {\"k1\": 0.1, \"k2\": -0.2, \"p1\": 0.001, \"p2\": 0.002, \"k3\": 0.05}}",
            "{\(numbers), \"k1\": 0.1, \"k2\": -0.2, \"p1\": 0.001, \"p2\": 0.002, \"k3\": 0.05, \"k4\": 0}",
            "{\(numbers), \"coeffs\": [0.1, -0.2, 0.001, 0.002, 0.05], \"model\": \"distortion.brown_conrady\"}",
            "{\(numbers), \"dist\": [[0.1, -0.2, 0.001, 0.002, 0.05, 0, 0, 0]]}".replacing("[[", with: "[")
                .replacing("]]", with: "]"),
            "{\(numbers), \"D\": [[0.1], [-0.2], [0.001], [0.002], [0.05]]}",
            "{\"intrinsics\": {\(numbers)}, \"distortion\": [0.1, -0.2, 0.001, 0.002, 0.05]}",
        ] {
            #expect(try Self.parse(text).distortion == expected, "\(text)")
        }
        let table = try Self.parse(
            """
            {\(numbers), "lensDistortionLookupTable": [0, 0.01, 0.02], "inverseLensDistortionLookupTable": [0, -0.01],
             "lensDistortionCenter": [318, 242]}
            """)
        #expect(
            table.distortion
                == .radialTable(table: [0, 0.01, 0.02], inverse: [0, -0.01], center: SIMD2(318, 242)))
    }

    /// librealsense unprojects x, y to x (1 + k1 r^2 + k2 r^4 + k3 r^6) and says nothing of the way back.
    @Test func anInverseLensBendsFromThePhotographToTheRay() throws {
        let document = try Self.parse(
            #"{"fx": 500, "fy": 500, "ppx": 320, "ppy": 240, "width": 640, "height": 480, "#
                + #""model": "distortion.inverse_brown_conrady", "coeffs": [-0.056, 0.066, 0.002, 0, -0.02]}"#
        )
        var warnings: [String] = []
        let camera = try document.camera(
            of: PixelSize(width: 640, height: 480), orientation: .up, warnings: &warnings)
        for (u, v) in [(0.0, 0.0), (100, 400), (639, 10), (320, 240)] {
            let (x, y) = ((u - 320) / 500, (v - 240) / 500)
            let r2 = x * x + y * y
            let scale = 1 + r2 * (-0.056 + r2 * (0.066 + r2 * -0.02))
            let ray = camera.ray(through: SIMD2(u, v))
            // The table's steps: 1024 of them, interpolated linearly.
            #expect(abs(ray.x - x * scale) < 1e-6 && abs(ray.y - y * scale) < 1e-6)
            let pixel = camera.project(ray)
            #expect(abs(pixel.x - u) < 1e-6 && abs(pixel.y - v) < 1e-6)
        }
        #expect(warnings.contains { $0.contains("tangential") })
    }

    @Test("Lens models that would bend the wrong way are refused, unless they do nothing")
    func otherModels() throws {
        let text = { (coefficients: String) in
            #"{"fx": 500, "fy": 510, "ppx": 320, "ppy": 240, "model": "Inverse Brown Conrady", "coeffs": "#
                + coefficients + "}"
        }
        #expect(try Self.parse(text("[0, 0, 0, 0, 0]")).distortion == nil)
        #expect(
            try Self.parse(text("[0.1, 0, 0, 0, 0]")).distortion
                == .inverseBrownConrady(k1: 0.1, k2: 0, p1: 0, p2: 0, k3: 0))
        let fisheye = text("[0.1, 0, 0, 0, 0]").replacing("Inverse Brown Conrady", with: "Kannala Brandt4")
        #expect(failure { try Self.parse(fisheye) }?.code == .unsupported)
    }

    /// What may be wrong with a file of intrinsics, and what the message must name.
    static let broken: [(String, String)] = [
        (#"{"width": 640, "height": 480, "fx": 0, "fy": 500, "cx": 320, "cy": 240}"#, "fx"),
        (#"{"width": 640, "height": 480, "fx": -500, "fy": 500, "cx": 320, "cy": 240}"#, "fx"),
        (#"{"width": 640, "height": 480, "fx": 1e308, "fy": 500, "cx": 320, "cy": 240}"#, "fx"),
        (#"{"width": 640, "height": 480, "fx": 1e-320, "fy": 500, "cx": 320, "cy": 240}"#, "fx"),
        (#"{"width": 640, "height": 480, "fx": 1e400, "fy": 500, "cx": 320, "cy": 240}"#, "range"),
        (#"{"width": 640, "height": 480, "fx": 500, "fy": 500, "cx": 1e308, "cy": 240}"#, "cx"),
        (#"{"width": 640, "height": 480, "fx": "500", "fy": 500, "cx": 320, "cy": 240}"#, "fx"),
        (#"{"width": 640, "height": 480, "fx": 500, "cx": 320, "cy": 240}"#, "fy"),
        (#"{"width": 0, "height": 480, "fx": 500, "fy": 500, "cx": 320, "cy": 240}"#, "width"),
        (#"{"width": -1, "height": 480, "fx": 500, "fy": 500, "cx": 320, "cy": 240}"#, "width"),
        (#"{"width": 640.5, "height": 480, "fx": 500, "fy": 500, "cx": 320, "cy": 240}"#, "width"),
        (#"{"width": 1e30, "height": 480, "fx": 500, "fy": 500, "cx": 320, "cy": 240}"#, "width"),
        (#"{"width": 640, "fx": 500, "fy": 500, "cx": 320, "cy": 240}"#, "height"),
        (#"{"width": 640, "height": 480, "fx": NaN, "fy": 500, "cx": 320, "cy": 240}"#, "NaN"),
        (#"{"fx": 500, "fx": 1, "fy": 500, "cx": 320, "cy": 240}"#, "twice"),
        (#"{"fx": 500, "fy": 500, "cx": 320, "cy": 240,}"#, "comma"),
        (#"{"fx": 500, "fy": 500, "cx": 320, "cy": 240, "distortion": [1, 2]}"#, "distortion"),
        (#"{"fx": 500, "fy": 500, "cx": 320, "cy": 240, "distortion": "none"}"#, "distortion"),
        (#"[{"fx": 500, "fy": 500, "cx": 320, "cy": 240}]"#, "matrix"),
        ("[]", "matrix"),
        ("{}", "intrinsics"),
        (#""text""#, "intrinsics"),
        (#"{"K": [500, 1, 320, 1, 510, 240, 1, 1, 1]}"#, "K"),
        (#"{"K": [500, 0, 320, 0, 510, 240, 0, 0, 2]}"#, "K"),
        (#"{"K": [500, 90, 320, 0, 510, 240, 0, 0, 1]}"#, "skew"),
        (#"{"K": [[500, 0], [0, 510], [0, 0]]}"#, "K"),
        (#"{"K": [500, 0, 320]}"#, "K"),
        (#"{"K": [500, 0, 320, 0, "510", 240, 0, 0, 1]}"#, "K"),
        (#"{"camera_matrix": {"rows": 4, "cols": 3, "data": [500, 0, 320, 0, 510, 240, 0, 0, 1]}}"#, "3 x 3"),
        ("fx: .nan\nfy: 1\ncx: 1\ncy: 1\n", "finite"),
        ("fx: 1e999\nfy: 1\ncx: 1\ncy: 1\n", "range"),
        ("fx: 500\nfx: 1\nfy: 1\ncx: 1\ncy: 1\n", "twice"),
        ("a: &x [1]\nb: *x\n", "aliases"),
        (String(repeating: "- ", count: 5000) + "1", "deep"),
        (String(repeating: "[", count: 5000), "matrix|deep|JSON|too"),
        ("a: " + String(repeating: "{b: ", count: 5000), "deep"),
        ("key: \"unfinished", "YAML"),
        ("just words\nand more", "intrinsics"),
        (#"{"fx": 500, "fy": 500, "cx": 320, "cy": 240, "k1": 0.1, "k4": 0.2}"#, "k4"),
        (#"{"fx": 500, "fy": 500, "cx": 320, "cy": 240, "k1": "a"}"#, "k1"),
        (#"{"fx": 500, "fy": 500, "cx": 320, "cy": 240, "distortion": [1, 2, 3, 4, 5, 6]}"#, "distortion"),
        (#"{"fx": 500, "fy": 500, "cx": 320, "cy": 240, "dist": [0.1, "b", 0, 0]}"#, "dist"),
        (
            #"{"fx": 500, "fy": 500, "cx": 320, "cy": 240, "lensDistortionLookupTable": [0, 1], "center": [1, 2, 3]}"#,
            "center"
        ),
        (
            #"{"intrinsicMatrix": [500, 0, 320, 0, 510, 240, 0, 0, 1], "intrinsicMatrixReferenceDimensions": [640, 0.5]}"#,
            "height"
        ),
        ("? [1]\n: 2\nfx: 3\n", "key"),
        ("a: [" + String(repeating: "1,", count: 20_001) + "1]\n", "many values"),
        ("1 PINHOLE 640 480 500 500 320 240\n2 PINHOLE\n", "line describes no camera"),
        ("1 PINHOLE 640 480 500 500 320\n", "number of parameters"),
        ("1 PINHOLE 640 480 500 500 320 240\n1 PINHOLE 640 480 500 500 320 240\n", "twice"),
    ]

    @Test("Whatever is wrong is named", arguments: broken.indices)
    func refused(index: Int) throws {
        let (text, names) = Self.broken[index]
        let error = try #require(failure { try Self.parse(text) }, "\(text.prefix(80))")
        #expect(error.code == .badInput || error.code == .unsupported)
        #expect(error.file == "test.json")
        let words = names.split(separator: "|")
        #expect(words.contains { error.message.contains($0) }, "\(error) for \(text.prefix(80))")
    }

    @Test("A large YAML file is refused before it is parsed")
    func largeYAML() throws {
        let text = "fx: 500\n" + String(repeating: "# comment\n", count: 30_000)
        let error = try #require(failure { try Self.parse(text) })
        #expect(error.code == .limitExceeded && error.stage == .yaml)
    }

    @Test("One camera of COLMAP's, and a matrix of 4 x 4, are read from their files")
    func files() throws {
        let folder = try ScratchFolder()
        let cameras = try folder.write(
            "# cameras\n3 PINHOLE 640 480 500 510 320.5 240.5\n", as: "cameras.txt")
        let pose = try folder.write("500 0 320 0\n0 510 240 0\n0 0 1 0\n0 0 0 1\n", as: "intrinsic.txt")
        for path in [cameras, pose] {
            let camera = try IntrinsicsDocument.read(path: path)
            #expect([camera.fx, camera.fy, camera.cx, camera.cy] == [500, 510, 320, 240])
        }
        #expect(failure { try IntrinsicsDocument.read(path: folder.path + "/none") }?.code == .fileAccess)
    }

    @Test("Pictures and other binary files are no intrinsics")
    func binary() throws {
        for bytes: [UInt8] in [
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13], [0xFF, 0xD8, 0xFF, 0xE0],
            [0, 1, 2, 3],
            [0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00], [0xC0, 0xAF, 0x80],
        ] {
            let error = try #require(
                failure { try IntrinsicsDocument.parse(InputFile(name: "x", bytes: bytes)) })
            #expect(error.code == .badInput && error.file == "x")
        }
    }

    @Test(
        "Damaged files give an error or a camera that can be true, never a trap",
        arguments: [11, 12, 13] as [UInt64])
    func damage(seed: UInt64) throws {
        var state = seed
        func random(below bound: Int) -> Int {
            // A linear congruence (Knuth's MMIX); its upper bits will do.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let spice = Array("{}[]:,\"-.0e9&*#%?|>\n \0\u{FF}".utf8)
        for _ in 0..<400 {
            var bytes = Array(Self.expected[random(below: Self.expected.count)].1.utf8)
            for _ in 0...random(below: 4) where !bytes.isEmpty {
                let place = random(below: bytes.count)
                switch random(below: 3) {
                case 0: bytes[place] = spice[random(below: spice.count)]
                case 1: bytes.insert(spice[random(below: spice.count)], at: place)
                default: bytes.removeSubrange(place..<min(place + 1 + random(below: 6), bytes.count))
                }
            }
            do throws(FlatteningError) {
                let document = try IntrinsicsDocument.parse(InputFile(name: "damaged", bytes: bytes))
                #expect(document.fx > 0 && document.fy > 0 && document.cx.isFinite && document.cy.isFinite)
            } catch {
                #expect(error.file == "damaged", "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }
}

import DepthGeometry
import Foundation
import Imaging
import LocalFiles
import TestSupport
import Testing

@testable import Captures

/// A tiny recording of each format, two frames where it has frames, as bytes by their names.
struct TinyRecording: CustomTestStringConvertible, Sendable {
    let format: String
    /// Metres a unit of its depth.
    var unit: Float = 0.001
    /// Whether the low readings of columns 0 to 4 are taken out.
    var hasConfidence = false
    /// Texts, or with a leading "@" the fixture of that name.
    var texts: [String: String]
    var bytes: [String: [UInt8]] = [:]
    /// What a frame is told by besides picture and depth map.
    var ownFile: String?

    var testDescription: String { format }

    var files: [(name: String, bytes: [UInt8])] {
        get throws {
            var all = bytes
            for (name, text) in texts {
                all[name] =
                    text.hasPrefix("@")
                    ? [UInt8](try Data(contentsOf: URL(filePath: Fixture.path(String(text.dropFirst())))))
                    : Array(text.utf8)
            }
            return all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
    }

    private static let image = "@picture.png"
    private static let depth = "@depth-mm.png"
    private static let confidence = "@confidence-012.png"
    private static let camera = #"{"fx":42,"fy":44,"cx":18,"cy":16,"width":40,"height":30"#
    private static let matrix = "[42,0,18,0,44,16,0,0,1]"

    /// Z16 of 20 x 15: 300 + x + 10 y, little-endian, as depth-mm.png has it.
    private static let z16: [UInt8] = (0..<300).flatMap { Bytes.little(300 + $0 % 20 + 10 * ($0 / 20), 2) }

    /// RealSense Viewer's words about a stream.
    private static let stream = "Type,Depth\nFormat,Z16\nResolution x,20\nResolution y,15\n"

    static let all: [TinyRecording] = [
        TinyRecording(
            format: "capture.json", unit: 1e-4,
            texts: [
                "capture.json": """
                {"image": "image.png", "depth": {"file": "depth.png", "unit_metres": 0.0001},
                 "intrinsics": \(camera)}}
                """, "image.png": image, "depth.png": depth,
            ]),
        TinyRecording(
            format: "Stray Scanner", hasConfidence: true,
            texts: [
                "camera_matrix.csv": "42,0,18\n0,44,16\n0,0,1\n", "rgb/000000.png": image,
                "rgb/000001.png": image, "depth/000000.png": depth, "depth/000001.png": depth,
                "confidence/000000.png": confidence, "confidence/000001.png": confidence,
            ]),
        TinyRecording(
            format: "Record3D",
            texts: [
                "metadata.json": #"{"w": 40, "h": 30, "K": [42, 0, 0, 0, 44, 0, 18, 16, 1]}"#,
                "rgb/0.png": image, "rgb/1.png": image, "depth/0.exr": "@depth-float.exr",
                "depth/1.exr": "@depth-float.exr",
            ]),
        TinyRecording(
            format: "Polycam", hasConfidence: true,
            texts: [
                "keyframes/images/10.png": image, "keyframes/images/9.png": image,
                "keyframes/depth/10.png": depth, "keyframes/depth/9.png": depth,
                "keyframes/confidence/10.png": "@confidence-255.png",
                "keyframes/confidence/9.png": "@confidence-255.png",
                "keyframes/cameras/10.json": camera + "}", "keyframes/cameras/9.json": camera + "}",
            ], ownFile: "keyframes/cameras/9.json"),
        TinyRecording(
            format: "3D Scanner App", hasConfidence: true,
            texts: [
                "frame_00000.json": #"{"intrinsics":\#(matrix)}"#,
                "frame_00001.json": #"{"intrinsics":\#(matrix)}"#, "frame_00000.jpg": "@picture-1.jpg",
                "frame_00001.jpg": "@picture-1.jpg", "depth_00000.png": depth, "depth_00001.png": depth,
                "conf_00000.png": confidence, "conf_00001.png": confidence,
            ], ownFile: "frame_00001.json"),
        TinyRecording(
            format: "nerfstudio", unit: 0.0005,
            texts: [
                "transforms.json": """
                {"fl_x": 42, "fl_y": 44, "cx": 18, "cy": 16, "w": 40, "h": 30, "integer_depth_scale": 0.0005,
                 "frames": [{"file_path": "./images/0", "depth_file_path": "depth/0.png"},
                            {"file_path": "images/1.png", "depth_file_path": "depth/1.png"}]}
                """, "images/0.png": image, "images/1.png": image, "depth/0.png": depth,
                "depth/1.png": depth,
            ]),
        TinyRecording(
            format: "TUM RGB-D", unit: 0.001,
            texts: [
                "associations.txt": "0.0 rgb/a.png 0.0 depth/a.png\n1.0 rgb/b.png 1.0 depth/b.png\n",
                "calibration.txt": "42 44 18 16", "rgb/a.png": image, "rgb/b.png": image,
                "depth/a.png": depth, "depth/b.png": depth,
            ]),
        TinyRecording(
            format: "AVDepthData", unit: 1e-4,
            texts: [
                "DepthMetadata.json": AVDepthDataFormatTests.depthMetadata, "rgb_212876.png": image,
                "depth_212876.png": depth,
            ]),
        TinyRecording(
            format: "RealSense export", unit: 1e-4,
            texts: [
                "a_Color.png": image, "b_Color.png": image, "a_Depth_metadata.csv": stream,
                "b_Depth_metadata.csv": stream,
                "rig.json": camera + #","depth_scale":0.0001}"#,
            ], bytes: ["a_Depth.raw": z16, "b_Depth.raw": z16]),
        TinyRecording(
            format: "ARKitScenes", hasConfidence: true,
            texts: [
                "lowres_wide/41_0.100.png": image, "lowres_wide/41_0.200.png": image,
                "lowres_depth/41_0.100.png": depth, "lowres_depth/41_0.200.png": depth,
                "confidence/41_0.100.png": confidence, "confidence/41_0.200.png": confidence,
                "lowres_wide_intrinsics/41_0.100.pincam": "40 30 42 44 18 16",
                "lowres_wide_intrinsics/41_0.201.pincam": "40 30 42 44 18 16\n",
            ]),
        TinyRecording(
            format: "pictures beside depth maps", unit: 1e-4,
            texts: [
                "color/1.png": image, "color/2.png": image, "depth/1.png": depth, "depth/2.png": depth,
                "cam.json": camera + #","depth_scale":0.0001}"#,
            ]),
    ]
}

/// What file managers, archivers and downloads make of a recording: the same capture comes out.
@Suite struct WrappedCaptureTests {
    @Test func everyFormatHasARecordingHere() {
        let known = RecordingDetection.formats + [RecordingDetection.fallback]
        #expect(TinyRecording.all.map(\.format).sorted() == known.map { $0.name }.sorted())
    }

    /// A capture as text, without the names of where it lies.
    private func description(_ path: String, root: String) throws -> String {
        let recording = try Recording.open(path)
        return try (0..<recording.frameCount).map { index in
            let frame = try recording.frame(at: index)
            let capture = frame.capture
            let depth = try #require(capture.depth)
            // Bits, as the missing readings are NaN, which equals nothing.
            let readings = depth.values.elements.map(\.bitPattern)
            let pixels = capture.image.elements.flatMap { [$0.red, $0.green, $0.blue] }
            return """
                \(recording.format) \(capture.image.size) \(pixels) \(readings) \(depth.scale)
                \(String(describing: capture.intrinsics))
                \(String(describing: capture.distortion)) \(capture.metadata) \(capture.warnings)
                \(String(describing: frame.pose)) \(String(describing: frame.timestamp))
                """
        }.joined(separator: "\n").replacing(root, with: "ROOT")
    }

    @Test(arguments: TinyRecording.all)
    func aFolderAndItsArchivesAndTheFolderAroundItAreOneCapture(_ tiny: TinyRecording) throws {
        let scratch = try ScratchFolder()
        let files = try tiny.files
        for file in files { try scratch.write(file.bytes, as: "around/scan/" + file.name) }
        let folder = scratch.path("around/scan")
        let capture = try Capture.read(folder)
        try expectMiniature(capture, unit: tiny.unit, droppedColumns: tiny.hasConfidence ? 5 : 0)
        let expected = try description(folder, root: folder)

        func archive(_ name: String, _ entry: (String) -> String, folders: [String] = []) throws -> String {
            let zip = HandmadeZIP(
                folders.map { .init($0, []) } + files.map { .init(entry($0.name), $0.bytes) })
            return try scratch.write(zip.bytes, as: "zips/" + name)
        }
        let bare = try archive("bare.zip") { $0 }
        #expect(try description(bare, root: bare) == expected)
        let wrapped = try archive("wrapped.zip", { "scan/" + $0 }, folders: ["scan/"])
        #expect(try description(wrapped, root: wrapped + "/scan") == expected)
        let deep = try archive("deep.zip") { "Users/me/scan/" + $0 }
        #expect(try description(deep, root: deep + "/Users/me/scan") == expected)
        // PowerShell 5 on Windows, and Finder on macOS, which adds its own folder.
        let windows = try archive("windows.zip") { ("scan/" + $0).replacing("/", with: "\\") }
        #expect(try description(windows, root: windows + "/scan") == expected)
        let mac = try archive("mac.zip", { "scan/" + $0 }, folders: ["__MACOSX/scan/._x", "scan/.DS_Store"])
        #expect(try description(mac, root: mac + "/scan") == expected)
        let around = scratch.path("around")
        #expect(try description(around, root: folder) == expected)
    }

    @Test(arguments: TinyRecording.all)
    func aFileOfAFrameNamesThatFrameWithWhatBelongsToIt(_ tiny: TinyRecording) throws {
        let scratch = try ScratchFolder()
        for file in try tiny.files { try scratch.write(file.bytes, as: file.name) }
        let recording = try Recording.open(scratch.path)
        let last = recording.frameCount - 1
        let expected = try recording.frame(at: last).capture
        let metadata = expected.metadata
        var names = [metadata.imageName, try #require(metadata.depthName), metadata.confidenceName]
            .compactMap(\.self)
        if let own = tiny.ownFile {
            #expect(try recording.frameIndex(ofFile: own) == (tiny.format == "Polycam" ? 0 : last))
            if tiny.format != "Polycam" { names.append(scratch.path(own)) }
        }
        for name in names {
            // A description of ours, and a map that is no picture, name the whole.
            let named = try Recording.open(name)
            #expect(named.frameCount == 1 && named.format == tiny.format, "\(name)")
            let capture = try named.frame(at: 0).capture
            #expect(capture.metadata.imageName == metadata.imageName)
            #expect(capture.metadata.depthName == metadata.depthName)
            #expect(capture.intrinsics == expected.intrinsics)
            #expect(capture.warnings.first?.contains("taken as frame \(last) of \(scratch.path)") == true)
            #expect(Array(capture.warnings.dropFirst()) == expected.warnings)
            #expect(try recording.frameIndex(ofFile: name) == last)
            #expect(try named.frameIndex(ofFile: name) == 0)
        }
        let alone = try Recording.open(metadata.imageName, isAlone: true)
        #expect(alone.format == "picture")
        #expect(try alone.frame(at: 0).capture.depth == nil)
    }

    /// A slash before a combining mark is another Character than a slash.
    @Test func aPictureWhoseNameBeginsWithAMarkIsOfTheCaptureThatNamesIt() throws {
        let scratch = try ScratchFolder()
        try scratch.lay("picture.png", as: "\u{301}mark.png")
        try scratch.write(Array(#"{"image": "\u0301mark.png"}"#.utf8), as: "capture.json")
        let named = try Recording.open(scratch.path("\u{301}mark.png"))
        #expect(named.format == "capture.json")
        #expect(try named.frameIndex(ofFile: "\u{301}mark.png") == 0)
    }

    @Test func aFrameIsNamedByAFileThatItAloneHas() throws {
        let scratch = try ScratchFolder()
        for name in ["1", "2", "10"] {
            try scratch.lay("picture.png", as: "color/\(name).png")
            try scratch.lay("depth-mm.png", as: "depth/\(name).png")
        }
        let recording = try Recording.open(scratch.path)
        for name in ["2.png", "color/2.png", "depth/2.png", "./depth/2.png", scratch.path("color/2.png")] {
            #expect(try recording.frameIndex(ofFile: name) == 1, "\(name)")
        }
        for name in ["3.png", "0.png", "lor/2.png", "", "color"] {
            let error = try #require(failure { try recording.frameIndex(ofFile: name) })
            #expect(
                error.code == .badInput && error.allowed?.contains("color/1.png ... color/10.png") == true)
        }
    }

    @Test func aNamedFrameIsTheOnlyOne() throws {
        let scratch = try ScratchFolder()
        for name in ["1", "2"] {
            try scratch.lay("picture.png", as: "rgb/\(name).png")
            try scratch.lay("depth-mm.png", as: "depth/\(name).png")
        }
        let named = try Recording.open(scratch.path("rgb/2.png"))
        for name in ["2.png", "rgb/2.png", "depth/2.png", scratch.path("depth/2.png")] {
            #expect(try named.frameIndex(ofFile: name) == 0, "\(name)")
        }
        for name in ["1.png", "rgb/1.png", scratch.path("rgb/1.png")] {
            let error = try #require(failure { try named.frameIndex(ofFile: name) }, "\(name)")
            #expect(error.code == .badInput && error.allowed == "0 to 0, or a name: rgb/2.png")
        }
        let alone = try Recording.open(scratch.path("rgb/2.png"), isAlone: true)
        #expect(try alone.frameIndex(ofFile: "2.png") == 0)
        #expect(failure { try alone.frameIndex(ofFile: "1.png") }?.code == .badInput)
    }

    @Test func aPathNamesAFrameOfItsOwnRecordingAlone() throws {
        let scratch = try ScratchFolder()
        for scan in ["one", "other"] {
            try scratch.lay("picture.png", as: scan + "/rgb/1.png")
            try scratch.lay("depth-mm.png", as: scan + "/depth/1.png")
        }
        try FileManager.default.createSymbolicLink(
            atPath: scratch.path("link"), withDestinationPath: "one")
        for root in ["one", "link"] {
            let recording = try Recording.open(scratch.path(root))
            for path in ["one/rgb/1.png", "link/rgb/1.png", "other/../one/rgb/1.png"] {
                #expect(try recording.frameIndex(ofFile: scratch.path(path)) == 0, "\(root), \(path)")
            }
            // The ending alone would fit.
            for name in [scratch.path("other/rgb/1.png"), "/rgb/1.png", "other/rgb/1.png"] {
                #expect(failure { try recording.frameIndex(ofFile: name) }?.code == .badInput, "\(name)")
            }
        }
    }

    @Test func aRecordingAroundAPictureThatCannotBeReadIsTold() throws {
        let scratch = try ScratchFolder.laid([
            "images/1.png": "@picture.png", "transforms.json": #"{"frames": []}"#,
        ])
        let path = scratch.path("images/1.png")
        let recording = try Recording.open(path)
        #expect(recording.format == "picture")
        let warnings = try recording.frame(at: 0).capture.warnings
        #expect(
            warnings.first?.hasPrefix("\(path): lies in a recording (nerfstudio) that cannot be read: ")
                == true && warnings.first?.contains("transforms.json") == true, "\(warnings)")
        var limits = FlatteningLimits()
        limits.maximumEntries = 1
        let crowded = try Recording.open(path, limits: limits).description(at: 0).description
        #expect(crowded.notes.contains { $0.contains("lies in a folder that cannot be read") })
    }

    @Test func theEndOfTheTimeIsNoRecordingThatCannotBeRead() throws {
        let scratch = try ScratchFolder.laid(["1.png": "@picture.png", "1_depth.png": "@depth-mm.png"])
        var limits = FlatteningLimits()
        limits.deadline = .now - .milliseconds(1)
        #expect(failure { try Recording.open(scratch.path("1.png"), limits: limits) }?.code == .timeout)
    }

    @Test func foldersBesideThoseOfPicturesAreNotLookedInto() throws {
        var files = ["images/1.png": "@picture.png", "depth/1.png": "@depth-mm.png"]
        for index in 0..<20 { files["letters/\(index).txt"] = "private" }
        let scratch = try ScratchFolder.laid(files)
        let place = try #require(RecordedFiles.places(of: scratch.path("images/1.png")).last)
        var limits = FlatteningLimits()
        // Room for both folders of pictures, and for none beside them.
        limits.maximumEntries = 5
        #expect(try place.files(limits: limits).names == ["depth/1.png", "images/1.png"])
        #expect(
            failure { try RecordedFiles.list(folder: scratch.path, limits: limits, depth: 2) }?.code
                == .limitExceeded)
    }

    @Test func whatDescribesANamedPictureMayLieDeeper() throws {
        let scratch = try ScratchFolder.laid([
            "image.png": "@picture.png", "maps/depth.png": "@depth-mm.png",
            "capture.json":
                #"{"image": "image.png", "depth": {"file": "maps/depth.png", "unit_metres": 0.001}}"#,
        ])
        #expect(try Recording.open(scratch.path("image.png")).frame(at: 0).capture.depth != nil)
        let pair = try ScratchFolder.laid([
            "1.png": "@picture.png", "1_depth.png": "@depth-mm.png",
            "calibration/camera.json": #"{"fx":42,"fy":44,"cx":18,"cy":16,"width":40,"height":30}"#,
        ])
        try expectMiniature(try Recording.open(pair.path("1.png")).frame(at: 0).capture)
    }

    @Test func aNameWithAPointBeforeItIsTheSame() throws {
        let tiny = try #require(TinyRecording.all.first { $0.format == "nerfstudio" })
        let scratch = try ScratchFolder()
        for file in try tiny.files { try scratch.write(file.bytes, as: file.name) }
        let recording = try Recording.open(scratch.path)
        #expect(try recording.frameIndex(ofFile: "images/0.png") == 0)
        #expect(try Recording.open(scratch.path("images/0.png")).format == "nerfstudio")
    }

    @Test func aPictureOfNoFrameStandsAlone() throws {
        let scratch = try ScratchFolder()
        for name in ["1.png", "1_depth.png", "holiday.png"] {
            try scratch.lay(name.contains("depth") ? "depth-mm.png" : "picture.png", as: name)
        }
        // A camera beside a picture without depth may be any other's.
        try scratch.write(#"{"fx":42,"fy":44,"cx":18,"cy":16}"#, as: "camera.json")
        let recording = try Recording.open(scratch.path("holiday.png"))
        #expect(recording.format == "picture")
        #expect(try recording.frame(at: 0).capture.intrinsics == nil)
        #expect(try Recording.open(scratch.path("1.png")).format == "pictures beside depth maps")
    }

    @Test func onlyFoldersThatAreCalledLikeThoseOfPicturesAreLeft() {
        func folders(_ path: String) -> [String] { RecordedFiles.places(of: path).map(\.folder) }
        #expect(folders("/a/b/photo.jpg") == ["/a/b"])
        #expect(folders("/a/b/rgb/photo.jpg") == ["/a/b/rgb", "/a/b"])
        #expect(folders("/a/keyframes/corrected_images/1.jpg").last == "/a")
        #expect(folders("/a/rgb_0/1.png").last == "/a" && folders("/a/2024/1.png").last == "/a/2024")
        #expect(folders("/a/lowres_wide/1.png").last == "/a" && folders("/images/1.png").last == "/")
        #expect(RecordedFiles.places(of: "/a/rgb/1.png").map(\.name) == ["1.png", "rgb/1.png"])
        #expect(RecordedFiles.places(of: "rgb/1.png").map(\.folder) == ["rgb", "."])
    }

    @Test(.timeLimit(.minutes(1))) func anArchiveOfEndlessFoldersIsReadInTime() throws {
        let scratch = try ScratchFolder()
        let name = String(repeating: "a/", count: 20_000)
        let zip = HandmadeZIP([.init(name + "rgb.png"), .init(name + "depth.png")])
        let path = try scratch.write(zip.bytes, as: "endless.zip")
        // Pictures beside depth maps are found at any depth; to look for all else in each folder would take minutes.
        #expect(try Recording.open(path).frameCount == 1)
    }

    @Test func theUnitThatTheCallerKnowsComesBeforeWhatFilesSay() throws {
        let scratch = try ScratchFolder()
        let tiny = try #require(TinyRecording.all.last)
        for file in try tiny.files { try scratch.write(file.bytes, as: file.name) }
        // The depth camera sits 20 mm beside the other: the map is reprojected, for which its unit must be known.
        try scratch.write(
            """
            {"depth_to_color": {"rotation": [1,0,0,0,1,0,0,0,1], "translation": [0.02,0,0]},
             "depth": {"width":20,"height":15,"fx":20,"fy":20,"ppx":9.5,"ppy":7}}
            """, as: "rig.json")
        for unit in [0.001, 0.002] {
            let frame = try Recording.open(scratch.path, depthUnit: unit).description(at: 0)
            #expect(frame.description.depth?.isInMeters == true)
            let depth = try #require(try Capture.read(frame.description).depth)
            // 300 to 459 units, sampled anew.
            let median = CaptureInspection.measure(depth).percentiles.y
            #expect(median > 300 * unit && median < 459 * unit, "\(median)")
        }
    }
}

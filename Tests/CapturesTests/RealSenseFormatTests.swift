import DepthGeometry
import Foundation
import Imaging
import TestSupport
import Testing

@testable import Captures

extension ScratchFolder {
    @discardableResult
    func write(_ bytes: [UInt8], as name: String) throws -> String {
        let path = try write("", as: name)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return path
    }
}

/// What librealsense's tools write: names, raw dumps and metadata as their sources do (`tools/convert`,
/// `common/output-model.cpp` and `frame_metadata_to_csv`), the numbers our own.
@Suite struct RealSenseFormatTests {
    private static let size = PixelSize(width: 20, height: 15)

    /// Z16 of 20 x 15: 300 + x + 10 y, little-endian.
    private static let z16: [UInt8] = {
        var bytes: [UInt8] = []
        for y in 0..<15 {
            for x in 0..<20 {
                let value = 300 + x + 10 * y
                bytes += [UInt8(value & 0xFF), UInt8(value >> 8)]
            }
        }
        return bytes
    }()

    private static func metadata(
        _ stream: String, _ format: String, _ size: PixelSize, _ camera: [Double]? = nil
    ) -> String {
        var lines = [
            "Frame Info: ", "Type,\(stream)", "Format,\(format)", "Frame Number,77",
            "Timestamp (ms),1573133250.00",
            "Resolution x,\(size.width)", "Resolution y,\(size.height)", "Bytes per pixel,2",
        ]
        if let camera {
            lines += [
                "", "Intrinsic:,", "Fx,\(camera[0])", "Fy,\(camera[1])", "PPx,\(camera[2])",
                "PPy,\(camera[3])",
                "Distorsion,Brown Conrady",
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// A snapshot of RealSense Viewer.
    private static func snapshot(depthCamera: [Double], raw: [UInt8] = z16, format: String = "Z16") throws
        -> ScratchFolder
    {
        let folder = try ScratchFolder()
        try folder.lay("picture.png", as: "shot_Color.png")
        // The tool's own picture of depth is a rendering in colours.
        try folder.lay("picture.png", as: "shot_Depth.png")
        try folder.write(raw, as: "shot_Depth.raw")
        try folder.write(metadata("Depth", format, size, depthCamera), as: "shot_Depth_metadata.csv")
        try folder.write(
            metadata("Color", "RGB8", PixelSize(width: 40, height: 30), [42, 44, 18, 16]),
            as: "shot_Color_metadata.csv")
        return folder
    }

    @Test func viewersSnapshotIsItsRawMapWithTheCameraOfItsMetadata() throws {
        // The colour camera at half its size: the map was aligned.
        let folder = try Self.snapshot(depthCamera: [21, 22, 8.75, 7.75])
        let recording = try Recording.open(folder.path)
        #expect(recording.format == "RealSense export" && recording.frameCount == 1)
        #expect(recording.evidence == ["shot_Color.png", "shot_Depth.raw"])
        let frame = try recording.frame(at: 0)
        let intrinsics = try #require(frame.capture.intrinsics)
        #expect([intrinsics.fx, intrinsics.fy, intrinsics.cx, intrinsics.cy] == [42, 44, 18, 16])
        let depth = try #require(frame.capture.depth)
        // One rounding of the product to Float.
        #expect(depth.size == Self.size && abs(depth[x: 9, y: 2] - 0.329) < 1e-6)
        #expect(frame.timestamp == 1_573_133.25)
        #expect(frame.capture.warnings.contains { $0.contains("millimetres are assumed") })
        #expect(!frame.capture.warnings.contains { $0.contains("one place") })
    }

    @Test func aDepthCameraOfItsOwnIsBroughtToThePicture() throws {
        // A wall half a metre away, seen by a wider camera: from one place it is as far for both.
        let folder = try Self.snapshot(depthCamera: [12, 12, 9.5, 7], raw: Self.wall(Self.size, 500))
        let capture = try Capture.read(folder.path)
        let depth = try #require(capture.depth)
        #expect(depth.validFraction > 0.9)
        #expect(depth.values.elements.allSatisfy { $0.isNaN || abs($0 - 0.5) < 1e-4 })
        #expect(capture.warnings.contains { $0.contains("one viewpoint") })
        #expect(capture.warnings.contains { $0.contains("reprojected from the depth camera") })
    }

    @Test func aUnitBesideTheMapIsTaken() throws {
        let folder = try Self.snapshot(depthCamera: [21, 22, 8.75, 7.75])
        try folder.write(#"{"depth_scale": 0.00025}"#, as: "device.json")
        let depth = try #require(try Capture.read(folder.path).depth)
        #expect(abs(depth[x: 9, y: 2] - 329 * 0.00025) < 1e-7)
    }

    @Test func whatIsNoZ16OrOfAnotherLengthIsRefused() throws {
        let disparity = try Self.snapshot(depthCamera: [21, 22, 8.75, 7.75], format: "Disparity32")
        #expect(failure { try Capture.read(disparity.path) }?.code == .unsupported)
        let short = try Self.snapshot(depthCamera: [21, 22, 8.75, 7.75], raw: Array(Self.z16.dropLast()))
        let error = failure { try Capture.read(short.path) }
        #expect(error?.code == .badInput && error?.seen == "599 bytes")
        #expect(error?.file?.hasSuffix("shot_Depth.raw") == true)
    }

    @Test func depthWithoutAPictureIsIncomplete() throws {
        let folder = try ScratchFolder()
        try folder.write(Self.z16, as: "shot_Depth.raw")
        let error = failure { try Capture.read(folder.path) }
        #expect(error?.message.contains("incomplete") == true && error?.seen?.contains("Color") == true)
    }

    // MARK: rs-convert

    /// 64 x 36 pixels of one grey.
    private static func picture(_ level: UInt8) -> [UInt8] {
        Array("P6 64 36 255\n".utf8) + [UInt8](repeating: level, count: 64 * 36 * 3)
    }

    /// Z16 of one value.
    private static func wall(_ size: PixelSize, _ value: UInt16) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<size.pixelCount { bytes += [UInt8(value & 0xFF), UInt8(value >> 8)] }
        return bytes
    }

    @Test func convertedStreamsGoTogetherByTheirTimes() throws {
        let folder = try ScratchFolder()
        let size = PixelSize(width: 256, height: 144)
        for (time, level) in [("1000.00000000", 10), ("1033.30000000", 20), ("1200.00000000", 30)] {
            try folder.write(Self.picture(UInt8(level)), as: "color/a_Color_\(time).ppm")
        }
        for (time, value) in [("1028.00000000", 400), ("1004.50000000", 300)] {
            try folder.write(Self.wall(size, UInt16(value)), as: "depth/b_Depth_\(time).raw")
            try folder.write(
                "Stream: Depth\nFrame Counter: 5\n", as: "depth/b_Depth_metadata_\(time).txt")
        }
        let recording = try Recording.open(folder.path)
        #expect(recording.frameCount == 2)
        for (index, expected) in [(10, 0.3, 1.0), (20, 0.4, 1.0333)].enumerated() {
            let frame = try recording.frame(at: index)
            #expect(frame.capture.image[x: 5, y: 5].red == UInt8(expected.0))
            // The length alone says 256 x 144.
            #expect(frame.capture.depth?.size == size)
            #expect(abs(Double(frame.capture.depth?[x: 100, y: 70] ?? 0) - expected.1) < 1e-6)
            #expect(abs((frame.timestamp ?? 0) - expected.2) < 1e-9)
        }
    }

    @Test func frameNumbersGoTogetherOnlyWhereTheyAreEqual() throws {
        let folder = try ScratchFolder()
        let values = [Float](repeating: 0.75, count: 256 * 144)
        let bytes = values.flatMap { value in withUnsafeBytes(of: value.bitPattern.littleEndian, Array.init) }
        for number in [7, 8, 10] { try folder.write(bytes, as: "x_Depth_\(number).bin") }
        for number in [8, 9, 10] {
            try folder.write(Self.picture(UInt8(number)), as: "x_Color_\(number).ppm")
        }
        let recording = try Recording.open(folder.path)
        let frames = try (0..<recording.frameCount).map { try recording.frame(at: $0).capture }
        #expect(frames.map { $0.image[x: 0, y: 0].red } == [8, 10])
        #expect(frames.allSatisfy { $0.depth?[x: 3, y: 3] == 0.75 })
        #expect(frames.allSatisfy { !$0.warnings.contains { $0.contains("millimetres") } })
    }

    @Test func noTwoStreamsHaveTheSameNumberOfPixels() {
        let counts = RealSenseRawDepth.sizes.map(\.pixelCount)
        #expect(Set(counts).count == counts.count)
    }

    // MARK: Azure Kinect and containers

    @Test func azureKinectsFramesAsOpen3DExportsThem() throws {
        let folder = try ScratchFolder()
        for number in ["00000", "00001"] {
            try folder.lay("picture-1.jpg", as: "color/\(number).jpg")
            try folder.lay("depth-mm.png", as: "depth/\(number).png")
        }
        // By columns, as Open3D writes matrices.
        try folder.write(
            """
            {"color_mode": "MJPG_720P", "depth_mode": "NFOV_UNBINNED", "height": 30,
             "intrinsic_matrix": [42.0, 0.0, 0.0, 0.0, 44.0, 0.0, 18.0, 16.0, 1.0],
             "serial_number_": "000123", "stream_length_usec": 4000000, "width": 40}
            """, as: "intrinsic.json")
        try folder.write(
            #"{"path_dataset": "out", "path_intrinsic": "out/intrinsic.json"}"#, as: "config.json")
        let recording = try Recording.open(folder.path)
        #expect(recording.frameCount == 2)
        let capture = try recording.frame(at: 1).capture
        #expect(capture.intrinsics?.fx == 42 && capture.intrinsics?.cy == 16)
        #expect(abs(try #require(capture.depth)[x: 9, y: 2] - 0.329) < 1e-6)
    }

    @Test(arguments: [
        ("a.bag", Array("#ROSBAG V2.0\n\u{45}\0\0\0".utf8), "rs-convert"),
        ("a.mkv", [0x1A, 0x45, 0xDF, 0xA3, 0x01, 0, 0, 0], "azure_kinect_mkv_reader"),
        ("a.db3", Array("SQLite format 3\0\u{10}\0".utf8), "CameraInfo"),
        ("a.mcap", [0x89] + Array("MCAP0\r\n".utf8), "CameraInfo"),
        ("a.mp4", [0, 0, 0, 0x18] + Array("ftypisom\0\0\u{2}\0".utf8), "ffmpeg"),
        ("a.tar.gz", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0], "make a ZIP"),
        ("a.tar", [UInt8](repeating: 0x61, count: 257) + Array("ustar\0".utf8), "make a ZIP"),
        ("a.tar.bz2", Array("BZh91AY&SY".utf8), "make a ZIP"),
        ("a.tar.xz", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0, 4], "make a ZIP"),
        ("a.tar.zst", [0x28, 0xB5, 0x2F, 0xFD, 4, 0, 0, 0], "make a ZIP"),
        ("a.rar", Array("Rar!\u{1A}\u{7}\u{1}\0".utf8), "make a ZIP"),
        ("a.7z", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4], "make a ZIP"),
    ])
    func containersAreRefusedByNameWithTheWayOut(name: String, bytes: [UInt8], advice: String) throws {
        let folder = try ScratchFolder()
        let path = try folder.write(bytes, as: name)
        let error = failure { try Recording.open(path) }
        #expect(error?.code == .unsupported && error?.file == path)
        #expect(error?.advice?.contains(advice) == true)
        guard ["a.bag", "a.mkv", "a.db3", "a.mcap"].contains(name) else { return }
        // Alone in a folder it is what the folder was meant for.
        #expect(failure { try Recording.open(folder.path) }?.advice == error?.advice)
    }

    @Test func portableMapsAreAPictureAndItsDepth() throws {
        let folder = try ScratchFolder()
        try folder.write(Self.picture(99), as: "rgb/1.ppm")
        let size = PixelSize(width: 32, height: 18)
        // Most significant byte first.
        try folder.write(
            Array("P5 32 18 65535\n".utf8)
                + (0..<size.pixelCount).flatMap { _ in [UInt8(0x01), UInt8(0x90)] },
            as: "depth/1.pgm")
        let capture = try Capture.read(folder.path)
        #expect(capture.image.size == PixelSize(width: 64, height: 36) && capture.image[x: 0, y: 0].red == 99)
        #expect(capture.depth?[x: 31, y: 17] == 0.4)
    }
}

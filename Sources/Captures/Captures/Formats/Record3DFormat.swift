import Diagnostics
import Archives
import DepthGeometry
import ImageFiles
import Imaging
import ScalarText

/// Recordings of the iOS app Record3D: its `.r3d` files, and its export of EXR and JPEG (github.com/marek-simonik/record3d,
/// whose README and wiki describe both; nerfstudio's record3d_utils.py reads the metadata in the same way).
///
/// | file | holds |
/// |---|---|
/// | `metadata` (`.r3d`), `metadata.json` (export) | JSON with the keys of the next rows |
/// | ... its w, h; dw, dh; frameTimestamps | size of the picture; size of the depth map; times |
/// | ... its K | nine numbers by columns, for w x h |
/// | ... its perFrameIntrinsicCoeffs; poses | fx, fy, cx, cy; qx, qy, qz, qw, tx, ty, tz |
/// | `rgbd/N.jpg` | the picture |
/// | `rgbd/N.depth` | LZFSE: dw x dh float32 metres, NaN where there is none |
/// | `rgbd/N.conf` | LZFSE: dw x dh bytes, 0, 1 or 2 |
/// | `rgb/N.jpg`, `depth/N.exr` (export) | the picture; metres in half or single precision |
///
/// An `.r3d` file is a ZIP archive; it can also be read unpacked. The lens moves while it focuses, so the frame's intrinsics
/// take precedence over K. Poses are ARKit's: y up, z backward.

struct Record3DFormat: RecordingFormat {
    static let name = "Record3D"

    private struct Frame {
        var number: Int
        var image: String
        var depth: String?
        var confidence: String?
    }

    private let files: RecordedFiles
    private let metadataName: String
    private let root: StructuredValue
    private let frames: [Frame]

    static func recognize(_ files: RecordedFiles) -> RecordingEvidence? {
        if files.hasFolder("rgbd") {
            return files.contains("metadata")
                ? RecordingEvidence(found: ["metadata", "rgbd/"])
                : RecordingEvidence(found: ["rgbd/"], missing: ["metadata"])
        }
        guard files.contains("metadata.json"), files.hasFolder("rgb") else { return nil }
        return RecordingEvidence(
            found: ["metadata.json", "rgb/"] + (files.hasFolder("depth") ? ["depth/"] : []))
    }

    init(_ files: RecordedFiles) throws(FlatteningError) {
        self.files = files
        let isArchive = files.hasFolder("rgbd")
        metadataName = isArchive ? "metadata" : "metadata.json"
        root = try files.readJSON(metadataName)
        let images = files.numbered(in: isArchive ? "rgbd" : "rgb", extensions: ["jpg", "jpeg", "png"])
        let depth = files.numbered(
            in: isArchive ? "rgbd" : "depth", extensions: [isArchive ? "depth" : "exr"])
        let confidence = files.numbered(
            in: isArchive ? "rgbd" : "confidence", extensions: isArchive ? ["conf"] : ["png", "exr"])
        frames = images.sorted { $0.key < $1.key }.map { number, image in
            Frame(number: number, image: image, depth: depth[number], confidence: confidence[number])
        }
        .preferring(\.depth)
        guard !frames.isEmpty else {
            throw FlatteningError(.badInput, "the recording holds no pictures", stage: .capture)
        }
    }

    var frameCount: Int { frames.count }

    func files(of index: Int) -> [String] {
        [frames[index].image, frames[index].depth, frames[index].confidence].compactMap(\.self)
    }

    func frame(at index: Int) throws(FlatteningError) -> RecordedFrame {
        let frame = frames[index]
        var description = CaptureDescription(imagePath: "")
        description.imagePath = try files.reference(frame.image, in: &description.files)
        if let depth = frame.depth {
            let path = files.path(depth)
            if depth.hasScalarSuffix(".depth") {
                description.files.keep(.float32(try self.depth(depth, of: frame)), as: path)
            } else {
                _ = try files.reference(depth, in: &description.files)
            }
            description.depth = .init(path: path, unit: 1)
        }
        if let confidence = frame.confidence {
            description.confidencePath = files.path(confidence)
            if confidence.hasScalarSuffix(".conf") {
                let (size, bytes) = try unpack(confidence, of: frame, bytesEach: 1)
                description.files.keep(
                    .uint8(Raster(width: size.width, height: size.height, elements: bytes)),
                    as: files.path(confidence))
            } else {
                _ = try files.reference(confidence, in: &description.files)
            }
        }
        do throws(FlatteningError) {
            description.intrinsics = .stated(try intrinsics(of: frame), file: files.path(metadataName))
        } catch {
            throw error.naming(file: files.path(metadataName))
        }
        let v = root["poses"]?.array.flatMap { element(frame.number, of: $0)?.numbers } ?? []
        let pose =
            v.count == 7
            ? RigidTransform(
                quaternion: SIMD4(v[0], v[1], v[2], v[3]), translation: SIMD3(v[4], v[5], v[6]))?
                .turnedFromOpenGL : nil
        let times = root["frameTimestamps"]?.array ?? []
        return RecordedFrame(
            description: description, pose: pose, timestamp: element(frame.number, of: times)?.number)
    }

    private func element(_ index: Int, of array: [StructuredValue]) -> StructuredValue? {
        array.indices.contains(index) ? array[index] : nil
    }

    private func intrinsics(of frame: Frame) throws(FlatteningError) -> IntrinsicsDocument {
        var members: [String: StructuredValue] = [:]
        for key in ["w", "h"] { members[key] = root[key] }
        let own = root["perFrameIntrinsicCoeffs"]?.array.flatMap { element(frame.number, of: $0)?.numbers }
        if let own, own.count >= 4 {
            for (key, value) in zip(["fx", "fy", "cx", "cy"], own) { members[key] = .number(value) }
        } else {
            members["K"] = root["K"]
        }
        return try IntrinsicsDocument.recognize(.object(members))
    }

    private func depth(_ name: String, of frame: Frame) throws(FlatteningError) -> Raster<Float> {
        let (size, bytes) = try unpack(name, of: frame, bytesEach: 4)
        let readings = (0..<size.pixelCount).map { index in
            Float(
                bitPattern: (0..<4).reduce(0) { $0 | UInt32(bytes[4 * index + $1]) << (8 * UInt32($1)) })
        }
        return Raster(width: size.width, height: size.height, elements: readings)
    }

    /// Unpacks the values of a map, and returns them with its size.
    private func unpack(
        _ name: String, of frame: Frame, bytesEach: Int
    ) throws(FlatteningError) -> (PixelSize, [UInt8]) {
        func side(_ key: String) -> Int? { root[key]?.number.flatMap { Int(exactly: $0) } }
        do throws(FlatteningError) {
            guard let width = side("dw"), let height = side("dh") else {
                throw FlatteningError(
                    .badInput, "\(metadataName) does not state the depth map's size", stage: .capture,
                    seen: "keys " + root.keys.prefix(12).joined(separator: ", "), allowed: "dw and dh")
            }
            try files.limits.check(width: width, height: height, purpose: .map, stage: .capture)
            let file = try files.read(name)
            let bytes = try LZFSE.decompress(file.bytes, count: width * height * bytesEach)
            return (PixelSize(width: width, height: height), bytes)
        } catch {
            throw error.naming(file: files.path(name))
        }
    }
}

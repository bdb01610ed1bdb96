import Diagnostics
import DepthGeometry
import ImageFiles
import Imaging
import ScalarText

/// Dumps of AVFoundation's depth data, as github.com/ZEISS/iPad_TrueDepth_Issue_App writes them.
///
/// | file | holds |
/// |---|---|
/// | `DepthMetadata.json` | for each frame what `AVDepthData` and its `AVCameraCalibrationData` say |
/// | `rgb_T.png`, `depth_T.png` | picture and depth at time stamp T; 16 bits, 10,000 units a metre (CvHelper.m) |
/// | `cam_calibration.json` | a measured camera (`cam_matrix`, `dist`), which is preferred to the factory's |
///
/// `IntrinsicMatrix.0` to `.2` are the matrix's rows. AVFoundation states the matrix for
/// `IntrinsicMatrixReferenceDimensions`, but these dumps have already scaled it to the map: of the two sizes, the one whose
/// middle is nearer to the principal point is used. `LensDistortionCenter` stays in reference dimensions. `Accuracy` is 0 for
/// relative and 1 for absolute, `DataType` a four-character code: "fdep" and "hdep" are depth, "fdis" and "hdis" disparity.
struct AVDepthDataFormat: RecordingFormat {
    static let name = "AVDepthData"
    private static let fileName = "DepthMetadata.json"
    private static let unit = 1e-4
    /// The greatest relative difference between the stated and the measured focal length that is not noted in the report.
    private static let focalTolerance = 0.02

    private struct Frame {
        var metadata: StructuredValue
        var pictures: RecordedPictures
    }

    private let files: RecordedFiles
    private let frames: [Frame]
    private let missing: String?
    private let measured: (document: IntrinsicsDocument, file: String)?

    static func recognize(_ files: RecordedFiles) -> RecordingEvidence? {
        guard files.contains(fileName) else { return nil }
        let pictures = files.names(in: "", extensions: ["png"])
        var evidence = RecordingEvidence(found: [fileName])
        for prefix in ["rgb_", "depth_"] {
            if let name = pictures.first(where: { $0.hasScalarPrefix(prefix) }) {
                evidence.found.append(name)
            } else {
                evidence.missing.append(prefix + "*.png")
            }
        }
        return evidence
    }

    init(_ files: RecordedFiles) throws(FlatteningError) {
        self.files = files
        let root = try files.readJSON(Self.fileName)
        let listed = (root.array ?? [root]).compactMap { metadata -> Frame? in
            guard let time = metadata["Timestamp"]?.number.flatMap({ Int(exactly: $0) }) else { return nil }
            return Frame(
                metadata: metadata,
                pictures: RecordedPictures(image: "rgb_\(time).png", depth: "depth_\(time).png"))
        }
        let found = try ListedFrames(listed, of: Self.fileName, in: files) { $0.pictures.names }
        (frames, missing) = (found.frames, found.note)
        guard !frames.isEmpty else {
            throw FlatteningError(
                .badInput, "\(Self.fileName) describes no frame", stage: .capture,
                allowed: "frames with a \"Timestamp\" T, and rgb_T.png and depth_T.png")
        }
        let name = "cam_calibration.json"
        measured =
            files.contains(name)
            ? (try IntrinsicsDocument.parse(try files.read(name, kind: .metadata)), files.path(name)) : nil
    }

    var frameCount: Int { frames.count }

    func files(of index: Int) -> [String] {
        frames[index].pictures.names
    }

    func frame(at index: Int) throws(FlatteningError) -> RecordedFrame {
        let frame = frames[index]
        var description = try frame.pictures.description(in: files, unit: Self.unit)
        description.notes += [missing].compactMap(\.self)
        if frame.metadata["Accuracy"]?.number == 0 { description.depth?.accuracy = .relative }
        if frame.metadata["MediaSubType"]?.string?.hasScalarSuffix("dis") ?? false {
            description.depth?.kind = .disparity
        }
        let factory = try Self.factoryCamera(frame.metadata)
        if let measured {
            description.intrinsics = .stated(measured.document.ofThePicture, file: measured.file)
            if let factory, abs(factory.fx / measured.document.fx - 1) > Self.focalTolerance {
                description.notes.append(
                    "\(Self.fileName) states a focal length of \(factory.fx) pixels, the measured calibration "
                        + "\(measured.document.fx); the measured one is used")
            }
        } else if let factory {
            description.intrinsics = .stated(factory, file: files.path(Self.fileName))
        }
        return RecordedFrame(
            description: description, timestamp: frame.metadata["Timestamp"]?.number.map { $0 / 1000 })
    }

    /// Returns the camera of the middle frame of a `DepthMetadata.json`, without reading its images; nil for another file.
    static func camera(in root: StructuredValue) throws(FlatteningError) -> IntrinsicsDocument? {
        var cameras: [IntrinsicsDocument] = []
        for frame in root.array ?? [root] {
            if let camera = try factoryCamera(frame) { cameras.append(camera) }
        }
        guard !cameras.isEmpty else { return nil }
        var middle = cameras[cameras.count / 2]
        if cameras.contains(where: { $0 != middle }) {
            middle.notes.append(
                "its \(cameras.count) frames have several cameras: that of the middle one is used")
        }
        return middle
    }

    /// Returns the camera that AVFoundation states for a frame; nil if it states none.
    private static func factoryCamera(
        _ metadata: StructuredValue
    ) throws(FlatteningError) -> IntrinsicsDocument? {
        let rows = (0..<3).compactMap { metadata["IntrinsicMatrix.\($0)"]?.numbers }
        guard rows.count == 3, rows.allSatisfy({ $0.count == 3 }) else { return nil }
        var members: [String: StructuredValue] = [
            "IntrinsicMatrix": .array(rows.joined().map { .number($0) })
        ]
        let point = SIMD2(rows[0][2], rows[1][2])
        let reference = metadata["IntrinsicMatrixReferenceDimensions"]?.numbers ?? []
        let own = [metadata["Width"], metadata["Height"]].compactMap { $0?.number }
        func distance(_ size: [Double]) -> Double {
            abs(point.x / size[0] - 0.5) + abs(point.y / size[1] - 0.5)
        }
        let sizes = [reference, own].filter { $0.count == 2 && $0.allSatisfy { $0 >= 1 } }
        guard let size = sizes.min(by: { distance($0) < distance($1) }) else {
            return try IntrinsicsDocument.find(in: .object(members))
        }
        members["width"] = .number(size[0])
        members["height"] = .number(size[1])
        if let table = metadata["LensDistortionLookupTable"], (table.array?.count ?? 0) > 1 {
            members["lensDistortionLookupTable"] = table
            if let center = metadata["LensDistortionCenter"]?.numbers, center.count == 2, reference.count == 2
            {
                members["lensDistortionCenter"] = .array([
                    .number(center[0] * size[0] / reference[0]), .number(center[1] * size[1] / reference[1]),
                ])
            }
        }
        return try IntrinsicsDocument.find(in: .object(members))
    }
}

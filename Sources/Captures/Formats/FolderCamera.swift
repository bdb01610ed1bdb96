import DepthGeometry
import ImageFiles
import Imaging

/// What the small files beside pictures say about the cameras that took them.
///
/// Read are JSON, YAML and plain numbers in any form that ``IntrinsicsDocument`` knows, in the root or in a folder made for
/// them; and of RealSense-like rigs, under the keys or in files of the names that their tools and users give:
///
/// - the depth camera's own intrinsics: `depth_intrinsics`, `depth`, or a file with "depth" in its name;
/// - where the depth camera sits: `depth_to_color`, `depth_to_color_extrinsics`, `extrinsics`, or a file with "extrinsic" in
///   its name: `rotation` and `translation`, or a 4 x 4 matrix by rows. Nested rotations go by rows. Nine plain numbers go
///   by columns, as librealsense's `rs2_extrinsics` (rs_types.h), with the translation in metres; or by rows, as Azure
///   Kinect's `k4a_calibration_extrinsics_t` (k4atypes.h), with the translation in millimetres. The two are told apart by
///   its length: no depth camera sits a metre beside its colour camera, nor within a millimetre of it;
/// - `depthDataAccuracy` (absolute, relative, 1, 0) and `depthDataType` (fdep, hdep, fdis, hdis, as text or as the number that
///   the four characters make), as `AVDepthData` names them;
/// - `depth_scale`: metres a unit (RealSense) if less than 1, units a metre (Open3D, TUM) if more.
struct FolderCamera {
    /// The colour camera.
    var color: (document: IntrinsicsDocument, file: String)?
    /// The depth camera, where it is another one.
    var depth: IntrinsicsDocument?
    /// From the depth camera's frame to the colour camera's.
    var depthToColor: RigidTransform?
    /// Metres a unit of a whole-number depth map.
    var depthUnit: Double?
    /// What AVFoundation says of its depth data: whether its unit can be trusted, and what a number measures.
    var accuracy: DepthMap.Scale?
    var kind: CaptureDescription.Depth.Kind?
    /// The files that said anything.
    var files: [String] = []

    private static let folders = [
        "", "calibration", "calib", "camera", "cameras", "intrinsics", "intrinsic", "sparse", "sparse/0",
    ]

    /// How many files may be named alike but for a number before they are taken for frames: rigs have a handful of cameras.
    private static let mostCameras = 8

    /// How many files of a folder are looked into, those first that a camera's would be called like.
    private static let mostFiles = 100

    /// What files are mostly called that describe cameras.
    private static let likelyWords = ["intrinsic", "camera", "calib", "matrix", "extrinsic"]

    /// Reads the files of a recording that describe its cameras.
    /// - Throws: `.badInput` for a camera that cannot be true, and if two files state different colour cameras.
    static func read(_ files: RecordedFiles) throws(FlatteningError) -> FolderCamera {
        var camera = FolderCamera()
        for folder in folders {
            let names = files.names(in: folder, extensions: ["json", "yaml", "yml", "txt", "csv"])
            // Files that differ only in a number describe frames (poses, detections), not cameras.
            let alike = Dictionary(grouping: names) { $0.filter { !$0.isNumber } }
            let single = names.filter { alike[$0.filter { !$0.isNumber }, default: []].count <= mostCameras }
            let isLikely = { (name: String) in likelyWords.contains(where: name.lowercased().contains) }
            let some = single.filter(isLikely).prefix(mostFiles) + single.filter { !isLikely($0) }
            for name in single.count > mostFiles ? Array(some.prefix(mostFiles)) : single {
                do throws(FlatteningError) {
                    try camera.take(name, of: files)
                } catch {
                    throw error.naming(file: files.path(name))
                }
            }
        }
        return camera
    }

    private mutating func take(_ name: String, of files: RecordedFiles) throws(FlatteningError) {
        let file: InputFile
        do throws(FlatteningError) {
            file = try files.read(name, kind: .metadata)
        } catch  where error.code == .limitExceeded || error.code == .badInput {
            // What is empty, or larger than any camera's description, describes none.
            return
        }
        if let cameras = try COLMAPCameras(file) {
            // Where pictures were taken by several, images.txt tells; see COLMAPImages.
            if let only = try? cameras.only { try add(color: only, name: name, files: files) }
            return
        }
        let lowercased = RecordedFiles.stem(name).lowercased()
        let isNamed = ["intrinsic", "camera", "calib", "matrix"].contains(where: lowercased.contains)
        // Beside pictures lie texts of all sorts (camera_trajectory.txt is one); what cannot be parsed is a camera's only if
        // name and extension say so.
        let isDocument = ["json", "yaml", "yml"].contains(RecordedFiles.fileExtension(name))
        let root: StructuredValue
        do throws(FlatteningError) {
            root = try IntrinsicsDocument.structure(of: file)
        } catch {
            if isNamed && isDocument && error.code == .badInput { throw error }
            return
        }
        // Nine bare numbers may be anything, a pose for one.
        guard root.array == nil || isNamed || lowercased == "k" else { return }
        var isOfUse = false

        if let scale = root.first(of: "depth_scale", "depthScale", "depth_unit", "depth_units")?.value.number,
            scale > 0, scale != 1
        {
            depthUnit = try CaptureDescription.unit(scale < 1 ? scale : 1 / scale, seen: "\(scale)")
            isOfUse = true
        }
        switch root.first(of: "depthDataAccuracy", "depth_data_accuracy")?.value {
        case .string("absolute"), .number(1): accuracy = .metric
        case .string("relative"), .number(0): accuracy = .relative
        default: break
        }
        if let type = root.first(of: "depthDataType", "depth_data_type")?.value,
            let code = type.string ?? type.number.flatMap(Self.fourCharacters)
        {
            kind = code.lowercased().contains("dis") ? .disparity : .depth
        }
        let transform = root.first(
            of: "depth_to_color", "depth_to_color_extrinsics", "depth_to_color_extrinsics_4x4",
            "extrinsics_depth_to_color", "depth_to_rgb", "extrinsics", "extrinsic")
        let isExtrinsics = lowercased.contains("extrinsic") && !lowercased.contains("intrinsics_")
        if let value = transform?.value ?? (isExtrinsics ? root : nil) {
            depthToColor = try Self.transform(value, key: transform?.key ?? name)
            isOfUse = true
        }
        let ownDepth = root.first(of: "depth_intrinsics", "intrinsics_depth", "depth", "depth_camera")?.value
        if let ownDepth, let document = try IntrinsicsDocument.find(in: ownDepth) {
            depth = document
            isOfUse = true
        }
        let isDepthFile = lowercased.contains("depth") && !lowercased.contains("color")
        if let document = try IntrinsicsDocument.find(in: root.without("depth", "depth_camera")) {
            if isDepthFile && ownDepth == nil {
                depth = document
                isOfUse = true
            } else {
                // REP 118: 16UC1 is millimetres; 32FC1 needs no unit.
                if root["distortion_model"] != nil, root.first(of: "camera_matrix", "K", "k") != nil {
                    depthUnit = depthUnit ?? 0.001
                }
                try add(color: document, name: name, files: files)
            }
        }
        if isOfUse && !self.files.contains(name) { self.files.append(name) }
    }

    private mutating func add(
        color document: IntrinsicsDocument, name: String, files: RecordedFiles
    ) throws(FlatteningError) {
        self.files.append(name)
        if let color, color.document.isAnotherCamera(than: document) {
            // Some write the colour camera's name over it and leave the rest to guess.
            let isNamed = ["color", "colour", "rgb"].map { word in
                (color.file.lowercased().contains(word), name.lowercased().contains(word))
            }
            if isNamed.contains(where: { $0.0 && !$0.1 }) { return }
            guard isNamed.contains(where: { $0.1 && !$0.0 }) else {
                throw FlatteningError(
                    .badInput, "two files state different cameras", file: files.root, stage: "intrinsics",
                    seen: "\(color.file), \(files.path(name))", advice: "Name the one meant with --intrinsics"
                )
            }
        }
        color = (document, files.path(name))
    }

    /// The four characters that a `CVPixelFormatType` is made of.
    private static func fourCharacters(_ number: Double) -> String? {
        UInt32(exactly: number).map { code in
            String(
                decoding: stride(from: 24, through: 0, by: -8).map {
                    UInt8(truncatingIfNeeded: code >> UInt32($0))
                },
                as: UTF8.self)
        }
    }

    /// Whether a translation is longer than a metre could be; see above.
    private static func isInMillimeters(_ shift: [Double]) -> Bool {
        shift.reduce(0) { $0 + $1 * $1 } > 1
    }

    private static func transform(
        _ value: StructuredValue, key: String
    ) throws(FlatteningError) -> RigidTransform {
        func failure(_ seen: String) -> FlatteningError {
            FlatteningError(
                .badInput, "\(key) is no rotation and translation", stage: "extrinsics", seen: seen,
                allowed: "\"rotation\" of 9 numbers and \"translation\" of 3, or a 4 x 4 matrix by rows")
        }
        let rotation: [Double]
        let shift: [Double]
        if let turn = value.first(of: "rotation", "R", "r")?.value,
            let offset = value.first(of: "translation", "T", "t")?.value.numbers
        {
            shift = offset
            let flat = turn.numbers ?? (turn.array ?? []).compactMap(\.numbers).flatMap(\.self)
            guard flat.count == 9 else { throw failure("\(flat.count) numbers of rotation") }
            // Nine in a row go by columns with RealSense, by rows with Azure Kinect; the unit tells which it is.
            let isByColumns = turn.numbers != nil && !isInMillimeters(shift)
            rotation = isByColumns ? (0..<9).map { flat[($0 % 3) * 3 + $0 / 3] } : flat
        } else {
            let flat = value.numbers ?? (value.array ?? []).compactMap(\.numbers).flatMap(\.self)
            guard flat.count == 16 || flat.count == 12 else { throw failure(value.kind) }
            rotation = (0..<3).flatMap { flat[(4 * $0)..<(4 * $0 + 3)] }
            shift = (0..<3).map { flat[4 * $0 + 3] }
        }
        guard shift.count == 3 else { throw failure("\(shift.count) numbers of translation") }
        let offset = SIMD3(shift[0], shift[1], shift[2]) / (isInMillimeters(shift) ? 1000 : 1)
        guard let transform = RigidTransform(rotation: rotation, translation: offset) else {
            throw failure("a matrix that does not only turn")
        }
        return transform
    }
}

extension IntrinsicsDocument {
    /// Whether the numbers differ by more than rounding: a thousandth of the focal length.
    func isAnotherCamera(than other: IntrinsicsDocument) -> Bool {
        let pairs = [(fx, other.fx), (fy, other.fy), (cx, other.cx), (cy, other.cy)]
        return size != other.size && size != nil && other.size != nil
            || pairs.contains { abs($0.0 - $0.1) > fx / 1000 }
    }
}

extension StructuredValue {
    /// The same object without some keys.
    fileprivate func without(_ keys: String...) -> StructuredValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { !keys.contains($0.key) })
    }
}

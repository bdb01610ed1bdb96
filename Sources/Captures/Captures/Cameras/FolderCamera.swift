import Diagnostics
import LocalFiles
import DepthGeometry
import ImageFiles
import Imaging
import ScalarText

/// The camera information in the small files beside the images.
///
/// Reads JSON, YAML and plain numbers in any form that ``IntrinsicsDocument`` knows, from the images' folder, the folders
/// around it, or folders made for such files. For RealSense-like rigs it also reads the following, under the keys or from
/// files with the names that their tools and users give:
///
/// - the depth camera's own intrinsics: `depth_intrinsics`, `depth`, or a file with "depth" in its name;
/// - the depth camera's pose: `depth_to_color`, `extrinsics`, or a file with "extrinsic" in its name; see ``Extrinsics``;
/// - `depthDataAccuracy` (absolute, relative, 1, 0) and `depthDataType` (fdep, hdep, fdis, hdis, as text or as the number
///   that the four characters form), named as in `AVDepthData`;
/// - `depth_scale`: metres per unit (RealSense) if less than 1, units per metre (Open3D, TUM) if more.
struct FolderCamera {
    /// The colour camera.
    var color: (document: IntrinsicsDocument, file: String)?
    /// The depth camera, if it is a different one.
    var depth: IntrinsicsDocument?
    /// The transform from the depth camera's frame to the colour camera's.
    var depthToColor: RigidTransform?
    /// Metres per unit of a whole-number depth map.
    var depthUnit: Double?
    /// Metres per unit of a floating-point depth map.
    var floatingPointUnit: Double?
    /// AVFoundation's statements about its depth data: whether its unit can be trusted, and what a number measures.
    var accuracy: DepthMap.Scale?
    var kind: CaptureDescription.Depth.Kind?
    /// The files that this information came from.
    var files: [String] = []

    private static let folders = [
        "", "calibration", "calib", "camera", "cameras", "intrinsics", "intrinsic", "sparse", "sparse/0",
    ]

    /// The most files whose names differ only in a number that may still be cameras; more are taken for frames. A rig has
    /// only a few cameras.
    private static let mostCameras = 8

    /// The most folders around the images that are searched besides the root: an archive may claim any number.
    private static let mostLevels = 4

    /// The most files of a folder that are read, those with likely camera names first.
    private static let mostFiles = 100

    /// Words common in the names of files that describe a camera.
    private static let cameraWords = ["intrinsic", "camera", "calib", "matrix"]
    /// Words common in the names of files that describe cameras, or their relative pose.
    private static let likelyWords = cameraWords + ["extrinsic"]

    /// Reads the files of a recording that describe its cameras.
    /// - Parameter pictures: the cameras' image files; descriptions nearest to them take precedence.
    /// - Throws: `.badInput` for an impossible camera, and if two files in one folder state different colour cameras.
    static func read(
        _ files: RecordedFiles, of pictures: [String] = []
    ) throws(FlatteningError) -> FolderCamera {
        var parts = RecordedFiles.commonFolder(of: pictures).split(atScalar: "/")
        var camera = FolderCamera()
        for _ in 0..<mostLevels where !parts.isEmpty {
            camera.complete(by: try read(files, below: parts.joined(separator: "/")))
            parts.removeLast()
        }
        camera.complete(by: try read(files, below: ""))
        if let unit = files.depthUnit { camera.depthUnit = unit }
        return camera
    }

    /// Fills in missing values from another set.
    private mutating func complete(by other: FolderCamera) {
        color = color ?? other.color
        depth = depth ?? other.depth
        depthToColor = depthToColor ?? other.depthToColor
        depthUnit = depthUnit ?? other.depthUnit
        floatingPointUnit = floatingPointUnit ?? other.floatingPointUnit
        accuracy = accuracy ?? other.accuracy
        kind = kind ?? other.kind
        files += other.files
    }

    /// Reads the files of one folder and of its subfolders made for cameras.
    private static func read(
        _ files: RecordedFiles, below base: String
    ) throws(FlatteningError) -> FolderCamera {
        var camera = FolderCamera()
        for folder in folders {
            let folder = [base, folder].filter { !$0.isEmpty }.joined(separator: "/")
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

    // MARK: - One file

    private mutating func take(_ name: String, of files: RecordedFiles) throws(FlatteningError) {
        let file: InputFile
        do throws(FlatteningError) {
            file = try files.read(name, kind: .metadata)
        } catch  where error.code == .limitExceeded || error.code == .badInput {
            // A file that is empty, or larger than any camera description, does not describe a camera.
            return
        }
        if let cameras = try COLMAPCameras(file) {
            // If several cameras took the images, images.txt assigns them; see COLMAPImages.
            if let only = try? cameras.only { try add(color: only, name: name, files: files) }
            return
        }
        guard let root = try Self.structure(of: file, name: name) else { return }
        let isUnit = try takeUnit(root)
        takeDepthData(root)
        let isTransform = try takeTransform(root, name: name)
        let isCamera = try takeCameras(root, name: name, files: files)
        if (isUnit || isTransform || isCamera) && !self.files.contains(name) { self.files.append(name) }
    }

    /// Returns the content of a file; nil if the file does not describe a camera.
    ///
    /// Folders of images hold texts of all kinds (such as camera_trajectory.txt). A file that cannot be parsed is an error
    /// only if both its name and its extension are those of a camera description.
    private static func structure(
        of file: InputFile, name: String
    ) throws(FlatteningError) -> StructuredValue? {
        let stem = RecordedFiles.stem(name).lowercased()
        let isNamed = cameraWords.contains(where: stem.contains)
        let isDocument = ["json", "yaml", "yml"].contains(RecordedFiles.fileExtension(name))
        do throws(FlatteningError) {
            let root = try IntrinsicsDocument.structure(of: file)
            // Nine bare numbers may be anything, for example a pose.
            return root.array == nil || isNamed || stem == "k" ? root : nil
        } catch {
            if isNamed && isDocument && error.code == .badInput { throw error }
            return nil
        }
    }

    private mutating func takeUnit(_ root: StructuredValue) throws(FlatteningError) -> Bool {
        guard let scale = root.first(of: .depthScale)?.value.number, scale > 0, scale != 1 else {
            return false
        }
        depthUnit = try CaptureDescription.Depth.checkedUnit(scale < 1 ? scale : 1 / scale, seen: "\(scale)")
        return true
    }

    /// Takes AVFoundation's statements about its depth data.
    private mutating func takeDepthData(_ root: StructuredValue) {
        switch root.first(of: .depthAccuracy)?.value {
        case .string("absolute"), .number(1): accuracy = .metric
        case .string("relative"), .number(0): accuracy = .relative
        default: break
        }
        if let type = root.first(of: .depthType)?.value,
            let code = type.string ?? type.number.flatMap(Self.fourCharacters)
        {
            kind = code.lowercased().contains("dis") ? .disparity : .depth
        }
    }

    private mutating func takeTransform(
        _ root: StructuredValue, name: String
    ) throws(FlatteningError) -> Bool {
        let stem = RecordedFiles.stem(name).lowercased()
        let isExtrinsics = stem.contains("extrinsic") && !stem.contains("intrinsics_")
        let found = root.first(of: .depthToColor)
        guard let value = found?.value ?? (isExtrinsics ? root : nil) else { return false }
        depthToColor = try Extrinsics.transform(value, key: found?.key ?? name)
        return true
    }

    /// Takes the intrinsics of the depth camera, of the colour camera, or of both.
    /// - Returns: whether the file describes the depth camera.
    private mutating func takeCameras(
        _ root: StructuredValue, name: String, files: RecordedFiles
    ) throws(FlatteningError) -> Bool {
        var isOfDepth = false
        let own = root.first(of: .depthCamera)?.value
        if let own, let document = try IntrinsicsDocument.find(in: own) {
            depth = document
            isOfDepth = true
        }
        guard let document = try IntrinsicsDocument.find(in: root.without("depth", "depth_camera")) else {
            return isOfDepth
        }
        let stem = RecordedFiles.stem(name).lowercased()
        if own == nil, stem.contains("depth"), !stem.contains("color") {
            depth = document
            return true
        }
        // REP 118: 16UC1 is millimetres, 32FC1 metres.
        if root["distortion_model"] != nil, root.first(of: .rosMatrix) != nil {
            depthUnit = depthUnit ?? CaptureDescription.Depth.millimeter
            floatingPointUnit = 1
        }
        try add(color: document, name: name, files: files)
        return isOfDepth
    }

    private mutating func add(
        color document: IntrinsicsDocument, name: String, files: RecordedFiles
    ) throws(FlatteningError) {
        self.files.append(name)
        if let color, color.document.isAnotherCamera(than: document) {
            // Some tools put the colour camera's name on its file and leave the other one unnamed.
            let isNamed = ["color", "colour", "rgb"].map { word in
                (color.file.lowercased().contains(word), name.lowercased().contains(word))
            }
            if isNamed.contains(where: { $0.0 && !$0.1 }) { return }
            guard isNamed.contains(where: { $0.1 && !$0.0 }) else {
                throw FlatteningError(
                    .badInput, "two files state different cameras", file: files.root, stage: .intrinsics,
                    seen: "\(color.file), \(files.path(name))", advice: "Name the one meant with --intrinsics"
                )
            }
        }
        color = (document, files.path(name))
    }

    /// Returns the four characters of a `CVPixelFormatType`.
    private static func fourCharacters(_ number: Double) -> String? {
        UInt32(exactly: number).map { code in
            String(
                decoding: stride(from: 24, through: 0, by: -8).map {
                    UInt8(truncatingIfNeeded: code >> UInt32($0))
                },
                as: UTF8.self)
        }
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
    /// Returns the same object without some keys.
    fileprivate func without(_ keys: String...) -> StructuredValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { !keys.contains($0.key) })
    }
}

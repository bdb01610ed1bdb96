import Diagnostics
import LocalFiles
import DepthGeometry
import ImageFiles
import Imaging
import ScalarText

/// What the small files beside pictures say about the cameras that took them.
///
/// Read are JSON, YAML and plain numbers in any form that ``IntrinsicsDocument`` knows, in the pictures' folder, in the folders
/// around it, or in a folder made for them; and of RealSense-like rigs, under the keys or in files of the names that their tools and users give:
///
/// - the depth camera's own intrinsics: `depth_intrinsics`, `depth`, or a file with "depth" in its name;
/// - where the depth camera sits: `depth_to_color`, `extrinsics`, or a file with "extrinsic" in its name; see ``Extrinsics``;
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
    /// Metres a unit of a floating-point depth map.
    var floatingPointUnit: Double?
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

    /// How many folders around the pictures are looked into besides the root: an archive may claim any number.
    private static let mostLevels = 4

    /// How many files of a folder are looked into, those first that a camera's would be called like.
    private static let mostFiles = 100

    /// What files are mostly called that describe a camera.
    private static let cameraWords = ["intrinsic", "camera", "calib", "matrix"]
    /// What files are mostly called that describe cameras, or how two of them sit beside each other.
    private static let likelyWords = cameraWords + ["extrinsic"]

    /// Reads the files of a recording that describe its cameras.
    /// - Parameter pictures: the files that the cameras took; what lies nearest to them is believed first.
    /// - Throws: `.badInput` for a camera that cannot be true, and if two files beside each other state different colour
    ///   cameras.
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

    /// Takes from another place what is not known yet.
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

    /// Reads the files of one folder and of those in it that are made for cameras.
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
            // What is empty, or larger than any camera's description, describes none.
            return
        }
        if let cameras = try COLMAPCameras(file) {
            // Where pictures were taken by several, images.txt tells; see COLMAPImages.
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

    /// The content of a file, nil if the file does not describe a camera.
    ///
    /// Beside pictures lie texts of all sorts (camera_trajectory.txt is one): one that cannot be parsed is a camera's only if
    /// name and extension say so.
    private static func structure(
        of file: InputFile, name: String
    ) throws(FlatteningError) -> StructuredValue? {
        let stem = RecordedFiles.stem(name).lowercased()
        let isNamed = cameraWords.contains(where: stem.contains)
        let isDocument = ["json", "yaml", "yml"].contains(RecordedFiles.fileExtension(name))
        do throws(FlatteningError) {
            let root = try IntrinsicsDocument.structure(of: file)
            // Nine bare numbers may be anything, a pose for one.
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

    /// Takes what AVFoundation says of its depth data.
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
            // Some write the colour camera's name over it and leave the rest to guess.
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

import Foundation
public import ImageFiles
public import Imaging

/// What belongs to one capture and how it is to be understood: from a folder's `capture.json` or from a command line.
public struct CaptureDescription: Equatable, Sendable {
    /// How a depth file's numbers are to be read.
    public struct Depth: Equatable, Sendable {
        /// What a number of the file measures.
        public enum Kind: String, Sendable, CaseIterable {
            /// Distance.
            case depth
            /// One over distance.
            case disparity
        }

        /// What the distance is measured along.
        public enum Projection: String, Sendable, CaseIterable {
            /// The optical axis (z-depth).
            case planar
            /// Each pixel's own ray.
            case radial
        }

        /// The file's path, "-" for standard input.
        public var path: String
        /// Size of one unit: metres (1/metres for disparity). Nil = 0.001 for whole numbers, 1 for floating point.
        public var unit: Double?
        /// Distance or its inverse.
        public var kind = Kind.depth
        /// Whether the unit can be trusted; `.relative` gives shape, never size.
        public var accuracy = DepthMap.Scale.metric
        /// Along the axis or along the ray.
        public var projection = Projection.planar

        /// A depth file in metres or millimetres along the axis.
        public init(path: String, unit: Double? = nil) {
            self.path = path
            self.unit = unit
        }
    }

    /// Where the intrinsics come from.
    public enum Intrinsics: Equatable, Sendable {
        /// A file of any form that ``IntrinsicsDocument`` knows.
        case file(String)
        /// What a file of the capture states among other things.
        case stated(IntrinsicsDocument, file: String)
        /// Numbers that the caller has.
        case given(IntrinsicsDocument)
    }

    /// What stands for a file that no path leads to.
    public enum Content: Equatable, Sendable {
        /// The file, unpacked.
        case file(InputFile)
        /// A map that its format stores in a way of its own, decoded.
        case samples(SampleMap)
    }

    /// The picture's path, "-" for standard input.
    public var imagePath: String
    /// The depth file, if any.
    public var depth: Depth?
    /// Whether depth inside the picture's own file is used where no depth file is named; the camera inside it always is.
    public var usesEmbeddedDepth = true
    /// The path of a confidence map with the depth map's size, if any.
    public var confidencePath: String?
    /// The camera, if known.
    public var intrinsics: Intrinsics?
    /// What was noticed in the description itself.
    public var notes: [String] = []
    /// Files that are in memory already (an archive's), under the paths by which the description names them.
    public var contents: [String: Content] = [:]
    /// The recording that this comes from, its format and frame; nil for a picture that was named itself.
    public var source: String?

    /// A picture, so far alone.
    public init(imagePath: String) { self.imagePath = imagePath }

    /// The name of the file that describes a capture folder.
    public static let fileName = "capture.json"

    /// Reads the `capture.json` of a folder.
    ///
    /// ```json
    /// { "image": "image.jpg",
    ///   "depth": { "file": "depth.png", "unit_metres": 0.0001, "kind": "depth", "accuracy": "absolute",
    ///              "projection": "planar" },
    ///   "confidence": "confidence.png",
    ///   "intrinsics": { "width": 3024, "height": 4032, "fx": 3346.6, "fy": 3346.6, "cx": 1505.2, "cy": 2013.7 },
    ///   "distortion": [0.1, -0.2, 0, 0, 0] }
    /// ```
    /// All but "image" may be missing. Files are named within the folder; keys that are not known are noted.
    /// - Throws: `.fileAccess` if there is no such file, `.badInput` for whatever the form does not allow.
    public static func read(
        folder: String, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) -> CaptureDescription {
        let path = join(folder, fileName)
        let file = try InputFile.read(path: path, limits: limits, kind: .metadata)
        return try parse(file, folder: folder)
    }

    /// Reads a `capture.json` that is already in memory.
    /// - Parameters:
    ///   - file: the file.
    ///   - folder: where its files lie.
    public static func parse(
        _ file: InputFile, folder: String
    ) throws(FlatteningError) -> CaptureDescription {
        do throws(FlatteningError) {
            let root = try StrictJSON.parse(file.bytes, name: file.name)
            return try CaptureDescription(root, folder: folder)
        } catch {
            throw error.naming(file: file.name)
        }
    }

    private init(_ root: StructuredValue, folder: String) throws(FlatteningError) {
        guard case .object = root else {
            throw Self.failure("a capture is described by a JSON object", seen: root.kind)
        }
        guard let image = root["image"] else {
            throw Self.failure(
                "\"image\" is missing", seen: "keys " + root.keys.prefix(8).joined(separator: ", "))
        }
        imagePath = try Self.path(image, key: "image", folder: folder)
        if let depth = root["depth"], depth != .null {
            self.depth = try Self.depth(depth, folder: folder, notes: &notes)
        }
        if let confidence = root["confidence"], confidence != .null {
            confidencePath = try Self.path(confidence, key: "confidence", folder: folder)
        }
        if let intrinsics = root["intrinsics"], intrinsics != .null {
            if intrinsics.string != nil {
                self.intrinsics = .file(try Self.path(intrinsics, key: "intrinsics", folder: folder))
                if let distortion = root["distortion"], distortion != .null {
                    throw Self.failure(
                        "\"distortion\" stands beside intrinsics in a file of their own",
                        seen: distortion.kind,
                        allowed: "one place for the camera")
                }
            } else {
                var document = try IntrinsicsDocument.recognize(root)
                document.form = Self.fileName
                self.intrinsics = .stated(document, file: Self.fileName)
            }
        } else if let distortion = root["distortion"], distortion != .null {
            throw Self.failure("\"distortion\" means nothing without \"intrinsics\"", seen: distortion.kind)
        }
        let known = ["image", "depth", "confidence", "intrinsics", "distortion"]
        for key in root.keys where !known.contains(key) {
            notes.append("\(Self.fileName): the key \"\(key.prefix(40))\" is not known and was passed over")
        }
    }

    private static func depth(
        _ value: StructuredValue, folder: String, notes: inout [String]
    ) throws(FlatteningError) -> Depth {
        if value.string != nil {
            return Depth(path: try path(value, key: "depth", folder: folder))
        }
        guard let file = value["file"] else {
            throw failure("\"depth\" names no \"file\"", seen: value.kind)
        }
        var depth = Depth(path: try path(file, key: "depth.file", folder: folder))
        if let unit = value["unit_metres"] {
            depth.unit = try self.unit(unit.number, seen: unit.kind)
        }
        depth.kind = try choice(value["kind"], key: "depth.kind") ?? .depth
        depth.projection = try choice(value["projection"], key: "depth.projection") ?? .planar
        switch value["accuracy"] {
        case nil, .string("absolute"): depth.accuracy = .metric
        case .string("relative"): depth.accuracy = .relative
        case .some(let other):
            throw failure("depth.accuracy is not known", seen: other.kind, allowed: "absolute, relative")
        }
        let known = ["file", "unit_metres", "kind", "projection", "accuracy"]
        for key in value.keys where !known.contains(key) {
            notes.append("\(fileName): the key \"depth.\(key.prefix(40))\" is not known and was passed over")
        }
        return depth
    }

    /// A unit that some camera could have: a nanometre to a kilometre.
    static func unit(_ number: Double?, seen: String) throws(FlatteningError) -> Double {
        guard let number, number >= 1e-9, number <= 1000 else {
            throw failure(
                "the depth unit is not a size in metres", seen: seen, allowed: "1e-9 ... 1000",
                advice: "0.001 for millimetres")
        }
        return number
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ value: StructuredValue?, key: String
    ) throws(FlatteningError) -> Choice? where Choice.RawValue == String {
        guard let value else { return nil }
        guard let choice = value.string.flatMap(Choice.init(rawValue:)) else {
            throw failure(
                "\(key) is not known", seen: value.kind,
                allowed: Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    /// A file name within the folder. A capture may come from a stranger: its names must not reach other files.
    private static func path(
        _ value: StructuredValue, key: String, folder: String
    ) throws(FlatteningError) -> String {
        guard let name = value.string else {
            throw failure("\"\(key)\" is not a file name", seen: value.kind)
        }
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        let isPlain = !parts.contains { $0.isEmpty || $0 == "." || $0 == ".." }
        let isText = !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        guard isPlain && isText && !name.contains("\\") && name.utf8.count <= 1024 && name != "-" else {
            throw failure(
                "\"\(key)\" is not the name of a file in the folder", seen: String(name.prefix(60)),
                allowed: "names without \"..\", empty parts, backslashes and a leading slash")
        }
        return join(folder, name)
    }

    /// Reads a file that the description names.
    func file(
        _ path: String, limits: FlatteningLimits, kind: InputFile.Kind = .image
    ) throws(FlatteningError) -> InputFile {
        if case .file(let file) = contents[path] { return file }
        return try InputFile.read(path: path, limits: limits, kind: kind)
    }

    /// Reads a map that the description names.
    func samples(_ path: String, limits: FlatteningLimits) throws(FlatteningError) -> SampleMap.File {
        if case .samples(let map) = contents[path] { return SampleMap.File(map: map) }
        return try SampleMap.decodeFile(try file(path, limits: limits), limits: limits)
    }

    private static func join(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    private static func failure(
        _ message: String, seen: String? = nil, allowed: String? = nil, advice: String? = nil
    ) -> FlatteningError {
        FlatteningError(
            .badInput, message, stage: "capture", seen: seen, allowed: allowed, advice: advice)
    }
}

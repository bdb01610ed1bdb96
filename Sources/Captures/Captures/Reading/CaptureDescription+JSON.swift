package import Diagnostics
package import LocalFiles
import ScalarText

// The format of capture.json, the project's own description of a capture folder.

extension CaptureDescription {
    /// Reads a `capture.json` that is already in memory.
    ///
    /// ```json
    /// { "image": "image.jpg",
    ///   "depth": { "file": "depth.png", "unit_metres": 0.0001, "kind": "depth", "accuracy": "absolute",
    ///              "projection": "planar" },
    ///   "confidence": "confidence.png",
    ///   "intrinsics": { "width": 3024, "height": 4032, "fx": 3346.6, "fy": 3346.6, "cx": 1505.2, "cy": 2013.7 },
    ///   "distortion": [0.1, -0.2, 0, 0, 0] }
    /// ```
    /// All keys but "image" are optional. Unknown keys are ignored with a note.
    /// - Parameters:
    ///   - file: the file to read.
    ///   - folder: the folder that holds its files; names that would lead out of it are refused.
    /// - Throws: `.badInput` for anything that the format does not allow.
    package static func parse(
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
        self.init(imagePath: try Self.path(image, key: "image", folder: folder))
        if let depth = root.member("depth") {
            self.depth = try Self.depth(depth, folder: folder, notes: &notes)
        }
        if let confidence = root.member("confidence") {
            confidencePath = try Self.path(confidence, key: "confidence", folder: folder)
        }
        intrinsics = try Self.intrinsics(root, folder: folder)
        notes += Self.notes(
            onKeysOf: root, besides: ["image", "depth", "confidence", "intrinsics", "distortion"])
    }

    /// Reads the camera: a file name, or numbers, which may come with the lens's distortion.
    private static func intrinsics(
        _ root: StructuredValue, folder: String
    ) throws(FlatteningError) -> Intrinsics? {
        let distortion = root.member("distortion")
        guard let intrinsics = root.member("intrinsics") else {
            if let distortion {
                throw failure("\"distortion\" needs \"intrinsics\"", seen: distortion.kind)
            }
            return nil
        }
        guard intrinsics.string != nil else {
            var document = try IntrinsicsDocument.recognize(root)
            document.form = CaptureFolder.descriptionName
            return .stated(document, file: CaptureFolder.descriptionName)
        }
        let path = try path(intrinsics, key: "intrinsics", folder: folder)
        if let distortion {
            throw failure(
                "\"distortion\" stands beside intrinsics in a file of their own", seen: distortion.kind,
                allowed: "one place for the camera")
        }
        return .file(path)
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
            depth.unit = try Depth.checkedUnit(unit.number, seen: unit.kind)
        }
        depth.kind = try choice(value["kind"], key: "depth.kind") ?? .depth
        depth.projection = try choice(value["projection"], key: "depth.projection") ?? .planar
        switch value["accuracy"] {
        case nil, .string("absolute"): depth.accuracy = .metric
        case .string("relative"): depth.accuracy = .relative
        case .some(let other):
            throw failure("depth.accuracy is not known", seen: other.kind, allowed: "absolute, relative")
        }
        notes += self.notes(
            onKeysOf: value, besides: ["file", "unit_metres", "kind", "projection", "accuracy"], in: "depth.")
        return depth
    }

    private static func notes(
        onKeysOf value: StructuredValue, besides known: [String], in parent: String = ""
    ) -> [String] {
        value.keys.filter { !known.contains($0) }.map {
            "\(CaptureFolder.descriptionName): the key \"\(parent)\($0.prefix(40))\" is unknown and was ignored"
        }
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

    /// Returns a file name within the folder. A capture may come from a stranger, so its names must not reach other files.
    private static func path(
        _ value: StructuredValue, key: String, folder: String
    ) throws(FlatteningError) -> String {
        guard let name = value.string else {
            throw failure("\"\(key)\" is not a file name", seen: value.kind)
        }
        let parts = name.split(atScalar: "/", omittingEmptySubsequences: false)
        let isPlain = !parts.contains { $0.isEmpty || $0 == "." || $0 == ".." }
        let isText = !name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        guard isPlain && isText && !name.containsScalar("\\") && name.utf8.count <= 1024 && name != "-" else {
            throw failure(
                "\"\(key)\" is not the name of a file in the folder", seen: String(name.prefix(60)),
                allowed: "names without \"..\", empty parts, backslashes and a leading slash")
        }
        return FilePath.join(folder, name)
    }

    private static func failure(
        _ message: String, seen: String? = nil, allowed: String? = nil, advice: String? = nil
    ) -> FlatteningError {
        FlatteningError(
            .badInput, message, stage: .capture, seen: seen, allowed: allowed, advice: advice)
    }
}

extension StructuredValue {
    /// Returns a member that is present and not null.
    fileprivate func member(_ key: String) -> StructuredValue? {
        self[key].flatMap { $0 == .null ? nil : $0 }
    }
}

import DepthGeometry
package import Diagnostics
package import LocalFiles
import ImageFiles
package import Imaging

/// Camera intrinsics as a file states them: checked, but not yet applied to an image.
///
/// They are recognised by content:
/// - `{"fx", "fy", "cx", "cy"[, "width", "height"]}`, the project's own, also below the key "intrinsics" of a capture.json;
///   RealSense's `ppx`, `ppy`, `coeffs`, `model`; nerfstudio's `fl_x`, `fl_y`, `w`, `h`;
/// - Open3D's `intrinsic_matrix` (nine numbers, column-major), also below "intrinsic";
/// - a 3 x 3 matrix under `camera_matrix`, `cam_matrix`, `K`, `intrinsics` and the like: nested rows, nine numbers, or
///   OpenCV's and ROS's `{rows, cols, data}`, in JSON or YAML; or a matrix that is the whole file. Whether rows or
///   columns come first follows from where the zeros are;
/// - the `IntrinsicMatrix.0` to `.2` of a `DepthMetadata.json`, taken from its middle frame;
/// - Apple's `intrinsicMatrix` with `intrinsicMatrixReferenceDimensions` (`AVCameraCalibrationData`);
/// - plain numbers: a 3 x 3 or 4 x 4 matrix row by row, or fx fy cx cy;
/// - COLMAP's `cameras.txt` with one camera.
package struct IntrinsicsDocument: Equatable, Sendable {
    /// Focal length along x in pixels.
    package var fx: Double
    /// Focal length along y in pixels.
    package var fy: Double
    /// Principal point, column in pixels (pixel centres on whole numbers).
    package var cx: Double
    /// Principal point, row in pixels.
    package var cy: Double
    /// The size of the image that these intrinsics belong to; nil if the file does not say.
    package var size: PixelSize?
    /// The lens's distortion, nil if none is stated or all its coefficients are 0.
    package var distortion: DistortionDocument?
    /// The recognised form: "Open3D", "3 x 3 matrix by rows" ...
    package var form: String
    /// Notes on what was ignored.
    package var notes: [String] = []

    /// Whether these intrinsics belong to the image beside them, whatever its size.
    var isOfThePicture = false

    /// The same camera, marked as stated for the image in the same recording.
    var ofThePicture: IntrinsicsDocument {
        var document = self
        document.isOfThePicture = true
        return document
    }

    /// The form of numbers given without a file; they cannot name an image size.
    package static let givenForm = "given numbers"

    /// Creates intrinsics from the caller's numbers.
    /// - Throws: `.badInput` if a focal length or the principal point is impossible.
    package init(
        fx: Double, fy: Double, cx: Double, cy: Double, size: PixelSize? = nil,
        distortion: DistortionDocument? = nil, form: String = IntrinsicsDocument.givenForm
    ) throws(FlatteningError) {
        self.fx = fx
        self.fy = fy
        self.cx = cx
        self.cy = cy
        self.size = size
        self.distortion = distortion
        self.form = form
        try check()
    }

    /// Creates intrinsics from those embedded in an image file.
    /// - Throws: `.badInput` if they are impossible.
    init(_ embedded: EmbeddedCapture.Camera) throws(FlatteningError) {
        try self.init(
            fx: embedded.focalLength.x, fy: embedded.focalLength.y, cx: embedded.principalPoint.x,
            cy: embedded.principalPoint.y, size: embedded.size, form: "inside the picture")
    }

    /// Reads a file of any of the known forms.
    /// - Throws: `.fileAccess`, `.limitExceeded`, or `.badInput` that names what is missing or impossible.
    package static func read(
        path: String, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) -> IntrinsicsDocument {
        try parse(try InputFile.read(path: path, limits: limits, kind: .metadata))
    }

    /// Reads a file that is already in memory.
    /// - Throws: `.badInput` that names what is missing or impossible.
    package static func parse(_ file: InputFile) throws(FlatteningError) -> IntrinsicsDocument {
        do throws(FlatteningError) {
            if let cameras = try COLMAPCameras(file) { return try cameras.only }
            return try recognize(try structure(of: file))
        } catch {
            throw error.naming(file: file.name)
        }
    }

    /// JSON if the file starts as JSON does, else YAML.
    static func structure(of file: InputFile) throws(FlatteningError) -> StructuredValue {
        let isText = !file.bytes.prefix(4096).contains(0) && file.format == nil
        guard
            isText || file.bytes.starts(with: [0xFF, 0xFE]) || file.bytes.starts(with: [0xFE, 0xFF])
                || file.bytes.prefix(1) == [UInt8(ascii: "{")]
        else {
            throw FlatteningError(
                .badInput, "the file holds no text", file: file.name, stage: .intrinsics,
                seen: file.format.map(\.rawValue) ?? "binary data", allowed: "JSON or YAML")
        }
        let start = file.bytes.drop { [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }.first
        switch start {
        case UInt8(ascii: "{"), UInt8(ascii: "["), 0xFF, 0xFE:
            return try StrictJSON.parse(file.bytes, name: file.name)
        default:
            if let numbers = PlainNumbers.structure(of: file) { return numbers }
            return try YAMLDocument.parse(file.bytes, name: file.name)
        }
    }

    /// Returns the intrinsics in a value.
    /// - Throws: `.badInput` if there are none, or if they are impossible.
    static func recognize(_ root: StructuredValue) throws(FlatteningError) -> IntrinsicsDocument {
        if let found = try AVDepthDataFormat.camera(in: root) { return found }
        if let found = try find(in: root) { return found }
        throw FlatteningError(
            .badInput, "no camera intrinsics were found", stage: .intrinsics,
            seen: root.keys.isEmpty ? root.kind : "keys " + root.keys.prefix(8).joined(separator: ", "),
            allowed: "fx, fy, cx, cy or a 3 x 3 camera matrix")
    }

    /// Returns the intrinsics in a value; nil if it has none.
    static func find(
        in root: StructuredValue, depth: Int = 0
    ) throws(FlatteningError) -> IntrinsicsDocument? {
        // Wrapper objects hold the camera one level down.
        if depth < 2,
            let inner = root.first(of: .wrapper)?.value,
            // A matrix with "rows" and "cols" is not a wrapper.
            !inner.keys.isEmpty && inner["data"] == nil
        {
            guard var found = try find(in: inner, depth: depth + 1) else { return nil }
            if found.size == nil { found.size = try self.size(in: root) }
            if found.distortion == nil { found.distortion = try DistortionDocument(in: root) }
            return found
        }
        if let matrix = try matrix(in: root) {
            let size = try self.size(in: root)
            var found = try IntrinsicsDocument(
                fx: matrix.fx, fy: matrix.fy, cx: matrix.cx, cy: matrix.cy, size: size,
                distortion: try DistortionDocument(in: root), form: matrix.form)
            found.notes = matrix.notes
            return found
        }
        return try named(root)
    }

    /// Reads focal lengths and principal point from separate keys.
    private static func named(_ root: StructuredValue) throws(FlatteningError) -> IntrinsicsDocument? {
        let fx = root.first(of: .focalLengthX)
        let fy = root.first(of: .focalLengthY)
        let cx = root.first(of: .principalPointX)
        let cy = root.first(of: .principalPointY)
        guard fx != nil || fy != nil || cx != nil || cy != nil else { return nil }
        func required(
            _ found: (key: String, value: StructuredValue)?, _ name: String
        ) throws(FlatteningError) -> Double {
            guard let found else {
                throw FlatteningError(
                    .badInput, "\(name) is missing", stage: .intrinsics,
                    seen: "keys " + root.keys.prefix(8).joined(separator: ", "))
            }
            guard let number = found.value.number else {
                throw FlatteningError(
                    .badInput, "\(found.key) is not a number", stage: .intrinsics, seen: found.value.kind)
            }
            return number
        }
        let isRealSense = root["ppx"] != nil
        return try IntrinsicsDocument(
            fx: required(fx, "fx"), fy: required(fy, "fy"), cx: required(cx, "cx"), cy: required(cy, "cy"),
            size: size(in: root), distortion: DistortionDocument(in: root),
            form: isRealSense ? "RealSense" : root["fl_x"] != nil ? "nerfstudio" : "fx, fy, cx, cy")
    }

    /// Reads width and height, both or neither.
    private static func size(in root: StructuredValue) throws(FlatteningError) -> PixelSize? {
        // Apple states its matrix for an image of its own; the image in the recording is a smaller copy of it.
        let reference = root.first(of: .referenceSize)
        if let reference, let sides = reference.value.numbers, sides.count == 2 {
            return try size(
                in: .object(["width": .number(sides[0]), "height": .number(sides[1])]))
        }
        if let reference, !reference.value.keys.isEmpty { return try size(in: reference.value) }
        let width = root.first(of: .width)
        let height = root.first(of: .height)
        guard width != nil || height != nil else { return nil }
        func whole(
            _ found: (key: String, value: StructuredValue)?, _ name: String
        ) throws(FlatteningError) -> Int {
            guard let found else {
                throw FlatteningError(
                    .badInput, "\(name) is missing beside the other side", stage: .intrinsics)
            }
            // No sensor has 2^20 pixels a side; larger values would make all later products meaningless.
            guard let number = found.value.number, number >= 1, number <= 1_048_576,
                let whole = Int(exactly: number)
            else {
                throw FlatteningError(
                    .badInput, "\(found.key) is not a number of pixels", stage: .intrinsics,
                    seen: found.value.kind, allowed: "a whole number from 1 to 1048576")
            }
            return whole
        }
        return PixelSize(width: try whole(width, "width"), height: try whole(height, "height"))
    }

    /// Checks that focal lengths are between a hundredth and a thousand times the image's longer side (0.1 to 179 degrees of
    /// view), and that the principal point is within ten image sizes: anything else is a typing error, not a camera.
    private func check() throws(FlatteningError) {
        let size = size ?? PixelSize(width: 16_384, height: 16_384)
        _ = try CameraIntrinsics(validatingFx: fx, fy: fy, cx: cx, cy: cy, imageSize: size)
        try checkRange(in: size, isKnown: self.size != nil)
    }

    /// Makes the same check when the image's size is known.
    func checkRange(in size: PixelSize, isKnown: Bool = true) throws(FlatteningError) {
        let side = Double(max(size.width, size.height))
        let least = isKnown ? side / 100 : 1
        for (name, value) in [("fx", fx), ("fy", fy)] where value < least || value > side * 1000 {
            throw FlatteningError(
                .badInput, "\(name) is implausible as a focal length", stage: .intrinsics, seen: "\(value)",
                allowed: isKnown ? "\(least) ... \(side * 1000) for \(size)" : "1 ... \(side * 1000)",
                advice: "Focal lengths are in pixels")
        }
        for (name, value) in [("cx", cx), ("cy", cy)] where abs(value) > side * 10 {
            throw FlatteningError(
                .badInput, "\(name) lies far outside the picture", stage: .intrinsics, seen: "\(value)",
                allowed: "within ten pictures of \(size)")
        }
    }
}

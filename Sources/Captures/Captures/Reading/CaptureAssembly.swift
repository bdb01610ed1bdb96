import DepthGeometry
import Diagnostics
import ImageFiles
import Imaging
import LocalFiles
import Parallelism

/// Assembles an upright capture from the files that a description names: first the image, then its camera, then its depth.
///
/// Every assumption made and all tolerated damage is added to the capture's warnings, in the order of the steps.
struct CaptureAssembly {
    /// What has been assembled so far.
    private(set) var capture: Capture

    private let description: CaptureDescription
    private let limits: FlatteningLimits
    private let stated: StatedCamera?
    private let embedded: EmbeddedCapture?
    /// The named depth as its file holds it; nil if none is named.
    private let depthFile: Result<SampleMap.File, FlatteningError>?

    /// Reads the image, other data in its file, and the stated camera, which is not yet applied to the image.
    /// - Throws: `FlatteningError` for files that cannot be read.
    init(_ description: CaptureDescription, limits: FlatteningLimits) throws(FlatteningError) {
        self.description = description
        self.limits = limits
        // Small inputs that may be refused are read before large ones.
        stated = try StatedCamera(description, limits: limits)
        let path = description.imagePath
        let file = try description.files.file(path, limits: limits)
        // Files are read one after the other, because file descriptors may be short. But a decoder uses one core, so the
        // depth is decoded on another.
        let depthDecoder = description.depth.map { depth in
            Result { () throws(FlatteningError) in
                try description.files.decoder(ofMap: depth.path, limits: limits)
            }
        }
        let (decoded, depthFile) = together {
            Result { () throws(FlatteningError) in
                try ColorPicture.decode(file, page: description.page?.number, limits: limits)
            }
        } _: {
            depthDecoder.map { decoder in
                Result { () throws(FlatteningError) in try decoder.get()() }
            }
        }
        self.depthFile = depthFile
        let picture = try decoded.get()
        var warnings = description.notes + picture.warnings.map { "\(path): \($0)" }
        // Embedded depth belongs to a file's main image, which is its first page.
        embedded =
            (description.page?.number ?? 1) == 1
            ? try Self.embedded(in: file, limits: limits, warnings: &warnings) : nil
        capture = Capture(
            image: picture.image.oriented(by: picture.orientation),
            metadata: Capture.Metadata(
                source: description.source, imageName: path, storedSize: picture.image.size,
                orientation: picture.orientation, focalLengthIn35mmFilm: picture.focalLengthIn35mmFilm))
        capture.page = description.page
        capture.warnings = warnings
    }

    /// Returns the other data in the image file. Damage there does not make the image unreadable.
    static func embedded(
        in file: InputFile, limits: FlatteningLimits, warnings: inout [String]
    ) throws(FlatteningError) -> EmbeddedCapture? {
        do throws(FlatteningError) {
            return try EmbeddedCapture.read(file, limits: limits)
        } catch {
            guard error.code != .timeout else { throw error }
            warnings.append("the depth inside the picture is not used: \(error)")
            return nil
        }
    }
}

// MARK: - The camera

extension CaptureAssembly {
    /// The camera of the upright image, and its origin.
    private struct PictureCamera {
        var camera: Camera
        var origin: Capture.IntrinsicsOrigin
        var statedSize: PixelSize?
    }

    /// Uses the stated camera, else the one embedded in the image file, else EXIF's focal length.
    /// - Throws: `.badInput` for a stated camera that contradicts the image.
    mutating func addCamera() throws(FlatteningError) {
        guard let found = try statedCamera() ?? embeddedCamera() ?? exifCamera() else { return }
        capture.intrinsics = found.camera.intrinsics
        capture.distortion = found.camera.distortion
        capture.metadata.intrinsicsOrigin = found.origin
        capture.metadata.intrinsicsStatedSize = found.statedSize
    }

    private mutating func statedCamera() throws(FlatteningError) -> PictureCamera? {
        guard let stated else { return nil }
        do throws(FlatteningError) {
            return try place(stated)
        } catch {
            if case .file(let name, _) = stated.origin { throw error.naming(file: name) }
            throw error
        }
    }

    private mutating func embeddedCamera() -> PictureCamera? {
        guard stated == nil, let inside = embedded?.camera else { return nil }
        do throws(FlatteningError) {
            return try place(
                StatedCamera(
                    document: try IntrinsicsDocument(inside),
                    origin: .file(name: description.imagePath, form: "inside the picture")))
        } catch {
            capture.warnings.append("the camera inside the picture is not used: \(error)")
            return nil
        }
    }

    private mutating func exifCamera() -> PictureCamera? {
        guard let millimeters = capture.metadata.focalLengthIn35mmFilm else { return nil }
        guard
            let intrinsics = CameraIntrinsics(
                focalLengthIn35mmFilm: millimeters, imageSize: capture.metadata.storedSize)
        else {
            capture.warnings.append(
                "the EXIF focal length of \(millimeters) mm (35 mm equivalent) is implausible and was ignored"
            )
            return nil
        }
        return PictureCamera(
            camera: Camera(intrinsics: intrinsics).rotated(capture.metadata.orientation),
            origin: .exifFocalLength(millimeters: millimeters))
    }

    private mutating func place(_ stated: StatedCamera) throws(FlatteningError) -> PictureCamera {
        PictureCamera(
            camera: try stated.document.camera(
                of: capture.metadata.storedSize, orientation: capture.metadata.orientation,
                warnings: &capture.warnings),
            origin: stated.origin, statedSize: stated.document.size)
    }
}

/// The camera that a description names, as stated: not yet applied to an image.
private struct StatedCamera {
    var document: IntrinsicsDocument
    var origin: Capture.IntrinsicsOrigin

    init(document: IntrinsicsDocument, origin: Capture.IntrinsicsOrigin) {
        self.document = document
        self.origin = origin
    }

    /// Reads the camera; nil if the description names none.
    init?(_ description: CaptureDescription, limits: FlatteningLimits) throws(FlatteningError) {
        switch description.intrinsics {
        case .file(let path):
            document = try IntrinsicsDocument.parse(
                try description.files.file(path, limits: limits, kind: .metadata))
            origin = .file(name: path, form: document.form)
        case .stated(let stated, let file):
            document = stated
            origin = .file(name: file, form: stated.form)
        case .given(let given):
            document = given
            origin = .given
        case nil: return nil
        }
    }
}

// MARK: - The depth

extension CaptureAssembly {
    /// The fewest valid readings of a usable map: any three readings form a plane, with nothing to contradict it; with a few
    /// more, noise alone decides.
    private static let fewestReadings = 16
    /// The possible range of the median of metric depth, in metres. Values beyond it mean a wrong unit: products of such
    /// readings overflow or vanish, and no sheet can be seen.
    private static let possibleDistances = 1e-4...1e3

    /// Uses the named depth, else the one embedded in the image file, or notes why it cannot be used.
    /// - Parameter minimumConfidence: readings below this level are removed.
    /// - Throws: `FlatteningError` for files that cannot be read.
    mutating func addDepth(minimumConfidence: ConfidenceMap.Level) throws(FlatteningError) {
        guard let (reading, name) = try depthReading() else {
            if let path = description.confidencePath {
                capture.warnings.append("\(path): a confidence map without depth is ignored")
            }
            return
        }
        capture.metadata.depthName = name
        capture.metadata.depthForm = reading.form
        capture.metadata.assumedDepthUnit = reading.assumedUnit
        capture.warnings.append(contentsOf: reading.warnings)
        guard let turn = turn(of: reading), let upright = upright(reading, turn: turn) else { return }
        let trusted = try trusted(upright, of: reading, turn: turn, atLeast: minimumConfidence)
        let planar = reading.isRadial ? planar(trusted) : trusted
        guard isPlausible(planar) else { return }
        capture.depth = planar
    }

    private func depthReading() throws(FlatteningError) -> (reading: DepthReading, name: String)? {
        if let depth = description.depth, let decoded = try depthFile?.get() {
            return (try DepthReading(depth, decoded: decoded), depth.path)
        }
        guard description.usesEmbeddedDepth, let depth = embedded?.depth else { return nil }
        return (DepthReading(depth), description.imagePath)
    }

    /// Returns the turn that makes the map upright, from its own tag or else from its shape. Nil if neither decides.
    private mutating func turn(of reading: DepthReading) -> ImageOrientation? {
        if let own = reading.orientation, own != .up { return own }
        let (stored, orientation) = (capture.metadata.storedSize, capture.metadata.orientation)
        if let arrangement = Arrangement.of(reading.map.size, picture: stored, orientation: orientation) {
            return arrangement.turn(orientation)
        }
        refuseDepth(
            "the depth map (\(reading.map.size)) does not have the shape of the picture (\(stored)), "
                + "so that it is unknown which reading belongs to which pixel")
        return nil
    }

    private mutating func upright(_ reading: DepthReading, turn: ImageOrientation) -> DepthMap? {
        capture.metadata.depthOrientation = turn
        let map = reading.map.oriented(by: turn)
        guard Arrangement.haveSameShape(map.size, capture.image.size) else {
            refuseDepth("turned by its own orientation tag, the depth map does not have the picture's shape")
            return nil
        }
        return map
    }

    /// Returns the upright map without the readings that the confidence map, if any, does not trust.
    private mutating func trusted(
        _ map: DepthMap, of reading: DepthReading, turn: ImageOrientation,
        atLeast level: ConfidenceMap.Level
    ) throws(FlatteningError) -> DepthMap {
        guard let path = description.confidencePath else { return map }
        let confidence = try ConfidenceReading(
            try description.files.samples(path, limits: limits), name: path)
        capture.metadata.confidenceName = path
        guard Arrangement.haveSameShape(confidence.map.size, reading.map.size) else {
            capture.warnings.append(
                "\(path): the confidence map (\(confidence.map.size)) does not have the shape of the depth "
                    + "map (\(reading.map.size)) and was ignored")
            return map
        }
        let own = confidence.orientation.flatMap { $0 == .up ? nil : $0 }
        let masked = map.masked(by: confidence.map.oriented(by: own ?? turn), atLeast: level)
        let before = map.validFraction
        capture.metadata.shareDroppedByConfidence = before > 0 ? 1 - masked.validFraction / before : 0
        return masked
    }

    /// Converts distances along each ray to distances along the axis, with the assumed camera if none is known, like all
    /// later steps.
    private func planar(_ radial: DepthMap) -> DepthMap {
        .planar(
            fromRadial: radial, intrinsics: capture.intrinsics ?? .assumed(imageSize: capture.image.size),
            distortion: capture.distortion)
    }

    private mutating func isPlausible(_ map: DepthMap) -> Bool {
        let valid = Int((map.validFraction * Double(map.size.pixelCount)).rounded())
        guard valid >= Self.fewestReadings else {
            refuseDepth(
                valid == 0
                    ? "the depth map holds no valid reading"
                    : "the depth map holds only \(valid) valid readings")
            return false
        }
        let median = CaptureInspection.measure(map).percentiles.y
        guard map.scale == .relative || Self.possibleDistances.contains(median) else {
            refuseDepth(
                "its median distance is \(median) m, which is implausible for a sheet"
            )
            return false
        }
        return true
    }

    private mutating func refuseDepth(_ reason: String) {
        capture.depth = nil
        capture.depthRefusal = reason
        capture.warnings.append("the depth is not used: " + reason)
    }
}

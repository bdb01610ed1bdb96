public import DepthGeometry
import Foundation
public import ImageFiles
public import Imaging

extension Capture {
    /// Reads a recording of any format that ``Recording`` knows (its middle frame, if there are many), or a picture alone.
    /// - Throws: `FlatteningError` for files that cannot be read; never for information that is missing.
    public static func read(
        _ path: String, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) -> Capture {
        try read(try CaptureDescription.find(path, limits: limits), limits: limits)
    }

    /// Reads the files that a description names and brings them together, upright.
    /// - Parameters:
    ///   - description: which files, and how they are to be understood.
    ///   - limits: how much the file may ask for.
    ///   - minimumConfidence: readings of a lower level are taken out.
    /// - Throws: `FlatteningError` naming the file: `.fileAccess`, `.limitExceeded`, `.unsupported`, or `.badInput` for
    ///   broken files and for intrinsics that contradict the picture.
    /// - Complexity: O(pixels). The picture is in memory once, twice while it is turned.
    public static func read(
        _ description: CaptureDescription, minimumConfidence: ConfidenceMap.Level = .medium,
        limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) -> Capture {
        // What is small and may be refused comes before what is large.
        var document: IntrinsicsDocument?
        var origin = IntrinsicsOrigin.none
        switch description.intrinsics {
        case .file(let path):
            let read = try IntrinsicsDocument.parse(
                try description.file(path, limits: limits, kind: .metadata))
            origin = .file(name: path, form: read.form)
            document = read
        case .stated(let stated, let file):
            origin = .file(name: file, form: stated.form)
            document = stated
        case .given(let given):
            origin = .given
            document = given
        case nil: break
        }
        let file = try description.file(description.imagePath, limits: limits)
        let picture = try ColorPicture.decode(file, limits: limits)
        let stored = picture.image.size
        let orientation = picture.orientation

        var metadata = Metadata(
            imageName: description.imagePath, storedSize: stored, orientation: orientation,
            focalLengthIn35mmFilm: picture.focalLengthIn35mmFilm)
        metadata.source = description.source
        var warnings = description.notes + picture.warnings.map { "\(description.imagePath): \($0)" }
        let embedded = try Self.embedded(in: file, limits: limits, warnings: &warnings)
        var camera: Camera?
        if document == nil, let inside = embedded?.camera {
            do throws(FlatteningError) {
                camera = try IntrinsicsDocument(inside)
                    .camera(of: stored, orientation: orientation, warnings: &warnings)
                metadata.intrinsicsStatedSize = inside.size
                metadata.intrinsicsOrigin = .file(name: description.imagePath, form: "inside the picture")
            } catch {
                warnings.append("the camera inside the picture is not used: \(error)")
            }
        }
        if let document {
            do throws(FlatteningError) {
                camera = try document.camera(of: stored, orientation: orientation, warnings: &warnings)
            } catch {
                if case .file(let name, _) = origin { throw error.naming(file: name) }
                throw error
            }
            metadata.intrinsicsStatedSize = document.size
            metadata.intrinsicsOrigin = origin
        } else if camera == nil, let millimeters = picture.focalLengthIn35mmFilm {
            if let intrinsics = CameraIntrinsics(focalLengthIn35mmFilm: millimeters, imageSize: stored) {
                camera = Camera(intrinsics: intrinsics).rotated(orientation)
                metadata.intrinsicsOrigin = .exifFocalLength(millimeters: millimeters)
            } else {
                warnings.append(
                    "EXIF's focal length of \(millimeters) mm (35 mm equivalent) is no lens's; passed over")
            }
        }

        var capture = Capture(
            image: picture.image.oriented(by: orientation), intrinsics: camera?.intrinsics,
            distortion: camera?.distortion, metadata: metadata)
        capture.warnings = warnings
        if let depth = description.depth {
            try capture.add(
                try DepthReading(depth, decoded: try description.samples(depth.path, limits: limits)),
                name: depth.path, of: description, minimumConfidence: minimumConfidence, limits: limits)
        } else if description.usesEmbeddedDepth, let depth = embedded?.depth {
            try capture.add(
                DepthReading(depth), name: description.imagePath, of: description,
                minimumConfidence: minimumConfidence, limits: limits)
        } else if let path = description.confidencePath {
            capture.warnings.append("\(path): a confidence map without depth says nothing")
        }
        return capture
    }

    /// What the picture's file holds beside the picture. That it is broken does not make the picture unreadable.
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

    /// Brings depth and its confidence to the picture, or says why the depth cannot be used.
    private mutating func add(
        _ reading: DepthReading, name: String, of files: CaptureDescription,
        minimumConfidence: ConfidenceMap.Level, limits: FlatteningLimits
    ) throws(FlatteningError) {
        metadata.depthName = name
        metadata.depthForm = reading.form
        metadata.assumedDepthUnit = reading.assumedUnit
        warnings.append(contentsOf: reading.warnings)

        let turn: ImageOrientation
        if let own = reading.orientation, own != .up {
            turn = own
        } else if let arrangement = Arrangement.of(
            reading.map.size, picture: metadata.storedSize, orientation: metadata.orientation)
        {
            turn = arrangement.turn(metadata.orientation)
        } else {
            refuseDepth(
                "the depth map (\(reading.map.size)) has another shape than the picture (\(metadata.storedSize)), "
                    + "so that it is unknown which reading belongs to which pixel")
            return
        }
        metadata.depthOrientation = turn
        var map = reading.map.oriented(by: turn)
        guard Arrangement.haveSameShape(map.size, image.size) else {
            refuseDepth("the depth map's own orientation tag gives it another shape than the picture's")
            return
        }

        if let confidencePath = files.confidencePath {
            let confidence = try ConfidenceReading(
                try files.samples(confidencePath, limits: limits), name: confidencePath)
            metadata.confidenceName = confidencePath
            if Arrangement.haveSameShape(confidence.map.size, reading.map.size) {
                let own = confidence.orientation.flatMap { $0 == .up ? nil : $0 }
                let before = map.validFraction
                map = map.masked(by: confidence.map.oriented(by: own ?? turn), atLeast: minimumConfidence)
                metadata.shareDroppedByConfidence = before > 0 ? 1 - map.validFraction / before : 0
            } else {
                warnings.append(
                    "\(confidencePath): the confidence map (\(confidence.map.size)) has another shape than the depth "
                        + "map (\(reading.map.size)) and was passed over")
            }
        }

        if reading.isRadial {
            guard let intrinsics else {
                refuseDepth("distances along each ray cannot be used without the camera's intrinsics")
                return
            }
            map = .planar(fromRadial: map, intrinsics: intrinsics, distortion: distortion)
        }

        // Three points make a plane and nothing can be said against it; with a few more noise alone decides.
        let valid = Int((map.validFraction * Double(map.size.pixelCount)).rounded())
        guard valid >= 16 else {
            refuseDepth(
                valid == 0
                    ? "the depth map holds no valid reading"
                    : "the depth map holds only \(valid) valid readings")
            return
        }
        // Beyond these no unit was meant: products of such readings overflow or vanish, and no sheet is there to see.
        let median = CaptureInspection.measure(map).percentiles.y
        guard map.scale == .relative || (1e-4...1e3).contains(median) else {
            refuseDepth(
                "half of its readings lie \(median > 1 ? "beyond" : "within") \(median) m, where no camera sees a sheet"
            )
            return
        }
        depth = map
    }

    private mutating func refuseDepth(_ reason: String) {
        depth = nil
        depthRefusal = reason
        warnings.append("the depth is not used: " + reason)
    }
}

extension CaptureDescription {
    /// The description of whatever a path leads to: a recording of any format that ``Recording`` knows, or a picture.
    /// - Parameters:
    ///   - path: the file, as the caller names it.
    ///   - limits: how much the file may ask for.
    ///   - frame: which frame of a recording; nil for the one in the middle.
    /// - Throws: see ``Recording/open(_:limits:)``.
    public static func find(
        _ path: String, frame: Int? = nil, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) -> CaptureDescription {
        let recording = try Recording.open(path, limits: limits)
        return try recording.description(at: frame ?? recording.middleIndex).description
    }
}

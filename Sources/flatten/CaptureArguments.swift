import ArgumentParser
import ReceiptFlattening

/// What names a capture: shared by all subcommands.
struct CaptureArguments: ParsableArguments {
    @Argument(help: "A capture folder, or a picture (PNG, JPEG, TIFF).", completion: .file())
    var capture: String

    @Option(help: "The depth map that belongs to the picture (PNG, TIFF or NPY).", completion: .file())
    var depth: String?

    @Option(
        help: "Size of one depth unit in metres: 0.001 for millimetres. Needed for depth in whole numbers.")
    var depthUnit: Double?

    @Option(help: "The readings' confidence (0/1/2 or 0/127/255).", completion: .file())
    var confidence: String?

    @Option(
        help: "Camera intrinsics: JSON (ours, Open3D, RealSense) or YAML (OpenCV, ROS).", completion: .file())
    var intrinsics: String?

    @Option(help: "Focal length along x in pixels.") var fx: Double?
    @Option(help: "Focal length along y in pixels (--fx if left out).") var fy: Double?
    @Option(help: "Principal point, column in pixels.") var cx: Double?
    @Option(help: "Principal point, row in pixels.") var cy: Double?

    @Option(help: "The most pixels that a picture may have, in millions.")
    var maxMegapixels: Double?

    @Option(help: "The largest file that is read, in MiB.")
    var maxFileMib: Int?

    mutating func validate() throws {
        if fx != nil || fy != nil || cx != nil || cy != nil, fx == nil || cx == nil || cy == nil {
            throw ValidationError("--fx, --cx and --cy go together (and --fy, if the pixels are not square)")
        }
        if fx != nil, intrinsics != nil {
            throw ValidationError("--intrinsics and --fx are two answers to one question; give one")
        }
        if depthUnit != nil, depth == nil {
            throw ValidationError("--depth-unit goes with --depth")
        }
        if let depthUnit, !(depthUnit > 0 && depthUnit.isFinite) {
            throw ValidationError("--depth-unit is a size in metres greater than 0")
        }
        for (name, value) in [("--fx", fx), ("--fy", fy)] {
            if let value, !(value > 0 && value.isFinite) {
                throw ValidationError("\(name) is a length in pixels greater than 0")
            }
        }
        for (name, value) in [("--cx", cx), ("--cy", cy)] {
            if let value, !value.isFinite { throw ValidationError("\(name) is a finite position in pixels") }
        }
        if let maxMegapixels, !(maxMegapixels > 0 && maxMegapixels <= 1000) {
            throw ValidationError("--max-megapixels lies between 0 and 1000")
        }
        if let maxFileMib, !(1...16384).contains(maxFileMib) {
            throw ValidationError("--max-file-mib lies between 1 and 16384")
        }
    }

    /// Reads what the arguments name.
    func read() throws(FlatteningError) -> Capture {
        var limits = FlatteningLimits()
        if let maxMegapixels { limits.maximumColorPixels = Int(maxMegapixels * 1e6) }
        if let maxFileMib {
            limits.maximumFileBytes = maxFileMib << 20
            limits.maximumTIFFBytes = maxFileMib << 20
        }
        var description = try CaptureDescription.find(capture, limits: limits)
        if let depth { description.depth = .init(path: depth, unit: depthUnit) }
        if let confidence { description.confidencePath = confidence }
        if let intrinsics { description.intrinsics = .file(intrinsics) }
        if let fx, let cx, let cy {
            description.intrinsics = .given(try IntrinsicsDocument(fx: fx, fy: fy ?? fx, cx: cx, cy: cy))
        }
        return try Capture.read(description, limits: limits)
    }
}

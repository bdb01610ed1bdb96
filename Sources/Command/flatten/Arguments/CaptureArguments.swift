import ArgumentParser
import Captures
import ReceiptFlattening

/// The arguments that name captures and say how to read them, shared by all subcommands that take captures, except `batch`.
struct CaptureArguments: ParsableArguments {
    @Argument(
        help:
            ArgumentHelp(
                """
                A capture folder or archive in any supported format, a recording's metadata file, an image of a recording, \
                or an image alone (PNG, JPEG, TIFF, HEIC, WebP ...); a PDF; "-" reads an image from standard input.
                """,
                valueName: "capture"),
        completion: .file())
    var captures: [String] = []

    @OptionGroup var options: CaptureOptions

    mutating func validate() throws { try request.validate() }

    /// The captures and options as a plain value.
    var request: CaptureRequest { options.request(of: captures) }
}

/// Options for how captures are read, shared by all subcommands that read them.
struct CaptureOptions: ParsableArguments {
    @Option(
        help:
            "Frame of a recording to use: its place, counted from 0, or the name of one of its files; by default the middle one."
    )
    var frame: CaptureRequest.FrameName?

    @Option(
        help: ArgumentHelp(
            """
            Pages of a PDF, TIFF or HEIC: 3, 2-5 or 2-; by default all. Of several pages each has outputs of its own: flat-1.png, \
            flat-2.png ...
            """))
    var pages: CaptureRequest.PageRange?

    @Flag(help: "Use the frame that shows the whole sheet, large, sharp and sure, with the most depth.")
    var best = false

    @Flag(
        help:
            "Fuse up to ten frames of a still scene around --frame, --best or the middle frame: depth, what of the image is hidden or blurred, and finer pixels."
    )
    var fuse = false

    @Option(
        help: "Depth map of the image (PNG, TIFF, NPY, OpenEXR or PGM).",
        completion: .file())
    var depth: String?

    @Option(
        help:
            "Metres per depth unit, as 0.001 or 0.0002; where nothing states it, it is assumed, with a warning."
    )
    var depthUnit: Double?

    @Option(help: "What the depth map holds: depth or disparity (one over depth).")
    var depthKind: CaptureDescription.Depth.Kind?

    @Option(
        help: "How depth is measured: planar (along the optical axis) or radial (along each pixel's ray).")
    var depthProjection: CaptureDescription.Depth.Projection?

    @Flag(help: "The depth unit is unknown: depth determines the shape but not the size.")
    var depthRelative = false

    @Option(help: "Confidence map of the depth (0/1/2 or 0/127/255).", completion: .file())
    var confidence: String?

    @Option(
        help: "Camera intrinsics: JSON (ours, Open3D, RealSense) or YAML (OpenCV, ROS).", completion: .file())
    var intrinsics: String?

    @Option(help: "Focal length along x in pixels.") var fx: Double?
    @Option(help: "Focal length along y in pixels (--fx if left out).") var fy: Double?
    @Option(help: "Principal point, column in pixels.") var cx: Double?
    @Option(help: "Principal point, row in pixels.") var cy: Double?

    @Option(
        help:
            "Largest image that is read, in megapixels (\(megapixels(\.maximumColorPixels)); at most \(CaptureRequest.largestMegapixels))."
    )
    var maxMegapixels: Double?

    @Option(help: "Largest depth map that is read, in megapixels (\(megapixels(\.maximumDepthPixels))).")
    var maxDepthMegapixels: Double?

    @Option(help: "Longest side of an image or map, in pixels (\(FlatteningLimits().maximumSide)).")
    var maxSide: Int?

    @Option(
        help:
            "Largest file that is read, in MiB (\(mebibytes(\.maximumFileBytes)); PDF \(mebibytes(\.maximumPDFBytes)))."
    )
    var maxFileMib: Int?

    @Option(help: "Largest TIFF file that is read, in MiB (\(mebibytes(\.maximumTIFFBytes))).")
    var maxTiffMib: Int?

    @Option(help: "Largest JSON or YAML file that is read, in MiB (\(mebibytes(\.maximumJSONBytes))).")
    var maxJsonMib: Int?

    @Flag(help: "Never run other programs: PDFs, and recordings whose images are a video, are refused.")
    var noPrograms = false

    /// Returns the given captures with these options.
    func request(of captures: [String]) -> CaptureRequest {
        var request = CaptureRequest(captures: captures)
        (request.frame, request.pages, request.best, request.fuse) = (frame, pages, best, fuse)
        (request.depth, request.confidence, request.intrinsics) = (depth, confidence, intrinsics)
        (request.depthUnit, request.depthKind, request.depthProjection) = (
            depthUnit, depthKind, depthProjection
        )
        request.depthRelative = depthRelative
        (request.fx, request.fy, request.cx, request.cy) = (fx, fy, cx, cy)
        (request.maxMegapixels, request.maxDepthMegapixels, request.maxSide) = (
            maxMegapixels, maxDepthMegapixels, maxSide
        )
        (request.maxFileMib, request.maxTiffMib, request.maxJsonMib) = (maxFileMib, maxTiffMib, maxJsonMib)
        request.noPrograms = noPrograms
        return request
    }

    /// The default of a limit, in the unit of its option.
    private static func megapixels(_ limit: KeyPath<FlatteningLimits, Int>) -> String {
        let tenths = (FlatteningLimits()[keyPath: limit] + 50_000) / 100_000
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
    private static func mebibytes(_ limit: KeyPath<FlatteningLimits, Int>) -> Int {
        FlatteningLimits()[keyPath: limit] >> 20
    }
}

package import Diagnostics

/// Upper bounds on what a file may request, each checked before memory is reserved or work is done.
///
/// Files come from strangers, and a few bytes can claim a terabyte. The defaults leave ample room for the output of phones and
/// depth cameras; raise a limit if you know your files.
public struct FlatteningLimits: Sendable, Equatable {
    /// Pixels of a colour image. Default 64 million: 192 MB decoded; phones go to 48 million.
    public var maximumColorPixels = 64_000_000
    /// Columns or rows of any image or map. Default 16,384: the largest texture that graphics processors accept.
    public var maximumSide = 16_384
    /// Pixels of a depth or confidence map. Default 16.8 million (4096 x 4096): depth cameras reach a tenth.
    public var maximumDepthPixels = 16_800_000
    /// Bytes of a file that is not a TIFF. Default 64 MiB: a 48 MP PNG rarely takes more.
    public var maximumFileBytes = 64 << 20
    /// Bytes of a TIFF. Default 256 MiB: it may hold 64 MP uncompressed.
    package var maximumTIFFBytes = 256 << 20
    /// Bytes of a JSON or YAML file. Default 1 MiB: intrinsics take less than 100 kB, lens tables included.
    package var maximumJSONBytes = 1 << 20
    /// Bytes of one metadata block (EXIF) within an image. Default 1 MiB; JPEG allows 64 KiB.
    package var maximumMetadataBytes = 1 << 20
    /// Largest ratio of a TIFF's pixel bytes to its file size. Default 10,000: deflate reaches 1,032, and ZSTD, which
    /// libtiff also decodes, some ten times more.
    package var maximumTIFFRatio = 10_000
    /// Directories of a TIFF (pages, with their copies, masks and depth). Default 2048: two for each of `maximumPages`, and as
    /// many again.
    package var maximumTIFFDirectories = 2048
    /// Bytes of a PDF. Default 256 MiB: about a hundred scanned pages in colour.
    package var maximumPDFBytes = 256 << 20
    /// Pages of one document that are processed at once. Default 500.
    public var maximumPages = 500
    /// Scans of a progressive JPEG. Default 100: encoders make about 10, and each costs a pass over the image.
    package var maximumJPEGScans = 100
    /// Pixels times scans of a JPEG: the work of decoding it. Default 800 million, under two seconds; a 48 MP photograph
    /// in 10 scans asks for 480 million.
    package var maximumJPEGScanPixels = 800_000_000
    /// Bytes of memory that decoding may take, the image included. Default 512 MiB: a progressive JPEG keeps all its
    /// coefficients until its last scan, up to three times what its image takes; HEIC of more than 8 bits takes four times.
    public var maximumDecodingBytes = 512 << 20

    /// Files of one recording, in a folder or an archive. Default 200,000: twenty minutes at 60 frames a second, each with
    /// depth and confidence.
    package var maximumEntries = 200_000
    /// Bytes of all files of an archive together, unpacked. Default 64 GiB: 130,000 frames of half a megabyte. Only
    /// requested files are unpacked, one at a time, each within `maximumFileBytes`.
    package var maximumArchiveBytes = 64 << 30
    /// Largest ratio of a file's unpacked to its packed size. Default 1,100: deflate reaches 1,032.
    package var maximumArchiveRatio = 1_100

    /// Whether `ffmpeg` may be started to read the video of a recording, and poppler's programs to read a PDF. Default true. Set
    /// to false when reading untrusted files.
    public var startsPrograms = true

    /// When reading must end; nil (the default) for no limit.
    ///
    /// Checked between the pieces of a file, before each decoding and between rows that are decoded one by one, before
    /// each file of an archive, and before each frame of a recording. Reading past it throws `.timeout`. A decoder that
    /// takes a whole image at once (JPEG, PNG, HEIC, OpenEXR) is not interrupted; the other limits bound its work.
    public var deadline: ContinuousClock.Instant?

    /// The defaults.
    public init() {}
}

extension FlatteningLimits {
    /// The content of an image; determines how many pixels it may have.
    package enum Purpose: String {
        case color = "picture"
        case map = "map"
    }

    /// Checks a declared size before anything is reserved for it.
    package func check(
        width: Int, height: Int, purpose: Purpose, stage: FlatteningError.Stage
    ) throws(FlatteningError) {
        guard width > 0 && height > 0 else {
            throw FlatteningError(
                .badInput, "the \(purpose.rawValue) has no pixels", stage: stage, seen: "\(width) x \(height)"
            )
        }
        guard width <= maximumSide && height <= maximumSide else {
            throw FlatteningError(
                .limitExceeded, "the \(purpose.rawValue) is too large", stage: stage,
                seen: "\(width) x \(height)",
                allowed: "\(maximumSide) a side (maximumSide)", advice: "Scale it down or raise the limit")
        }
        let maximum = purpose == .color ? maximumColorPixels : maximumDepthPixels
        let name = purpose == .color ? "maximumColorPixels" : "maximumDepthPixels"
        // Both sides are below 2^31 here: their product cannot overflow.
        guard width * height <= maximum else {
            throw FlatteningError(
                .limitExceeded, "the \(purpose.rawValue) has too many pixels", stage: stage,
                seen: "\(width) x \(height) = \(width * height)", allowed: "\(maximum) (\(name))",
                advice: "Scale it down or raise the limit")
        }
    }

    /// Refuses a file that is too small for the pixels it declares, before any memory is reserved for them.
    /// - Parameters:
    ///   - declared: bytes (or pixels) that the file claims to hold.
    ///   - ratio: the largest amount that one byte of this format can hold.
    package static func checkRatio(
        declared: Int, fileBytes: Int, ratio: Int, stage: FlatteningError.Stage
    ) throws(FlatteningError) {
        guard declared / max(ratio, 1) <= fileBytes else {
            throw FlatteningError(
                .badInput, "the file is too small for the picture that it declares", stage: stage,
                seen: "\(fileBytes) bytes for \(declared)", allowed: "1 : \(ratio)")
        }
    }
}

package import Imaging

/// How much a file may ask for. Every figure is checked before memory is reserved or work is done.
///
/// Files come from strangers, and a few bytes can claim a terabyte. The defaults fit what phones and depth cameras make
/// with room to spare; each can be raised by whoever knows their files.
public struct FlatteningLimits: Sendable, Equatable {
    /// Pixels of a colour picture. Default 64 million: 192 MB decoded; phones go to 48 million.
    public var maximumColorPixels = 64_000_000
    /// Columns or rows of any picture or map. Default 16,384: what graphics processors take as one texture.
    public var maximumSide = 16_384
    /// Pixels of a depth or confidence map. Default 16.8 million (4096 x 4096): depth cameras reach a tenth.
    public var maximumDepthPixels = 16_800_000
    /// Bytes of a file that is not a TIFF. Default 64 MiB: a 48 MP PNG rarely takes more.
    public var maximumFileBytes = 64 << 20
    /// Bytes of a TIFF. Default 256 MiB: it may hold 64 MP uncompressed.
    public var maximumTIFFBytes = 256 << 20
    /// Bytes of a JSON or YAML file. Default 1 MiB: intrinsics take less than 100 kB, lens tables included.
    public var maximumJSONBytes = 1 << 20
    /// Bytes of one metadata block (EXIF) within a picture. Default 1 MiB; JPEG allows 64 KiB.
    public var maximumMetadataBytes = 1 << 20
    /// How many times larger than its file a TIFF's pixels may be. Default 10,000: deflate reaches 1,032, and what
    /// libtiff decodes besides (ZSTD) some ten times more.
    public var maximumTIFFRatio = 10_000
    /// Directories (pages) of a TIFF. Default 8: a picture, a preview, masks and depth.
    public var maximumTIFFDirectories = 8
    /// Scans of a progressive JPEG. Default 100: encoders make about 10, and each costs a pass over the picture.
    public var maximumJPEGScans = 100
    /// Pixels times scans of a JPEG: the work of decoding it. Default 800 million, under two seconds; a 48 MP photograph
    /// in 10 scans asks for 480 million.
    public var maximumJPEGScanPixels = 800_000_000
    /// Bytes of memory that decoding may take, the picture included. Default 512 MiB: a progressive JPEG keeps all its
    /// coefficients until its last scan, up to three times what its picture takes; HEIC of more than 8 bits takes four times.
    public var maximumDecodingBytes = 512 << 20

    /// Files of one recording, in a folder or an archive. Default 200,000: twenty minutes at 60 frames a second, each with
    /// depth and confidence.
    public var maximumEntries = 200_000
    /// Bytes of all files of an archive together, unpacked. Default 64 GiB: so many frames with half a megabyte each. Only the
    /// files that are asked for are unpacked, one at a time, each within `maximumFileBytes`.
    public var maximumArchiveBytes = 64 << 30
    /// How many times larger than in the archive a file may be. Default 1,100: deflate reaches 1,032.
    public var maximumArchiveRatio = 1_100

    /// Whether a program of the system may be started. Default true: the pictures of a recording that are a video are read
    /// by `ffmpeg`. What reads files of strangers in confinement starts none.
    public var startsPrograms = true

    /// When reading must be done; nil (the default) for no limit.
    ///
    /// Looked at between the pieces of a file, before each decoding and between rows where they are decoded one by one, before
    /// each file of an archive, and before each frame of a recording. What goes on then ends with `.timeout`. A decoder that
    /// takes a whole picture at once (JPEG, PNG, HEIC, OpenEXR) is not interrupted: its work is bounded by the other limits.
    public var deadline: ContinuousClock.Instant?

    /// The defaults.
    public init() {}
}

extension FlatteningLimits {
    /// What a picture is wanted for; decides how many pixels it may have.
    package enum Purpose: String {
        case color = "picture"
        case map = "map"
    }

    /// Checks a declared size before anything is reserved for it.
    package func check(
        width: Int, height: Int, purpose: Purpose, stage: String
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

    /// Refuses a file whose pixels could not possibly be held by its bytes, so that a lie costs no memory.
    /// - Parameters:
    ///   - declared: bytes (or pixels) that the file claims to hold.
    ///   - ratio: the most that one byte of this format can hold.
    package static func checkRatio(
        declared: Int, fileBytes: Int, ratio: Int, stage: String
    ) throws(FlatteningError) {
        guard declared / max(ratio, 1) <= fileBytes else {
            throw FlatteningError(
                .badInput, "the file is too small for the picture that it declares", stage: stage,
                seen: "\(fileBytes) bytes for \(declared)", allowed: "1 : \(ratio)")
        }
    }
}

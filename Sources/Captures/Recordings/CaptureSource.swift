public import DepthGeometry
public import Imaging

/// Where captures come from: a recording on disk, or a camera that an app drives.
///
/// Frames are read when they are asked for; a source holds no pictures.
public protocol CaptureSource: Sendable {
    /// How many frames there are; at least 1.
    var frameCount: Int { get }

    /// Reads one frame.
    /// - Parameter index: 0 to `frameCount` - 1, in the order of time.
    /// - Throws: `FlatteningError` for a frame that cannot be read; never for information that is missing.
    func frame(at index: Int) throws(FlatteningError) -> CaptureFrame

    /// When choosing and fusing frames must be done; nil, unless a source says otherwise, for no limit.
    var deadline: ContinuousClock.Instant? { get }
}

extension CaptureSource {
    /// No limit.
    public var deadline: ContinuousClock.Instant? { nil }
}

/// One of the frames of a source.
public struct CaptureFrame: Sendable {
    /// The picture and what is known of distance and camera.
    public var capture: Capture
    /// From the camera's frame as the picture is stored (x right, y down, z forward) to a frame that all frames share,
    /// whose axes each format chooses; nil if unknown.
    public var pose: RigidTransform?
    /// Seconds on a clock that all frames share, nil if unknown.
    public var timestamp: Double?

    /// A frame from its parts.
    public init(capture: Capture, pose: RigidTransform? = nil, timestamp: Double? = nil) {
        self.capture = capture
        self.pose = pose
        self.timestamp = timestamp
    }
}

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

/// One of the frames of a source.
public struct CaptureFrame: Sendable {
    /// The image and what is known about depth and camera.
    public var capture: Capture
    /// Transform from the camera frame of the image as stored (x right, y down, z forward) to a frame shared by all frames,
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

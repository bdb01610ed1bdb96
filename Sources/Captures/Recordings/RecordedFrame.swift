public import DepthGeometry

/// What belongs to one frame of a recording, before any picture of it is read.
public struct RecordedFrame: Equatable, Sendable {
    /// The files, and how they are to be understood.
    public var description: CaptureDescription
    /// See ``CaptureFrame/pose``.
    public var pose: RigidTransform?
    /// See ``CaptureFrame/timestamp``.
    public var timestamp: Double?

    init(description: CaptureDescription, pose: RigidTransform? = nil, timestamp: Double? = nil) {
        self.description = description
        self.pose = pose
        self.timestamp = timestamp
    }
}

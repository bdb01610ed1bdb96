public import Diagnostics
public import DepthGeometry
import Imaging

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

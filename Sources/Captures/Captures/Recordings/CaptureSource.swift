public import Diagnostics
public import DepthGeometry
import Imaging

/// A source of captures: a recording on disk, or a camera that an app controls.
///
/// Frames are read on demand; a source holds no images in memory.
public protocol CaptureSource: Sendable {
    /// Number of frames; at least 1.
    var frameCount: Int { get }

    /// Reads one frame.
    /// - Parameter index: 0 to `frameCount` - 1, in order of time.
    /// - Throws: `FlatteningError` for a frame that cannot be read; never for information that is missing.
    func frame(at index: Int) throws(FlatteningError) -> CaptureFrame

    /// The deadline for choosing and fusing frames; nil, the default, for no limit.
    var deadline: ContinuousClock.Instant? { get }
}

extension CaptureSource {
    /// No limit.
    public var deadline: ContinuousClock.Instant? { nil }
}

public import Captures
public import ImageFiles
public import Imaging

/// A recording, a capture folder or a picture in the place of a camera.
public struct RecordedCamera: ReceiptCamera {
    /// Which frame of several is delivered.
    public enum Choice: Equatable, Sendable {
        /// The one in the middle, as `flatten` takes it.
        case middle
        /// The one that serves best; see `CaptureSource.bestFrame(among:)`.
        case best
        /// The one with this index, 0 to the number of frames less 1.
        case index(Int)
    }

    /// What kind of camera it stands in for.
    public let kind: ReceiptCameraKind
    /// Whether captures may come with depth.
    public let deliversDepth: Bool
    /// Where the captures come from.
    public let source: any CaptureSource
    /// Which frame is delivered.
    public let choice: Choice

    /// A camera that delivers a frame of a source.
    /// - Parameters:
    ///   - source: a recording, or any other source of frames.
    ///   - choice: which frame; each capture reads it anew.
    ///   - kind: what kind of camera it stands in for.
    ///   - deliversDepth: false if it is known that there is no depth.
    public init(
        _ source: any CaptureSource, choice: Choice = .middle, kind: ReceiptCameraKind = .recording,
        deliversDepth: Bool = true
    ) {
        self.source = source
        self.choice = choice
        self.kind = kind
        self.deliversDepth = deliversDepth
    }

    /// A camera that delivers what a path leads to; see `Recording.open(_:limits:)`, also for the errors.
    public init(
        opening path: String, choice: Choice = .middle, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) {
        self.init(try Recording.open(path, limits: limits), choice: choice)
    }

    /// Reads the frame.
    public func capture() async throws -> CaptureFrame {
        let (source, choice) = (source, choice)
        return try await computeDetached { _ throws(FlatteningError) in
            let index =
                switch choice {
                case .middle: source.frameCount / 2
                case .best: try source.bestFrame().index
                case .index(let index): index
                }
            guard (0..<source.frameCount).contains(index) else {
                throw FlatteningError(
                    .badInput, "there is no such frame", stage: "capture", seen: "frame \(index)",
                    allowed: "0 to \(source.frameCount - 1)")
            }
            return try source.frame(at: index)
        }
    }
}

public import Foundation
public import ReceiptFlattening
public import DepthGeometry
public import Diagnostics
public import LocalFiles
public import Parallelism
public import Captures
public import ImageFiles
public import Imaging

/// A camera that delivers frames of a recording, a capture folder or an image.
public struct RecordedCamera: ReceiptCamera {
    /// Which of several frames to deliver.
    public enum Choice: Equatable, Sendable {
        /// The middle one, as in `flatten`.
        case middle
        /// The best one; see `CaptureSource.bestFrame(among:)`.
        case best
        /// The one with this index, from 0.
        case index(Int)
    }

    /// The kind of camera it stands in for.
    public let kind: ReceiptCameraKind
    /// Whether captures can have depth.
    public let deliversDepth: Bool
    /// The source of the captures.
    public let source: any CaptureSource
    /// The frame to deliver.
    public let choice: Choice

    /// A camera that delivers a frame of a source.
    /// - Parameters:
    ///   - source: a recording, or any other source of frames.
    ///   - choice: which frame; each capture reads it again.
    ///   - kind: the kind of camera it stands in for.
    ///   - deliversDepth: false if the source is known to have no depth.
    public init(
        _ source: any CaptureSource, choice: Choice = .middle, kind: ReceiptCameraKind = .recording,
        deliversDepth: Bool = true
    ) {
        self.source = source
        self.choice = choice
        self.kind = kind
        self.deliversDepth = deliversDepth
    }

    /// A camera that delivers a frame of a file or folder; for errors see `Recording(contentsOf:limits:)`.
    public init(
        contentsOf url: URL, choice: Choice = .middle, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) {
        self.init(try Recording(contentsOf: url, limits: limits), choice: choice)
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
                    .badInput, "there is no such frame", stage: .capture, seen: "frame \(index)",
                    allowed: "0 to \(source.frameCount - 1)")
            }
            return try source.frame(at: index)
        }
    }
}

public import Foundation
public import ReceiptFlattening
public import DepthGeometry
public import Diagnostics
public import LocalFiles
import Parallelism
public import Captures
import ImageFiles
import Imaging
internal import Synchronization

/// A camera that delivers frames of a recording, a capture folder or an image.
public struct RecordedCamera: ReceiptCamera {
    /// Which of several frames to deliver.
    public enum Choice: Equatable, Sendable {
        /// The middle one, as in `flatten`.
        case middle
        /// The best frame: among those that show the whole sheet, the one that shows it largest, sharpest and with most
        /// confidence.
        case best
        /// The frame with this index, from 0.
        case index(Int)
        /// One frame after the other, as from a live camera: each preview is the next frame, and a photograph is the frame of
        /// the last preview. After the last frame there is an error, and then the first frame again.
        case playing
    }

    /// The kind of camera it stands in for.
    public let kind: ReceiptCameraKind
    /// Whether captures can have depth.
    public let deliversDepth: Bool
    /// The source of the captures.
    public let source: any CaptureSource
    /// The frame to deliver.
    public let choice: Choice
    /// The number of frames played; shared by all copies.
    private let played = PlayedFrames()

    /// Creates a camera that delivers a frame of a source.
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

    /// Creates a camera that delivers a frame of a file or folder; for errors see `Recording(contentsOf:limits:)`.
    public init(
        contentsOf url: URL, choice: Choice = .middle, limits: FlatteningLimits = FlatteningLimits()
    ) throws(FlatteningError) {
        self.init(try Recording(contentsOf: url, limits: limits), choice: choice)
    }

    /// Reads the frame.
    public func capture() async throws -> CaptureFrame {
        let (source, choice, played) = (source, choice, played)
        return try await computeDetached { _ throws(FlatteningError) in
            let index =
                switch choice {
                case .middle: source.frameCount / 2
                case .best: try source.bestFrame().index
                case .index(let index): index
                case .playing: played.last
                }
            guard (0..<source.frameCount).contains(index) else {
                throw FlatteningError(
                    .badInput, "there is no such frame", stage: .capture, seen: "frame \(index)",
                    allowed: "0 to \(source.frameCount - 1)")
            }
            return try source.frame(at: index)
        }
    }

    /// Reads the frame; with `playing`, the next frame.
    public func preview() async throws -> CaptureFrame {
        guard choice == .playing else { return try await capture() }
        let (source, played) = (source, played)
        return try await computeDetached { _ throws(FlatteningError) in
            guard let index = played.next(of: source.frameCount) else {
                throw FlatteningError(
                    .badInput, "the recording ended before a photograph was taken", stage: .capture,
                    seen: "\(source.frameCount) frames")
            }
            return try source.frame(at: index)
        }
    }
}

/// The position in a recording that is being played.
private final class PlayedFrames: Sendable {
    private let count = Mutex(0)

    /// The index of the frame played last; 0 before any.
    var last: Int { count.withLock { max($0 - 1, 0) } }

    /// Returns the index of the next frame; nil after the last one, and then the first one again.
    func next(of frameCount: Int) -> Int? {
        count.withLock { count in
            guard count < frameCount else {
                count = 0
                return nil
            }
            count += 1
            return count - 1
        }
    }
}

public import DepthGeometry
import Parallelism

/// Guidance for each frame of a stream, in order; see `receiptGuidance(options:)`.
public struct ReceiptGuidanceSequence<Frames: AsyncSequence>: AsyncSequence
where Frames.Element == CaptureFrame {
    /// Guidance for one frame.
    public typealias Element = ReceiptGuidance
    /// The error that the frames may throw.
    public typealias Failure = Frames.Failure

    private let frames: Frames
    private let options: GuidanceOptions

    init(_ frames: Frames, options: GuidanceOptions) {
        self.frames = frames
        self.options = options
    }

    /// Tracks the sheet, starting with the first frame of the stream.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(frames: frames.makeAsyncIterator(), tracker: GuidanceTracker(options: options))
    }

    /// Processes one frame per request.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var frames: Frames.AsyncIterator
        private var tracker: GuidanceTracker

        fileprivate init(frames: Frames.AsyncIterator, tracker: GuidanceTracker) {
            self.frames = frames
            self.tracker = tracker
        }

        /// Guidance for the next frame, computed away from the caller's actor; nil after the last.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(Frames.Failure) -> ReceiptGuidance? {
            guard let frame = try await frames.next(isolation: actor) else { return nil }
            let before = tracker
            let (guidance, after) = await computeDetached { _ in
                var tracker = before
                let guidance = tracker.guide(frame)
                return (guidance, tracker)
            }
            tracker = after
            return guidance
        }
    }
}

extension ReceiptGuidanceSequence: Sendable where Frames: Sendable {}

extension AsyncSequence where Element == CaptureFrame {
    /// Guidance for each frame of this stream.
    ///
    /// Frames wait while one is processed. A camera must not wait: let its stream keep the newest frame only,
    /// `AsyncStream(bufferingPolicy: .bufferingNewest(1))`, which drops frames that arrive too fast.
    ///
    /// ```swift
    /// for await guidance in frames.receiptGuidance() {
    ///     overlay.show(guidance.sheet?.corners, guidance.advice)
    ///     if guidance.advice == .ready { break }
    /// }
    /// ```
    public func receiptGuidance(
        options: GuidanceOptions = GuidanceOptions()
    ) -> ReceiptGuidanceSequence<Self> {
        ReceiptGuidanceSequence(self, options: options)
    }
}

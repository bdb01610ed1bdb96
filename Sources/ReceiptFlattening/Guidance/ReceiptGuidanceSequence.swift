public import Captures
internal import Dispatch

/// Guidance for each frame of a stream, in order: see `receiptGuidance(options:)`.
public struct ReceiptGuidanceSequence<Frames: AsyncSequence>: AsyncSequence
where Frames.Element == CaptureFrame {
    /// What comes out.
    public typealias Element = ReceiptGuidance
    /// What the frames may fail with.
    public typealias Failure = Frames.Failure

    private let frames: Frames
    private let options: GuidanceOptions

    init(_ frames: Frames, options: GuidanceOptions) {
        self.frames = frames
        self.options = options
    }

    /// Follows the sheet from the stream's first frame on.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(frames: frames.makeAsyncIterator(), tracker: GuidanceTracker(options: options))
    }

    /// Guides frame by frame, as they are asked for.
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
            let (guidance, after) = await withCheckedContinuation { continuation in
                DispatchQueue.global(qos: .userInitiated).async {
                    var tracker = before
                    let guidance = tracker.guide(frame)
                    continuation.resume(returning: (guidance, tracker))
                }
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
    /// Frames wait while one is looked at. A camera should not wait: let its stream keep the newest frame only,
    /// `AsyncStream(bufferingPolicy: .bufferingNewest(1))`, and frames that come too fast are passed over.
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

import Parallelism
public import DepthGeometry
public import Diagnostics
import Imaging

/// The frames of a source in order, each read on demand.
public struct CaptureFrameSequence: AsyncSequence, Sendable {
    /// The element type.
    public typealias Element = CaptureFrame
    /// An error of reading a frame; the next frame can still be read.
    public typealias Failure = FlatteningError

    private let source: any CaptureSource

    init(_ source: any CaptureSource) { self.source = source }

    /// Starts at the first frame.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }

    /// Reads frame by frame.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let source: any CaptureSource
        private var index = 0

        fileprivate init(source: any CaptureSource) { self.source = source }

        /// Reads the next frame, off the caller's actor; nil after the last.
        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(FlatteningError) -> CaptureFrame? {
            guard index < source.frameCount else { return nil }
            let (source, index) = (source, index)
            self.index += 1
            return try await computeDetached { _ throws(FlatteningError) in try source.frame(at: index) }
        }
    }
}

extension CaptureSource {
    /// The frames in order of time, as an asynchronous sequence.
    public var frames: CaptureFrameSequence { CaptureFrameSequence(self) }
}

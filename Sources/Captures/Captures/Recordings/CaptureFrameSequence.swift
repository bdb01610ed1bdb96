import Parallelism
public import DepthGeometry
public import Diagnostics
import Imaging

/// The frames of a source one after the other, each read when it is asked for.
public struct CaptureFrameSequence: AsyncSequence, Sendable {
    /// What comes out.
    public typealias Element = CaptureFrame
    /// What reading a frame may fail with; the next one can be read nevertheless.
    public typealias Failure = FlatteningError

    private let source: any CaptureSource

    init(_ source: any CaptureSource) { self.source = source }

    /// Begins with the first frame.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }

    /// Reads frame by frame.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let source: any CaptureSource
        private var index = 0

        fileprivate init(source: any CaptureSource) { self.source = source }

        /// The next frame, read away from the caller's actor; nil after the last.
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
    /// The frames in the order of time, as a stream.
    public var frames: CaptureFrameSequence { CaptureFrameSequence(self) }
}

public import DepthGeometry
import Diagnostics
import Documents
import Imaging
import Parallelism
public import ReceiptFlattening
import SheetGuidance

/// The items in view with each frame of a stream; see `recognizedItems(flattening:options:)`.
public struct RecognizedItemSequence<Frames: AsyncSequence>: AsyncSequence
where Frames.Element == CaptureFrame {
    /// What one frame changed.
    public typealias Element = ItemChanges
    /// What the frames throw; `FlatteningError` where nothing can be read here at all.
    public typealias Failure = any Error

    private let frames: Frames
    private let options: ItemTrackingOptions
    private let read: ItemReader

    init(_ frames: Frames, options: ItemTrackingOptions, read: @escaping ItemReader) {
        (self.frames, self.options, self.read) = (frames, options, read)
    }

    /// Follows items from the first frame of the stream on.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(frames: frames.makeAsyncIterator(), options: options, read: read)
    }

    /// Processes one frame per request.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var frames: Frames.AsyncIterator
        private var guide: GuidanceTracker
        private var items: ItemTracker
        private let options: ItemTrackingOptions
        private let read: ItemReader
        private let reading = BackgroundReading()

        fileprivate init(
            frames: Frames.AsyncIterator, options: ItemTrackingOptions, read: @escaping ItemReader
        ) {
            (self.frames, self.options, self.read) = (frames, options, read)
            guide = GuidanceTracker(options: options.guidance)
            items = ItemTracker(options: options)
        }

        /// What the next frame changes, computed away from the caller's actor; nil after the last.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> ItemChanges? {
            guard let frame = try await frames.next(isolation: actor) else {
                reading.cancel()
                return nil
            }
            let before = guide
            let (guidance, after) = await computeDetached { _ in
                var guide = before
                let guidance = guide.guide(frame)
                return (guidance, guide)
            }
            guide = after
            var ended = reading.take()
            if reading.isIdle, let sheet = guidance.sheet, sheet.corners != nil {
                reading.begin { [read] () async throws(FlatteningError) in
                    SheetReading(sheet: sheet, items: try await read(frame, sheet))
                }
                if options.waitsForReadings {
                    await reading.waitUntilEnded()
                    ended = reading.take()
                }
            }
            // A frame that cannot be read is one without items; a reader that is not there, or whose file cannot be read,
            // stays away.
            if case .failure(let error) = ended,
                error.file != nil || [.missingDependency, .missingLanguageData].contains(error.code)
            {
                throw error
            }
            return items.advance(to: guidance, reading: try? ended?.get())
        }
    }
}

extension RecognizedItemSequence: Sendable where Frames: Sendable {}

/// Reads the items on a sheet in a frame.
typealias ItemReader =
    @Sendable (CaptureFrame, ReceiptGuidance.FollowedSheet) async throws(FlatteningError) -> [SheetReading
    .PlacedItem]

extension AsyncSequence where Element == CaptureFrame {
    /// The items in view with each frame of this stream: links, mail addresses, telephone numbers, dates, prices, addresses.
    ///
    /// Each item keeps its identifier while its place on the sheet is in view. Reading takes longer than a frame lasts, so it
    /// runs beside: frames are answered at once, by what has been read so far. Let the stream of a camera keep the newest
    /// frame only, `AsyncStream(bufferingPolicy: .bufferingNewest(1))`. Ending the iteration cancels the reading.
    ///
    /// ```swift
    /// for try await changes in frames.recognizedItems(flattening: reading) {
    ///     for item in changes.added { overlay.show(item.corners, item.item.value, id: item.id) }
    ///     for item in changes.updated { overlay.move(item.id, to: item.corners) }
    ///     for item in changes.removed { overlay.remove(item.id) }
    /// }
    /// ```
    /// - Parameter flattening: how sheets are read: `language` or `textEngine`, and what else matters; corners and contents
    ///   are set here.
    public func recognizedItems(
        flattening: ReceiptFlattener.Options, options: ItemTrackingOptions = ItemTrackingOptions()
    ) -> RecognizedItemSequence<Self> {
        RecognizedItemSequence(self, options: options) { frame, sheet async throws(FlatteningError) in
            var flattening = flattening
            flattening.corners = sheet.corners
            flattening.usesDepth = false
            flattening.finds = [.items]
            if flattening.textEngine == nil { flattening.language = flattening.language ?? "auto" }
            let receipt = try await ReceiptFlattener(options: flattening).flatten(frame.capture)
            return (receipt.findings.items ?? []).map { item in
                SheetReading.PlacedItem(
                    item: item,
                    corners: item.box.corners.map(receipt.map.source))
            }
        }
    }
}

extension Box {
    /// Clockwise from the top left.
    fileprivate var corners: [SIMD2<Double>] {
        [SIMD2(left, top), SIMD2(right, top), SIMD2(right, bottom), SIMD2(left, bottom)]
    }
}

public import DepthGeometry
import Diagnostics
import Documents
import Imaging
import Parallelism
public import ReceiptFlattening
import SheetGuidance

/// The items in view in each frame of a stream; see `recognizedItems(flattening:options:)`.
public struct RecognizedItemSequence<Frames: AsyncSequence>: AsyncSequence
where Frames.Element == CaptureFrame {
    /// The changes of one frame.
    public typealias Element = ItemChanges
    /// Errors of the frames' stream; `FlatteningError` if reading is not possible at all.
    public typealias Failure = any Error

    private let frames: Frames
    private let options: ItemTrackingOptions
    private let reader: FrameReader

    init(_ frames: Frames, options: ItemTrackingOptions, reader: FrameReader) {
        (self.frames, self.options, self.reader) = (frames, options, reader)
    }

    /// Follows items from the first frame of the stream.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(frames: frames.makeAsyncIterator(), options: options, reader: reader)
    }

    /// Processes one frame per request.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var frames: Frames.AsyncIterator
        private var guide: GuidanceTracker
        private var items: ItemTracker
        private let options: ItemTrackingOptions
        /// Each way of reading, with its current background reading.
        private let readings: [(way: FrameReader.Way, reading: BackgroundReading)]

        fileprivate init(frames: Frames.AsyncIterator, options: ItemTrackingOptions, reader: FrameReader) {
            (self.frames, self.options) = (frames, options)
            readings = reader.ways.map { ($0, BackgroundReading()) }
            guide = GuidanceTracker(options: options.guidance)
            items = ItemTracker(options: options)
        }

        /// Returns the changes of the next frame, computed off the caller's actor; nil after the last.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> ItemChanges? {
            guard let frame = try await frames.next(isolation: actor) else {
                for (_, reading) in readings { reading.cancel() }
                return nil
            }
            let before = guide
            let (guidance, after) = await computeDetached { _ in
                var guide = before
                let guidance = guide.guide(frame)
                return (guidance, guide)
            }
            guide = after
            let surface = items.follow(guidance, in: frame.capture.image.size)
            var ended: [FrameReading] = []
            for (way, reading) in readings {
                var outcome = reading.take()
                if reading.isIdle, surface.isView || surface.corners != nil || !way.needsCorners {
                    reading.begin { () async throws(FlatteningError) in
                        FrameReading(
                            surface: surface, sought: way.sought, isQuick: way.isQuick,
                            found: try await way.read(frame, surface))
                    }
                    if options.waitsForReadings {
                        await reading.waitUntilEnded()
                        outcome = reading.take()
                    }
                }
                switch outcome {
                case .success(let reading): ended.append(reading)
                // A frame that cannot be read counts as one without items. A missing reader, or a file of it that cannot be
                // read, is a lasting error.
                case .failure(let error) where error.isLasting: throw error
                case .failure, nil: break
                }
            }
            return items.advance(to: guidance, readings: ended)
        }
    }
}

extension FlatteningError {
    /// Whether every other frame would fail in the same way.
    fileprivate var isLasting: Bool {
        file != nil || [.missingDependency, .missingLanguageData].contains(code)
    }
}

extension RecognizedItemSequence: Sendable where Frames: Sendable {}

extension AsyncSequence where Element == CaptureFrame {
    /// Returns what is in view in each frame of this stream: links, mail addresses, telephone numbers, dates, times, prices,
    /// addresses, flight and parcel numbers; and, if asked for, rows of print, codes, faces, and a receipt's merchant, date
    /// and total.
    ///
    /// This works on a sheet with four corners in view, and without one: on a part of a sheet, a box, a shop front, a screen.
    /// Each item keeps its identifier while its place is in view. Reading takes longer than the interval between frames, so
    /// it runs in the background: each frame is answered at once, from what has been read so far. Let a camera's stream keep
    /// only the newest frame, `AsyncStream(bufferingPolicy: .bufferingNewest(1))`. Ending the iteration cancels the reading.
    ///
    /// ```swift
    /// reading.finds = [.items, .codes]
    /// for try await changes in frames.recognizedItems(flattening: reading) {
    ///     for item in changes.added { overlay.show(item.corners, item.content.text, id: item.id) }
    ///     for item in changes.updated { overlay.move(item.id, to: item.corners) }
    ///     for item in changes.removed { overlay.remove(item.id) }
    /// }
    /// ```
    /// - Parameters:
    ///   - flattening: how frames are read: `language` or `textEngine`, `reader`, and, in `finds`, whether to look for items,
    ///     codes and faces. Corners and depth are set here. Codes are the only kind that needs no text reader.
    ///   - options: what else is followed, where, and when it counts as seen.
    public func recognizedItems(
        flattening: ReceiptFlattener.Options, options: ItemTrackingOptions = ItemTrackingOptions()
    ) -> RecognizedItemSequence<Self> {
        RecognizedItemSequence(
            self, options: options, reader: FrameReader(flattening: flattening, options: options))
    }
}

public import Diagnostics
import Imaging
import Parallelism
import Synchronization

/// Reads the text of a flat page: an engine reads the lines, which are then put in blocks.
public struct TextRecognizer: Sendable {
    /// Reads the lines.
    package let engine: any TextEngine

    /// A recogniser that reads with an engine.
    public init(engine: any TextEngine) {
        self.engine = engine
    }

    /// Reads a page.
    /// - Parameters:
    ///   - page: flat and upright.
    ///   - context: how long reading may go on. Its `onProgress` receives 0 to 1, never falling, and 1 at the end of a
    ///     reading that succeeds; with tesseract in steps of a tenth at most. It is called on a thread of its own
    ///     (where the system gives none, on this one at the end), one call after the other, never after the reading has
    ///     returned, and under no lock.
    /// - Returns: the text in reading order, row by row; empty for an empty sheet.
    /// - Throws: `.badInput` for a page without pixels, `.limitExceeded` for a page that the engine cannot take,
    ///   `.timeout`, `.cancelled`.
    public func recognize(
        _ page: TextPage, context: ReadingContext = ReadingContext()
    ) throws(FlatteningError) -> RecognizedText {
        guard page.picture.width > 0, page.picture.height > 0 else {
            throw FlatteningError(
                .badInput, "a page without pixels cannot be read", stage: .text,
                seen: "\(page.picture.size)",
                allowed: "at least 1 x 1")
        }
        let progress = context.onProgress.map { ReadingProgress($0) }
        do {
            let unread = Mutex<UnreadRows?>(nil)
            var own = context.reporting(to: progress?.tell)
            own.onUnread = { rows in unread.withLock { $0 = rows } }
            let other = Mutex<ReadingContext.OtherReader?>(nil)
            own.onOtherReader = { reader in other.withLock { $0 = reader } }
            let factor = page.enlargementToRead
            let near = page.enlarged(by: factor)
            let rows = try engine.lines(on: near, context: own)
            let share = RowLayout.shareRead(of: rows, on: near)
            let reader = other.withLock { $0 }
            var text = RecognizedText(
                blocks: RowLayout.blocks(of: rows), pageSize: near.picture.size,
                pixelsPerMillimeter: near.pixelsPerMillimeter,
                language: (reader?.languages ?? engine.languages).joined(separator: "+"),
                legibility: RowLayout.legibility(of: rows, on: near, share: share),
                reader: reader?.name ?? engine.name)
            // A sign of another script may consist of many marks, so the share of the print that was read is unknown.
            text.shareRead = reader == nil ? share : nil
            text.otherReadings = reader.map { reader in
                let share = RowLayout.shareRead(of: reader.replaced, on: near)
                var own = RecognizedText(
                    blocks: RowLayout.blocks(of: reader.replaced), pageSize: near.picture.size,
                    pixelsPerMillimeter: near.pixelsPerMillimeter,
                    language: engine.languages.joined(separator: "+"),
                    legibility: RowLayout.legibility(of: reader.replaced, on: near, share: share),
                    reader: engine.name)
                own.shareRead = share
                return [own]
            }
            text.unreadRows = reader.map(\.unread) ?? unread.withLock { $0 }
            progress?.end(succeeded: true)
            return text.scaled(by: 1 / factor, to: page.picture.size)
        } catch {
            progress?.end(succeeded: false)
            throw error
        }
    }

    /// Reads a page away from the caller's actor; the task's cancellation ends it with `.cancelled`.
    ///
    /// For the parameters and errors see the blocking form.
    public func recognize(
        _ page: TextPage, context: ReadingContext = ReadingContext()
    ) async throws(FlatteningError) -> RecognizedText {
        try await computeDetached { stop throws(FlatteningError) in
            var own = context
            own.isCancelled = { stop.isRaised || context.isCancelled() }
            return try self.recognize(page, context: own)
        }
    }
}

extension TextRecognizer {
    /// A recogniser that reads with tesseract; for the parameters and errors see `TesseractEngine`.
    public init(
        language: String = "eng", dataPath: String? = nil, concurrency: Int? = nil
    ) throws(FlatteningError) {
        engine = try TesseractEngine(language: language, dataPath: dataPath, concurrency: concurrency)
    }
}

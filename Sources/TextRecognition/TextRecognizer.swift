import Foundation
public import Imaging

/// Reads the text of a flat page with tesseract, in process.
///
/// tesseract is loaded with the first recogniser, so a program that reads no text also runs without it. Making one costs
/// about 60 ms for the language data: keep it for many pages. Calls from several threads take turns; for several pages
/// at once use several recognisers, each with a `concurrency` of 1.
public final class TextRecognizer: Sendable {
    /// How a page is read.
    public struct Options: Sendable {
        /// Which way of reading.
        public enum Strategy: String, Codable, CaseIterable, Sendable {
            /// By the page's type: receipts in fixed-width type row by row, letters and invoices in proportional type both
            /// ways, the surer one counting for each row.
            case automatic
            /// One plain pass over the whole page: tesseract's own result, rows put in order.
            case page
        }

        /// Which way of reading; default `.automatic`.
        public var strategy: Strategy
        /// When reading ends with `.timeout`; nil (the default) for no limit. tesseract looks at it after each word.
        public var deadline: ContinuousClock.Instant?
        /// Asked after each word whether reading shall end with `.cancelled`; by default whether the current task is
        /// cancelled.
        public var isCancelled: @Sendable () -> Bool
        /// Whether a place of the page (pixel-centre coordinates) lies on the sheet, for pages that also show what lies
        /// around it; nil (the default) where all of the page is sheet. What is not on it is not taken for print.
        public var isOnSheet: (@Sendable (SIMD2<Double>) -> Bool)?
        /// Told how much of the reading is done: 0 to 1, in steps of a tenth at most, never falling, 1 at the end of a
        /// reading that succeeds. Called on a thread of its own, one call after the other, none once the reading has
        /// returned, and under no lock; nil by default.
        public var onProgress: (@Sendable (Double) -> Void)?

        /// Options, each with its default.
        public init(
            strategy: Strategy = .automatic, deadline: ContinuousClock.Instant? = nil,
            isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled },
            isOnSheet: (@Sendable (SIMD2<Double>) -> Bool)? = nil,
            onProgress: (@Sendable (Double) -> Void)? = nil
        ) {
            self.strategy = strategy
            self.deadline = deadline
            self.isCancelled = isCancelled
            self.isOnSheet = isOnSheet
            self.onProgress = onProgress
        }

        var rim: SheetRim? { isOnSheet.map(SheetRim.init) }
        var allowance: ReadingAllowance { ReadingAllowance(deadline: deadline, isCancelled: isCancelled) }
    }

    /// The languages in tesseract's notation ("eng+deu").
    public let language: String
    /// Where the language data was looked for; nil for tesseract's own place or TESSDATA_PREFIX.
    public let dataPath: String?
    /// tesseract's version, for example "5.3.0".
    public var version: String { engines.version }

    let engines: EnginePool

    /// A recogniser for one or more languages.
    /// - Parameters:
    ///   - language: tesseract's names joined by +.
    ///   - dataPath: the folder of the `.traineddata` files; nil for tesseract's own place or TESSDATA_PREFIX.
    ///   - concurrency: threads that one page may be read on, at least 1; nil for two, or one on a single core.
    /// - Throws: `FlatteningError` `.missingDependency` if tesseract is not installed, `.missingLanguageData` if it has no
    ///   data for one of the languages, `.badInput` for a string that names no language.
    public init(
        language: String = "eng", dataPath: String? = nil, concurrency: Int? = nil
    ) throws(FlatteningError) {
        let count = concurrency ?? min(ProcessInfo.processInfo.activeProcessorCount, 2)
        engines = try EnginePool(language: language, dataPath: dataPath, count: count)
        self.language = language
        self.dataPath = dataPath
    }

    /// Reads a page.
    /// - Parameters:
    ///   - page: flat and upright; dark print on light paper or the reverse.
    ///   - pixelsPerMillimeter: true scale of the page if known; it is passed on and does not change what is read.
    ///   - options: how to read, and for how long.
    /// - Returns: the text in reading order, row by row; empty for an empty sheet.
    /// - Throws: `FlatteningError` `.badInput` for a page without pixels, `.limitExceeded` for one that tesseract cannot
    ///   take, `.timeout`, `.cancelled`.
    public func recognize(
        _ page: GrayImage, pixelsPerMillimeter: Double? = nil, options: Options = Options()
    ) throws(FlatteningError) -> RecognizedText {
        guard page.width > 0, page.height > 0 else {
            throw FlatteningError(
                .badInput, "a page without pixels cannot be read", stage: "text", seen: "\(page.size)",
                allowed: "at least 1 x 1")
        }
        let progress = options.onProgress.map(ReadingProgress.init)
        do {
            let rows = try lines(of: page, options: options, progress: progress)
            let text = RecognizedText(
                blocks: RowLayout.blocks(of: rows), pageSize: page.size,
                pixelsPerMillimeter: pixelsPerMillimeter, language: language,
                legibility: RowLayout.legibility(of: rows, on: page))
            progress?.end(succeeded: true)
            return text
        } catch {
            progress?.end(succeeded: false)
            throw error
        }
    }

    private func lines(
        of page: GrayImage, options: Options, progress: ReadingProgress?
    ) throws(FlatteningError) -> [RecognizedLine] {
        let allowance = options.allowance
        try allowance.check()
        switch options.strategy {
        case .page:
            // Which rows there are only tesseract knows here: the page counts as one.
            progress?.begin(rows: 1, upTo: 1)
            let words = try engines.read(
                [
                    .init(
                        page: page, segmentation: .block, dotsPerInch: Self.bookResolution,
                        onProgress: progress?.listener(rows: 1))
                ],
                allowance: allowance)
            return RowLayout.rows(of: words.joined().filter { options.rim?.bears($0.box) ?? true })
        case .automatic:
            return try ReceiptReader(page: page, rim: options.rim)
                .read(with: engines, allowance: allowance, progress: progress)
        }
    }

    /// Reads a page away from the caller's actor; the task's cancellation ends it with `.cancelled`.
    ///
    /// For the parameters and errors see `recognize(_:pixelsPerMillimeter:options:)`.
    public func recognized(
        _ page: GrayImage, pixelsPerMillimeter: Double? = nil, options: Options = Options()
    ) async throws(FlatteningError) -> RecognizedText {
        try await computeDetached { stop throws(FlatteningError) in
            var own = options
            own.isCancelled = { stop.isRaised || options.isCancelled() }
            return try self.recognize(page, pixelsPerMillimeter: pixelsPerMillimeter, options: own)
        }
    }

    /// What tesseract is told of the pixels' size. Its models know book type scanned so; the true scale of a receipt only
    /// misleads its search for rows.
    static let bookResolution = 300
}

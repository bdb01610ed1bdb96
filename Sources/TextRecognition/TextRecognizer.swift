public import Imaging
import Synchronization

/// Reads the text of a flat page with tesseract, in process.
///
/// tesseract is loaded with the first recogniser, so a program that reads no text also runs without it. Making one costs
/// about 60 ms for the language data: keep it for many pages. Calls from several threads take turns; for several pages
/// at once use several recognisers.
public final class TextRecognizer: Sendable {
    /// How a page is read.
    public struct Options: Sendable {
        /// Which way of reading.
        public enum Strategy: String, Sendable {
            /// The whole page in one pass, as tesseract sees it: for letters and invoices set in proportional type.
            case page
        }

        /// Which way of reading; default `.page`.
        public var strategy: Strategy
        /// When reading ends with `.timeout`; nil (the default) for no limit. tesseract looks at it after each word.
        public var deadline: ContinuousClock.Instant?
        /// Asked after each word whether reading shall end with `.cancelled`; by default whether the current task is
        /// cancelled.
        public var isCancelled: @Sendable () -> Bool

        /// Options, each with its default.
        public init(
            strategy: Strategy = .page, deadline: ContinuousClock.Instant? = nil,
            isCancelled: @escaping @Sendable () -> Bool = { Task.isCancelled }
        ) {
            self.strategy = strategy
            self.deadline = deadline
            self.isCancelled = isCancelled
        }

        var allowance: ReadingAllowance { ReadingAllowance(deadline: deadline, isCancelled: isCancelled) }
    }

    /// The languages in tesseract's notation ("eng+deu").
    public let language: String
    /// Where the language data was looked for; nil for tesseract's own place or TESSDATA_PREFIX.
    public let dataPath: String?
    /// tesseract's version, for example "5.3.0".
    public let version: String

    private let engine: Mutex<TesseractEngine>

    /// A recogniser for one or more languages.
    /// - Parameters:
    ///   - language: tesseract's names joined by +.
    ///   - dataPath: the folder of the `.traineddata` files; nil for tesseract's own place or TESSDATA_PREFIX.
    /// - Throws: `FlatteningError` `.missingDependency` if tesseract is not installed, `.missingLanguageData` if it has no
    ///   data for one of the languages, `.badInput` for a string that names no language.
    public init(language: String = "eng", dataPath: String? = nil) throws(FlatteningError) {
        let engine = try TesseractEngine(language: language, dataPath: dataPath)
        self.language = language
        self.dataPath = dataPath
        version = engine.library.version
        self.engine = Mutex(engine)
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
        let allowance = options.allowance
        // 300 dpi is what tesseract's models expect where the scale is not known.
        let dotsPerInch =
            pixelsPerMillimeter.map { $0.isFinite ? Int(min(max($0, 1), 100) * 25.4) : 300 } ?? 300
        let rows = RowLayout.rows(
            of: try read(page, segmentation: .block, dotsPerInch: dotsPerInch, allowance: allowance))
        return RecognizedText(
            blocks: RowLayout.blocks(of: rows), pageSize: page.size, pixelsPerMillimeter: pixelsPerMillimeter,
            language: language,
            legibility: RowLayout.legibility(of: rows, on: page))
    }

    /// What tesseract reads in a picture, on the calling thread.
    func read(
        _ page: GrayImage, segmentation: TesseractEngine.Segmentation, dotsPerInch: Int,
        allowance: ReadingAllowance
    ) throws(FlatteningError) -> [TesseractEngine.Word] {
        let result = engine.withLock { engine in
            Result { () throws(FlatteningError) in
                try engine.read(
                    page, segmentation: segmentation, dotsPerInch: dotsPerInch, allowance: allowance)
            }
        }
        return try result.get()
    }
}

public import DepthGeometry
public import Diagnostics
import Documents
import Parallelism
import Captures
import Imaging
internal import Logging
import SheetFlattening
import TextRecognition

/// Turns a capture of a receipt into a flat picture of true size, and that picture into text.
///
/// ```swift
/// let capture = try Capture(contentsOf: URL(filePath: "receipt-folder"))
/// let receipt = try ReceiptFlattener().flatten(capture)
/// try receipt.picture.write(to: URL(filePath: "flat.png"))
/// ```
///
/// The steps are outline, surface, unrolling, straightening by the printed lines, upright turn, one resampling, text. What
/// a capture lacks costs a step of the ladder (depth, then curved sides, then corners, then nothing but the upright turn),
/// never the result; the report names each step that was not taken and why. A flattener holds no state: one value may
/// serve many tasks at once.
public struct ReceiptFlattener: Sendable {
    /// A stage of the work, in order, for those who show progress.
    public enum Stage: String, CaseIterable, Sendable {
        /// Finding the sheet in the picture.
        case outline
        /// Fitting a surface to depth, or to the sheet's sides or corners, and unrolling it.
        case surface
        /// Straightening the sheet by the lines printed on it.
        case print
        /// Finding out which way is up.
        case upright
        /// Working out which place of the photograph each pixel of the flat picture shows.
        case resampling
        /// Reading the flat picture.
        case text
    }

    /// What the caller chose.
    public var options: Options

    /// A flattener; its options are checked when it is used.
    public init(options: Options = Options()) {
        self.options = options
    }

    /// Flattens one capture.
    /// - Parameters:
    ///   - capture: the upright photograph with what is known about it.
    ///   - onStage: called on this thread before each stage.
    ///   - onReading: told how much of the reading is done; see `TextRecognizer.recognize`.
    /// - Throws: `.badInput` for options out of range, `.limitExceeded` for a photograph of more than 715 megapixels,
    ///   `.shortage` where memory is short, `.missingDependency` without LAPACK, `.missingDependency` and
    ///   `.missingLanguageData` if text was asked for and cannot be read here, `.timeout`, and `.cancelled` if the surrounding task was cancelled.
    /// - Complexity: linear in the photograph's pixels, the depth readings and the flat picture's pixels.
    public func flatten(
        _ capture: Capture, onStage: (Stage) -> Void = { _ in },
        onReading: (@Sendable (Double) -> Void)? = nil
    ) throws(FlatteningError) -> FlattenedReceipt {
        try RequiredLibraries.withoutShortage { () throws(FlatteningError) in
            try flatten(capture, onStage: onStage, onReading: onReading, isCancelled: { Task.isCancelled })
        }
    }

    /// Flattens one capture away from the caller's actor; the task's cancellation ends it with `.cancelled`.
    ///
    /// For the errors see `flatten(_:onStage:onReading:)`; here `onStage` is called on the thread that computes.
    public func flatten(
        _ capture: Capture, onStage: @escaping @Sendable (Stage) -> Void = { _ in },
        onReading: (@Sendable (Double) -> Void)? = nil
    ) async throws(FlatteningError) -> FlattenedReceipt {
        try await computeDetached { stop throws(FlatteningError) in
            try RequiredLibraries.withoutShortage { () throws(FlatteningError) in
                try flatten(capture, onStage: onStage, onReading: onReading, isCancelled: { stop.isRaised })
            }
        }
    }

    private func flatten(
        _ capture: Capture, onStage: (Stage) -> Void, onReading: (@Sendable (Double) -> Void)?,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(FlatteningError) -> FlattenedReceipt {
        try options.validate()
        try ResamplingLimits.check(capture.image.size)
        try RequiredLibraries.load()
        let deadline = Deadline(after: options.timeLimit, isCancelled: isCancelled)
        var stopwatch = Stopwatch()
        func begin(_ stage: Stage) throws(FlatteningError) {
            try deadline.check(before: stage.rawValue)
            onStage(stage)
        }
        // Asked for first: without an engine a text run should fail before any work, not after it.
        let engine = try textEngine()

        try begin(.outline)
        let (search, seesAnotherSheet) = try stopwatch.time("outline") {
            () throws(FlatteningError) -> (SheetSearch, Bool) in
            let search = try SheetFlattener(options: options.sheet).locateSheet(in: capture)
            return (search, seesNeighbour(beside: search, in: capture))
        }
        try begin(.surface)
        let unrolled = try stopwatch.time("surface") { () throws(FlatteningError) in
            try FlatteningLadder(capture: capture, search: search, options: options.sheet).climb()
        }
        try begin(.print)
        let (sheet, preview) = try stopwatch.time("print") {
            () throws(FlatteningError) -> (UnrolledSheet, PreviewPage) in
            try unrolled.straightenedByPrint(on: capture.image, options: options.sheet)
        }
        for refusal in sheet.refused { logger.debug("not taken: \(refusal.step): \(refusal.reason)") }
        try begin(.upright)
        let upright = try stopwatch.time("upright") { () throws(FlatteningError) in
            try UprightTurn(of: preview, engine: engine, deadline: deadline)
        }
        let page = preview.page.turned(clockwiseQuarters: upright.decision.quarterTurns)
        try begin(.resampling)
        let map = stopwatch.time("resampling") { page.samplingMap() }
        let picture = FlatImage(
            photograph: capture.image, map: map, filter: options.filter, light: options.light,
            pixelsPerMeter: page.pixelsPerMeter)
        var text: RecognizedText?
        if let engine {
            try begin(.text)
            text = try stopwatch.time("text") { () throws(FlatteningError) in
                try TextRecognizer(engine: engine).recognize(
                    TextPage(
                        picture.photographedGray(),
                        pixelsPerMillimeter: page.pixelsPerMeter.map { $0 / 1000 },
                        isOnSheet: sheet.isOnSheet(through: map)),
                    context: deadline.readingContext(onProgress: onReading))
            }
        }
        let fields = text.map { ReceiptFields(of: $0) }
        let own = FlatteningWarnings(
            capture: capture, search: search, sheet: sheet, options: options,
            seesAnotherSheet: seesAnotherSheet)
        let warnings = (capture.warnings + own.all + [upright.warning].compactMap(\.self)).withoutRepeats()
        for warning in warnings { logger.warning("\(warning)") }
        for timing in stopwatch.timings { logger.debug("\(timing.stage): \(timing.milliseconds) ms") }
        return FlattenedReceipt(
            picture: picture, outline: search.outline, plane: sheet.plane?.model, surface: sheet.fit?.surface,
            text: text,
            fields: fields,
            report: FlatteningReport(
                of: sheet, on: page, size: picture.size, upright: upright.decision, text: text,
                fields: fields.map {
                    .init($0, map: map, pixelsPerMillimeter: page.pixelsPerMeter.map { $0 / 1000 })
                },
                engine: engine,
                warnings: warnings, timings: stopwatch.timings)
        )
    }

    /// What text is to be read with; nil if none is to be read.
    private func textEngine() throws(FlatteningError) -> (any TextEngine)? {
        if let engine = options.textEngine { return engine }
        return try options.language.map { language throws(FlatteningError) in
            try TesseractEngine(language: language)
        }
    }

    /// Whether there is another sheet beside the one that was found. Who gave its corners knows.
    func seesNeighbour(beside search: SheetSearch, in capture: Capture) -> Bool {
        options.corners == nil && search.outlines.count > 1
    }

    private var logger: Logger { Logger(label: "receipt-flattening") }
}

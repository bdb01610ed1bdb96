public import DepthGeometry
public import Diagnostics
import Documents
import Parallelism
import Captures
import Imaging
internal import Logging
import SheetFlattening
import TextRecognition

/// Turns a capture of a receipt into a flat image of true size, and reads the text of that image.
///
/// ```swift
/// let capture = try Capture(contentsOf: URL(filePath: "receipt-folder"))
/// let receipt = try ReceiptFlattener().flatten(capture)
/// try receipt.picture.write(to: URL(filePath: "flat.png"))
/// ```
///
/// The steps are: find the outline, fit the surface, unroll it, straighten it by the printed lines, turn it upright, resample
/// once, and read the text. If a capture lacks what a step needs, the flattener falls back to the next step of a ladder
/// (depth, then curved sides, then corners, then only the upright turn) and still returns a result. The report names each
/// step that was not taken, and why. A flattener holds no state: one value may serve many tasks at once.
public struct ReceiptFlattener: Sendable {
    /// A stage of the work, in order, for showing progress.
    public enum Stage: String, CaseIterable, Sendable {
        /// Finding the sheet in the image.
        case outline
        /// Fitting a surface to depth, or to the sheet's sides or corners, and unrolling it.
        case surface
        /// Straightening the sheet by the lines printed on it.
        case print
        /// Finding out which way is up.
        case upright
        /// Computing the position in the photograph that each pixel of the flat image comes from.
        case resampling
        /// Joining the flat parts that several photographs show; see `stitch`.
        case stitching
        /// Reading the flat image.
        case text
        /// Looking for the other contents of the sheet; see `Options.finds`.
        case finding
    }

    /// The caller's options.
    public var options: Options

    /// Creates a flattener. Its options are checked when it is used.
    public init(options: Options = Options()) {
        self.options = options
    }

    /// Flattens one capture. If several sheets are in view, flattens the one most likely meant.
    /// - Parameters:
    ///   - capture: the upright photograph with what is known about it.
    ///   - onStage: called on this thread before each stage.
    ///   - onReading: receives the share of the reading that is done; see `TextRecognizer.recognize`.
    /// - Throws: `.badInput` for options out of range, `.limitExceeded` for a photograph of more than 715 megapixels,
    ///   `.shortage` if memory is short, `.missingDependency` without LAPACK, `.missingDependency` and `.missingLanguageData`
    ///   if text was asked for and cannot be read here, `.timeout`, and `.cancelled` if the surrounding task was cancelled.
    /// - Complexity: linear in the photograph's pixels, the depth readings and the flat image's pixels.
    public func flatten(
        _ capture: Capture, onStage: (Stage) -> Void = { _ in },
        onReading: (@Sendable (Double) -> Void)? = nil
    ) throws(FlatteningError) -> FlattenedReceipt {
        try RequiredLibraries.withoutShortage { () throws(FlatteningError) in
            try flatten(capture, .best, onStage: { stage, _ in onStage(stage) }, onReading: onReading) {
                Task.isCancelled
            }[0]
        }
    }

    /// Flattens one capture off the caller's actor. Cancelling the task ends it with `.cancelled`.
    ///
    /// The errors are those of `flatten(_:onStage:onReading:)`; `onStage` is called on the computing thread.
    public func flatten(
        _ capture: Capture, onStage: @escaping @Sendable (Stage) -> Void = { _ in },
        onReading: (@Sendable (Double) -> Void)? = nil
    ) async throws(FlatteningError) -> FlattenedReceipt {
        try await computeDetached { stop throws(FlatteningError) in
            try RequiredLibraries.withoutShortage { () throws(FlatteningError) in
                try flatten(capture, .best, onStage: { stage, _ in onStage(stage) }, onReading: onReading) {
                    stop.isRaised
                }[0]
            }
        }
    }

    /// Flattens all sheets of one capture, each as `flatten(_:onStage:onReading:)` does. The sheets are located once.
    /// - Parameters:
    ///   - capture: the upright photograph with what is known about it.
    ///   - onStage: called on this thread before each stage of each sheet, with the sheet's number. The number is nil for the
    ///     outline, which is one stage for all sheets, and where no sheet was found.
    ///   - onReading: receives the share of one sheet's reading that is done.
    /// - Returns: the sheets in reading order: rows from top to bottom, each from left to right; `report.sheet` numbers them.
    ///   There is at least one: if no sheet is found, the ladder continues without an outline. Corners given by the caller
    ///   are one sheet.
    /// - Throws: as `flatten(_:onStage:onReading:)`. An error in one sheet fails the whole call. One time limit covers all
    ///   sheets.
    /// - Complexity: that of `flatten(_:onStage:onReading:)` for each sheet, except that the outline is computed once.
    public func flattenAll(
        _ capture: Capture, onStage: (Stage, FlatteningReport.SheetNumber?) -> Void = { _, _ in },
        onReading: (@Sendable (Double) -> Void)? = nil
    ) throws(FlatteningError) -> [FlattenedReceipt] {
        try RequiredLibraries.withoutShortage { () throws(FlatteningError) in
            try flatten(capture, .all, onStage: onStage, onReading: onReading) { Task.isCancelled }
        }
    }

    /// Flattens all sheets of one capture off the caller's actor. Cancelling the task ends it with `.cancelled`.
    ///
    /// Otherwise as `flattenAll(_:onStage:onReading:)`; `onStage` is called on the computing thread.
    public func flattenAll(
        _ capture: Capture,
        onStage: @escaping @Sendable (Stage, FlatteningReport.SheetNumber?) -> Void = { _, _ in },
        onReading: (@Sendable (Double) -> Void)? = nil
    ) async throws(FlatteningError) -> [FlattenedReceipt] {
        try await computeDetached { stop throws(FlatteningError) in
            try RequiredLibraries.withoutShortage { () throws(FlatteningError) in
                try flatten(capture, .all, onStage: onStage, onReading: onReading) { stop.isRaised }
            }
        }
    }

    /// Which of the sheets in view are flattened.
    enum Choice {
        /// The sheet most likely meant.
        case best
        /// All, in reading order.
        case all

        /// The searches from which the ladder starts, each with its sheet's number. If no sheet was found, one search without
        /// a number.
        fileprivate func sheets(
            of search: SheetSearch
        ) -> [(search: SheetSearch, number: FlatteningReport.SheetNumber?)] {
            switch self {
            case .best: [(search, search.numberOfMeant)]
            case .all:
                search.eachInReadingOrder.enumerated().map { index, each in
                    (each, each.outline.map { _ in .init(index: index + 1, count: search.outlines.count) })
                }
            }
        }
    }

    /// - Parameters:
    ///   - known: the result of the sheet search, if there is one already; tests pass sheets that no drawing shows.
    ///   - isPart: whether the capture shows only a part of a sheet. Then the photograph is not treated as a scan, and a
    ///     sheet cut off by the image border is not flattened by its sides and rows.
    ///   - logsWarnings: whether the report's warnings are also logged.
    func flatten(
        _ capture: Capture, _ choice: Choice, found known: SheetSearch? = nil,
        isPart: Bool = false, onStage: (Stage, FlatteningReport.SheetNumber?) -> Void = { _, _ in },
        onReading: (@Sendable (Double) -> Void)? = nil, logsWarnings: Bool = true,
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws(FlatteningError) -> [FlattenedReceipt] {
        try options.validate()
        try ResamplingLimits.check(capture.image.size)
        try RequiredLibraries.load()
        let deadline = Deadline(after: options.timeLimit, isCancelled: isCancelled)
        // Asked for first: without an engine, a run that reads text should fail before any work, not after it.
        let engine = try textEngine()
        let run = Run(
            capture: capture, engine: engine, deadline: deadline, onReading: onReading, isPart: isPart)

        return try withoutActuallyEscaping(onStage) { onStage throws(FlatteningError) in
            var outlining = Course(until: deadline) { onStage($0, nil) }
            let all = try outlining.run(.outline) { () throws(FlatteningError) in
                if let known {
                    known
                } else if isPart {
                    SheetOutline.find(in: capture.image)
                } else {
                    try SheetFlattener(options: options.sheet).locateSheet(in: capture)
                }
            }
            var receipts: [FlattenedReceipt] = []
            for (search, number) in choice.sheets(of: all) {
                var course = Course(until: deadline, after: outlining.timings) { onStage($0, number) }
                let receipt = try flatten(search, number, of: run, &course)
                let subject = choice == .all && search != all ? number.map { "\($0): " } ?? "" : ""
                for warning in receipt.report.warnings {
                    let isOfCapture = capture.warnings.contains(warning)
                    // A warning about the capture is logged once, not for each sheet.
                    guard logsWarnings, options.logsWarnings, receipts.isEmpty || !isOfCapture else {
                        continue
                    }
                    logger.warning("\(isOfCapture ? "" : subject)\(warning)")
                }
                receipts.append(receipt)
            }
            return receipts
        }
    }

    /// What all sheets of one capture share while they are flattened.
    struct Run {
        let capture: Capture
        let engine: (any TextEngine)?
        let deadline: Deadline
        let onReading: (@Sendable (Double) -> Void)?
        let isPart: Bool
    }

    /// Flattens one sheet that was found, and reads it.
    private func flatten(
        _ search: SheetSearch, _ number: FlatteningReport.SheetNumber?, of run: Run, _ course: inout Course
    ) throws(FlatteningError) -> FlattenedReceipt {
        let (capture, engine) = (run.capture, run.engine)
        let asFound = try level(search, of: run, &course)
        let completed = try completed(asFound, search, of: run, &course)
        var level = completed?.level ?? asFound
        var (map, page) = try course.run(.resampling) {
            flat(level, isSeen: looks(with: engine), in: run)
        }
        var text: RecognizedText?
        var layerRefusal: String?
        if let engine, let page {
            (text, layerRefusal) = try course.run(.text) {
                () throws(FlatteningError) -> (RecognizedText, String?) in
                try read(page, of: level, in: run, by: engine)
            }
        }
        if let (even, moved) = try evened(level, text, of: run, &course) {
            (level, text) = (even, moved)
            (map, page) = course.time(Stage.resampling.rawValue) {
                flat(level, isSeen: !options.finds.isEmpty, in: run)
            }
        }
        let sheet = level.sheet
        let picture = FlatImage(
            of: sheet, on: level.page, photograph: capture.image, map: map, options: options.sheet)
        let reading = try reading(
            of: page, text: text, by: engine,
            scale: level.page.density / level.page.atDensityOfPhotograph().density, to: picture.size,
            &course)
        let own = FlatteningWarnings(
            capture: capture, search: search, sheet: sheet, options: options,
            turns: level.upright.turnsOfPage, cut: completed?.end)
        let warnings =
            (capture.warnings + own.all
            + [level.upright.warning(reading: text), layerRefusal].compactMap(\.self) + reading.warnings)
            .withoutRepeats()
        for timing in course.timings { logger.debug("\(timing.stage): \(timing.milliseconds) ms") }
        return FlattenedReceipt(
            picture: picture, outline: sheet.outline, plane: sheet.plane?.model, surface: sheet.fit?.surface,
            reading: reading,
            report: FlatteningReport(
                of: level, number: number, pageNumber: capture.page, size: picture.size, map: map,
                marginMillimeters: options.sheet.marginAroundSheet, reading: reading,
                fusion: capture.fusion.map { .init($0, outline: sheet.outline) }, warnings: warnings,
                timings: course.timings),
            context: options.context)
    }

    /// Returns the engine that reads text; nil if no text is to be read.
    func textEngine() throws(FlatteningError) -> (any TextEngine)? {
        if let engine = options.textEngine { return engine }
        return try options.language.map { language throws(FlatteningError) in
            try options.reader.engine(language: language, model: options.readerModel)
        }
    }

    var logger: Logger { Logger(label: "receipt-flattening") }
}

extension SheetSearch {
    /// The number, in reading order, of the sheet most likely meant; nil if no sheet was found.
    var numberOfMeant: FlatteningReport.SheetNumber? {
        outline.flatMap { meant in
            inReadingOrder.firstIndex(of: meant).map { .init(index: $0 + 1, count: outlines.count) }
        }
    }
}

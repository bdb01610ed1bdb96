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
        var stopwatch = Stopwatch()
        // Asked for first: without an engine, a run that reads text should fail before any work, not after it.
        let engine = try textEngine()

        try deadline.check(before: Stage.outline.rawValue)
        onStage(.outline, nil)
        let all = try stopwatch.time("outline") { () throws(FlatteningError) in
            if let known {
                known
            } else if isPart {
                SheetOutline.find(in: capture.image)
            } else {
                try SheetFlattener(options: options.sheet).locateSheet(in: capture)
            }
        }
        let run = Run(
            capture: capture, engine: engine, deadline: deadline, stopwatch: stopwatch, onReading: onReading,
            isPart: isPart)
        var receipts: [FlattenedReceipt] = []
        for (search, number) in choice.sheets(of: all) {
            let receipt = try flatten(search, number, of: run) { stage in onStage(stage, number) }
            let subject = choice == .all && search != all ? number.map { "\($0): " } ?? "" : ""
            for warning in receipt.report.warnings {
                let isOfCapture = capture.warnings.contains(warning)
                // A warning about the capture is logged once, not for each sheet.
                guard logsWarnings, options.logsWarnings, receipts.isEmpty || !isOfCapture else { continue }
                logger.warning("\(isOfCapture ? "" : subject)\(warning)")
            }
            receipts.append(receipt)
        }
        return receipts
    }

    /// What all sheets of one capture share while they are flattened.
    struct Run {
        let capture: Capture
        let engine: (any TextEngine)?
        let deadline: Deadline
        /// Includes the time spent finding the sheets.
        let stopwatch: Stopwatch
        let onReading: (@Sendable (Double) -> Void)?
        let isPart: Bool
    }

    /// A sheet that is unrolled and levelled, with its upright direction.
    struct LevelSheet {
        var sheet: UnrolledSheet
        /// The sheet's page as framed, before its upright turn.
        var framed: PageLayout
        /// In the frame of the page before its turn.
        let zone: ZoneOnPage?
        let upright: UprightTurn

        var page: PageLayout { framed.turned(clockwiseQuarters: upright.turnsOfPage) }

        /// How far the printed rows are from straight lines, in pixels; nil if too few were found.
        var unevenness: Double? {
            sheet.print?.unevenness.map { $0 * framed.density }
        }
    }

    /// - Parameter begin: called before each stage.
    private func level(
        _ search: SheetSearch, of run: Run, _ stopwatch: inout Stopwatch, takesExtremeCorners: Bool = false,
        begin: (Stage) throws(FlatteningError) -> Void
    ) throws(FlatteningError) -> LevelSheet {
        try begin(.surface)
        let ladder = FlatteningLadder(
            capture: run.capture, search: search, options: options.sheet,
            takesExtremeCorners: takesExtremeCorners)
        let unrolled = try stopwatch.time("surface") { () throws(FlatteningError) in try ladder.climb() }
        try begin(.print)
        let (sheet, preview) = try stopwatch.time("print") {
            () throws(FlatteningError) -> (UnrolledSheet, PreviewPage) in
            try ladder.straightened(unrolled)
        }
        for refusal in sheet.refused { logger.debug("not taken: \(refusal.step): \(refusal.reason)") }
        try begin(.upright)
        // Done before the turn, because a zone decides the turn.
        let zone =
            options.finds.contains(.mrz)
            ? stopwatch.time("zone") {
                self.zone(of: sheet, on: preview.page, in: run.capture, until: run.deadline)
            }
            : nil
        let upright = try stopwatch.time("upright") { () throws(FlatteningError) -> UprightTurn in
            let upright = try UprightTurn(
                of: preview, photograph: run.capture.metadata.orientation, zone: zone?.zone,
                engine: run.engine,
                isDrawnWithText: sheet.isStated && run.capture.page?.drawn?.readsUpright == true,
                deadline: run.deadline)
            return upright.isInDoubt
                ? upright.decided(byReading: try sureCharacters(on: preview.page, of: sheet, in: run))
                : upright
        }
        return LevelSheet(sheet: sheet, framed: preview.page, zone: zone, upright: upright)
    }

    /// Counts the characters read with certainty on a page after 0 to 3 clockwise quarter turns.
    private func sureCharacters(
        on page: PageLayout, of sheet: UnrolledSheet, in run: Run
    ) throws(FlatteningError) -> [Double] {
        let engine = try auxiliaryEngine(in: run)
        func read(turned turns: Int) throws(FlatteningError) -> RecognizedText {
            try run.deadline.check(before: Stage.upright.rawValue)
            return try readCursorily(
                page.turned(clockwiseQuarters: turns), of: sheet, in: run, by: engine)
        }
        let (level, onItsSide) = (try read(turned: 0), try read(turned: 1))
        var counts = [level.sureCharacters, onItsSide.sureCharacters, 0, 0]
        // Upside-down print is also detected, though not read: if neither of these two turns shows a word, there is none to
        // count.
        if !level.lines.isEmpty || !onItsSide.lines.isEmpty {
            for turns in 2...3 { counts[turns] = try read(turned: turns).sureCharacters }
        }
        return counts
    }

    /// Flattens a sheet whose four corners are not all in view as a sheet cut off by the image border, as far as it is shown.
    /// Returns nil if the sheet is not of that kind, or if the result is unsure.
    private func completed(
        _ cut: LevelSheet, _ search: SheetSearch, of run: Run, _ stopwatch: inout Stopwatch
    ) throws(FlatteningError) -> (level: LevelSheet, end: OpenSheet?)? {
        guard !run.isPart, case .found = search, !cut.sheet.isFramedByOutline,
            let found = cut.sheet.outline,
            found.confidence >= SheetOutline.sureConfidence
        else { return nil }
        func level(_ search: SheetSearch) throws(FlatteningError) -> LevelSheet {
            try self.level(search, of: run, &stopwatch, takesExtremeCorners: true) {
                stage throws(FlatteningError) in
                try run.deadline.check(before: stage.rawValue)
            }
        }
        if cut.sheet.method == .angle,
            let open = OpenSheet(level: cut.page.samplingMap(), found: found, cut: .allThatIsShown),
            open.goesOnAbove || open.goesOnBelow
        {
            let level = try level(.found([open.outline]))
            // What bent sides say about the part beyond the image is a guess, and so are corners that do not form a
            // rectangle: of 13 photographs and scans with a cut sheet, the three of this kind became harder to read, and none
            // of the others did.
            if level.sheet.method == .corners, !level.sheet.showsCurve,
                level.sheet.confidence >= SheetOutline.sureConfidence,
                Self.variation(ofScale: level.page.samplingMap(), in: run.capture.image.size)
                    <= Self.greatestVariation
            {
                return (level, open)
            }
        }
        let level = try level(search)
        guard level.sheet.isFramedByOutline else { return nil }
        if let asShown = cut.unevenness, let completed = level.unevenness,
            Self.isUneven(completed, asShown: asShown)
        {
            return nil
        }
        return (level, nil)
    }

    /// The ratio of the greatest to the smallest scale, as lengths, at which a map shows its photograph.
    static func variation(ofScale map: SamplingMap, in photograph: PixelSize) -> Double {
        let size = SIMD2(Double(map.outputSize.width), Double(map.outputSize.height))
        let limit = SIMD2(Double(photograph.width), Double(photograph.height)) - 1
        var areas: [Double] = []
        for row in 0...Self.probes {
            for column in 0...Self.probes {
                let place = SIMD2(Double(column), Double(row)) / Double(Self.probes) * (size - 2)
                let source = map.source(of: place)
                guard source.x >= 0, source.y >= 0, source.x <= limit.x, source.y <= limit.y else { continue }
                let right = map.source(of: place + SIMD2(1, 0)) - source
                let down = map.source(of: place + SIMD2(0, 1)) - source
                areas.append(abs(right.x * down.y - right.y * down.x))
            }
        }
        guard let least = areas.min(), let greatest = areas.max(), least > 0 else { return .infinity }
        return (greatest / least).squareRoot()
    }

    /// The greatest variation of scale over a page whose corners lie beyond the photograph. Of 393 photographs, mostly of
    /// receipts, 84 are such: 82 vary by up to 2.4, and two that came out as wedges by 9.5 and 12.9.
    private static let greatestVariation = 3.0
    /// Places along each side of a page at which its scale is measured.
    private static let probes = 12

    /// Whether rows are less even, in pixels, after flattening by the outline than they are as photographed.
    static func isUneven(_ completed: Double, asShown: Double) -> Bool {
        completed > mostUneven * max(asShown, leastUneven)
    }

    /// The greatest ratio of the rows' unevenness after flattening by the outline to their unevenness as photographed. Of 110
    /// photographs of receipts, 10 have an outline with only one side in view: nine have ratios up to 1.4; the tenth, whose
    /// outline holds half of the sheet, has 1.8.
    private static let mostUneven = 1.5
    /// Unevenness, in pixels, that rows may have however even they are in the photograph: on two small photographs with ratios of
    /// 1.6 and 1.7, all of it is below what their letters can show.
    private static let leastUneven = 0.5

    /// Flattens one sheet that was found.
    private func flatten(
        _ search: SheetSearch, _ number: FlatteningReport.SheetNumber?, of run: Run,
        onStage: (Stage) -> Void
    ) throws(FlatteningError) -> FlattenedReceipt {
        let (capture, engine, deadline) = (run.capture, run.engine, run.deadline)
        var stopwatch = run.stopwatch
        func begin(_ stage: Stage) throws(FlatteningError) {
            try deadline.check(before: stage.rawValue)
            onStage(stage)
        }
        let asFound = try level(search, of: run, &stopwatch, begin: begin)
        let completed = try completed(asFound, search, of: run, &stopwatch)
        try begin(.resampling)
        var level = completed?.level ?? asFound
        var (map, seen) = stopwatch.time("resampling") {
            shown(level.page, isRead: engine != nil || !options.finds.isEmpty, in: run)
        }
        var reading = TextReading()
        if let engine, let seen {
            try begin(.text)
            reading = try stopwatch.time("text") { () throws(FlatteningError) in
                try read(seen, of: level, in: run, by: engine)
            }
        }
        if let (even, text) = try evened(level, reading.text, of: run, &stopwatch) {
            (level, reading.text) = (even, text)
            (map, seen) = stopwatch.time("resampling") {
                shown(level.page, isRead: !options.finds.isEmpty, in: run)
            }
        }
        let (sheet, upright, zone, page) = (level.sheet, level.upright, level.zone, level.page)
        let picture = FlatImage(
            of: sheet, on: page, photograph: capture.image, map: map, options: options.sheet)
        let scale = page.density / page.atDensityOfPhotograph().density
        var findings = SheetFindings.none
        if !options.finds.isEmpty, let seen {
            try begin(.finding)
            findings = try stopwatch.time("finding") { () throws(FlatteningError) in
                try SheetFindings(
                    of: options.finds,
                    in: SheetView(
                        flat: seen.gray, photograph: SheetPhotograph(image: capture.image, map: seen.map),
                        outline: sheet.outline?.polygon,
                        sheetMillimeters: sheet.millimeters(
                            of: page.frame, margin: options.sheet.marginAroundSheet),
                        pixelsPerMillimeter: seen.pixelsPerMillimeter, text: reading.text,
                        zone: zone?.turned(clockwiseQuarters: upright.turnsOfPage)),
                    scale: scale, context: options.context, until: deadline)
            }
        }
        let text = reading.text?.scaled(by: scale, to: picture.size)
        let fields = text.map { ReceiptFields(of: $0, context: options.context) }
        let own = FlatteningWarnings(
            capture: capture, search: search, sheet: sheet, options: options, turns: upright.turnsOfPage,
            cut: completed?.end)
        let doubts = ReadingWarnings(text: text, findings: findings)
        let warnings =
            (capture.warnings + own.all
            + [upright.warning(reading: text), reading.layerRefusal].compactMap(\.self) + doubts.all)
            .withoutRepeats()
        for timing in stopwatch.timings { logger.debug("\(timing.stage): \(timing.milliseconds) ms") }
        return FlattenedReceipt(
            picture: picture, outline: sheet.outline, plane: sheet.plane?.model, surface: sheet.fit?.surface,
            text: text, fields: fields, findings: findings,
            report: FlatteningReport(
                of: sheet, number: number, pageNumber: capture.page, on: page, size: picture.size,
                marginMillimeters: options.sheet.marginAroundSheet, upright: upright.decision,
                turns: upright.turnsOfPage,
                text: text,
                fields: fields.map {
                    .init($0, map: map, pixelsPerMillimeter: page.pixelsPerMeter.map { $0 / 1000 })
                },
                findings: findings, map: map,
                fusion: capture.fusion.map { .init($0, outline: sheet.outline) }, engine: engine,
                warnings: warnings, timings: stopwatch.timings),
            engine: engine, context: options.context)
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

extension Capture.Drawn {
    /// Whether the page's words run from left to right: most words of three or more characters are wider than high, and most
    /// words stand to the right of the word before them in their row. Otherwise the page lies on its side or upside down, or
    /// is not in Latin script, and the print decides.
    fileprivate var readsUpright: Bool {
        let long = words.filter { $0.text.count >= 3 }
        let followers = zip(words, words.dropFirst()).filter { before, word in
            let common = min(before.box.bottom, word.box.bottom) - max(before.box.top, word.box.top)
            return common > 0.5 * min(before.box.height, word.box.height)
        }
        let rising = followers.count { $0.box.left < $1.box.left }
        return !long.isEmpty && 2 * long.count { $0.box.width > $0.box.height } > long.count
            && 2 * rising >= followers.count
    }
}

extension SheetSearch {
    /// The number, in reading order, of the sheet most likely meant; nil if no sheet was found.
    var numberOfMeant: FlatteningReport.SheetNumber? {
        outline.flatMap { meant in
            inReadingOrder.firstIndex(of: meant).map { .init(index: $0 + 1, count: outlines.count) }
        }
    }
}

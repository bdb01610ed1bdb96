public import DepthGeometry
public import Diagnostics
import Documents
import Imaging
import Parallelism
import RobustStatistics
import SheetFlattening
import SheetStitching
import TextRecognition

extension ReceiptFlattener {
    /// The most photographs that can be joined: all are in memory, and each is compared with every other.
    public static let mostStitchedCaptures = 16

    /// Joins photographs of parts of one sheet, such as a receipt too long for one photograph, to one flat image, which is
    /// read once.
    ///
    /// Each capture is flattened by itself, with its own depth and camera. Overlaps are found from the print, so the order
    /// does not matter, and each photograph may be upside down. The sheet may continue beyond each image at its upper and
    /// lower end. A quarter of each image, with print on it, should also be in the next one.
    ///
    /// The receipt's report describes the parts in `stitch`. The receipt's outline, plane and surface are nil, and its `map`
    /// leads to the joined picture, because no single photograph shows the whole sheet.
    /// - Parameters:
    ///   - captures: 2 to ``mostStitchedCaptures`` photographs, upright or not.
    ///   - onStage: called on this thread before each stage, with the capture's number from 1; nil for stages that concern
    ///     all.
    ///   - onReading: receives the share of the reading that is done.
    /// - Throws: `.badInput` for another number of captures, for corners given by the caller, and for an image whose overlap
    ///   with the others is not found (`file` names it); otherwise as `flatten(_:onStage:onReading:)`. One time limit covers
    ///   all captures.
    /// - Complexity: that of `flatten(_:onStage:onReading:)` for each capture, and quadratic in their number.
    public func stitch(
        _ captures: [Capture], onStage: (Stage, Int?) -> Void = { _, _ in },
        onReading: (@Sendable (Double) -> Void)? = nil
    ) throws(FlatteningError) -> FlattenedReceipt {
        try RequiredLibraries.withoutShortage { () throws(FlatteningError) in
            try stitch(captures, onStage: onStage, onReading: onReading) { Task.isCancelled }
        }
    }

    /// Joins photographs off the caller's actor. Cancelling the task ends it with `.cancelled`.
    ///
    /// Otherwise as `stitch(_:onStage:onReading:)`; `onStage` is called on the computing thread.
    public func stitch(
        _ captures: [Capture], onStage: @escaping @Sendable (Stage, Int?) -> Void = { _, _ in },
        onReading: (@Sendable (Double) -> Void)? = nil
    ) async throws(FlatteningError) -> FlattenedReceipt {
        try await computeDetached { stop throws(FlatteningError) in
            try RequiredLibraries.withoutShortage { () throws(FlatteningError) in
                try stitch(captures, onStage: onStage, onReading: onReading) { stop.isRaised }
            }
        }
    }

    private func stitch(
        _ captures: [Capture], onStage: (Stage, Int?) -> Void, onReading: (@Sendable (Double) -> Void)?,
        isCancelled: @escaping @Sendable () -> Bool
    ) throws(FlatteningError) -> FlattenedReceipt {
        guard (2...Self.mostStitchedCaptures).contains(captures.count) else {
            throw FlatteningError(
                .badInput, "this is no number of pictures to join", stage: .stitching,
                seen: "\(captures.count)", allowed: "2 to \(Self.mostStitchedCaptures)")
        }
        guard options.corners == nil else {
            throw FlatteningError(
                .badInput, "corners are of one picture, and several are to be joined", stage: .stitching)
        }
        try options.validate()
        let deadline = Deadline(after: options.timeLimit, isCancelled: isCancelled)
        let engine = try textEngine()
        return try withoutActuallyEscaping(onStage) { onStage throws(FlatteningError) in
            var course = Course(until: deadline) { onStage($0, nil) }
            var made: [StitchedParts.Part] = []
            for (index, capture) in captures.enumerated() {
                made.append(
                    try course.time("picture \(index + 1)") { () throws(FlatteningError) in
                        try part(capture, until: deadline) { onStage($0, index + 1) }
                    })
            }
            let parts = StitchedParts(captures: captures, parts: made, options: options)
            let sheet = try course.run(.stitching) { () throws(FlatteningError) in
                try StitchedSheet(
                    joining: zip(parts.names, parts.flat).map { ($0, $1) }, options: parts.joining
                ) { () throws(FlatteningError) in try deadline.check(before: .stitching) }
            }
            return try read(sheet, of: parts, by: engine, onReading: onReading, &course)
        }
    }

    /// Makes and reads the flat image of a joined sheet.
    private func read(
        _ sheet: StitchedSheet, of parts: StitchedParts, by engine: (any TextEngine)?,
        onReading: (@Sendable (Double) -> Void)?, _ course: inout Course
    ) throws(FlatteningError) -> FlattenedReceipt {
        let density = try parts.shownDensity(of: sheet)
        let size = PixelSize(
            width: max(1, Int((Double(sheet.picture.width) * density / sheet.density).rounded())),
            height: max(1, Int((Double(sheet.picture.height) * density / sheet.density).rounded())))
        let picture = FlatImage(
            of: sheet, size: size, pixelsPerMeter: parts.isMetric ? density * 1000 : nil, options: options)
        let page = looks(with: engine) ? page(of: sheet, in: parts, &course) : nil
        var text: RecognizedText?
        if let engine, let page {
            let context = course.deadline.readingContext(onProgress: onReading)
            text = try course.run(.text) { () throws(FlatteningError) in
                try TextRecognizer(engine: engine).recognize(page.readable, context: context)
            }
        }
        let reading = try reading(
            of: page, text: text, by: engine, scale: density / sheet.density, to: size, &course)
        let report = FlatteningReport(
            of: sheet, parts: parts, size: size, density: density, reading: reading, timings: course.timings)
        for warning in report.warnings { logger.warning("\(warning)") }
        return FlattenedReceipt(
            picture: picture, outline: nil, plane: nil, surface: nil, reading: reading, report: report,
            context: options.context)
    }

    /// Returns a joined sheet's page as it is read and searched.
    private func page(
        of sheet: StitchedSheet, in parts: StitchedParts, _ course: inout Course
    ) -> FlatPage {
        let gray = sheet.picture.gray()
        let deadline = course.deadline
        return FlatPage(
            readable: TextPage(
                gray, pixelsPerMillimeter: parts.isMetric ? sheet.density : nil, isOnSheet: sheet.isOnSheet),
            photograph: nil, outline: nil, sheetMillimeters: parts.isMetric ? sheet.sheetSize : nil,
            zone: options.finds.contains(.mrz)
                ? course.time("zone") { zone(in: gray, until: deadline) } : nil)
    }

    /// Flattens one photograph at its own resolution, without text.
    private func part(
        _ capture: Capture, until deadline: Deadline, onStage: (Stage) -> Void
    ) throws(FlatteningError) -> StitchedParts.Part {
        var options = options
        options.language = nil
        options.textEngine = nil
        options.finds = []
        options.dotsPerInch = nil
        options.light = .none
        options.timeLimit = deadline.end.map { max($0 - .now, .milliseconds(1)) }
        do throws(FlatteningError) {
            let flattener = ReceiptFlattener(options: options)
            func flattened(_ known: SheetSearch?) throws(FlatteningError) -> FlattenedReceipt {
                try flattener.flatten(
                    capture, .best, found: known, isPart: true,
                    onStage: { stage, _ in onStage(stage) },
                    logsWarnings: false, isCancelled: deadline.isCancelled)[0]
            }
            let whole = try flattened(nil)
            guard whole.report.method == .angle, let outline = whole.outline,
                let open = OpenSheet(level: whole.map, found: outline, cut: .wholeRows)
            else { return .init(receipt: whole) }
            let part = try flattened(.found([open.outline]))
            return .init(receipt: part, goesOn: (open.goesOnAbove, open.goesOnBelow))
        } catch {
            throw error.naming(file: capture.metadata.imageName)
        }
    }
}

/// The parts of a sheet, in one unit.
struct StitchedParts {
    /// The photographs' names in messages.
    let names: [String]
    /// The flattened receipt of each photograph.
    let receipts: [FlattenedReceipt]

    /// One photograph's part.
    struct Part {
        let receipt: FlattenedReceipt
        /// Whether the sheet is known to continue above and below this part.
        var goesOn = (above: false, below: false)
    }
    /// The parts as input for joining.
    let flat: [FlatPart]
    /// Whether a unit is a millimetre.
    let isMetric: Bool
    private let options: ReceiptFlattener.Options

    init(captures: [Capture], parts: [Part], options: ReceiptFlattener.Options) {
        let receipts = parts.map(\.receipt)
        names = captures.map(\.metadata.imageName)
        self.receipts = receipts
        self.options = options
        isMetric = receipts.contains { $0.pixelsPerMeter != nil }
        let sides = receipts.map { receipt in
            receipt.outline.flatMap { outline in
                SheetSides(of: receipt.map, photograph: receipt.picture.photograph.size) {
                    outline.contains($0)
                }
            }
        }
        let widths = zip(receipts, sides).map { receipt, sides in
            sides.map { $0.right - $0.left } ?? Double(receipt.map.outputSize.width)
        }
        // A part without a scale gets the width in millimetres of the parts that have one, or else the usual width of
        // receipts.
        let known = zip(receipts, widths).compactMap { receipt, width in
            receipt.pixelsPerMeter.map { width / $0 * 1000 }
        }
        let width = known.isEmpty ? UnrolledSheet.usualWidth : known.midpointMedian()
        var flat: [FlatPart] = []
        for (index, receipt) in receipts.enumerated() {
            var isOnSheet: (@Sendable (SIMD2<Double>) -> Bool)?
            if let outline = receipt.outline { isOnSheet = { outline.contains($0) } }
            flat.append(
                FlatPart(
                    photograph: receipt.picture.photograph, map: receipt.map,
                    unitsPerPixel: receipt.pixelsPerMeter.map { 1000 / $0 } ?? width / max(widths[index], 1),
                    sides: sides[index],
                    isOnSheet: isOnSheet,
                    certainty: receipt.pixelsPerMeter == nil ? 0 : receipt.report.confidence,
                    uprightness: receipt.report.upright.confidence, goesOn: parts[index].goesOn))
        }
        self.flat = flat
    }

    /// The joining options, with the density of the densest part.
    var joining: StitchedSheet.Options {
        let native = flat.map { 1 / $0.unitsPerPixel }.max() ?? 1
        return StitchedSheet.Options(
            density: isMetric ? min(native, options.maximumDotsPerInch / (Inch.meters * 1000)) : native,
            margin: options.sheet.marginAroundSheet, maximumPixels: options.maximumOutputPixels,
            filter: options.filter)
    }

    /// Returns the pixels per unit of the picture that is shown.
    func shownDensity(of sheet: StitchedSheet) throws(FlatteningError) -> Double {
        guard isMetric, let dpi = options.dotsPerInch else { return sheet.density }
        let density = dpi / (Inch.meters * 1000)
        let pixels = Double(sheet.picture.size.pixelCount) * density * density / sheet.density / sheet.density
        guard pixels <= Double(options.maximumOutputPixels) else {
            throw FlatteningError(
                .limitExceeded, "the flat image would be too large", stage: .framing,
                seen: "\(Int(min(pixels / 1e6, 1e9))) megapixels",
                allowed: "\(options.maximumOutputPixels / 1_000_000) megapixels",
                advice: "Ask for a lower dpi")
        }
        return density
    }
}

extension FlatteningReport {
    /// The report of a joined picture.
    init(
        of sheet: StitchedSheet, parts: StitchedParts, size: PixelSize, density: Double,
        reading: PageReading, timings: [Timing]
    ) {
        let reports = parts.receipts.map(\.report)
        let used = sheet.placements.map { reports[$0.part] }
        // The joined picture is only as good as its weakest part.
        let weakest = used.min { $0.confidence < $1.confidence } ?? reports[0]
        method = weakest.method
        confidence = sheet.placements.compactMap(\.joint?.agreement).reduce(weakest.confidence, min)
        refused = weakest.refused
        dpi = parts.isMetric ? density * (Inch.meters * 1000) : nil
        sizePx = Extent(width: Double(size.width), height: Double(size.height))
        sizeMm =
            parts.isMetric
            ? Extent(width: Double(size.width) / density, height: Double(size.height) / density) : nil
        // A sheet that continues beyond the images is longer than the part shown, and if its end was cut off, the rest may
        // include some of the table.
        let isWhole =
            sheet.showsTop && sheet.showsBottom && sheet.cutEnds == (false, false)
            && used.allSatisfy { $0.outline != nil }
        sheetMm =
            parts.isMetric && isWhole
            ? Extent(width: sheet.sheetSize.x, height: sheet.sheetSize.y) : nil
        coverage = used.map(\.coverage).min() ?? 0
        outlineConfidence = used.compactMap(\.outlineConfidence).min()
        upright = used.max { $0.upright.confidence < $1.upright.confidence }?.upright ?? weakest.upright
        let summary = StitchSummary(
            sheet, of: zip(parts.names, reports).map { ($0, $1) }, pixelsPerUnit: density,
            isMetric: parts.isMetric)
        stitch = summary
        intrinsicsOrigin = weakest.intrinsicsOrigin
        warnings =
            zip(parts.names, reports).flatMap { name, report in report.warnings.map { "\(name): \($0)" } }
            + summary.missingEnds + sheet.doubtfulEnds + summary.contradiction
            + reading.warnings
        self.timings = timings
        versions = Self.versions(of: reading)
        fill(with: reading, map: .withoutSource(size), pixelsPerMillimeter: parts.isMetric ? density : nil)
    }
}

extension FlatteningReport.StitchSummary {
    /// The disagreement above which the user is warned: the accuracy required of lengths.
    private static let greatestDisagreement = 0.01

    /// Warns that the images contradict each other.
    fileprivate var contradiction: [String] {
        guard disagreement > Self.greatestDisagreement else { return [] }
        return [
            "the pictures disagree by \((disagreement * 1000).rounded() / 10) % in how long the same piece of the sheet is: "
                + "the joined picture's lengths are as doubtful"
        ]
    }

    /// Warns of ends that no photograph shows.
    fileprivate var missingEnds: [String] {
        func warning(_ end: String) -> String {
            "the sheet's \(end) end is in no picture: the joined picture ends where the photograph does, and the sheet is longer"
        }
        return (showsTop ? [] : [warning("upper")]) + (showsBottom ? [] : [warning("lower")])
    }
}

extension StitchedSheet {
    /// Warns of ends that were cut off.
    fileprivate var doubtfulEnds: [String] {
        [("upper", showsTop && cutEnds.top), ("lower", showsBottom && cutEnds.bottom)].filter(\.1).map {
            end, _ in
            "what was found of the sheet is narrower beyond its \(end) end, and was cut off there as a piece of the table: "
                + "the joined picture may hold some of the table, and its length is not the sheet's"
        }
    }
}

extension FlatImage {
    /// The image of a joined sheet, scaled to a size.
    fileprivate init(
        of sheet: StitchedSheet, size: PixelSize, pixelsPerMeter: Double?, options: ReceiptFlattener.Options
    ) {
        let joined = sheet.picture.size
        let scale = SIMD2(
            Double(joined.width) / Double(size.width), Double(joined.height) / Double(size.height))
        let map = SamplingMap(outputSize: size, spacing: 8) { ($0 + 0.5) * scale - 0.5 }
        let edge =
            options.edge == .fill
            ? sheet.outline.flatMap { outline in
                PaperEdge(outline: outline.map { ($0 + 0.5) / scale - 0.5 }, of: sheet.picture, through: map)
            } : nil
        self.init(
            photograph: sheet.picture, map: map, filter: options.filter, light: options.light,
            pixelsPerMeter: pixelsPerMeter, edge: edge)
    }
}

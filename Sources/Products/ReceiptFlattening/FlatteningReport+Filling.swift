import DepthGeometry
import Platform
import Imaging
import SheetFlattening
import TextRecognition

extension FlatteningReport {
    /// Creates the report of a finished flattening.
    init(
        of level: LevelSheet, number: SheetNumber?, pageNumber: Capture.Page?, size: PixelSize,
        map: SamplingMap, marginMillimeters: Double, reading: PageReading, fusion: FusionSummary?,
        warnings: [String], timings: [Timing]
    ) {
        let (sheet, page) = (level.sheet, level.page)
        method = sheet.method
        confidence = sheet.confidence
        refused = sheet.refused
        dpi = page.pixelsPerMeter.map { $0 * Inch.meters }
        sizePx = Extent(width: Double(size.width), height: Double(size.height))
        sizeMm = page.pixelsPerMeter.map { density in
            Extent(width: Double(size.width) / density * 1000, height: Double(size.height) / density * 1000)
        }
        sheetMm = sheet.millimeters(of: page.frame, margin: marginMillimeters)
            .map { Extent(width: $0.x, height: $0.y) }
        plane = sheet.isMetric ? sheet.plane.map(PlaneSummary.init) : nil
        surface = sheet.isMetric ? sheet.fit.map { SurfaceSummary($0, unrolling: sheet.unrolling) } : nil
        print = sheet.print.map { PrintSummary($0, density: page.density) }
        sides = sheet.rectangle?.turned(clockwiseQuarters: level.upright.turnsOfPage)
            .summary(stretch: sheet.stretch?.amount)
        coverage = page.coverage(of: sheet.region)
        outline = sheet.outline.map { $0.polygon.map { [$0.x, $0.y] } }
        outlineConfidence = sheet.outline?.confidence
        self.sheet = number
        self.page = pageNumber.map { PageNumber(index: $0.number, count: $0.count) }
        upright = level.upright.decision
        self.fusion = fusion
        intrinsicsOrigin = sheet.intrinsicsOrigin
        self.warnings = warnings
        self.timings = timings
        versions = Self.versions(of: reading)
        fill(with: reading, map: map, pixelsPerMillimeter: page.pixelsPerMeter.map { $0 / 1000 })
    }

    /// Fills in what the page says.
    /// - Parameter map: maps the flat image's pixels to the photograph's.
    mutating func fill(with reading: PageReading, map: SamplingMap, pixelsPerMillimeter: Double?) {
        text = reading.text.map { TextSummary($0) }
        fields = reading.fields.map { .init($0, map: map, pixelsPerMillimeter: pixelsPerMillimeter) }
        fieldsMissing = fields == nil ? Self.textNotRead : nil
        fill(with: reading.findings, map: map, pixelsPerMillimeter: pixelsPerMillimeter)
    }
}

extension FlatteningReport {
    /// Returns this package's version, and those of the engine that read the text.
    static func versions(of reading: PageReading) -> [String: String] {
        var versions = ["receipt-flattening": ReceiptFlatteningVersion.current]
        guard let engine = reading.engine else { return versions }
        versions[engine.name] = engine.version
        if let reader = try? engine.reader(of: reading.text) { versions[reader.name] = reader.version }
        return versions
    }

    /// Why a report has no fields. Reading takes longer than everything else together, so it is only done on request.
    package static let textNotRead =
        "the text was not read: --fields, --text or --table has it read (options.language)"
}

extension UnrolledSheet {
    /// Returns width and height of the sheet itself in millimetres, without the frame's margin. Nil if the scale is not
    /// metric or no sheet was found.
    func millimeters(of frame: PageFrame, margin: Double) -> SIMD2<Double>? {
        guard isMetric, outline != nil else { return nil }
        // A drawn page has no margin.
        return isStated ? frame.size * 1000 : frame.size * 1000 - 2 * margin
    }
}

extension UnrolledSheet.SquaredSides {
    /// The names of the ends that the image border cuts off.
    var cutEnds: [String] { zip(["upper", "right", "lower", "left"], cut).filter(\.1).map(\.0) }

    fileprivate func summary(stretch: SIMD2<Double>?) -> FlatteningReport.SidesSummary {
        .init(greatestMove: greatestMove, cut: cutEnds, stretch: stretch.map { [$0.x, $0.y] })
    }
}

extension FlatteningReport.PlaneSummary {
    init(_ fit: RobustFit<Plane>) {
        let plane = fit.model
        normal = [plane.normal.x, plane.normal.y, plane.normal.z]
        distanceMm = abs(plane.offset) * 1000
        rmsMm = fit.rmsResidual * 1000
        inliers = fit.inlierCount
        readings = fit.inliers.count
        tiltDegrees = plane.tilt * 180 / .pi
        spreadMm = [fit.spread.thickness, fit.spread.breadth, fit.spread.length].map { $0 * 1000 }
    }
}

extension FlatteningReport.SurfaceSummary {
    init(_ fit: SurfaceFit, unrolling: Unrolling) {
        residualMm = fit.residual
        noiseMm = fit.noise
        slowErrorMm = fit.slowError
        assumedSlowErrorMm = fit.assumedSlowError
        correctedBySidesMm = fit.correctedBySides
        maximumCurvaturePerMm = fit.maximumCurvature
        let measured = unrolling.distortion
        distortion = .init(
            lengthRms: measured.length.rms, lengthMax: measured.length.maximum, areaRms: measured.area.rms,
            angleRmsDegrees: measured.angle.rms * 180 / .pi)
    }
}

extension FlatteningReport.PrintSummary {
    init(_ print: PrintedLines, density: Double) {
        lines = print.lineCount
        turnedDegrees = print.turn * 180 / .pi
        residualBeforePx = print.residualBefore.map { $0 * density }
        residualAfterPx = print.residualAfter.map { $0 * density }
        isStraightened = print.isStraightened
    }
}

extension FlatteningReport.TextSummary {
    init(_ text: RecognizedText) {
        language = text.language
        lines = text.lines.count
        confidence = text.confidence
        unreadRows = text.unreadRows?.count ?? 0
        shareRead = text.shareRead
    }
}

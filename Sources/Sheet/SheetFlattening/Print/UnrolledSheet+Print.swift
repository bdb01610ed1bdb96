package import Diagnostics
import PrintDetection
import Platform
package import Imaging

/// What the lines printed on a sheet said of it. Lengths in units of the sheet's flat coordinates.
package struct PrintedLines {
    /// Lines of text and rules that could be judged.
    package var lineCount: Int
    /// Angle by which the sheet was turned for its lines to be level, quarter turns aside, in radians.
    package var turn: Double
    /// Mean distance of the print from straight lines before; nil if too few.
    package var residualBefore: Double?
    /// The same after straightening, of lines held out of it; nil if it was not tried.
    package var residualAfter: Double?
    /// Whether the lines were straightened.
    package var isStraightened: Bool
}

extension UnrolledSheet {
    /// Whether the frame was put around the sheet's outline, not around the whole photograph.
    package var isFramedByOutline: Bool {
        switch method {
        case .plane, .cylinder, .freeform, .edges, .corners: true
        case .scan, .angle, .unchanged: false
        }
    }

    /// What tells whether a place of a picture of the sheet lies on it; nil if the frame does not rely on the outline.
    /// - Parameter map: where each pixel of that picture comes from.
    package func isOnSheet(through map: SamplingMap) -> (@Sendable (SIMD2<Double>) -> Bool)? {
        guard isFramedByOutline, let outline else { return nil }
        let lookup = PolygonLookup(Polygon(outline.polygon))
        return { lookup.contains(map.source(of: $0)) }
    }

    /// The sheet as its own print wants it: turned until the lines are level, then each line made straight, if lines that
    /// were held out agree.
    /// - Returns: the sheet, and the small picture of it as it then is, in which print was found.
    /// - Throws: as `PageLayout` does.
    package func straightenedByPrint(
        on photograph: RGBImage, options: SheetFlattener.Options
    ) throws(FlatteningError) -> (sheet: UnrolledSheet, preview: PreviewPage) {
        let asFramed = try PreviewPage(of: self, photograph: photograph, options: options)
        // A page that is drawn is as straight as it is meant to be.
        guard !isStated else { return (self, asFramed) }
        guard var (sheet, preview, rows) = try showingRows(asFramed, photograph: photograph, options: options)
        else {
            guard let squared = squaredBySides(isLevelByPrint: false, options: options) else {
                return (self, asFramed)
            }
            return (squared, try PreviewPage(of: squared, photograph: photograph, options: options))
        }
        for _ in 0..<Self.mostTurns {
            guard let tilt = rows.tilt, let turned = sheet.turned(by: tilt) else { break }
            let next = try PreviewPage(of: turned, photograph: photograph, options: options)
            guard
                let level = try PreviewRows(of: next, isLevelBySides: isFramedByOutline, sight: rows.sight)
            else { break }
            (sheet, preview, rows) = (turned, next, level)
        }
        let angle = atan2(
            (sheet.frame.xAxis * frame.yAxis).sum(), (sheet.frame.xAxis * frame.xAxis).sum())
        let quarters = Int((angle / (.pi / 2)).rounded())
        let turn = angle - Double(quarters) * .pi / 2

        let found = try rows.straightening(cap: sheet.greatestShift)
        var lines = PrintedLines(
            lineCount: found.lineCount, turn: turn,
            residualBefore: found.residualBefore.map { $0 / preview.density },
            residualAfter: found.residualAfter.map { $0 / preview.density }, isStraightened: false)
        switch found.outcome {
        case .straightened(let field):
            sheet = sheet.moved(by: field, density: preview.density)
            lines.isStraightened = true
        case .refused(let reason):
            sheet.refused.append(.init(step: "print", reason: reason))
        }
        let squared = sheet.squaredBySides(isLevelByPrint: true, options: options)
        sheet = squared ?? sheet
        // Sides that were level stay so: which of the four turns is up is not decided here.
        sheet.frame = sheet.frame.turned(clockwiseQuarters: quarters)
        sheet.rectangle = sheet.rectangle?.turned(clockwiseQuarters: quarters)
        if method == .unchanged, lines.isStraightened || turn != 0 {
            sheet.method = .angle
            sheet.confidence = rows.agreement
        }
        sheet.print = lines
        if lines.isStraightened || squared != nil || quarters != 0 {
            preview = try PreviewPage(of: sheet, photograph: photograph, options: options)
        }
        return (sheet, preview)
    }

    /// The sheet and its small picture with the rows on it: those that ink forms on the sheet as it is framed. Where it forms none
    /// the page may lie sideways, when letters are not told from what is none, or in hard shadows: then the ink's rows on the sheet
    /// turned by a quarter, and at last those that the network sees, whichever way its letters agree better. Where depth tells the
    /// shape print has little to add, and the first is all that is asked.
    private func showingRows(
        _ preview: PreviewPage, photograph: RGBImage, options: SheetFlattener.Options
    ) throws(FlatteningError) -> (sheet: UnrolledSheet, preview: PreviewPage, rows: PreviewRows)? {
        func rows(on preview: PreviewPage, _ sight: PreviewRows.Sight) throws(FlatteningError) -> PreviewRows?
        {
            try PreviewRows(of: preview, isLevelBySides: isFramedByOutline, sight: sight)
        }
        if let inked = try rows(on: preview, .ink) { return (self, preview, inked) }
        guard depthFit == nil, let turned = turned(by: .pi / 2) else { return nil }
        let turnedPreview = try PreviewPage(of: turned, photograph: photograph, options: options)
        if let inked = try rows(on: turnedPreview, .ink) { return (turned, turnedPreview, inked) }
        let asFramed = try rows(on: preview, .network)
        if let seen = try rows(on: turnedPreview, .network), seen.agreement > asFramed?.agreement ?? 0 {
            return (turned, turnedPreview, seen)
        }
        return asFramed.map { (self, preview, $0) }
    }

    /// The first turn is coarse, the next ones are measured along lines that the one before made nearly level.
    private static let mostTurns = 3

    /// What a good depth sensor leaves over of a sheet's shape, in metres along the sheet.
    private static let usualShift = 0.001
    /// Further shift for noise, in millimetres of shift a millimetre of the readings' noise: three deviations.
    private static let shiftByNoise = 3.0

    /// The farthest that print may be moved: what a good depth sensor leaves over, and what its noise can have done; without
    /// depth as far as it needs.
    private var greatestShift: Double {
        guard isMetric, let fit else { return .infinity }
        return Self.usualShift * max(1, Self.shiftByNoise * fit.noise)
    }

    private var flatRegion: [SIMD2<Double>] { region.compactMap(unrolling.flatPosition(ofPixel:)) }

    /// The same sheet shown level along rows that fall by an angle.
    private func turned(by angle: Double) -> UnrolledSheet? {
        let axis = frame.xAxis * cos(angle) + frame.yAxis * sin(angle)
        let length = (axis * axis).sum().squareRoot()
        var sheet = self
        guard let frame = frame.fitted(around: flatRegion, along: axis / length, insteadOf: flatRegion)
        else { return nil }
        sheet.frame = frame
        return sheet
    }

    private func moved(by field: DisplacementField, density: Double) -> UnrolledSheet {
        var sheet = self
        let frame = frame
        sheet.unrolling = unrolling.moved(showing: frame) { flat in
            let place = frame.offset(of: flat) * density
            return flat + frame.yAxis * ((field.straightHeight(of: place) - place.y) / density)
        }
        sheet.frame =
            frame.fitted(around: sheet.flatRegion, along: frame.xAxis, insteadOf: flatRegion) ?? frame
        return sheet
    }
}

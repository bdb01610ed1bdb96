package import Diagnostics
import PrintDetection
import Platform
package import Imaging

/// What the lines printed on a sheet show. Lengths in units of the sheet's flat coordinates.
package struct PrintedLines {
    /// Lines of text and rules that could be judged.
    package var lineCount: Int
    /// Angle, in radians and without quarter turns, by which the sheet was turned to make its lines level.
    package var turn: Double
    /// Mean distance of the print from straight lines before straightening; nil for too few lines.
    package var residualBefore: Double?
    /// The same after straightening, for lines held out of it; nil if it was not tried.
    package var residualAfter: Double?
    /// Whether the lines were straightened.
    package var isStraightened: Bool

    /// How far the rows are from straight lines on the sheet as it is.
    package var unevenness: Double? { isStraightened ? residualAfter : residualBefore }
}

extension UnrolledSheet {
    /// Whether the frame was put around the sheet's outline, not around the whole photograph.
    package var isFramedByOutline: Bool {
        switch method {
        case .plane, .cylinder, .freeform, .edges, .corners: true
        case .scan, .angle, .unchanged: false
        }
    }

    /// Returns a test of whether a position in an image of the sheet lies on the sheet; nil if the frame does not rely on the
    /// outline.
    /// - Parameter map: the source of each pixel of that image.
    package func isOnSheet(through map: SamplingMap) -> (@Sendable (SIMD2<Double>) -> Bool)? {
        guard isFramedByOutline, let outline else { return nil }
        let lookup = PolygonLookup(Polygon(outline.polygon))
        return { lookup.contains(map.source(of: $0)) }
    }

    /// Straightens the sheet by its own print: turns it until the lines are level, then straightens each line if held-out lines
    /// agree.
    /// - Returns: the sheet, and its small image after straightening, in which print was found.
    /// - Throws: as `PageLayout` does.
    package func straightenedByPrint(
        on photograph: RGBImage, options: SheetFlattener.Options
    ) throws(FlatteningError) -> (sheet: UnrolledSheet, preview: PreviewPage) {
        let asFramed = try PreviewPage(of: self, photograph: photograph, options: options)
        // A drawn page is already as straight as intended.
        guard !isStated else { return (self, asFramed) }
        guard var (sheet, preview, rows) = try showingRows(asFramed, photograph: photograph, options: options)
        else {
            guard let squared = squaredBySides(around: nil, options: options) else {
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
        let framed = sheet.frame
        var ink = rows.ink
        switch found.outcome {
        case .straightened(let field):
            ink = ink.map { SIMD2($0.x, field.straightHeight(of: $0)) }
            sheet = sheet.moved(by: field, density: preview.density)
            lines.isStraightened = true
        case .refused(let reason):
            sheet.refused.append(.init(step: "print", reason: reason))
        }
        let squared = sheet.squaredBySides(
            around: ink.map {
                framed.origin + ($0.x * framed.xAxis + $0.y * framed.yAxis) / preview.density
            }, options: options)
        sheet = squared ?? sheet
        // Sides that were level stay level: which of the four turns is up is not decided here.
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

    /// Returns the sheet and its small image with the rows on it: the rows that ink forms on the sheet as framed. If there are
    /// none, the page may lie sideways, where letters are not told from other marks, or have hard shadows. Then it tries the
    /// ink's rows on the sheet turned by a quarter, and at last the rows that the network sees, in the orientation in which the
    /// letters agree better. If depth gives the shape, print has little to add, and only the first is tried.
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

    /// The first turn is coarse; each later one is measured along lines that the previous turn made nearly level.
    private static let mostTurns = 3

    /// Error that a good depth sensor leaves in a sheet's shape, in metres along the sheet.
    private static let usualShift = 0.001
    /// Additional shift for noise, in millimetres of shift per millimetre of the readings' noise: three standard deviations.
    private static let shiftByNoise = 3.0

    /// The farthest that print may be moved: the error of a good depth sensor, plus what its noise can cause; unlimited without
    /// depth.
    private var greatestShift: Double {
        guard isMetric, let fit else { return .infinity }
        return Self.usualShift * max(1, Self.shiftByNoise * fit.noise)
    }

    private var flatRegion: [SIMD2<Double>] { region.compactMap(unrolling.flatPosition(ofPixel:)) }

    /// Returns the sheet with its frame turned so that rows falling by an angle become level.
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

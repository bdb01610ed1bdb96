import Foundation
internal import Imaging
internal import SheetFlattening
internal import TextRecognition

/// What the lines printed on a sheet said of it. Lengths in units of the sheet's flat coordinates.
struct PrintedLines {
    /// Lines of text and rules that could be judged.
    var lineCount: Int
    /// Angle by which the sheet was turned for its lines to be level, quarter turns aside, in radians.
    var turn: Double
    /// Mean distance of the print from straight lines before; nil if too few.
    var residualBefore: Double?
    /// The same after straightening, of lines held out of it; nil if it was not tried.
    var residualAfter: Double?
    /// Whether the lines were straightened.
    var isStraightened: Bool
}

extension FlatSheet {
    /// Whether the frame was put around the sheet's outline, not around the whole photograph.
    var isFramedByOutline: Bool { method != .unchanged && method != .angle }

    /// What tells whether a place of a picture of the sheet lies on it; nil if the frame does not rely on the outline.
    /// - Parameter map: where each pixel of that picture comes from.
    func isOnSheet(through map: SamplingMap) -> (@Sendable (SIMD2<Double>) -> Bool)? {
        guard isFramedByOutline, let outline else { return nil }
        return { outline.contains(map.source(of: $0)) }
    }

    /// The sheet as its own print wants it: turned until the lines are level, then each line made straight, if lines that
    /// were held out agree.
    /// - Throws: as `FlatPage` does.
    func straightenedByPrint(
        on photograph: RGBImage, options: ReceiptFlattener.Options
    ) throws(FlatteningError) -> FlatSheet {
        var sheet = self
        guard var page = try PrintedPage(sheet, photograph: photograph, options: options) else { return self }
        for _ in 0..<Self.mostTurns {
            guard let tilt = page.tilt, let turned = sheet.turned(by: tilt),
                let level = try PrintedPage(turned, photograph: photograph, options: options)
            else { break }
            (sheet, page) = (turned, level)
        }
        let angle = atan2(
            (sheet.frame.xAxis * frame.yAxis).sum(), (sheet.frame.xAxis * frame.xAxis).sum())
        let quarters = Int((angle / (.pi / 2)).rounded())
        let turn = angle - Double(quarters) * .pi / 2

        let found = try page.straightening(cap: sheet.greatestShift)
        var lines = PrintedLines(
            lineCount: found.lineCount, turn: turn,
            residualBefore: found.residualBefore.map { $0 / page.density },
            residualAfter: found.residualAfter.map { $0 / page.density }, isStraightened: false)
        switch found.outcome {
        case .straightened(let field):
            sheet = sheet.moved(by: field, density: page.density)
            lines.isStraightened = true
        case .refused(let reason):
            sheet.refused.append(.init(step: "print", reason: reason))
        }
        // Sides that were level stay so: which of the four turns is up is not decided here.
        sheet.frame = sheet.frame.turned(clockwiseQuarters: quarters)
        if method == .unchanged, lines.isStraightened || turn != 0 {
            sheet.method = .angle
            sheet.confidence = page.agreement
        }
        sheet.print = lines
        return sheet
    }

    /// The first turn is coarse, the next ones are measured along lines that the one before made nearly level.
    private static let mostTurns = 3

    /// The farthest that print may be moved: what a good depth sensor leaves over, and what its noise can have done; without
    /// depth as far as it needs.
    private var greatestShift: Double {
        guard isMetric, let fit else { return .infinity }
        return 0.001 * max(1, 3 * fit.noise)
    }

    private var flatRegion: [SIMD2<Double>] { region.compactMap(unrolling.flatPosition(ofPixel:)) }

    /// The same sheet shown level along rows that fall by an angle.
    private func turned(by angle: Double) -> FlatSheet? {
        let axis = frame.xAxis * cos(angle) + frame.yAxis * sin(angle)
        let length = (axis * axis).sum().squareRoot()
        var sheet = self
        guard let frame = frame.fitted(around: flatRegion, along: axis / length, insteadOf: flatRegion)
        else { return nil }
        sheet.frame = frame
        return sheet
    }

    private func moved(by field: DisplacementField, density: Double) -> FlatSheet {
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

/// A small picture of a sheet and the print in it.
private struct PrintedPage {
    /// Pixels per unit of the flat coordinates.
    let density: Double
    /// How well the letters agree on the direction of their rows, 0 to 1.
    let agreement: Double
    private let isLevelBySides: Bool
    private let size: SIMD2<Double>
    private let print: PagePrint

    /// The small picture's longer side: letters of 2 mm on a receipt of 200 mm, or on a sheet of A4, are then 16 or 11
    /// pixels high.
    private static let length = 1600.0
    /// With fewer letters there is no row to speak of.
    private static let leastLetters = 12.0
    /// Random directions of n letters agree beyond this over the root of n once in ten thousand times (Rayleigh's test).
    private static let chanceAgreement = 3.0
    /// Directions from letter to letter tell the rows' angle to a few degrees; lines are traced at twice as much.
    private static let coarseAngle = 8 * Double.pi / 180
    /// A tilt below this many of its deviations may be chance.
    private static let significance = 3.0

    /// - Returns: nil if there is no print that goes in rows.
    init?(
        _ sheet: FlatSheet, photograph: RGBImage, options: ReceiptFlattener.Options
    ) throws(FlatteningError) {
        let page = try FlatPage(sheet: sheet, photograph: photograph.size, options: options)
        let map = page.previewMap(longerSide: Self.length)
        density = page.previewDensity(longerSide: Self.length)
        size = SIMD2(Double(map.outputSize.width), Double(map.outputSize.height))
        isLevelBySides = sheet.isFramedByOutline
        print = PagePrint(
            of: photograph.resampledGray(through: map, filter: .bilinear),
            isOnSheet: sheet.isOnSheet(through: map) ?? { _ in true })
        agreement = print.rowAgreement
        let count = Double(print.letters.count)
        guard count >= Self.leastLetters, agreement * count.squareRoot() >= Self.chanceAgreement else {
            return nil
        }
    }

    /// By how much the page is to be turned, in radians; nil if its rows are level as far as can be told.
    ///
    /// A sheet that is level by its own sides stays so but for coarse angles: rows that tilt against the sides are sheared
    /// by an error of the surface, and turning would shear the sides instead.
    var tilt: Double? {
        let quarter = (print.rowAngle / (.pi / 2)).rounded() * .pi / 2
        if isLevelBySides, abs(print.rowAngle - quarter) <= Self.coarseAngle {
            return quarter == 0 ? nil : quarter
        }
        if abs(print.rowAngle) > Self.coarseAngle { return print.rowAngle }
        guard let tilt = PrintedLineTracing(pieces: pieces, letterHeight: print.letterHeight).tilt(),
            abs(tilt.angle) > Self.significance * tilt.deviation, abs(tilt.angle) * size.x > 0.5
        else { return nil }
        return tilt.angle
    }

    func straightening(cap: Double) throws(FlatteningError) -> PrintedLineStraightening {
        do {
            return try PrintedLineStraightening(
                of: pieces, letterHeight: print.letterHeight, page: size, cap: cap * density)
        } catch {
            throw FlatteningError(
                .internalInconsistency, "the printed lines could not be fitted", stage: "print",
                detail: "\(error)")
        }
    }

    private var pieces: [PrintedPiece] {
        func pieces(_ boxes: [TextBox], _ kind: PrintedPiece.Kind) -> [PrintedPiece] {
            boxes.map { .init(kind: kind, left: $0.left, right: $0.right, top: $0.top, bottom: $0.bottom) }
        }
        return pieces(print.letters, .letter) + pieces(print.rules, .rule)
    }
}

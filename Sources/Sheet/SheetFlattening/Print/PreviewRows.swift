import Diagnostics
import Platform
import Imaging
import PrintDetection

/// The rows printed on a sheet, found in its small image.
struct PreviewRows {
    /// How well the letters agree on the direction of their rows, 0 to 1.
    var agreement: Double { print.rowAgreement }
    /// The method that found them.
    let sight: Sight
    private let isLevelBySides: Bool
    private let size: SIMD2<Double>
    private let density: Double
    private let print: PagePrint

    /// Fewest letters that form rows.
    private static let leastLetters = 12.0
    /// The direction agreement of n random letters exceeds this over the root of n once in ten thousand times (Rayleigh's
    /// test).
    private static let chanceAgreement = 3.0
    /// Directions between letters give the rows' angle to within a few degrees; lines are traced up to twice that angle.
    private static let coarseAngle = 8 * Double.pi / 180
    /// Least agreement at which a page that is level by its sides is turned against them. Of 60 photographed pages 58 have
    /// more; a scan in dot matrix print under ticks of a pen had 0.1, and its direction was 9 degrees off.
    private static let leastAgreementAgainstSides = 0.5
    /// A tilt below this many of its standard deviations may be chance.
    private static let significance = 3.0
    /// A tilt that lifts the page's end by less than this, in pixels, is ignored: boxes end on whole pixels.
    private static let leastRise = 0.5

    /// The method that finds the print.
    enum Sight {
        /// Ink, by one threshold for the page.
        case ink
        /// The network that finds rows, and ink against a threshold for each part of a row.
        case network
    }

    /// Letter height that the network should expect, in pixels of a small image whose longer side is 1600, the kind that
    /// `PreviewPage` makes.
    private static let usualLetterHeight = 14.0

    /// Finds the rows of a page.
    /// - Parameter isLevelBySides: whether the page is framed by the sheet's own sides.
    /// - Returns: nil if there is no print in rows.
    /// - Throws: `.shortage` where memory for the network is short.
    init?(of preview: PreviewPage, isLevelBySides: Bool, sight: Sight) throws(FlatteningError) {
        size = preview.size
        density = preview.density
        self.isLevelBySides = isLevelBySides
        self.sight = sight
        let segments: [PrintSegment]? =
            switch sight {
            case .ink: nil
            case .network:
                try PrintSegment.segments(on: preview.print.page, letterHeight: Self.usualLetterHeight)
            }
        print = PagePrint(
            of: preview.print, segments: segments, isOnSheet: preview.isOnSheet ?? { _ in true })
        let count = Double(print.letters.count)
        guard count >= Self.leastLetters, agreement * count.squareRoot() >= Self.chanceAgreement else {
            return nil
        }
    }

    /// The angle by which to turn the page, in radians; nil if its rows are level within the measurement error.
    ///
    /// A sheet that is level by its own sides stays so, except for large angles. Rows that tilt against the sides are sheared
    /// by an error of the surface, and turning would shear the sides instead.
    var tilt: Double? {
        let quarter = (print.rowAngle / (.pi / 2)).rounded() * .pi / 2
        if isLevelBySides, !Self.isAgainstSides(print.rowAngle - quarter, agreement: agreement) {
            return quarter == 0 ? nil : quarter
        }
        if abs(print.rowAngle) > Self.coarseAngle { return print.rowAngle }
        guard let tilt = PrintedLineTracing(pieces: pieces, letterHeight: print.letterHeight).tilt(),
            abs(tilt.angle) > Self.significance * tilt.deviation, abs(tilt.angle) * size.x > Self.leastRise
        else { return nil }
        return tilt.angle
    }

    /// Whether to trust the rows, which fall by this angle to the sheet's sides, more than the sides.
    static func isAgainstSides(_ angle: Double, agreement: Double) -> Bool {
        abs(angle) > coarseAngle && agreement >= leastAgreementAgainstSides
    }

    /// Straightens the printed lines.
    /// - Parameter cap: the farthest that print may be moved, in units of the sheet's flat coordinates.
    func straightening(cap: Double) throws(FlatteningError) -> PrintedLineStraightening {
        do {
            return try PrintedLineStraightening(
                of: pieces, letterHeight: print.letterHeight, page: size, cap: cap * density)
        } catch {
            throw FlatteningError(
                .internalInconsistency, "the printed lines could not be fitted", stage: .print,
                detail: "\(error)")
        }
    }

    /// Where ink is on the page, in pixels of the small image.
    var ink: InkPlaces {
        func corners(_ boxes: [Box]) -> [SIMD2<Double>] {
            boxes.flatMap { box in
                [box.left, box.right].flatMap { [SIMD2($0, box.top), SIMD2($0, box.bottom)] }
            }
        }
        return InkPlaces(
            all: corners(print.inkBoxes), print: corners(print.letters + print.rules + print.largePrint))
    }

    private var pieces: [PrintedPiece] {
        func pieces(_ boxes: [Box], _ kind: PrintedPiece.Kind) -> [PrintedPiece] {
            boxes.map { PrintedPiece(kind: kind, box: $0) }
        }
        return pieces(print.letters, .letter) + pieces(print.rules, .rule)
    }
}

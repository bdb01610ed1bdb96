import Imaging
import Platform
import PrintDetection
import RobustStatistics

/// An image that is itself the sheet: a scan, a screenshot, a rendered page, or paper that fills the image and faces the
/// camera.
///
/// Two signs tell it from a photograph of a sheet: only paper lies along the image's sides, and its rows of print are parallel
/// to each other and to the image, which a hand-held camera never achieves. If a sheet is seen in the image, both signs must
/// leave no doubt, because coloured fields and tables look like sheets too.
///
/// Known failures: pages without print, and pages framed by a scanner's dark lid, are taken for photographs.
struct ScannedPage {
    /// The probability that the picture is the sheet.
    let confidence: Double

    /// Probability above which an image counts as a scan, and the higher one needed if a sheet is seen in it.
    static let leastConfidence = 0.5
    static let leastConfidenceAgainstOutline = 0.97
    /// Probability needed if the image's border was drawn but a found sheet is not a field aligned with its pixels: rows are
    /// then level to a third of a degree. Of 60 drawn invoices with bars and boxes, 11 were taken for photographs of these; all
    /// have 0.995.
    static let leastConfidenceOfDrawn = 0.994
    /// Share of the image above which a found sheet counts as the whole image: the rest is a scanner's dark border.
    private static let whole = 0.93
    /// Longer side, in pixels, of the image in which print is searched.
    private static let printSide = 1600

    /// Examines an image.
    /// - Parameters:
    ///   - image: the photograph or scan.
    ///   - found: the sheets found in it, the intended one first.
    /// - Returns: nil for a photograph.
    /// - Complexity: O(1), and O(pixels) where paper lies around the image.
    init?(in image: RGBImage, found sheets: [SheetOutline]) {
        guard min(image.width, image.height) >= SheetOutline.leastSide else { return nil }
        let sure = sheets.filter { $0.confidence >= SheetOutline.sureConfidence }
        let frame = PictureFrame(of: image)
        let found = sheets.first
        let filled = found.map { $0.area / Double(image.size.pixelCount) } ?? 0
        let isSure = found.map { $0.confidence >= SheetOutline.sureConfidence } ?? false
        let isSeen = isSure && filled < Self.whole && found?.withExtremeCorners.sides != nil
        var least: [Double] = []
        // Several sheets lie on something, and a field on a page rarely looks like a sheet with all its corners.
        if sure.count <= 1, !isSure || found?.sides == nil {
            least.append(isSeen ? Self.leastConfidenceAgainstOutline : Self.leastConfidence)
        }
        // An image that no camera took contains fields, not sheets.
        if !sure.isEmpty, frame.isDrawn {
            least.append(
                sure.allSatisfy(\.runsAlongPixels)
                    ? Self.leastConfidenceAgainstOutline : Self.leastConfidenceOfDrawn)
        }
        guard let least = least.min() else { return nil }
        let paper = max(frame.paperShare, isSure && !isSeen ? filled : 0)
        guard Model.probability(paper: paper, tilt: 0, fan: 0) >= least else { return nil }
        let small = ReducedPicture(reducing: ReducedPicture(image), toLongestSide: Self.printSide).image
        guard let rows = RowsInPicture(of: small.gray()) else { return nil }
        let confidence = Model.probability(paper: paper, tilt: rows.tilt, fan: rows.fan)
        guard confidence >= least else { return nil }
        self.confidence = confidence
    }

    /// A logistic model of whether an image is the sheet, fitted to 117 scans, flat pages and drawn screens, and to 144
    /// photographs. Of 51 further scans it recognises 46; of the photographs it accepts one, of paper that fills it.
    private enum Model {
        static let constant = -6.1
        static let background = -2.73
        static let tilt = -0.75
        static let fan = -1.68
        /// Added to the share of background before its logarithm is taken: smaller shares are chance.
        static let leastBackground = 0.015
        /// Larger angles, in degrees, are limited to these.
        static let (greatestTilt, greatestFan) = (5.0, 4.0)

        /// - Parameters:
        ///   - paper: share of the image's border that shows paper.
        ///   - tilt: angle of the rows against the image, in radians.
        ///   - fan: difference in row angle between the two ends of the image, in radians.
        static func probability(paper: Double, tilt: Double, fan: Double) -> Double {
            func degrees(_ angle: Double, atMost greatest: Double) -> Double {
                min(abs(angle) * 180 / .pi, greatest)
            }
            return 1
                / (1
                    + exp(
                        -(constant + background * log(1 - paper + leastBackground)
                            + Self.tilt * degrees(tilt, atMost: greatestTilt)
                            + Self.fan * degrees(fan, atMost: greatestFan))))
        }
    }
}

extension SheetOutline {
    /// Whether most of the outline runs exactly along pixel rows and columns, as drawn fields do.
    fileprivate var runsAlongPixels: Bool {
        var (along, whole) = (0.0, 0.0)
        for (index, point) in polygon.enumerated() {
            let step = polygon[(index + 1) % polygon.count] - point
            let length = (step * step).sum().squareRoot()
            whole += length
            if min(abs(step.x), abs(step.y)) <= Self.greatestLean * length { along += length }
        }
        return along > whole / 2
    }

    /// Greatest lean of a side that counts as aligned, in radians (0.2 degrees): a hand holds a camera a hundred times less
    /// straight.
    private static let greatestLean = 0.0035

    /// The outline of a scan: the border and corners of the image.
    static func scan(of imageSize: PixelSize, confidence: Double) -> SheetOutline {
        SheetOutline(
            imageSize: imageSize, polygon: wholePicture(imageSize).polygon, cornerIndices: [0, 1, 2, 3],
            confidence: confidence, borderShare: 1)
    }
}

/// What lies along the sides of an image.
private struct PictureFrame {
    /// Share of the border that shows paper: either the colour of most of the image, or a surface with no grain at all, which
    /// only drawn surfaces have.
    let paperShare: Double
    /// Whether the border was drawn, not photographed: it has no grain.
    let isDrawn: Bool

    /// Share of the border without grain above which the border counts as drawn.
    private static let drawnShare = 0.95
    /// Width of the border, as a share of the image's longer side.
    private static let width = 0.015
    /// Samples along each side, and grid cells of the image used to find the paper colour.
    private static let places = 24
    private static let cells = PixelSize(width: 8, height: 12)
    /// Pixels sampled along each side of a place.
    private static let samples = 12
    /// Quantile of a place's pixel levels taken as its ground: print rarely covers half.
    private static let ground = 0.7
    /// Range of a place's brightness relative to the image's paper in which it counts as paper: uneven light and coloured cards
    /// stay within it, tables do not.
    private static let brightness = 0.75...1.35
    /// Greatest hue difference from the paper: the greatest difference of a channel divided by the mean level.
    private static let greatestTint = 0.2
    /// Share of neighbouring pixels that are equal on a drawn surface.
    private static let equalShare = 0.9
    /// Darkest level of a drawn surface: a camera shows darker ones without grain too.
    private static let darkestDrawn = 8.0

    private struct Place {
        var colour: SIMD3<Double>
        var isDrawn: Bool

        var level: Double { colour.sum() / 3 }
    }

    init(of image: RGBImage) {
        func part(_ index: Int, of count: Int, _ length: Int) -> Range<Int> {
            let first = index * length / count
            return first..<max(first + 1, (index + 1) * length / count)
        }
        func place(_ columns: Range<Int>, _ rows: Range<Int>) -> Place {
            var seen: [[Double]] = [[], [], []]
            var equal = 0
            for y in stride(from: rows.lowerBound, to: rows.upperBound, by: max(1, rows.count / Self.samples))
            {
                for x in stride(
                    from: columns.lowerBound, to: columns.upperBound, by: max(1, columns.count / Self.samples)
                ) {
                    let pixel = image[x: x, y: y]
                    seen[0].append(Double(pixel.red))
                    seen[1].append(Double(pixel.green))
                    seen[2].append(Double(pixel.blue))
                    if image[x: x > 0 ? x - 1 : x + 1, y: y] == pixel { equal += 1 }
                }
            }
            let ground = seen.map { $0.quantile(Self.ground) }
            let colour = SIMD3(ground[0], ground[1], ground[2])
            return Place(
                colour: colour,
                isDrawn: Double(equal) >= Self.equalShare * Double(seen[0].count)
                    && colour.sum() / 3 >= Self.darkestDrawn)
        }
        let inner = (0..<Self.cells.pixelCount).map { index in
            let (row, column) = index.quotientAndRemainder(dividingBy: Self.cells.width)
            return place(
                part(column, of: Self.cells.width, image.width),
                part(row, of: Self.cells.height, image.height))
        }
        let paper = Place(
            colour: SIMD3(
                inner.map(\.colour.x).upperMedian(), inner.map(\.colour.y).upperMedian(),
                inner.map(\.colour.z).upperMedian()), isDrawn: false)
        func isPaper(_ place: Place) -> Bool {
            guard !place.isDrawn else { return true }
            guard Self.brightness.contains(place.level / max(paper.level, 1)) else { return false }
            let tint = place.colour / max(place.level, 1) - paper.colour / max(paper.level, 1)
            return max(abs(tint.x), abs(tint.y), abs(tint.z)) < Self.greatestTint
        }
        let band = min(
            max(2, Int(Self.width * Double(max(image.width, image.height)))), min(image.width, image.height))
        let rim = (0..<Self.places).flatMap { index in
            let columns = part(index, of: Self.places, image.width)
            let rows = part(index, of: Self.places, image.height)
            return [
                place(columns, 0..<band), place(columns, image.height - band..<image.height),
                place(0..<band, rows), place(image.width - band..<image.width, rows),
            ]
        }
        paperShare = Double(rim.count(where: isPaper)) / Double(rim.count)
        isDrawn = Double(rim.count(where: \.isDrawn)) >= Self.drawnShare * Double(rim.count)
    }
}

extension PagePrint {
    /// Whether the letters form rows, and are no texture.
    var formsRows: Bool { letterHeight > 0 && rowAgreement >= Self.leastAgreement }

    /// Below this agreement on the row direction, letters count as a texture. Of 169 scans and screens one has less, with rows
    /// that show through from its back; cloth and scattered marks reach .24.
    private static let leastAgreement = 0.3
}

/// How an image's rows of print lie in it, along either of its sides.
private struct RowsInPicture {
    /// Slope angle of the rows relative to the nearest image side, in radians.
    let tilt: Double
    /// Difference in slope between the two ends of the image, in radians.
    let fan: Double

    /// Fewest rows that tell anything, and fewest that tell whether the rows are parallel.
    private static let leastRows = 3
    private static let leastRowsToCompare = 9
    /// - Returns: nil without rows of print.
    init?(of page: GrayImage) {
        let print = PagePrint(of: PageMarks(of: page), isOnSheet: { _ in true })
        guard print.formsRows else { return nil }
        let isLevel = abs(print.rowAngle) <= .pi / 4
        let pieces = print.letters.map { box in
            PrintedPiece(
                kind: .letter,
                box: isLevel
                    ? box : Box(left: box.top, top: box.left, right: box.bottom, bottom: box.right))
        }
        let slopes = PrintedLineTracing(pieces: pieces, letterHeight: print.letterHeight).slopes()
            .sorted { $0.middle.y < $1.middle.y }
        guard slopes.count >= Self.leastRows else { return nil }
        let angles = slopes.map(\.angle)
        tilt = angles.upperMedian()
        let third = angles.count / 3
        fan =
            angles.count >= Self.leastRowsToCompare
            ? Array(angles.suffix(third)).upperMedian() - Array(angles.prefix(third)).upperMedian() : 0
    }
}

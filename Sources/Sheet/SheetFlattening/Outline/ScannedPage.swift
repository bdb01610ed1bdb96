import Imaging
import Platform
import PrintDetection
import RobustStatistics

/// A picture that is itself the sheet: a scan, a screenshot, a rendered page, or paper that fills the picture and faces the
/// camera.
///
/// Two things tell it from a photograph of a sheet: nothing but paper lies along the picture's sides, and its rows of print are
/// parallel to each other and to the picture, as a camera held by hand never sees them. A photograph in which a sheet is seen
/// is one only where both leave no doubt: coloured fields and tables look like sheets too.
///
/// Known failures: pages without print, and pages that a scanner's dark lid frames, are taken for photographs.
struct ScannedPage {
    /// The probability that the picture is the sheet.
    let confidence: Double

    /// From this probability on a picture is taken for a scan, and from the second one although a sheet is seen in it.
    static let leastConfidence = 0.5
    static let leastConfidenceAgainstOutline = 0.97
    /// The same where the picture's rim was drawn and what was found is no field along its pixels: rows are level to a third of a
    /// degree then. Of 60 drawn invoices with bars and boxes 11 were taken for photographs of these; all have 0.995.
    static let leastConfidenceOfDrawn = 0.994
    /// The share of the picture from which on a sheet that was found is all of it: what is left is a scanner's dark rim.
    private static let whole = 0.93
    /// The longer side, in pixels, of the picture in which print is looked for.
    private static let printSide = 1600

    /// Looks at a picture.
    /// - Parameters:
    ///   - image: the photograph or scan.
    ///   - found: the sheets that were found in it, the one that is meant first.
    /// - Returns: nil for a photograph.
    /// - Complexity: O(1), and O(pixels) where paper lies around the picture.
    init?(in image: RGBImage, found sheets: [SheetOutline]) {
        guard min(image.width, image.height) >= SheetOutline.leastSide else { return nil }
        let sure = sheets.filter { $0.confidence >= SheetOutline.sureConfidence }
        let frame = PictureFrame(of: image)
        let found = sheets.first
        let filled = found.map { $0.area / Double(image.size.pixelCount) } ?? 0
        let isSure = found.map { $0.confidence >= SheetOutline.sureConfidence } ?? false
        let isSeen = isSure && filled < Self.whole && found?.withExtremeCorners.sides != nil
        var least: [Double] = []
        // Several sheets lie on something, and a field on a page seldom looks like a sheet with all its corners.
        if sure.count <= 1, !isSure || found?.sides == nil {
            least.append(isSeen ? Self.leastConfidenceAgainstOutline : Self.leastConfidence)
        }
        // What no camera saw has fields and no sheets.
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

    /// A logistic model of whether a picture is the sheet, fitted to 117 scans, flat pages and drawn screens, and to 144
    /// photographs. Of 51 more scans 46 are told so; of the photographs one does, of paper that fills it.
    private enum Model {
        static let constant = -6.1
        static let background = -2.73
        static let tilt = -0.75
        static let fan = -1.68
        /// Added to the share of background, whose logarithm counts: less is chance.
        static let leastBackground = 0.015
        /// Beyond these angles, in degrees, nothing more is said.
        static let (greatestTilt, greatestFan) = (5.0, 4.0)

        /// - Parameters:
        ///   - paper: the share of the picture's rim that shows paper.
        ///   - tilt: how far rows lean against the picture, in radians.
        ///   - fan: how far rows lean against each other from one end of the picture to the other, in radians.
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
    /// Whether most of it runs exactly along the picture's rows and columns of pixels, as what was drawn there does.
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

    /// By how much a side may lean, in radians (0.2 degrees): a hand holds a camera a hundred times less straight.
    private static let greatestLean = 0.0035

    /// The outline of a scan: the picture's own rim and corners.
    static func scan(of imageSize: PixelSize, confidence: Double) -> SheetOutline {
        SheetOutline(
            imageSize: imageSize, polygon: wholePicture(imageSize).polygon, cornerIndices: [0, 1, 2, 3],
            confidence: confidence, borderShare: 1)
    }
}

/// What lies along the sides of a picture.
private struct PictureFrame {
    /// The share of the rim that shows paper: the colour that most of the picture has, or one that has no grain at all, as only
    /// drawn surfaces have.
    let paperShare: Double
    /// Whether the rim was drawn, and seen by no camera: it has no grain.
    let isDrawn: Bool

    /// The share of the rim without grain from which on it was drawn.
    private static let drawnShare = 0.95
    /// The rim's width, as a share of the picture's longer side.
    private static let width = 0.015
    /// Places along each side, and cells of the picture in which paper is looked for.
    private static let places = 24
    private static let cells = PixelSize(width: 8, height: 12)
    /// Pixels that are looked at along each side of a place.
    private static let samples = 12
    /// The part of a place's pixels, by level, that is its ground: print rarely covers half.
    private static let ground = 0.7
    /// How bright a place is at least and at most that shows paper, against the picture's own: uneven light and coloured cards
    /// stay within it, tables do not.
    private static let brightness = 0.75...1.35
    /// By how much a place's hue may differ from the paper's, as the greatest difference of a channel over the mean level.
    private static let greatestTint = 0.2
    /// The share of neighbouring pixels that are equal where a surface is drawn.
    private static let equalShare = 0.9
    /// The darkest level that a drawn surface has: darker ones a camera shows without grain too.
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

/// How a picture's rows of print lie in it, along either of its sides.
private struct RowsInPicture {
    /// The angle by which they fall along the side that they are nearest to, in radians.
    let tilt: Double
    /// By how much more they do at one end of the picture than at the other, in radians.
    let fan: Double

    /// Fewer rows tell nothing, and fewer than the second number do not tell whether they are parallel.
    private static let leastRows = 3
    private static let leastRowsToCompare = 9
    /// Letters that agree less on the direction of their rows are a texture: of 169 scans and screens one has less, with rows
    /// that show through from its back; cloth and scattered marks have up to .24.
    private static let leastAgreement = 0.3

    /// - Returns: nil without rows of print.
    init?(of page: GrayImage) {
        let print = PagePrint(of: PageMarks(of: page), isOnSheet: { _ in true })
        guard print.letterHeight > 0, print.rowAgreement >= Self.leastAgreement else { return nil }
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

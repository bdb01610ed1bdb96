import Platform
package import Imaging

/// The result of searching a photograph for sheets.
///
/// A photograph without a visible sheet is a normal result, not an error; the reason tells why.
package enum SheetSearch: Sendable, Equatable {
    /// Why no sheet was found.
    package enum Reason: String, Sendable, Codable, CustomStringConvertible {
        /// The image has too few pixels to tell.
        case pictureTooSmall
        /// Nothing in the image looks like paper.
        case nothingStandsOut
        /// Something looks a little like paper, but not enough to take it for a sheet.
        case nothingSheetLike

        /// The reason in words.
        package var description: String {
            switch self {
            case .pictureTooSmall: "the picture is too small to look for a sheet in it"
            case .nothingStandsOut: "nothing in the picture looks like a sheet"
            case .nothingSheetLike: "what stands out in the picture does not look like a sheet"
            }
        }
    }

    /// The outlines of all visible sheets, at least one; the intended one is first.
    case found([SheetOutline])
    /// The image itself is the sheet; its outline is the image border.
    case scan(SheetOutline)
    /// No visible sheet.
    case notFound(Reason)

    /// The outline of the intended sheet, if one was found.
    package var outline: SheetOutline? { outlines.first }

    /// The outlines of all visible sheets, the intended one first; empty if no sheet was found.
    package var outlines: [SheetOutline] {
        switch self {
        case .found(let outlines): outlines
        case .scan(let outline): [outline]
        case .notFound: []
        }
    }

    /// Whether the intended outline is sure, and at least one of its sides lies in the picture.
    var showsSheet: Bool {
        guard let outline else { return false }
        return outline.confidence >= SheetOutline.sureConfidence && outline.withExtremeCorners.sides != nil
    }
}

extension SheetOutline {
    /// Finds the sheets in a photograph, in three steps from coarse to fine.
    ///
    /// 1. A trained network tells for each of 192 x 192 cells of the image whether a sheet covers it. A connected region that
    ///    no border splits is a sheet. The network looks again, from nearer, at sheets that are small in the image; if it sees
    ///    no sheet surely, it looks at parts of the image.
    /// 2. In an image of 1024 pixels, the line around each sheet moves onto a visible edge nearby, if there is one.
    /// 3. In the photograph itself, the edge is found to a fraction of a pixel, and the corners from the sides.
    ///
    /// O(pixels) for the reduction; the rest does not depend on the photograph's size.
    /// - Parameters:
    ///   - image: the photograph.
    ///   - looksNearer: whether to look at parts of the image if no sheet is seen surely; a camera's frames come too fast for
    ///     that.
    /// - Returns: the sheets, the intended one first: large, clear and near the middle.
    package static func find(in image: RGBImage, looksNearer: Bool = true) -> SheetSearch {
        guard min(image.width, image.height) >= leastSide else { return .notFound(.pictureTooSmall) }
        let middle = ReducedPicture(reducing: ReducedPicture(image), toLongestSide: trackedSide)
        var seen = SheetLook(at: middle.image).sheets(of: middle.image)
        if looksNearer, !seen.contains(where: { $0.confidence >= sureConfidence }) {
            let nearer = SheetLook.nearer(in: middle.image)
            seen = nearer + seen.filter { unsure in !nearer.contains { $0.overlaps(unsure) } }
        }
        guard !seen.isEmpty else { return .notFound(.nothingStandsOut) }
        let sheets = outlines(of: seen, in: middle, of: image)
        return sheets.isEmpty ? .notFound(.nothingSheetLike) : .found(sheets)
    }

    /// Returns the sheets that looks at parts of a photograph show whole and surely, the intended one first.
    static func nearer(in image: RGBImage) -> [SheetOutline] {
        let middle = ReducedPicture(reducing: ReducedPicture(image), toLongestSide: trackedSide)
        return outlines(of: SheetLook.nearer(in: middle.image), in: middle, of: image)
    }

    private static func outlines(
        of seen: [SeenSheet], in middle: ReducedPicture, of image: RGBImage
    ) -> [SheetOutline] {
        seen.compactMap { sheet -> SheetOutline? in
            guard sheet.confidence >= leastConfidence else { return nil }
            guard sheet.confidence >= sureConfidence else {
                let hull = sheet.line(at: SheetRegion.perhapsInside).hull
                return unsure(Contour(hull.points.map(middle.photographPoint)), sheet.confidence, image.size)
            }
            return tracked(sheet, in: middle, of: image)
        }.sorted { $0.prominence > $1.prominence }
    }

    /// Least side, in pixels, of an image in which a sheet is searched.
    static let leastSide = 32
    /// Longer side, in pixels, of the image in which lines are moved onto edges.
    private static let trackedSide = 1024
    /// Least search distance from the network's line, in pixels of the image of `trackedSide`.
    private static let leastReach = 4
    /// Cost of a position at the search limit, whatever gave the line: half of the value of a full colour step.
    private static let restraint: Float = 2

    /// Below this confidence a region is not taken for a sheet. In photographs held out from the model, 2 of 19 regions that
    /// were not a sheet, or not a whole one, lie above it, and so do all 34 that were sheets (`Training/confidence.py`).
    private static let leastConfidence = 0.1
    /// Below this confidence an outline keeps more than it must, and a warning says so. None of the 19 lie above it, and all of
    /// the 34 do.
    package static let sureConfidence = 0.5

    /// How likely a sheet is the one that the photograph was taken of: by its size, its confidence and its distance from the
    /// middle. Confidence counts most, because what carries a sheet, a tray or a board, is larger and less sure. Of 56 drawn
    /// rooms with a page on such things, this finds two more than area times confidence.
    private var prominence: Double {
        let size = SIMD2(Double(imageSize.width), Double(imageSize.height))
        let middle = polygon.reduce(.zero, +) / Double(polygon.count)
        let offset = ((middle + 0.5) / size - 0.5) * 2
        return area.squareRoot() * confidence * confidence
            * (1 - Self.asideLoss * min((offset * offset).sum().squareRoot(), 1))
    }

    /// Share of its prominence lost by a sheet whose middle lies at the image border.
    private static let asideLoss = 0.5

    // MARK: Line

    /// The outline of a sheet whose line is known to within a few pixels of a smaller image.
    private static func tracked(
        _ sheet: SeenSheet, in middle: ReducedPicture, of image: RGBImage
    ) -> SheetOutline {
        // Two cells of the network's field, each two pixels of its input.
        let looked = sheet.look.window.size
        let reach = max(leastReach, 4 * max(looked.width, looked.height) / SheetLook.networkSide)
        return tracked(
            sheet.line(), confidence: sheet.confidence, reach: reach, in: middle, of: image)
    }

    /// - Parameters:
    ///   - line: in pixels of the smaller image.
    ///   - reach: how many of them the line may be off.
    private static func tracked(
        _ line: Contour, confidence: Double, reach: Int, in middle: ReducedPicture, of image: RGBImage
    ) -> SheetOutline {
        let coarse = EdgeTracking(
            in: middle.image,
            options: .coarse(reach: reach, restraint: restraint)
        ).track(line).contour
        let spacing = fineSpacing * Double(middle.factor)
        let fine = EdgeTracking(
            in: image,
            options: .fine(
                reach: 2 * middle.factor + 2, spacing: spacing, readingsAlong: 2 * middle.factor + 1)
        ).track(Contour(coarse.points.map(middle.photographPoint))).contour
        return outline(fine, spacing: spacing, confidence: confidence, imageSize: image.size)
    }

    /// The outline of the sheet whose sides stand beside the print of a photograph; nil if there is none.
    static func besidePrint(in image: RGBImage) -> SheetOutline? {
        guard let sides = SidesBesidePrint(in: image) else { return nil }
        let middle = ReducedPicture(reducing: ReducedPicture(image), toLongestSide: trackedSide)
        return tracked(
            Contour(sides.polygon.map(middle.reducedPoint)), confidence: trustOfSides * sides.support,
            reach: reachOfSides, in: middle, of: image)
    }

    /// Confidence of an outline whose sides show along their whole length. Of 14 that were found so 13 are the sheet, and one
    /// ends at a card's coloured bar; they count for less than one that the network is sure of.
    private static let trustOfSides = 0.8
    /// How far straight sides may be off those of a curled sheet, in pixels of the image of `trackedSide`: 1 % of its length.
    private static let reachOfSides = 10

    /// The outline of a possible sheet: everything it may cover, and no corners, since nothing proves their positions. Without
    /// depth, the whole photograph is shown then.
    private static func unsure(_ hull: Contour, _ confidence: Double, _ imageSize: PixelSize) -> SheetOutline
    {
        SheetOutline(
            imageSize: imageSize, polygon: hull.points, cornerIndices: nil, confidence: confidence,
            borderShare: rimShare(hull, imageSize))
    }

    /// Turns a tracked contour into an outline with sharp corners and no more vertices than needed.
    /// - Parameter spacing: the distance between the contour's points, in pixels.
    static func outline(
        _ contour: Contour, spacing: Double, confidence: Double, imageSize: PixelSize
    ) -> SheetOutline {
        let whole = contour.closingRimNotches(of: imageSize)
        let (cornered, corners) = SheetCorners(contour: whole, imageSize: imageSize).refined()
        // A few hundred vertices within a pixel of the line.
        var tolerance = max(leastTolerance, spacing * toleranceShare)
        let kept = corners ?? []
        var keeps = kept.map { cornered.points[$0] }
        var polygon = cornered.simplified(tolerance: tolerance, keeping: kept)
        while polygon.count > mostVertices {
            tolerance *= toleranceGrowth
            polygon = cornered.simplified(tolerance: tolerance, keeping: kept)
        }
        var indices: [Int]?
        if keeps.count == 4 {
            var found: [Int] = []
            for (index, point) in polygon.points.enumerated() where point == keeps.first {
                found.append(index)
                keeps.removeFirst()
            }
            if found.count == 4 { indices = found }
        }
        let shape = Contour(polygon.points)
        return SheetOutline(
            imageSize: imageSize, polygon: shape.points, cornerIndices: indices,
            confidence: confidence, borderShare: rimShare(shape, imageSize))
    }

    /// Spacing of the fine contour's points, in pixels of the smaller image.
    private static let fineSpacing = 2.0
    /// Greatest distance, in pixels, of the simplified line from the tracked one: half a pixel, or a sixteenth of the point
    /// spacing.
    private static let leastTolerance = 0.5
    private static let toleranceShare = 1.0 / 16
    /// Factor by which that distance grows as long as there are too many vertices.
    private static let toleranceGrowth = 1.5
    /// Most vertices of an outline.
    private static let mostVertices = 400

    /// Distance from the image's end within which a position lies on its border: as a share of the longer side, and the least
    /// distance in pixels.
    private static let rimPart = 0.002
    private static let leastRim = 2.0

    /// The share of a contour's length that lies on the image border.
    private static func rimShare(_ contour: Contour, _ size: PixelSize) -> Double {
        let margin = max(leastRim, rimPart * Double(max(size.width, size.height)))
        func near(_ p: SIMD2<Double>) -> Bool {
            p.x < margin || p.y < margin || p.x > Double(size.width - 1) - margin
                || p.y > Double(size.height - 1) - margin
        }
        var length = 0.0
        for index in contour.points.indices {
            let a = contour.points[index]
            let b = contour.points[(index + 1) % contour.count]
            if near(a), near(b), near((a + b) / 2) { length += distance(a, b) }
        }
        return contour.perimeter > 0 ? length / contour.perimeter : 0
    }
}

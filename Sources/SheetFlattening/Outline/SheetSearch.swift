import Foundation
package import Imaging

/// What looking for a sheet in a photograph came to.
///
/// That there is none to be seen is a normal result, not an error: the reason says why.
package enum SheetSearch: Sendable, Equatable {
    /// Why no sheet was found.
    package enum Reason: String, Sendable, Codable, CustomStringConvertible {
        /// The picture has too few pixels to tell.
        case pictureTooSmall
        /// Nothing in the picture stands out from its surroundings as paper does.
        case nothingStandsOut
        /// Something stands out, but it does not look like a sheet.
        case nothingSheetLike

        /// The reason in words.
        package var description: String {
            switch self {
            case .pictureTooSmall: "the picture is too small to look for a sheet in it"
            case .nothingStandsOut:
                "nothing in the picture stands out as a sheet does; perhaps a sheet fills it"
            case .nothingSheetLike: "what stands out in the picture does not look like a sheet"
            }
        }
    }

    /// The outlines of all sheets in view, at least one; first the one that is meant where only one can be.
    case found([SheetOutline])
    /// No sheet to be seen.
    case notFound(Reason)

    /// The outline of the sheet that is meant, if one was found.
    package var outline: SheetOutline? { outlines.first }

    /// The outlines of all sheets in view, the one that is meant first; none where no sheet was found.
    package var outlines: [SheetOutline] {
        if case .found(let outlines) = self { outlines } else { [] }
    }
}

extension SheetOutline {
    /// Finds the sheet in a photograph, in three steps from coarse to fine.
    ///
    /// 1. In a picture of 192 pixels regions that stand out are rated by shape and edge, and the best is taken; then what has
    ///    its tint, however bright, if that is a sheet as well.
    /// 2. In a picture of 1024 pixels its contour moves onto the edge between what the sheet and the table look like nearby.
    /// 3. In the photograph itself the edge is found to a fraction of a pixel, and the corners from the sides.
    ///
    /// O(pixels) for the reduction; the rest does not depend on the photograph's size.
    /// - Parameters:
    ///   - image: the photograph.
    ///   - depth: what the depth sensor saw of the same field of view, at any resolution, metric or relative; what stands off
    ///     the table is a candidate too.
    package static func find(in image: RGBImage, depth: DepthMap? = nil) -> SheetSearch {
        guard min(image.width, image.height) >= 32 else { return .notFound(.pictureTooSmall) }
        let middle = ReducedPicture(reducing: ReducedPicture(image), toLongestSide: 1024)
        let small = ReducedPicture(reducing: middle, toLongestSide: 192)
        let picture = SmallPicture(small, reducedFrom: middle)
        var candidates = SheetCandidates(picture).find(
            height: depth.flatMap { TableHeight($0, size: small.image.size)?.values })
        // What has the tint of the region found so far; again while that makes it larger, up to all that folds and print cut off.
        var region: SheetCandidate?
        for _ in 0..<4 {
            guard let next = SheetChoice(picture).choose(from: candidates),
                next.areaShare > 1.06 * (region?.areaShare ?? 0)
            else { break }
            region = next
            candidates += SheetCandidates(picture).find(tintOf: next)
            candidates.sort { $0.score > $1.score }
        }
        guard let clearest = candidates.first else { return .notFound(.nothingStandsOut) }
        guard clearest.score >= acceptedScore + 0.3 * clearest.rimShare,
            let chosen = SheetChoice(picture).choose(from: candidates)
        else {
            return .notFound(.nothingSheetLike)
        }
        let best = SheetChoice(picture).withPrint(chosen, in: picture)
        guard SheetChoice(picture).differs(best) else { return .notFound(.nothingStandsOut) }

        let start = RegionRefinement(picture).refined(best).smoothed(sigma: 1)
        var contour = Contour(start.points.map { middle.reducedPoint(small.photographPoint($0)) })
        for reach in [20, 8] {
            contour =
                EdgeTracking(
                    in: middle.image,
                    options: .init(
                        reach: reach, spacing: 2.5, readingsAlong: 3, regionWeight: 0.25, edgeWeight: 4,
                        stiffness: 0.4)
                ).track(contour).contour
        }
        contour = Contour(contour.points.map { middle.photographPoint($0) })
        let spacing = 2.0 * Double(middle.factor)
        let fine = EdgeTracking(
            in: image,
            options: .init(
                reach: 2 * middle.factor + 2, spacing: spacing, readingsAlong: 2 * middle.factor + 1,
                regionWeight: 0, edgeWeight: 4, stiffness: 0.4)
        ).track(contour).contour
        // How sure it is: of the region that it began as, and of the line that came of it; print near the sides weighs on the
        // line alone, a region that is something else on the line too.
        let line = Contour(fine.points.map { small.reducedPoint($0) })
        let seen = SheetCandidate(
            line.resampled(count: max(60, Int(line.perimeter))), source: best.source, in: picture)
        let score = (best.score + (seen?.score ?? 0)) / 2
        return .found([
            outline(
                fine, spacing: spacing, confidence: min(max((score - 0.4) / 0.4, 0), 1),
                evidence: [evidence(of: best)], imageSize: image.size)
        ])
    }

    /// Below this a region is not taken for a sheet. Sheets on tables rate 0.6 to 0.85, white ones on white 0.5, and
    /// things that are none below 0.45; but furniture and walls that run off the picture up to 0.65, so those must rate more.
    private static let acceptedScore = 0.48

    private static func evidence(of candidate: SheetCandidate) -> Evidence {
        switch candidate.source {
        case .brightness: .brightness
        case .colour: .colour
        case .edges: .edges
        case .height: .depth
        }
    }

    /// The outline that a tracked contour makes: its corners sharp, its vertices no more than it needs.
    /// - Parameter spacing: the distance between the contour's points, in pixels.
    static func outline(
        _ contour: Contour, spacing: Double, confidence: Double, evidence: Set<Evidence>,
        imageSize: PixelSize
    ) -> SheetOutline {
        let (cornered, corners) = SheetCorners(contour: contour, imageSize: imageSize).refined()
        // A few hundred vertices within a pixel of the line.
        var tolerance = max(0.5, spacing / 16)
        let kept = corners ?? []
        var keeps = kept.map { cornered.points[$0] }
        var polygon = cornered.simplified(tolerance: tolerance, keeping: kept)
        while polygon.count > 400 {
            tolerance *= 1.5
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
            confidence: confidence, borderShare: rimShare(shape, imageSize), evidence: evidence)
    }

    /// The share of a contour's length that lies on the picture's rim.
    private static func rimShare(_ contour: Contour, _ size: PixelSize) -> Double {
        let margin = max(2, 0.002 * Double(max(size.width, size.height)))
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

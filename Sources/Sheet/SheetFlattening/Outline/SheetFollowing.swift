package import Imaging
import RobustStatistics

/// Follows a sheet from one image of a sequence to the next.
///
/// The sheet has moved by only a few pixels, so no search is needed: the previous contour is moved onto the edge nearby, first
/// in an image of half the size and then in the image itself. A lost sheet (no edge, another size, corners gone) is given up;
/// it must be found anew.
extension SheetOutline {
    /// Search distance around the expected edge, in pixels of the half-size image.
    private static let coarseReach = 8
    /// Search distance around the coarse result in the image itself, in pixels: two of the half-size image's.
    private static let fineReach = 4
    /// Distance between contour points in the image itself, in pixels.
    private static let fineSpacing = 3.0
    /// Greatest factor by which the area may change between two images: a hand that approaches by arm's length per second stays
    /// below.
    private static let greatestGrowth = 1.3

    /// Finds the sheet in the next image, and how clear its edge is.
    /// - Parameters:
    ///   - image: the next image, of this outline's size; intended for images of some hundred pixels a side.
    ///   - shift: the sheet's estimated movement, in pixels; the remaining error must be less than twice `coarseReach`.
    /// - Returns: the outline with `clarity`, the median colour step across it in levels (0 to some 400), ignoring the image
    ///   border; nil if the sheet is lost or the sizes differ.
    /// - Complexity: O(length of the outline).
    package func followed(
        in image: RGBImage, movedBy shift: SIMD2<Double>
    ) -> (outline: SheetOutline, clarity: Double)? {
        guard image.size == imageSize, min(image.width, image.height) >= Self.leastSide else { return nil }
        let half = ReducedPicture(
            reducing: ReducedPicture(image), toLongestSide: (max(image.width, image.height) + 1) / 2)
        // Points on the image border stay there: the sheet continues outside and comes in as the image moves.
        let rim = PictureRim(of: imageSize)
        let start = Contour(
            polygon.map { point in
                half.reducedPoint(
                    SIMD2(
                        rim.containsX(point.x) ? point.x : point.x + shift.x,
                        rim.containsY(point.y) ? point.y : point.y + shift.y))
            })
        guard start.signedArea > 0 else { return nil }
        let coarse = EdgeTracking(
            in: half.image,
            options: .coarse(reach: Self.coarseReach)
        ).track(start).contour
        let fine = EdgeTracking(
            in: image,
            options: .fine(reach: Self.fineReach, spacing: Self.fineSpacing, readingsAlong: 3)
        ).track(Contour(coarse.points.map(half.photographPoint)))
        let next = Self.outline(
            fine.contour, spacing: Self.fineSpacing, confidence: confidence, imageSize: imageSize)
        let growth = next.area / max(area, 1)
        guard growth > 1 / Self.greatestGrowth, growth < Self.greatestGrowth,
            next.cornerIndices != nil || cornerIndices == nil
        else { return nil }
        let inner = zip(fine.contour.points, fine.strength).filter { point, _ in !rim.contains(point) }.map(
            \.1)
        guard !inner.isEmpty else { return nil }
        return (next, inner.upperMedian())
    }
}

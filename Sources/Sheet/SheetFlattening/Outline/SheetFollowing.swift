package import Imaging
import RobustStatistics

/// Follows a sheet from one picture of a sequence to the next.
///
/// The sheet is where it was but for a few pixels, so nothing is searched: the contour of before is moved onto the edge near
/// by, first in a picture of half the size and then in the picture itself. What is lost (no edge, another size, corners gone)
/// is not held on to; it has to be found anew.
extension SheetOutline {
    /// How far from its expected place the sheet's edge is looked for, in pixels of the picture of half the size.
    private static let coarseReach = 8
    /// How far from there it is looked for in the picture itself, in pixels: two of the smaller picture's.
    private static let fineReach = 4
    /// The distance of the points there, in pixels.
    private static let fineSpacing = 3.0
    /// The area may change between two pictures by this factor: a hand that comes nearer at arm's length per second stays below.
    private static let greatestGrowth = 1.3

    /// The sheet in the next picture, and how clear its edge is.
    /// - Parameters:
    ///   - image: the next picture, of this outline's size; made for pictures of some hundred pixels a side.
    ///   - shift: by how much the sheet seems to have moved, in pixels; what remains must be less than twice `coarseReach`.
    /// - Returns: the outline with `clarity`, the median step of colour across it in levels (0 to some 400) where it is not the
    ///   picture's rim; nil if the sheet is lost or the sizes differ.
    /// - Complexity: O(length of the outline).
    package func followed(
        in image: RGBImage, movedBy shift: SIMD2<Double>
    ) -> (outline: SheetOutline, clarity: Double)? {
        guard image.size == imageSize, min(image.width, image.height) >= Self.leastSide else { return nil }
        let half = ReducedPicture(
            reducing: ReducedPicture(image), toLongestSide: (max(image.width, image.height) + 1) / 2)
        // What lay on the rim stays on it: there the sheet goes on outside, and comes in as the picture moves.
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

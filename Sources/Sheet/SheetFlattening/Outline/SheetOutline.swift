import Platform
public import Imaging

/// Where a sheet of paper lies in a photograph.
///
/// All positions are photograph pixels in pixel-centre coordinates: the centre of the top-left pixel is (0, 0).
public struct SheetOutline: Codable, Equatable, Sendable {
    /// The size of the photograph that the positions belong to.
    public let imageSize: PixelSize
    /// The outline: at least 3 and at most some hundred vertices, clockwise as seen, the last joined to the first.
    ///
    /// Where the sheet runs off the image, the outline follows the image border, except for corners just outside.
    public let polygon: [SIMD2<Double>]
    /// Indices in `polygon` of the sheet's four corners, in rising order; nil if it does not show four.
    ///
    /// From one corner to the next the polygon follows one side of the sheet, curved or straight.
    package let cornerIndices: [Int]?
    /// The probability that this is a whole sheet and nothing else: 0 (a guess) to 1.
    ///
    /// Computed by a model fitted to photographs, from the network's certainty about the sheet's cells, about its border and
    /// about the presence of a sheet, and from the region's convexity. Of sides that were found beside the print, the share of
    /// their length that shows. 1 for given corners, 0 if the whole image was taken.
    public let confidence: Double
    /// The share of the outline's length that lies on the image border, 0 to 1.
    package let borderShare: Double

    package init(
        imageSize: PixelSize, polygon: [SIMD2<Double>], cornerIndices: [Int]?, confidence: Double,
        borderShare: Double
    ) {
        self.imageSize = imageSize
        self.polygon = polygon
        self.cornerIndices = cornerIndices
        self.confidence = confidence
        self.borderShare = borderShare
    }

    /// Creates the outline of a sheet with four known corners and straight sides.
    ///
    /// - Parameters:
    ///   - corners: in photograph pixels, in order around the sheet, either way round.
    ///   - imageSize: the photograph's size.
    /// - Returns: nil unless the corners are finite and form a convex quadrilateral of at least one pixel's area.
    public init?(corners: [SIMD2<Double>], imageSize: PixelSize) {
        guard corners.count == 4, corners.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
        let area = Contour(corners).signedArea
        guard abs(area) >= 1 else { return nil }
        let clockwise = area > 0 ? corners : corners.reversed()
        for i in 0..<4 {
            guard cross(clockwise[i], clockwise[(i + 1) % 4], clockwise[(i + 2) % 4]) > 0 else { return nil }
        }
        self.init(
            imageSize: imageSize, polygon: clockwise, cornerIndices: [0, 1, 2, 3], confidence: 1,
            borderShare: 0)
    }

    /// The outline that takes the whole image as the sheet: along the outer sides of its pixels, without corners.
    package static func wholePicture(_ imageSize: PixelSize) -> SheetOutline {
        let right = Double(imageSize.width) - 0.5
        let bottom = Double(imageSize.height) - 0.5
        return SheetOutline(
            imageSize: imageSize,
            polygon: [SIMD2(-0.5, -0.5), SIMD2(right, -0.5), SIMD2(right, bottom), SIMD2(-0.5, bottom)],
            cornerIndices: nil, confidence: 0, borderShare: 1)
    }

    /// The four corners, clockwise as seen, if the sheet shows them. Refined along the sides to a fraction of a pixel.
    ///
    /// A corner cut off by the image border lies where the sides would meet, up to some percent of a side outside.
    public var corners: [SIMD2<Double>]? {
        cornerIndices.map { $0.map { polygon[$0] } }
    }

    /// The four sides as polylines from corner to corner, clockwise as seen, if the sheet shows its corners.
    package var sides: [[SIMD2<Double>]]? {
        guard let indices = cornerIndices else { return nil }
        return indices.indices.map { side in
            let first = indices[side]
            var last = indices[(side + 1) % indices.count]
            if last <= first { last += polygon.count }
            return (first...last).map { polygon[$0 % polygon.count] }
        }
    }

    /// The same outline with corners. If it has none, it gets its extreme points along the smallest rectangle around it.
    /// Unchanged if the image border cuts all sides, because then nothing shows its shape.
    package var withExtremeCorners: SheetOutline {
        guard cornerIndices == nil, let axis = ExtremeCorners.direction(of: polygon),
            let corners = ExtremeCorners.indices(of: polygon, along: axis)
        else { return self }
        let outline = SheetOutline(
            imageSize: imageSize, polygon: polygon, cornerIndices: corners.sorted(), confidence: confidence,
            borderShare: borderShare)
        let rim = PictureRim(of: imageSize)
        let cut = outline.sides?.count { rim.runs(along: $0) } ?? 0
        return cut <= Self.mostCutSides ? outline : self
    }

    /// Most sides that may lie on the image border: one other side tells which way is up, and the rows of print tell the rest.
    private static let mostCutSides = 3

    /// Whether the sheet seems to run off the image.
    package var touchesBorder: Bool { borderShare > Self.rimShareOfContact }

    /// Share of the outline's length on the image border above which more than a corner touches it.
    private static let rimShareOfContact = 0.01

    /// The enclosed area in square pixels. O(vertices).
    package var area: Double { Contour(polygon).signedArea }

    /// Whether a position lies on the sheet. O(vertices).
    public func contains(_ point: SIMD2<Double>) -> Bool {
        Contour(polygon).contains(point)
    }
}

extension SheetOutline {
    /// Marks the pixels whose centre lies on the sheet, in an image or map with the photograph's field of view.
    ///
    /// O(pixels + vertices · rows).
    /// - Parameter size: the size of the wanted mask: the photograph's, a reduced image's or the depth map's. The mask and the
    ///   photograph span the same field, so the centre of pixel x lies at (x + 0.5) · imageSize.width / size.width - 0.5.
    package func mask(size: PixelSize) -> Raster<Bool> {
        var result = Raster(width: size.width, height: size.height, filledWith: false)
        guard size.width > 0, size.height > 0, imageSize.width > 0, imageSize.height > 0 else {
            return result
        }
        let scaleX = Double(size.width) / Double(imageSize.width)
        let scaleY = Double(size.height) / Double(imageSize.height)
        let vertices = polygon.map { SIMD2(($0.x + 0.5) * scaleX - 0.5, ($0.y + 0.5) * scaleY - 0.5) }
        result.elements = Contour(vertices).mask(width: size.width, height: size.height)
        return result
    }
}

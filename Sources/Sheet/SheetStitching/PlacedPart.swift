import Platform
import Imaging

/// A part where it lies on the whole sheet, bent so that it meets the part above it.
struct PlacedPart: Sendable {
    /// The part, the right way up.
    let part: FlatPart
    /// Maps the part to the sheet, without the bend.
    let similarity: Similarity
    /// The bend at places of the sheet, in units of the sheet; nil for none.
    private(set) var bend: SmoothField?
    /// The range of heights of the sheet over which the bend counts in full.
    private var overlap = 0.0...0.0

    init(_ part: FlatPart, at similarity: Similarity) {
        self.part = part
        self.similarity = similarity
    }

    /// Returns the part, bent so that its pieces lie where those of the part above it lie.
    func meeting(_ above: PlacedPart, pieces: [(first: SIMD2<Double>, second: SIMD2<Double>)]) -> PlacedPart {
        var bent = self
        let places = pieces.map { similarity($0.second) }
        bent.bend = SmoothField(
            at: places, displacements: zip(pieces, places).map { above.place(of: $0.first) - $1 })
        let heights = places.map(\.y)
        bent.overlap = (heights.min() ?? 0)...(heights.max() ?? 0)
        return bent
    }

    /// Length over which the bend fades to nothing, in units. Set by reasoning: a bend of a third of a unit then
    /// stretches rows by less than a hundredth.
    private static let fade = 60.0

    private func displacement(at place: SIMD2<Double>) -> SIMD2<Double> {
        guard let bend else { return .zero }
        let beyond = max(overlap.lowerBound - place.y, place.y - overlap.upperBound, 0)
        guard beyond < Self.fade else { return .zero }
        return bend(place) * (0.5 + 0.5 * cos(.pi * beyond / Self.fade))
    }

    /// Returns the place on the sheet of a place on the part.
    func place(of point: SIMD2<Double>) -> SIMD2<Double> {
        let place = similarity(point)
        return place + displacement(at: place)
    }

    /// Returns the place on the part of a place on the sheet. The bend is slow, so a few fixed-point steps find it.
    func point(at place: SIMD2<Double>) -> SIMD2<Double> {
        var unbent = place
        if bend != nil {
            for _ in 0..<5 { unbent = place - displacement(at: unbent) }
        }
        return similarity.inverse(unbent)
    }

    /// The heights of the sheet that the part's page spans.
    var heights: ClosedRange<Double> {
        let size = part.size
        let ends = [SIMD2(0, 0), SIMD2(size.x, 0), SIMD2(0, size.y), size].map { place(of: $0).y }
        return (ends.min() ?? 0)...(ends.max() ?? 0)
    }

    /// Returns the map from the pixels of a rectangle of the sheet to the photograph.
    func map(of area: SheetArea, spacing: Int) -> SamplingMap {
        SamplingMap(outputSize: area.size, spacing: spacing) {
            part.source(of: point(at: area.place(of: $0)))
        }
    }
}

/// A rectangle of the sheet as an image.
struct SheetArea: Sendable {
    /// The place of the rectangle's upper left corner.
    var origin: SIMD2<Double>
    /// Pixels per unit.
    var density: Double
    /// Width and height in pixels.
    var size: PixelSize

    /// The place of a pixel's centre.
    func place(of pixel: SIMD2<Double>) -> SIMD2<Double> { origin + (pixel + 0.5) / density }

    /// Returns some rows of the area.
    func rows(_ rows: Range<Int>) -> SheetArea {
        SheetArea(
            origin: origin + SIMD2(0, Double(rows.lowerBound) / density), density: density,
            size: PixelSize(width: size.width, height: rows.count))
    }
}

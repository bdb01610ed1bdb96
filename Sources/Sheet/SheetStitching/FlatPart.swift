package import Imaging

/// One photograph's part of a sheet, made flat, to be joined with the parts that other photographs show.
///
/// Places on a part are given in units of the sheet: millimetres where the scale is metric, otherwise eightieths of the
/// sheet's width, which are about as long. They are measured along the sheet's long sides, where these are known, from
/// ``rim`` left of the left side and from the part's upper end.
package struct FlatPart: Sendable {
    /// The photograph, upright.
    package let photograph: RGBImage
    /// Where in the photograph each pixel of the flat part comes from.
    package let map: SamplingMap
    /// The length of a pixel of the flat part, in units.
    package let unitsPerPixel: Double
    /// Whether a point of the photograph lies on the sheet; nil where that is not known.
    package let isOnSheet: (@Sendable (SIMD2<Double>) -> Bool)?
    /// How sure the part's own scale is, relative to the other parts' scales; 0 where only the part's width gives it.
    package let certainty: Double
    /// How sure it is that the part stands upright, 0 to 1.
    package let uprightness: Double
    /// Whether the sheet is known to go on above the part and below it.
    package let goesOn: (above: Bool, below: Bool)
    /// Whether something narrower than the sheet was cut off above the part and below it.
    let isCut: (above: Bool, below: Bool)
    /// Width and height, in units.
    package let size: SIMD2<Double>
    /// Maps places on the part to pixels of the flat part.
    private let pixels: Similarity
    /// Whether the part is used upside down.
    package var isTurned = false

    /// Greatest width that is shown beside the sheet, in units.
    package static let rim = 3.0

    /// Takes a part from the result of flattening. Where the outline goes on beyond an end of the sheet with less than
    /// the sheet's width, as over a piece of the table, the part ends where the sheet does.
    /// - Parameter sides: the sheet's long sides; nil if they are not seen, so that the whole part is used as it is.
    package init(
        photograph: RGBImage, map: SamplingMap, unitsPerPixel: Double, sides: SheetSides?,
        isOnSheet: (@Sendable (SIMD2<Double>) -> Bool)?, certainty: Double,
        uprightness: Double, goesOn: (above: Bool, below: Bool) = (false, false)
    ) {
        self.photograph = photograph
        self.map = map
        self.unitsPerPixel = unitsPerPixel
        self.isOnSheet = isOnSheet
        self.certainty = certainty
        self.uprightness = uprightness
        self.goesOn = goesOn
        let page = SIMD2(Double(map.outputSize.width), Double(map.outputSize.height))
        let scale = 1 / unitsPerPixel
        if let sides {
            isCut = (sides.cuts.above != nil, sides.cuts.below != nil)
            let (top, bottom) = (sides.cuts.above ?? 0, sides.cuts.below ?? page.y)
            size = SIMD2(
                (sides.right - sides.left) * unitsPerPixel + 2 * Self.rim, (bottom - top) * unitsPerPixel)
            // Vectors down the sides, (slope, 1), and at right angles to them.
            let along = SIMD2(1, -sides.slope) / (1 + sides.slope * sides.slope).squareRoot()
            let turn = Similarity(factor: along * scale)
            let height = (top + bottom) / 2
            let middle = SIMD2((sides.left + sides.right) / 2 + sides.slope * (height - page.y / 2), height)
            pixels = Similarity(factor: turn.factor, shift: middle - turn(size / 2) - 0.5)
        } else {
            isCut = (false, false)
            size = page * unitsPerPixel
            pixels = Similarity(factor: SIMD2(scale, 0), shift: SIMD2(-0.5, -0.5))
        }
    }

    /// Returns the point of the photograph that a place of the part comes from; NaN outside of the part.
    func source(of place: SIMD2<Double>) -> SIMD2<Double> {
        let pixel = pixels(isTurned ? size - place : place)
        guard pixel.x >= -0.5, pixel.y >= -0.5, pixel.x <= Double(map.outputSize.width) - 0.5,
            pixel.y <= Double(map.outputSize.height) - 0.5
        else { return SIMD2(.nan, .nan) }
        return map.source(of: pixel)
    }

    /// Whether a point of the photograph shows the sheet: it lies at least `rim` pixels inside the image, and inside
    /// the outline.
    func shows(_ source: SIMD2<Double>, rim: Double = 2) -> Bool {
        guard source.x >= rim, source.y >= rim, source.x <= Double(photograph.width - 1) - rim,
            source.y <= Double(photograph.height - 1) - rim
        else { return false }
        return isOnSheet?(source) ?? true
    }
}

package import Imaging
package import TextRecognition

/// A sheet as those see it who look for something on it.
package struct SheetView: Sendable {
    /// The flat picture, upright, in the light and about the density of the photograph.
    package let flat: GrayImage
    /// The photograph; nil where the flat picture was joined of several.
    package let photograph: SheetPhotograph?
    /// The sheet's outline in pixels of the photograph; nil if none was found.
    package let outline: [SIMD2<Double>]?
    /// The sheet's width and height in millimetres; nil where scale is not metric or no sheet was found.
    package let sheetMillimeters: SIMD2<Double>?
    /// Pixels of `flat` a millimetre; nil where scale is not metric.
    package let pixelsPerMillimeter: Double?
    /// What was read, in pixels of `flat`; nil if nothing was.
    package let text: RecognizedText?

    /// The machine-readable zone, in pixels of `flat`, if it was looked for; it was before the rest, for it tells which way is
    /// up.
    package let zone: RecognizedZone?

    /// A view of a sheet.
    package init(
        flat: GrayImage, photograph: SheetPhotograph?, outline: [SIMD2<Double>]?,
        sheetMillimeters: SIMD2<Double>?, pixelsPerMillimeter: Double?, text: RecognizedText?,
        zone: RecognizedZone?
    ) {
        self.flat = flat
        self.photograph = photograph
        self.outline = outline
        self.sheetMillimeters = sheetMillimeters
        self.pixelsPerMillimeter = pixelsPerMillimeter
        self.text = text
        self.zone = zone
    }
}

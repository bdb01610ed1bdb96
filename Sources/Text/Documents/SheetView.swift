package import Imaging
package import TextRecognition

/// A sheet as the searches for codes, faces, zones and items see it.
package struct SheetView: Sendable {
    /// The flat image, upright, with the photograph's lighting and about its pixel density.
    package let flat: GrayImage
    /// The photograph; nil if the flat image was joined from several.
    package let photograph: SheetPhotograph?
    /// The sheet's outline in pixels of the photograph; nil if none was found.
    package let outline: [SIMD2<Double>]?
    /// The sheet's width and height in millimetres; nil if the scale is not metric or no sheet was found.
    package let sheetMillimeters: SIMD2<Double>?
    /// Pixels of `flat` per millimetre; nil if the scale is not metric.
    package let pixelsPerMillimeter: Double?
    /// The recognized text, in pixels of `flat`; nil if none was read.
    package let text: RecognizedText?

    /// The machine-readable zone, in pixels of `flat`, if it was searched for. It is searched for first because it tells which
    /// way is up.
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

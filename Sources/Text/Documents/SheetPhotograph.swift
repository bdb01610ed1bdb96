import Diagnostics
package import Imaging
import TextRecognition

/// The photograph that shows a sheet, and where each of the two pictures has what the other shows.
package struct SheetPhotograph: Sendable {
    /// The photograph, upright.
    package let image: RGBImage
    /// For each pixel of the flat picture its source in the photograph.
    package let map: SamplingMap

    /// A photograph of a sheet.
    package init(image: RGBImage, map: SamplingMap) {
        self.image = image
        self.map = map
    }

    /// Where the photograph shows corners of the flat picture; nil unless it shows all of them.
    func source(of corners: [SIMD2<Double>]) -> [SIMD2<Double>]? {
        let places = corners.map(map.source)
        return places.allSatisfy { $0.x.isFinite && $0.y.isFinite } ? places : nil
    }

    /// Where the flat picture shows a quadrilateral of the photograph: its corners clockwise from the upper left, or, where the
    /// rim cuts it, the box of what is left; nil if nothing is.
    func place(of corners: [SIMD2<Double>]) -> [SIMD2<Double>]? {
        let places = corners.compactMap { map.output(of: $0) }
        guard places.count < corners.count else { return SmallestRectangle.fromUpperLeft(places) }
        guard corners.count == 4 else { return nil }
        var shown: [SIMD2<Double>] = []
        for row in 0...Self.steps {
            let down = Double(row) / Double(Self.steps)
            let (left, right) = (
                corners[0] + (corners[3] - corners[0]) * down, corners[1] + (corners[2] - corners[1]) * down
            )
            for column in 0...Self.steps {
                let place = left + (right - left) * (Double(column) / Double(Self.steps))
                if let place = map.output(of: place) { shown.append(place) }
            }
        }
        return shown.isEmpty ? nil : Box(around: shown).corners
    }

    /// Steps along a side of a quadrilateral that the rim cuts: what is left of it is known to a sixteenth.
    private static let steps = 16
}

/// Something that is looked for in the flat picture and in the photograph.
protocol FoundInPictures {
    /// In pixels of the flat picture; nil where that does not show it.
    var corners: [SIMD2<Double>]? { get set }
    /// In pixels of the photograph, likewise.
    var photographCorners: [SIMD2<Double>]? { get set }

    /// Whether both are one thing, by their places in the photograph and what they say.
    func isSame(as other: Self) -> Bool
}

extension SheetView {
    /// What is found in the flat picture, then what the photograph alone shows. What both show stands once, with the place that
    /// was seen in either.
    /// - Parameter search: finds things with their `corners`.
    func foundInBoth<Thing: FoundInPictures>(
        _ search: (GrayImage) throws(FlatteningError) -> [Thing]
    ) throws(FlatteningError) -> [Thing] {
        var things = try search(flat)
        guard let photograph else { return things }
        for index in things.indices {
            things[index].photographCorners = things[index].corners.flatMap(photograph.source)
        }
        for var thing in try search(photograph.image.gray()) {
            thing.photographCorners = thing.corners
            thing.corners = thing.corners.flatMap(photograph.place)
            if let index = things.firstIndex(where: { $0.isSame(as: thing) }) {
                things[index].photographCorners = thing.photographCorners ?? things[index].photographCorners
                things[index].corners = things[index].corners ?? thing.corners
            } else {
                things.append(thing)
            }
        }
        return things
    }
}

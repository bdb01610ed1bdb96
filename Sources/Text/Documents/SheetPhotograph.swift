import Diagnostics
package import Imaging
import TextRecognition

/// The photograph of a sheet, and the mapping between it and the flat image.
package struct SheetPhotograph: Sendable {
    /// The photograph, upright.
    package let image: RGBImage
    /// Maps each pixel of the flat image to its source in the photograph.
    package let map: SamplingMap

    /// A photograph of a sheet.
    package init(image: RGBImage, map: SamplingMap) {
        self.image = image
        self.map = map
    }

    /// Maps corners of the flat image to the photograph; nil unless it shows all of them.
    func source(of corners: [SIMD2<Double>]) -> [SIMD2<Double>]? {
        let places = corners.map(map.source)
        return places.allSatisfy { $0.x.isFinite && $0.y.isFinite } ? places : nil
    }

    /// Maps a quadrilateral of the photograph to the flat image: its corners clockwise from the upper left; if the rim cuts
    /// it, the box of the visible part; nil if nothing is visible.
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

    /// Steps along each side of a quadrilateral that the rim cuts, so the visible part is known to a sixteenth.
    private static let steps = 16
}

/// Something that is searched for in the flat image and in the photograph.
protocol FoundInPictures {
    /// Corners in pixels of the flat image; nil if that does not show it.
    var corners: [SIMD2<Double>]? { get set }
    /// The same in pixels of the photograph.
    var photographCorners: [SIMD2<Double>]? { get set }

    /// Whether both are the same thing, judged by their places in the photograph and their content.
    func isSame(as other: Self) -> Bool
}

extension SheetView {
    /// Returns what is found in the flat image, then what only the photograph shows. Things found in both appear once, with
    /// their places in both.
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

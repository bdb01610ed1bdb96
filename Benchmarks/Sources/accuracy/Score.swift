import Foundation
import ReceiptFlattening
import SyntheticCaptures

/// A flattening held against what was drawn.
struct Score {
    /// Distances on the sheet between where print is shown and where it was printed, in millimetres, after the one turn,
    /// shift and scale that suit the whole picture best: root mean square, and what 95 % stay below.
    let rms, percentile95: Double
    /// The share of the sheet's visible area that is shown, in cells of 2 mm; a millimetre of rim may be missing.
    let cover: Double
    /// True size over claimed size, minus 1; NaN where no size is claimed.
    let scaleError: Double

    /// O(pixels of the photograph / 16 + places that are looked at).
    init(_ receipt: FlattenedReceipt, against capture: SyntheticCapture) {
        let truth = SheetPlaces(capture)
        let size = receipt.map.outputSize
        // Some 60,000 places say as much as all of them.
        let step = max(1, Int((Double(size.pixelCount) / 60_000).squareRoot()))
        var shown: [(here: SIMD2<Double>, there: SIMD2<Double>)] = []
        for y in stride(from: 0, to: size.height, by: step) {
            for x in stride(from: 0, to: size.width, by: step) {
                let here = SIMD2(Double(x), Double(y))
                if let there = truth.place(at: receipt.map.source(of: here)) { shown.append((here, there)) }
            }
        }
        let cells = Set(shown.map { SheetPlaces.cell($0.there) })
        let visible = truth.visibleCells()
        cover = visible.isEmpty ? 0 : Double(visible.intersection(cells).count) / Double(visible.count)
        guard shown.count >= 100 else {
            (rms, percentile95, scaleError) = (.infinity, .infinity, .nan)
            return
        }
        // In the plane a turn with a scale is a complex number: the sum of conj(here) · there over the sum of |here|².
        let count = Double(shown.count)
        let middleHere = shown.reduce(SIMD2<Double>.zero) { $0 + $1.here } / count
        let middleThere = shown.reduce(SIMD2<Double>.zero) { $0 + $1.there } / count
        var turn = SIMD2<Double>.zero
        var square = 0.0
        for pair in shown {
            let (a, b) = (pair.here - middleHere, pair.there - middleThere)
            turn += SIMD2(a.x * b.x + a.y * b.y, a.x * b.y - a.y * b.x)
            square += (a * a).sum()
        }
        turn /= square
        let errors = shown.map { pair in
            let (a, b) = (pair.here - middleHere, pair.there - middleThere)
            let moved = SIMD2(turn.x * a.x - turn.y * a.y, turn.y * a.x + turn.x * a.y)
            return ((moved - b) * (moved - b)).sum().squareRoot()
        }.sorted()
        rms = (errors.reduce(0) { $0 + $1 * $1 } / count).squareRoot()
        percentile95 = errors[Int(Double(errors.count - 1) * 0.95)]
        let millimetersPerPixel = (turn * turn).sum().squareRoot()
        scaleError = receipt.pixelsPerMeter.map { millimetersPerPixel * $0 / 1000 - 1 } ?? .nan
    }
}

/// Which place of the sheet each place of the photograph shows, in millimetres from the sheet's corner.
private struct SheetPlaces {
    private static let step = 4
    private let places: Raster<SIMD2<Float>>
    private let size: SIMD2<Float>

    init(_ capture: SyntheticCapture) {
        places = capture.flatMillimeters(step: Self.step)
        size = SIMD2(Float(capture.surface.width), Float(capture.surface.height)) * 1000
    }

    /// Interpolated between the pixels that are known; nil beside the sheet.
    func place(at position: SIMD2<Double>) -> SIMD2<Double>? {
        let scaled = SIMD2<Float>(position) / Float(Self.step)
        guard scaled.x >= 0, scaled.y >= 0, scaled.x < Float(places.width - 1),
            scaled.y < Float(places.height - 1)
        else { return nil }
        let (x, y) = (Int(scaled.x), Int(scaled.y))
        let (s, t) = (scaled.x - Float(x), scaled.y - Float(y))
        let top = places[x: x, y: y] * (1 - s) + places[x: x + 1, y: y] * s
        let bottom = places[x: x, y: y + 1] * (1 - s) + places[x: x + 1, y: y + 1] * s
        let place = top * (1 - t) + bottom * t
        return place.x.isNaN ? nil : SIMD2<Double>(place)
    }

    func visibleCells() -> Set<SIMD2<Int>> {
        Set(
            places.elements.lazy.filter { place in
                place.x > 1 && place.y > 1 && place.x < size.x - 1 && place.y < size.y - 1
            }.map { Self.cell(SIMD2<Double>($0)) })
    }

    static func cell(_ place: SIMD2<Double>) -> SIMD2<Int> {
        SIMD2(Int((place.x / 2).rounded(.down)), Int((place.y / 2).rounded(.down)))
    }
}

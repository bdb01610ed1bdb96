extension Raster where Element == RGB {
    /// Draws a line through points in pixel-centre coordinates; parts outside the image are left out. O(its length).
    package mutating func draw(_ line: [SIMD2<Double>], color: RGB, width lineWidth: Double) {
        for (from, to) in zip(line, line.dropFirst()) {
            let length = Swift.max(abs(to.x - from.x), abs(to.y - from.y))
            // No image is as long, and the coordinates must fit into `Int`.
            guard [from.x, from.y, to.x, to.y].allSatisfy({ abs($0) < 1e6 }) else { continue }
            let count = Swift.max(1, Int(length.rounded(.up)))
            for index in 0...count {
                stamp(from + (to - from) * Double(index) / Double(count), color: color, width: lineWidth)
            }
        }
    }

    /// Draws a square of the pen's width.
    private mutating func stamp(_ point: SIMD2<Double>, color: RGB, width pen: Double) {
        // A pen is at least a pixel wide.
        let reach = Swift.max(0, (pen - 1) / 2)
        let columns =
            Swift.max(0, Int((point.x - reach).rounded()))...Swift.max(0, Int((point.x + reach).rounded()))
        let rows =
            Swift.max(0, Int((point.y - reach).rounded()))...Swift.max(0, Int((point.y + reach).rounded()))
        guard point.x + reach >= -0.5, point.y + reach >= -0.5 else { return }
        for y in rows where y < height {
            for x in columns where x < width { self[x: x, y: y] = color }
        }
    }

    /// Distance from one character to the next, as a multiple of a digit's height.
    package static let digitPitch = 0.75

    /// Writes numbers and units in strokes, with their baseline on a row of pixels.
    /// - Parameters:
    ///   - text: digits, ".", "+", "-", "m" and blanks; other characters are left blank.
    ///   - origin: the left end of the baseline.
    ///   - size: the height of a digit in pixels.
    /// - Returns: where the next character would begin.
    @discardableResult
    package mutating func write(
        _ text: String, at origin: SIMD2<Double>, size: Double, color: RGB
    ) -> SIMD2<Double> {
        var place = origin
        for character in text {
            for stroke in Self.strokes[character] ?? [] {
                let points = stroke.map { SIMD2(place.x + $0.x * size / 4, place.y - $0.y * size / 4) }
                draw(points, color: color, width: Swift.max(1, size / 8))
            }
            place.x += size * Self.digitPitch
        }
        return place
    }

    /// Each character's strokes on a grid of 2 by 4, from its lower left corner.
    private static var strokes: [Character: [[SIMD2<Double>]]] {
        func stroke(_ places: (Double, Double)...) -> [SIMD2<Double>] { places.map { SIMD2($0.0, $0.1) } }
        return [
            "0": [stroke((0, 0), (0, 4), (2, 4), (2, 0), (0, 0))], "1": [stroke((0.3, 3.2), (1, 4), (1, 0))],
            "2": [stroke((0, 4), (2, 4), (2, 2), (0, 2), (0, 0), (2, 0))],
            "3": [stroke((0, 4), (2, 4), (2, 0), (0, 0)), stroke((0, 2), (2, 2))],
            "4": [stroke((0, 4), (0, 2), (2, 2)), stroke((2, 4), (2, 0))],
            "5": [stroke((2, 4), (0, 4), (0, 2), (2, 2), (2, 0), (0, 0))],
            "6": [stroke((2, 4), (0, 4), (0, 0), (2, 0), (2, 2), (0, 2))],
            "7": [stroke((0, 4), (2, 4), (0.8, 0))],
            "8": [stroke((0, 0), (0, 4), (2, 4), (2, 0), (0, 0)), stroke((0, 2), (2, 2))],
            "9": [stroke((2, 2), (0, 2), (0, 4), (2, 4), (2, 0), (0, 0))], ".": [stroke((1, 0), (1, 0.1))],
            "+": [stroke((0, 2), (2, 2)), stroke((1, 1), (1, 3))], "-": [stroke((0, 2), (2, 2))],
            "m": [stroke((0, 0), (0, 2.6), (2, 2.6), (2, 0)), stroke((1, 2.6), (1, 0))],
        ]
    }
}

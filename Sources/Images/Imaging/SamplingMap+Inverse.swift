extension SamplingMap {
    /// Where a position of the input image appears in the output image; nil if it does not appear there, or lies more than
    /// `tolerance` output pixels outside.
    ///
    /// Starts at the nearest node and refines by Newton's steps on the map. O(nodes).
    package func output(of source: SIMD2<Double>, tolerance: Double = 1) -> SIMD2<Double>? {
        var nearest: (index: Int, distance: Double)?
        for (index, node) in nodes.elements.enumerated() {
            let step = SIMD2(Double(node.x), Double(node.y)) - source
            let distance = (step * step).sum()
            // A NaN distance is never smaller.
            if distance < nearest?.distance ?? .infinity { nearest = (index, distance) }
        }
        guard let nearest else { return nil }
        var place = SIMD2(
            Double(nearest.index % nodes.width * spacing), Double(nearest.index / nodes.width * spacing))
        for _ in 0..<Self.inversionSteps {
            let here = self.source(of: place)
            // Step towards the inside of the map, where there is a neighbour.
            let step = SIMD2(
                place.x >= Double(outputSize.width) / 2 ? -1.0 : 1.0,
                place.y >= Double(outputSize.height) / 2 ? -1.0 : 1.0)
            let across = (self.source(of: place + SIMD2(step.x, 0)) - here) / step.x
            let down = (self.source(of: place + SIMD2(0, step.y)) - here) / step.y
            let determinant = across.x * down.y - across.y * down.x
            let miss = source - here
            let move =
                SIMD2(miss.x * down.y - miss.y * down.x, across.x * miss.y - across.y * miss.x) / determinant
            place += move
            guard place.x.isFinite, place.y.isFinite, abs(place.x) < 1e6, abs(place.y) < 1e6 else {
                return nil
            }
        }
        let miss = self.source(of: place) - source
        let low = SIMD2(repeating: -0.5 - tolerance)
        let high = SIMD2(Double(outputSize.width), Double(outputSize.height)) - 0.5 + tolerance
        guard (miss * miss).sum() <= Self.inversionError * Self.inversionError,
            place.x >= low.x, place.y >= low.y, place.x <= high.x, place.y <= high.y
        else { return nil }
        return place
    }

    /// Newton's steps: a sheet bends little from one node to the next, so the third step already changes nothing.
    private static let inversionSteps = 6
    /// Largest allowed error of the result, in input pixels.
    private static let inversionError = 0.5
}

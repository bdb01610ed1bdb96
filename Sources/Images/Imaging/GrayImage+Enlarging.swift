import Platform

extension GrayImage {
    /// The image enlarged by cubic convolution of its pixels (Keys, IEEE Trans. ASSP 29(6), 1981); beyond the edge, the
    /// edge pixels repeat.
    ///
    /// Position p of this image, measured from the outer edges of its pixels, moves to p · factor.
    /// - Parameter factor: 1 or more; both sides are rounded up to whole pixels.
    /// - Complexity: O(pixels of the result).
    package func enlarged(by factor: Double) -> GrayImage {
        precondition(factor >= 1, "a picture is enlarged by 1 or more")
        let across = Self.taps(enlarging: width, by: factor)
        let down = Self.taps(enlarging: height, by: factor)
        // A cache of four enlarged source rows, indexed by row number modulo four.
        var lines = [[Float]](repeating: [Float](repeating: 0, count: across.count), count: 4)
        var known = [Int](repeating: -1, count: 4)
        return GrayImage(width: across.count, height: down.count) { pixels in
            elements.withUnsafeBufferPointer { source in
                for (y, tap) in down.enumerated() {
                    for index in 0..<4 {
                        let row = tap.places[index]
                        guard known[row % 4] != row else { continue }
                        known[row % 4] = row
                        let start = row * width
                        for (x, tap) in across.enumerated() {
                            var sum: Float = 0
                            for index in 0..<4 {
                                sum += tap.weights[index] * Float(source[start + tap.places[index]])
                            }
                            lines[row % 4][x] = sum
                        }
                    }
                    for x in 0..<across.count {
                        var sum: Float = 0
                        for index in 0..<4 { sum += tap.weights[index] * lines[tap.places[index] % 4][x] }
                        pixels.initializeElement(
                            at: y * across.count + x, to: UInt8(min(max(sum.rounded(), 0), 255)))
                    }
                }
            }
        }
    }

    /// The source pixels and weights that make one pixel of the result, along one side.
    private struct Taps {
        var places: SIMD4<Int>
        var weights: SIMD4<Float>
    }

    private static func taps(enlarging length: Int, by factor: Double) -> [Taps] {
        (0..<Int((Double(length) * factor).rounded(.up))).map { index in
            let place = (Double(index) + 0.5) / factor - 0.5
            let first = place.rounded(.down)
            let distances = SIMD4<Float>(1, 0, -1, -2) + Float(place - first)
            return Taps(
                places: (SIMD4(-1, 0, 1, 2) &+ Int(first))
                    .clamped(lowerBound: .zero, upperBound: SIMD4(repeating: length - 1)),
                weights: SIMD4(
                    CubicConvolution.weight(at: distances[0]), CubicConvolution.weight(at: distances[1]),
                    CubicConvolution.weight(at: distances[2]), CubicConvolution.weight(at: distances[3])))
        }
    }
}

extension RGBImage {
    /// The image enlarged, as in `GrayImage.enlarged(by:)`.
    package func enlarged(by factor: Double) -> RGBImage {
        let (red, green, blue) = (
            map { $0.red }.enlarged(by: factor), map { $0.green }.enlarged(by: factor),
            map { $0.blue }.enlarged(by: factor)
        )
        return RGBImage(width: red.width, height: red.height) { pixels in
            for index in 0..<red.elements.count {
                pixels.initializeElement(
                    at: index,
                    to: RGB(
                        red: red.elements[index], green: green.elements[index], blue: blue.elements[index]))
            }
        }
    }
}

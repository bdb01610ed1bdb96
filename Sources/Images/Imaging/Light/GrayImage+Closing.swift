// Flat morphology with squares, by running maxima and minima.

extension Raster where Element == UInt8 {
    /// Each pixel the brightest of the square of `2 radius + 1` pixels around it. O(pixels · log radius).
    func dilated(radius: Int) -> GrayImage { extremes(radius: radius, outside: 0) { $0 > $1 ? $0 : $1 } }

    /// Each pixel the darkest of the square of `2 radius + 1` pixels around it. O(pixels · log radius).
    func eroded(radius: Int) -> GrayImage { extremes(radius: radius, outside: 255) { $0 < $1 ? $0 : $1 } }

    /// Removes dark areas that are narrower than `2 radius + 1` pixels in either direction. Wider areas keep their edges in
    /// place, whatever their direction: a half-plane is preserved, except in its last `radius` pixels before the image's
    /// edge. O(pixels · log radius).
    func closed(radius: Int) -> GrayImage { dilated(radius: radius).eroded(radius: radius) }

    /// The extreme of each square, rows first. The extreme of 2, 4, 8 ... neighbours comes from two windows half as long,
    /// and that of any window from two that overlap. The loops along rows are plain and compile to vector instructions.
    @inline(__always)
    private func extremes(
        radius: Int, outside: UInt8, _ choose: (UInt8, UInt8) -> UInt8
    ) -> GrayImage {
        guard radius > 0, !elements.isEmpty else { return self }
        let shifts = Self.shifts(window: 2 * radius + 1)
        // Includes the neighbours beyond the image's edge.
        var line = [UInt8](repeating: outside, count: width + 2 * radius)
        var padded = [UInt8](repeating: outside, count: (height + 2 * radius) * width)
        line.withUnsafeMutableBufferPointer { line in
            padded.withUnsafeMutableBufferPointer { padded in
                elements.withUnsafeBufferPointer { pixels in
                    for y in 0..<height {
                        line.update(repeating: outside)
                        for x in 0..<width { line[radius &+ x] = pixels[y &* width &+ x] }
                        for shift in shifts {
                            for x in 0..<line.count - shift { line[x] = choose(line[x], line[x &+ shift]) }
                        }
                        let row = (y + radius) * width
                        for x in 0..<width { padded[row &+ x] = line[x] }
                    }
                }
                for shift in shifts {
                    let reach = shift * width
                    for index in 0..<padded.count - reach {
                        padded[index] = choose(padded[index], padded[index &+ reach])
                    }
                }
            }
        }
        return GrayImage(width: width, height: height, elements: Array(padded[..<(width * height)]))
    }

    /// The distance between the two elements that each step compares.
    private static func shifts(window: Int) -> [Int] {
        var (shifts, reached): ([Int], Int) = ([], 1)
        while 2 * reached <= window {
            shifts.append(reached)
            reached *= 2
        }
        return reached < window ? shifts + [window - reached] : shifts
    }
}

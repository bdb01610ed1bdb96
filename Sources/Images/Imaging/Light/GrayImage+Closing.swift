// Flat morphology with squares, by running extremes.

extension Raster where Element == UInt8 {
    /// Each pixel the brightest of the square of `2 radius + 1` pixels around it. O(pixels · log radius).
    func dilated(radius: Int) -> GrayImage { extremes(radius: radius, outside: 0) { $0 > $1 ? $0 : $1 } }

    /// Each pixel the darkest of the square of `2 radius + 1` pixels around it. O(pixels · log radius).
    func eroded(radius: Int) -> GrayImage { extremes(radius: radius, outside: 255) { $0 < $1 ? $0 : $1 } }

    /// Without what is dark and narrower than `2 radius + 1` pixels one way or the other. What is wider keeps its edges where
    /// they are, whatever their direction: a half-plane is closed, but for its last `radius` pixels before the rim. O(pixels · log radius).
    func closed(radius: Int) -> GrayImage { dilated(radius: radius).eroded(radius: radius) }

    /// The extreme of each square, rows first. The extreme of 2, 4, 8 ... neighbours comes from two of half as many, and that
    /// of any window from two that overlap: plain loops along rows, which become vectors'.
    @inline(__always)
    private func extremes(
        radius: Int, outside: UInt8, _ choose: (UInt8, UInt8) -> UInt8
    ) -> GrayImage {
        guard radius > 0, !elements.isEmpty else { return self }
        let shifts = Self.shifts(window: 2 * radius + 1)
        // With the neighbours beyond the rim.
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

    /// How far apart the two are of which each step takes the extreme.
    private static func shifts(window: Int) -> [Int] {
        var (shifts, reached): ([Int], Int) = ([], 1)
        while 2 * reached <= window {
            shifts.append(reached)
            reached *= 2
        }
        return reached < window ? shifts + [window - reached] : shifts
    }
}

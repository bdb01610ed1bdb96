import Platform
import Imaging
import Parallelism
import RobustStatistics

/// Finds possible rows of small print in an image, whatever its size: long chains of places where print is densest.
///
/// The image is searched at sizes a factor 1.41 apart; each size shows characters about seven pixels apart. Print is what a
/// closing over 5 x 5 pixels fills in. Its mean over four characters and half a line has a ridge along each row, which is
/// followed from left to right.
struct RowChains {
    /// A possible row.
    struct Chain {
        let path: RowPath
        /// Distance between characters in pixels of the image, estimated from the size: right within a factor of about 1.6.
        let pitch: Double
        /// The darkness of its print, in grey levels: the median over its places.
        let print: Float
    }

    /// The distance between characters, in pixels, that the filters are made for.
    private static let pitch = 7.0
    /// Longer sides, in pixels, of the sizes that are searched: a zone of 44 characters fills the first, and a sixth of the
    /// last.
    private static let sides = [340.0, 480, 680, 960, 1360, 1920]
    /// Largest enlargement of small images.
    private static let enlargement = 1.9
    /// Distance, in pixels, between the columns where ridges are detected.
    private static let step = 3
    /// A ridge is the maximum among this many pixels above and below.
    private static let neighbourhood = 4
    /// Smallest mean print, in grey levels, of a ridge.
    private static let leastPrint: Float = 2
    /// Shortest line accepted, in characters: half of a line of 30.
    private static let leastCharacters = 15.0
    /// The ends of a ridge are cut off where print is below this share of its median.
    private static let leastPrintAtEnds: Float = 0.4
    /// Largest distance, in pixels, between the next place of a ridge and where the ridge leads, and the extra distance allowed
    /// for each column skipped.
    private static let greatestStep = 2.0
    private static let stepByColumn = 0.05
    /// Steepest slope of a row, relative to the searched direction.
    private static let steepest = 0.15

    let picture: ZonePicture
    /// The part of the image that is searched.
    let area: Box

    /// Finds the chains along the given directions.
    /// - Parameters:
    ///   - angles: angles of the rows against the image's rows, clockwise, in radians.
    ///   - isStopped: called before each search; returns whether to stop.
    func chains(angles: [Double], isStopped: @Sendable () -> Bool) -> [Chain] {
        let looks = angles.flatMap { angle in Self.sides.map { Look(angle: angle, side: $0) } }
        return shareOut(looks, longestFirst: { Int($0.side) }) { isStopped() ? [] : chains(seenBy: $0) }
            .flatMap(\.self)
    }

    /// One search: the angle of the rows, and the length that the longer side is scaled to.
    private struct Look {
        var angle: Double
        var side: Double
    }

    private func chains(seenBy look: Look) -> [Chain] {
        let size = SIMD2(area.width, area.height)
        let scale = look.side / max(size.x, size.y)
        guard scale <= Self.enlargement else { return [] }
        let axis = SIMD2(cos(look.angle), sin(look.angle))
        let down = SIMD2(-axis.y, axis.x)
        // The frame of the turned area has the same centre and is large enough to hold all of it.
        let extent = SIMD2(
            abs(axis.x) * size.x + abs(axis.y) * size.y, abs(down.x) * size.x + abs(down.y) * size.y)
        let middle = SIMD2(area.left + area.right - 1, area.top + area.bottom - 1) / 2
        let origin = middle - axis * (extent.x - 1) / 2 - down * (extent.y - 1) / 2
        return chains(in: ZoneFrame(origin: origin, axis: axis), extent: extent, scale: scale)
    }

    private func chains(in frame: ZoneFrame, extent: SIMD2<Double>, scale: Double) -> [Chain] {
        let (width, height) = (Int(extent.x * scale), Int(extent.y * scale))
        guard width >= 16, height >= 16 else { return [] }
        let small = picture.picture(in: frame, width: width, height: height, scale: scale)
        return Self.ridges(of: Self.print(in: small)).compactMap { ridge in
            RowPath.fit(
                ridge.places.map { (Double($0.x) + 0.5) / scale - 0.5 },
                ridge.places.map { ($0.y + 0.5) / scale - 0.5 }, in: frame
            ).map { Chain(path: $0, pitch: Self.pitch / scale, print: ridge.middlePrint) }
        }
    }

    // MARK: Print

    /// Returns the density of print around each pixel: what a closing fills, averaged over four characters and half a line.
    static func print(in picture: Raster<Float>) -> Raster<Float> {
        let closed = filtered(filtered(picture, reach: 2) { $0 > $1 ? $0 : $1 }, reach: 2) {
            $0 < $1 ? $0 : $1
        }
        let filled = Raster<Float>(width: picture.width, height: picture.height) { filled in
            closed.elements.withUnsafeBufferPointer { closed in
                picture.elements.withUnsafeBufferPointer { pixels in
                    for index in pixels.indices {
                        filled.initializeElement(at: index, to: closed[index] - pixels[index])
                    }
                }
            }
        }
        return averaged(filled, across: Int(2 * pitch), down: 2)
    }

    /// Returns the maximum or minimum over the square around each pixel.
    @inline(__always)
    private static func filtered(
        _ picture: Raster<Float>, reach: Int, by choose: (Float, Float) -> Float
    ) -> Raster<Float> {
        let (width, height) = (picture.width, picture.height)
        // Compares whole rows, each from its own first pixel: without a sum in the index, the loop handles several pixels at
        // once.
        let rows = Raster<Float>(width: width, height: height) { rows in
            picture.elements.withUnsafeBufferPointer { pixels in
                for y in 0..<height {
                    let line = UnsafeMutableBufferPointer(rebasing: rows[y * width..<(y + 1) * width])
                    _ = line.initialize(from: pixels[y * width..<(y + 1) * width])
                    for other in max(y - reach, 0)...min(y + reach, height - 1) where other != y {
                        let other = UnsafeBufferPointer(rebasing: pixels[other * width..<(other + 1) * width])
                        for x in 0..<width { line[x] = choose(line[x], other[x]) }
                    }
                }
            }
        }
        return Raster<Float>(width: width, height: height) { result in
            rows.elements.withUnsafeBufferPointer { rows in
                for y in 0..<height {
                    let start = y * width
                    let line = UnsafeMutableBufferPointer(rebasing: result[start..<start + width])
                    _ = line.initialize(from: rows[start..<start + width])
                    for shift in -reach...reach where shift != 0 && abs(shift) < width {
                        let first = max(-shift, 0)
                        let count = width - abs(shift)
                        let own = UnsafeMutableBufferPointer(rebasing: line[first..<first + count])
                        let from = start + first + shift
                        let other = UnsafeBufferPointer(rebasing: rows[from..<from + count])
                        for x in 0..<count { own[x] = choose(own[x], other[x]) }
                    }
                }
            }
        }
    }

    /// Returns the mean over the rectangle around each pixel.
    private static func averaged(_ picture: Raster<Float>, across: Int, down: Int) -> Raster<Float> {
        let (width, height) = (picture.width, picture.height)
        var sums = [Float](repeating: 0, count: width + 1)
        let rows = Raster<Float>(width: width, height: height) { rows in
            picture.elements.withUnsafeBufferPointer { pixels in
                sums.withUnsafeMutableBufferPointer { sums in
                    for y in 0..<height {
                        let line = UnsafeBufferPointer(rebasing: pixels[y * width..<(y + 1) * width])
                        var sum: Float = 0
                        for x in 0..<width {
                            sum += line[x]
                            sums[x + 1] = sum
                        }
                        for x in 0..<width {
                            let (first, end) = (max(x - across, 0), min(x + across + 1, width))
                            rows.initializeElement(
                                at: y * width + x, to: (sums[end] - sums[first]) / Float(end - first))
                        }
                    }
                }
            }
        }
        return Raster<Float>(width: width, height: height) { result in
            rows.elements.withUnsafeBufferPointer { rows in
                for y in 0..<height {
                    let (first, end) = (max(y - down, 0), min(y + down + 1, height))
                    let line = UnsafeMutableBufferPointer(rebasing: result[y * width..<(y + 1) * width])
                    line.initialize(repeating: 0)
                    for row in first..<end {
                        let row = UnsafeBufferPointer(rebasing: rows[row * width..<(row + 1) * width])
                        for x in 0..<width { line[x] += row[x] }
                    }
                    for x in 0..<width { line[x] /= Float(end - first) }
                }
            }
        }
    }

    // MARK: Ridges

    private struct Ridge {
        var places: [(x: Int, y: Double, print: Float)]
        var slope = 0.0

        var middlePrint: Float {
            let prints = places.map(\.print).sorted()
            return prints[prints.count / 2]
        }

        /// Returns the row where the ridge is expected in a column.
        func expected(at x: Int) -> Double {
            places[places.count - 1].y + slope * Double(x - places[places.count - 1].x)
        }

        mutating func add(_ place: (x: Int, y: Double, print: Float)) {
            places.append(place)
            let last = places.suffix(25)
            guard last.count > 8 else { return }
            let x = last.reduce(0) { $0 + Double($1.x) } / Double(last.count)
            let y = last.reduce(0) { $0 + $1.y } / Double(last.count)
            let spread = last.reduce(0) { $0 + (Double($1.x) - x) * (Double($1.x) - x) }
            let product = last.reduce(0) { $0 + (Double($1.x) - x) * ($1.y - y) }
            slope = min(max(product / spread, -RowChains.steepest), RowChains.steepest)
        }

        /// The ridge without ends that have little print.
        var trimmed: Ridge? {
            let least = RowChains.leastPrintAtEnds * middlePrint
            guard let first = places.firstIndex(where: { $0.print > least }),
                let last = places.lastIndex(where: { $0.print > least })
            else { return nil }
            var ridge = self
            ridge.places = Array(places[first...last])
            return ridge
        }
    }

    /// Returns the local maxima of a column.
    private static func peaks(of column: [Float], above floor: Float) -> [Int] {
        column.withUnsafeBufferPointer { column in
            column.indices.filter { y in
                guard column[y] > floor else { return false }
                var other = max(y - neighbourhood, 0)
                let last = min(y + neighbourhood, column.count - 1)
                while other <= last, column[other] <= column[y] { other += 1 }
                return other > last
            }
        }
    }

    private static func ridges(of print: Raster<Float>) -> [Ridge] {
        let (width, height) = (print.width, print.height)
        let floor = max(print.elements.upperMedian(), leastPrint)
        var open: [Ridge] = []
        var done: [Ridge] = []
        for x in stride(from: 0, to: width, by: step) {
            let column = (0..<height).map { print.elements[$0 * width + x] }
            var peaks = peaks(of: column, above: floor)
            var next: [Ridge] = []
            for var ridge in open {
                let gap = x - ridge.places[ridge.places.count - 1].x
                let expected = ridge.expected(at: x)
                let nearest = peaks.min { abs(Double($0) - expected) < abs(Double($1) - expected) }
                if let nearest, abs(Double(nearest) - expected) <= greatestStep + stepByColumn * Double(gap) {
                    peaks.removeAll { $0 == nearest }
                    ridge.add((x, Double(nearest), column[nearest]))
                    next.append(ridge)
                } else if Double(gap) > 2 * pitch {
                    done.append(ridge)
                } else {
                    next.append(ridge)
                }
            }
            open = next + peaks.map { Ridge(places: [(x, Double($0), column[$0])]) }
        }
        return (done + open).compactMap { ridge in
            guard let trimmed = ridge.trimmed,
                Double(trimmed.places[trimmed.places.count - 1].x - trimmed.places[0].x)
                    >= leastCharacters * pitch
            else { return nil }
            return trimmed
        }
    }
}

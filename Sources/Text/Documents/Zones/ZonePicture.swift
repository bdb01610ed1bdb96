import Imaging

/// A picture at its own size and at halves of it, from which strips are taken along any line.
struct ZonePicture {
    let levels: [GrayImage]

    init(_ picture: GrayImage) {
        var levels = [picture]
        while let last = levels.last, min(last.width, last.height) > 32 { levels.append(last.halved()) }
        self.levels = levels
    }

    /// Around all of it.
    var box: Box {
        Box(left: 0, top: 0, right: Double(levels[0].width), bottom: Double(levels[0].height))
    }

    /// The level for sampling every `spacing` pixels: none of it is passed over, and little is smoothed away.
    func level(spacing: Double) -> Int {
        var level = 0
        var spacing = spacing
        while spacing >= Self.widestSpacing, level + 1 < levels.count {
            spacing /= 2
            level += 1
        }
        return level
    }

    /// From this on a coarser level is sampled: two samples of a level lie at most 1.75 of its pixels apart.
    private static let widestSpacing = 1.75

    /// One of the sizes while its pixels are read.
    struct Level {
        let pixels: UnsafeBufferPointer<UInt8>
        let width: Int
        let height: Int
        /// Pixels of it to a pixel of the picture.
        let scale: Double

        /// Brightness between four pixels; the rim repeats.
        /// - Parameter point: in pixels of the picture, the centre of the first being 0, 0.
        @inline(__always)
        func brightness(at point: SIMD2<Double>) -> Float {
            let place = (point + 0.5) * scale - 0.5
            let x = min(max(place.x, 0), Double(width - 1)), y = min(max(place.y, 0), Double(height - 1))
            let (left, top) = (Int(x), Int(y))
            let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
            let (across, down) = (Float(x - Double(left)), Float(y - Double(top)))
            let upper =
                Float(pixels[top * width + left]) * (1 - across) + Float(pixels[top * width + right]) * across
            let lower =
                Float(pixels[bottom * width + left]) * (1 - across)
                + Float(pixels[bottom * width + right]) * across
            return upper * (1 - down) + lower * down
        }
    }

    /// The size for sampling every `spacing` pixels.
    private func withLevel<Result>(spacing: Double, _ body: (Level) -> Result) -> Result {
        let index = level(spacing: spacing)
        let image = levels[index]
        return image.elements.withUnsafeBufferPointer { pixels in
            body(
                Level(
                    pixels: pixels, width: image.width, height: image.height, scale: 1 / Double(1 << index)))
        }
    }

    /// The picture along a frame.
    /// - Parameter scale: pixels of the result to one of the picture.
    func picture(in frame: ZoneFrame, width: Int, height: Int, scale: Double) -> Raster<Float> {
        withLevel(spacing: 1 / scale) { level in
            Raster(width: width, height: height) { result in
                for y in 0..<height {
                    let start =
                        frame.origin + ((Double(y) + 0.5) / scale - 0.5) * frame.down
                        + (0.5 / scale - 0.5) * frame.axis
                    let step = frame.axis / scale
                    for x in 0..<width {
                        result.initializeElement(
                            at: y * width + x, to: level.brightness(at: start + Double(x) * step))
                    }
                }
            }
        }
    }
}

/// A frame in a picture: rows run along `axis` from `origin`, and downwards is the axis turned clockwise by a quarter.
struct ZoneFrame {
    let origin: SIMD2<Double>
    let axis: SIMD2<Double>

    var down: SIMD2<Double> { SIMD2(-axis.y, axis.x) }

    /// The same rows read from their other end, on their heads.
    var reversed: ZoneFrame { ZoneFrame(origin: origin, axis: -axis) }
}

/// The middle line of a row: a parabola in a frame.
struct RowPath {
    var frame: ZoneFrame
    /// Where along the axis the parabola's numbers count from.
    var center: Double
    /// Height over the axis, slope and half the bend.
    var curve: SIMD3<Double>
    /// Where it begins and ends along the axis.
    var reach: ClosedRange<Double>

    /// From its beginning to its end, in pixels.
    var length: Double { reach.upperBound - reach.lowerBound }

    func height(at along: Double) -> Double {
        let u = along - center
        return curve[0] + u * (curve[1] + u * curve[2])
    }

    /// A place of the picture: along the axis, and downwards from the line.
    func point(_ along: Double, below: Double) -> SIMD2<Double> {
        let (place, down) = middle(along)
        return place + below * down
    }

    /// A place of the line, and the direction downwards from it.
    func middle(_ along: Double) -> (place: SIMD2<Double>, down: SIMD2<Double>) {
        let slope = curve[1] + 2 * curve[2] * (along - center)
        let length = (1 + slope * slope).squareRoot()
        return (
            frame.origin + along * frame.axis + height(at: along) * frame.down,
            (frame.down - slope * frame.axis) / length
        )
    }

    /// The line on its head.
    var reversed: RowPath {
        RowPath(
            frame: frame.reversed, center: -center, curve: SIMD3(-curve[0], curve[1], -curve[2]),
            reach: -reach.upperBound ... -reach.lowerBound)
    }

    func lowered(by below: Double) -> RowPath {
        var path = self
        path.curve[0] += below
        return path
    }

    /// A point is left out that lies farther from the parabola than so many pixels, and than so many times the middle distance.
    private static let outlier = (least: 1.5, medians: 2.5)

    /// The parabola nearest to points (along, height), or nil where they are too few.
    static func fit(_ along: [Double], _ heights: [Double], in frame: ZoneFrame) -> RowPath? {
        guard along.count >= 3, let first = along.min(), let last = along.max(), last > first else {
            return nil
        }
        let center = (first + last) / 2
        // In units of half the length, so that the sums are of one size.
        let unit = (last - first) / 2
        var chosen = Array(along.indices)
        var curve = SIMD3<Double>()
        for _ in 0..<3 {
            guard
                let found = parabola(chosen.map { (along[$0] - center) / unit }, chosen.map { heights[$0] })
            else { return nil }
            curve = found
            func error(_ index: Int) -> Double {
                let u = (along[index] - center) / unit
                return abs(curve[0] + u * (curve[1] + u * curve[2]) - heights[index])
            }
            let errors = along.indices.map(error)
            let bound = max(outlier.least, outlier.medians * errors.sorted()[errors.count / 2])
            chosen = along.indices.filter { errors[$0] <= bound }
            guard chosen.count >= 3 else { return nil }
        }
        return RowPath(
            frame: frame, center: center, curve: SIMD3(curve[0], curve[1] / unit, curve[2] / unit / unit),
            reach: first...last)
    }

    /// Least squares by the normal equations; nil where they have no one answer.
    static func parabola(_ x: [Double], _ y: [Double]) -> SIMD3<Double>? {
        var sums = [Double](repeating: 0, count: 5)
        var right = SIMD3<Double>()
        for (x, y) in zip(x, y) {
            var power = 1.0
            for index in 0..<5 {
                sums[index] += power
                if index < 3 { right[index] += power * y }
                power *= x
            }
        }
        func determinant(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) -> Double {
            a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1])
                + c[0] * (a[1] * b[2] - a[2] * b[1])
        }
        let a = SIMD3(sums[0], sums[1], sums[2])
        let b = SIMD3(sums[1], sums[2], sums[3])
        let c = SIMD3(sums[2], sums[3], sums[4])
        let whole = determinant(a, b, c)
        guard abs(whole) > 1e-9 * max(sums[0] * sums[0] * sums[0], 1) else { return nil }
        return SIMD3(determinant(right, b, c), determinant(a, right, c), determinant(a, b, right)) / whole
    }
}

extension ZonePicture {
    /// Print along a path, 26 pixels high and 16 a character.
    /// - Parameters:
    ///   - places: where along the axis each column lies.
    ///   - pitch: from one character to the next, in pixels of the picture.
    func strip(along path: RowPath, at places: [Double], pitch: Double) -> Raster<Float> {
        let spacing = pitch / Double(CellNetwork.pitch)
        let middle = Double(CellNetwork.height - 1) / 2
        return withLevel(spacing: spacing) { level in
            Raster(width: places.count, height: CellNetwork.height) { strip in
                for (x, along) in places.enumerated() {
                    let (place, down) = path.middle(along)
                    for y in 0..<CellNetwork.height {
                        strip.initializeElement(
                            at: y * places.count + x,
                            to: level.brightness(at: place + (Double(y) - middle) * spacing * down))
                    }
                }
            }
        }
    }

    /// Columns 1/16 of a pitch apart.
    static func places(from start: Double, to end: Double, pitch: Double) -> [Double] {
        let spacing = pitch / Double(CellNetwork.pitch)
        let count = max(Int(((end - start) / spacing).rounded(.up)), CellNetwork.height + 4)
        return (0..<count).map { start + Double($0) * spacing }
    }
}

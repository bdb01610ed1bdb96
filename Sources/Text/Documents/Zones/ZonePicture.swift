import Imaging

/// An image at full size and repeatedly halved, from which strips are sampled along any line.
struct ZonePicture {
    let levels: [GrayImage]

    init(_ picture: GrayImage) {
        var levels = [picture]
        while let last = levels.last, min(last.width, last.height) > 32 { levels.append(last.halved()) }
        self.levels = levels
    }

    /// The frame of the whole image.
    var box: Box {
        Box(left: 0, top: 0, right: Double(levels[0].width), bottom: Double(levels[0].height))
    }

    /// Returns the level for sampling every `spacing` pixels: no pixel is skipped, and little is smoothed away.
    func level(spacing: Double) -> Int {
        var level = 0
        var spacing = spacing
        while spacing >= Self.widestSpacing, level + 1 < levels.count {
            spacing /= 2
            level += 1
        }
        return level
    }

    /// Spacing from which a coarser level is sampled: two samples are at most 1.75 pixels of a level apart.
    private static let widestSpacing = 1.75

    /// One level, while its pixels are accessed.
    struct Level {
        let pixels: UnsafeBufferPointer<UInt8>
        let width: Int
        let height: Int
        /// Pixels of the level per pixel of the full-size image.
        let scale: Double

        /// Returns the bilinear brightness between four pixels; the rim repeats.
        /// - Parameter point: in pixels of the full-size image; the first pixel's centre is 0, 0.
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

    /// Calls `body` with the level for sampling every `spacing` pixels.
    private func withLevel<Result>(spacing: Double, _ body: (Level) -> Result) -> Result {
        let index = level(spacing: spacing)
        let image = levels[index]
        return image.elements.withUnsafeBufferPointer { pixels in
            body(
                Level(
                    pixels: pixels, width: image.width, height: image.height, scale: 1 / Double(1 << index)))
        }
    }

    /// Samples the image along a frame.
    /// - Parameter scale: pixels of the result per pixel of the image.
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

/// A frame in an image: rows run along `axis` from `origin`; down is the axis turned clockwise by a quarter.
struct ZoneFrame {
    let origin: SIMD2<Double>
    let axis: SIMD2<Double>

    var down: SIMD2<Double> { SIMD2(-axis.y, axis.x) }

    /// The same rows read from the other end, upside down.
    var reversed: ZoneFrame { ZoneFrame(origin: origin, axis: -axis) }
}

/// The centre line of a row: a parabola in a frame.
struct RowPath {
    var frame: ZoneFrame
    /// The origin of the parabola along the axis.
    var center: Double
    /// Offset from the axis, slope, and half the second derivative.
    var curve: SIMD3<Double>
    /// Its start and end along the axis.
    var reach: ClosedRange<Double>

    /// Its length in pixels.
    var length: Double { reach.upperBound - reach.lowerBound }

    func height(at along: Double) -> Double {
        let u = along - center
        return curve[0] + u * (curve[1] + u * curve[2])
    }

    /// Returns the point in the image at a position along the axis and a distance below the line.
    func point(_ along: Double, below: Double) -> SIMD2<Double> {
        let (place, down) = middle(along)
        return place + below * down
    }

    /// Returns a point on the line, and the downward direction there.
    func middle(_ along: Double) -> (place: SIMD2<Double>, down: SIMD2<Double>) {
        let slope = curve[1] + 2 * curve[2] * (along - center)
        let length = (1 + slope * slope).squareRoot()
        return (
            frame.origin + along * frame.axis + height(at: along) * frame.down,
            (frame.down - slope * frame.axis) / length
        )
    }

    /// The line turned upside down.
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

    /// A point is an outlier if its distance from the parabola exceeds both limits: in pixels, and as a multiple of the median
    /// distance.
    private static let outlier = (least: 1.5, medians: 2.5)

    /// Fits a parabola to points (along, height); nil if there are too few.
    static func fit(_ along: [Double], _ heights: [Double], in frame: ZoneFrame) -> RowPath? {
        guard along.count >= 3, let first = along.min(), let last = along.max(), last > first else {
            return nil
        }
        let center = (first + last) / 2
        // Uses units of half the length, so that the sums have similar magnitudes.
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

    /// Solves least squares by the normal equations; nil if there is no unique solution.
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
    /// Samples a strip along a path, 26 pixels high, with 16 pixels per character.
    /// - Parameters:
    ///   - places: the position of each column along the axis.
    ///   - pitch: distance between characters, in pixels of the image.
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

    /// Returns the positions of columns 1/16 of a pitch apart.
    static func places(from start: Double, to end: Double, pitch: Double) -> [Double] {
        let spacing = pitch / Double(CellNetwork.pitch)
        let count = max(Int(((end - start) / spacing).rounded(.up)), CellNetwork.height + 4)
        return (0..<count).map { start + Double($0) * spacing }
    }
}

package import Diagnostics
package import Imaging
import LineNetwork
import Platform
import RuntimeLibraries

/// A part of a printed row that a network found on a page: words that stand near each other on one line.
package struct PrintSegment: Equatable, Sendable {
    /// Its left and right ends, in the page's pixels.
    package var left: Double
    package var right: Double
    /// Height of its print from the tops of the tallest letters to the lowest descenders, with a little of the blank around.
    package var height: Double
    /// The y coordinate of its middle in column 0, and how much it falls for each pixel to the right.
    package var intercept: Double
    package var slope: Double
    /// The network's confidence that it is print, 0 to 1: the mean over its pixels.
    package var confidence: Double

    package init(
        left: Double, right: Double, height: Double, intercept: Double, slope: Double, confidence: Double
    ) {
        self.left = left
        self.right = right
        self.height = height
        self.intercept = intercept
        self.slope = slope
        self.confidence = confidence
    }

    /// Returns the y coordinate of its middle at a column.
    package func middle(at x: Double) -> Double { intercept + slope * x }

    private typealias Tuning = PrintTuning.Segments

    /// Finds the segments on a page, in no particular order. O(pixels of the image that the network sees).
    /// - Parameters:
    ///   - page: the page's brightness.
    ///   - letterHeight: the usual height of the page's capitals in pixels, above 0.
    ///   - inBands: whether to look at a page of small print part by part, which takes up to four times as long.
    /// - Throws: `.shortage` where memory is short.
    package static func segments(
        on page: GrayImage, letterHeight: Double, inBands: Bool = false
    ) throws(FlatteningError) -> [PrintSegment] {
        let usual = enlargement(of: page, to: Tuning.letterHeight / letterHeight)
        let larger = min(
            Tuning.leastLetterHeight / letterHeight, Tuning.mostEnlarged,
            (Tuning.mostPixelsInBands / Double(max(page.size.pixelCount, 1))).squareRoot())
        return try inBands && larger > usual
            ? segments(on: page, enlarged: larger, inBands: true) : segments(on: page, enlarged: usual)
    }

    /// Looks at the same part of a page from nearer: the network loses the first letters of large or heavy print, such
    /// as a shop's logo, where it sees them small.
    /// - Parameter letterHeight: the page's usual letter height in pixels, above 0.
    /// - Returns: the segments of the same row that have columns in common with this one.
    /// - Throws: `.shortage` where memory is short.
    package func lookedAtClosely(
        on page: GrayImage, letterHeight: Double
    ) throws(FlatteningError) -> [PrintSegment] {
        let reach = (0.5 + Tuning.surroundingsOfClose) * height
        let ends = [middle(at: left), middle(at: right)]
        let top = max(Int(min(ends[0], ends[1]) - reach), 0)
        let bottom = min(Int(max(ends[0], ends[1]) + reach), page.height)
        guard top < bottom else { return [self] }
        let part = GrayImage(
            width: page.width, height: bottom - top,
            elements: Array(page.elements[top * page.width..<bottom * page.width]))
        let factor = Self.enlargement(of: part, to: Tuning.letterHeightOfClose / letterHeight)
        return try Self.segments(on: part, enlarged: factor)
            .compactMap { segment in
                var segment = segment
                segment.intercept += Double(top)
                let shared = (max(left, segment.left) + min(right, segment.right)) / 2
                let isOfRow =
                    segment.left < right && segment.right > left
                    && abs(segment.middle(at: shared) - middle(at: shared)) < height / 2
                return isOfRow ? segment.cut(to: self, on: page) : nil
            }
    }

    /// Finds the print on a page's upper part, seen from nearer than the whole page, where the network overlooks logos.
    /// - Parameters:
    ///   - bottom: the lower end of the part, in the page's pixels.
    ///   - letterHeight: the page's usual letter height in pixels, above 0.
    /// - Throws: `.shortage` where memory is short.
    package static func segments(
        on page: GrayImage, above bottom: Double, letterHeight: Double
    ) throws(FlatteningError) -> [PrintSegment] {
        let rows = min(max(Int(bottom), 0), page.height)
        guard rows > 0 else { return [] }
        let part = GrayImage(
            width: page.width, height: rows, elements: Array(page.elements[..<(rows * page.width)]))
        return try segments(
            on: part, enlarged: enlargement(of: part, to: Tuning.letterHeightOfHead / letterHeight))
    }

    /// Returns by how much a page is enlarged for the network: by a factor, within limits.
    private static func enlargement(of page: GrayImage, to factor: Double) -> Double {
        min(
            max(factor, Tuning.leastSide / Double(max(page.width, page.height, 1))), Tuning.mostEnlarged,
            (Tuning.mostPixels / Double(max(page.size.pixelCount, 1))).squareRoot())
    }

    /// - Parameters:
    ///   - seen: the factor by which the page is enlarged for the network.
    ///   - inBands: whether the network sees only a part of the rows at a time.
    private static func segments(
        on page: GrayImage, enlarged seen: Double, inBands: Bool = false
    ) throws(FlatteningError) -> [PrintSegment] {
        guard page.width > 0, page.height > 0 else { return [] }
        let step = RowNetwork.step
        func side(_ length: Int) -> Int {
            Int((Double(length) * seen / Double(step)).rounded(.up)) * step
        }
        let (width, height) = (side(page.width), side(page.height))
        let band = inBands ? max(Int(Tuning.mostPixels) / (width * step), 1) * step : height
        guard
            Resources.canReserve(
                bytesOfPixel * width * min(band + 2 * Tuning.besideBand, height)
                    + MemoryLayout<Float>.stride * width * (page.height + height))
        else { throw .shortage(of: "the network that finds rows", stage: .text, detail: nil) }
        let odds = Self.odds(
            of: page.resized(width: width, height: height, pixelsPerPixel: 1 / seen), band: band)
        return components(of: odds).compactMap { $0.segment(pixelsPerPixel: 1 / seen) }
    }

    /// Returns the network's answer for an image of which it sees `band` rows at a time, and some rows beside them.
    private static func odds(of picture: GrayImage, band: Int) -> Raster<Float> {
        guard band < picture.height else { return RowNetwork.shared.odds(of: picture) }
        let width = picture.width
        var odds: [Float] = []
        odds.reserveCapacity(width * picture.height)
        for top in stride(from: 0, to: picture.height, by: band) {
            let bottom = min(top + band, picture.height)
            let seen = max(top - Tuning.besideBand, 0)..<min(bottom + Tuning.besideBand, picture.height)
            let part = GrayImage(
                width: width, height: seen.count,
                elements: Array(picture.elements[seen.lowerBound * width..<seen.upperBound * width]))
            odds +=
                RowNetwork.shared.odds(of: part)
                .elements[(top - seen.lowerBound) * width..<(bottom - seen.lowerBound) * width]
        }
        return Raster(width: width, height: picture.height, elements: odds)
    }

    /// Address space in bytes that a run takes for each pixel of the image that the network sees. The widest maps are
    /// two of 32 numbers at a quarter of the pixels; as much again is left for other work.
    private static let bytesOfPixel = 256

    /// One connected piece of what the network marks.
    private struct Component {
        var count = 0.0
        var x = 0.0
        var y = 0.0
        var xx = 0.0
        var xy = 0.0
        var confidence = 0.0
        var left = Int.max
        var right = Int.min

        mutating func add(_ x: Int, _ y: Int, odds: Float) {
            count += 1
            self.x += Double(x)
            self.y += Double(y)
            xx += Double(x) * Double(x)
            xy += Double(x) * Double(y)
            confidence += 1 / (1 + exp(-Double(odds)))
            left = min(left, x)
            right = max(right, x + 1)
        }

        mutating func add(_ other: Component) {
            count += other.count
            x += other.x
            y += other.y
            xx += other.xx
            xy += other.xy
            confidence += other.confidence
            left = min(left, other.left)
            right = max(right, other.right)
        }

        /// Returns the print that was shrunk to this piece; nil for a speck, and where the network is not sure.
        func segment(pixelsPerPixel scale: Double) -> PrintSegment? {
            let length = Double(right - left)
            let thickness = count / length
            guard thickness >= Tuning.leastThickness, confidence / count >= Tuning.leastConfidence else {
                return nil
            }
            let (meanX, meanY) = (x / count, y / count)
            let variance = xx / count - meanX * meanX
            let isLong = length > Tuning.slopingLength * thickness
            let slope = isLong && variance > 0 ? (xy / count - meanX * meanY) / variance : 0
            // The network was trained on print shrunk in proportion to its area divided by its circumference. This
            // grows it again.
            let shrunk = Tuning.growth * count / (2 * (length + thickness))
            return PrintSegment(
                left: (Double(left) - shrunk) * scale, right: (Double(right) + shrunk) * scale,
                height: (thickness + 2 * shrunk) * scale,
                intercept: (meanY + 0.5 - slope * (meanX + 0.5)) * scale, slope: slope,
                confidence: confidence / count)
        }
    }

    /// Returns the pieces of pixels that are likely enough to be print, connected over sides and corners.
    private static func components(of odds: Raster<Float>) -> [Component] {
        var components: [Component] = []
        var parents: [Int] = []
        func root(_ index: Int) -> Int {
            var index = index
            while parents[index] != index {
                parents[index] = parents[parents[index]]
                index = parents[index]
            }
            return index
        }
        var above = [Int](repeating: -1, count: odds.width)
        var here = above
        for y in 0..<odds.height {
            for x in 0..<odds.width {
                here[x] = -1
                let value = odds[x: x, y: y]
                guard value > Tuning.leastOdds else { continue }
                var own = x > 0 && here[x - 1] >= 0 ? root(here[x - 1]) : -1
                for near in max(x - 1, 0)...min(x + 1, odds.width - 1) where above[near] >= 0 {
                    let other = root(above[near])
                    if own < 0 {
                        own = other
                    } else if other != own {
                        parents[max(own, other)] = min(own, other)
                        own = min(own, other)
                    }
                }
                if own < 0 {
                    own = components.count
                    parents.append(own)
                    components.append(Component())
                }
                components[own].add(x, y, odds: value)
                here[x] = own
            }
            swap(&above, &here)
        }
        for index in components.indices.reversed() where parents[index] != index {
            components[root(index)].add(components[index])
        }
        return components.indices.filter { parents[$0] == $0 }.map { components[$0] }
    }
}

extension GrayImage {
    /// Returns the image in another size: pixel (0, 0) begins at the same place, and pixels beyond the end repeat the
    /// last one. Each is the mean over a triangle as wide as two of its own pixels or two of the original's, whichever
    /// is wider.
    /// - Parameter scale: pixels of this image per pixel of the result.
    func resized(width: Int, height: Int, pixelsPerPixel scale: Double) -> GrayImage {
        let across = Self.taps(count: width, of: self.width, scale: scale)
        let down = Self.taps(count: height, of: self.height, scale: scale)
        var lines = [Float](repeating: 0, count: width * self.height)
        for y in 0..<self.height {
            let row = y * self.width
            for (x, tap) in across.enumerated() {
                var sum: Float = 0
                for (index, weight) in tap.weights.enumerated() {
                    sum += weight * Float(elements[row + tap.first + index])
                }
                lines[y * width + x] = sum
            }
        }
        var picture = GrayImage(width: width, height: height, filledWith: 0)
        for (y, tap) in down.enumerated() {
            for x in 0..<width {
                var sum: Float = 0
                for (index, weight) in tap.weights.enumerated() {
                    sum += weight * lines[(tap.first + index) * width + x]
                }
                picture.elements[y * width + x] = UInt8(min(max(sum.rounded(), 0), 255))
            }
        }
        return picture
    }

    private static func taps(count: Int, of length: Int, scale: Double) -> [(first: Int, weights: [Float])] {
        let reach = max(scale, 1)
        return (0..<count).map { index in
            let center = min((Double(index) + 0.5) * scale - 0.5, Double(length) - 1)
            let first = min(max(Int((center - reach).rounded(.up)), 0), length - 1)
            let last = max(min(Int((center + reach).rounded(.down)), length - 1), first)
            let weights = (first...last).map { Float(max(reach - abs(Double($0) - center), 1e-6)) }
            let sum = weights.reduce(0, +)
            return (first, weights.map { $0 / sum })
        }
    }
}

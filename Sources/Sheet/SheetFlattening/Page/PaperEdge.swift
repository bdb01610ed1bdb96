import Imaging

/// Fills a flat image beyond the sheet's outline with the paper's own colour, up to the image's edge. Where the whole photograph
/// is the page, it fills what lies beyond the photograph, as beside one that is turned.
///
/// The paper's colour is sampled in coarse cells inside the outline, from the lighter part of their pixels so that print does
/// not tint it, and spread to the cells outside. Between cells it changes evenly, as light on paper does. A strip just inside
/// the outline is covered too: photographs mix paper and table there.
package struct PaperEdge: Sendable {
    private let size: PixelSize
    /// The stretches of each row that show the sheet itself, from the left.
    private let shown: [[ClosedRange<Int>]]
    /// The paper's colour in the middle of each cell.
    private let paper: Raster<SIMD3<Float>>
    private let cellSide: Double

    /// Cells along the image's shorter side: a shadow's soft edge spans a few.
    private static let cellsAcross = 48.0
    /// Pixels sampled along a cell's side.
    private static let samples = 5
    /// The brightness quantiles of a cell's pixels that show bare paper: print rarely covers half, highlights are few.
    private static let bareShare = 0.5...0.9
    /// How far inside the outline paper is covered, in pixels: an outline is right to one pixel, and lenses blur over another.
    private static let rim = 2.0
    /// How far inside that strip colour is sampled, in pixels: clear of the shadow that a sheet's lifted edge casts on itself.
    private static let clearance = 6.0
    /// Number of smoothings of the colours over three by three cells.
    private static let smoothings = 2

    /// - Parameters:
    ///   - outline: the sheet's outline in pixel-centre coordinates of the flat image; nil for the whole photograph.
    ///   - photograph: the photograph that the flat image is made from.
    ///   - map: the source of each of its pixels.
    /// - Returns: nil if the outline encloses no bare paper, or the flat image shows nothing of the photograph.
    /// - Complexity: O(rows · vertices + cells), and as `photographed` where the photograph's border cuts the sheet.
    package init?(outline: [SIMD2<Double>]?, of photograph: RGBImage, through map: SamplingMap) {
        size = map.outputSize
        let inner: [[ClosedRange<Int>]]
        if let outline {
            var spans = [[ClosedRange<Double>]](repeating: [], count: size.height)
            Polygon(outline).forEachSpan(ofRows: 0..<size.height) { y, left, right in
                spans[y].append(left...right)
            }
            let sheet = Self.eroded(spans, by: Self.rim, width: size.width)
            shown = Self.photographed(sheet, outline: outline, in: photograph.size, through: map)
            inner = Self.eroded(spans, by: Self.rim + Self.clearance, width: size.width)
        } else {
            guard size.pixelCount > 0 else { return nil }
            let rows = [[ClosedRange<Int>]](repeating: [0...size.width - 1], count: size.height)
            shown = Self.photographed(rows, outline: nil, in: photograph.size, through: map)
            inner = shown
        }
        cellSide = max(Double(min(size.width, size.height)) / Self.cellsAcross, 1)
        let cells = PixelSize(
            width: Int((Double(size.width) / cellSide).rounded(.up)),
            height: Int((Double(size.height) / cellSide).rounded(.up)))
        var colours = [SIMD3<Float>?](repeating: nil, count: cells.pixelCount)
        for row in 0..<cells.height {
            for column in 0..<cells.width {
                var seen: [SIMD3<Float>] = []
                for index in 0..<Self.samples * Self.samples {
                    let (j, i) = index.quotientAndRemainder(dividingBy: Self.samples)
                    let place = SIMD2(
                        (Double(column) + (Double(i) + 0.5) / Double(Self.samples)) * cellSide,
                        (Double(row) + (Double(j) + 0.5) / Double(Self.samples)) * cellSide)
                    let (x, y) = (Int(place.x), Int(place.y))
                    guard y < size.height, inner[y].contains(where: { $0.contains(x) }) else { continue }
                    let source = map.source(of: place - 0.5)
                    guard source.x >= 0, source.y >= 0, source.x < Double(photograph.width),
                        source.y < Double(photograph.height)
                    else { continue }
                    let pixel = photograph[x: Int(source.x), y: Int(source.y)]
                    seen.append(SIMD3(Float(pixel.red), Float(pixel.green), Float(pixel.blue)))
                }
                guard seen.count >= Self.samples else { continue }
                seen.sort { $0.sum() < $1.sum() }
                let first = Int(Self.bareShare.lowerBound * Double(seen.count))
                let last = max(first + 1, Int(Self.bareShare.upperBound * Double(seen.count)))
                colours[row * cells.width + column] =
                    seen[first..<last].reduce(.zero, +) / Float(last - first)
            }
        }
        guard let spread = Self.spread(colours, cells) else { return nil }
        paper = spread
    }

    /// Removes a rim on all sides from the stretches.
    private static func eroded(
        _ spans: [[ClosedRange<Double>]], by rim: Double, width: Int
    ) -> [[ClosedRange<Int>]] {
        let reach = Int(rim.rounded(.up))
        return spans.indices.map { y in
            guard y >= reach, y + reach < spans.count else { return [] }
            var left = narrowed(spans[y], by: rim, width: width)
            for neighbour in [y - reach, y + reach] where !left.isEmpty {
                left = common(left, narrowed(spans[neighbour], by: 0, width: width))
            }
            return left
        }
    }

    /// Keeps what the photograph shows of the stretches: where the photograph's border cuts the sheet, the outline continues
    /// outside.
    /// - Complexity: O(rows · columns / `probe`) in that case, else O(vertices).
    private static func photographed(
        _ spans: [[ClosedRange<Int>]], outline: [SIMD2<Double>]?, in photograph: PixelSize,
        through map: SamplingMap
    ) -> [[ClosedRange<Int>]] {
        // The pixels at a photograph's border end half a pixel beyond their middles.
        let reach = outline == nil ? wholePixel : 0
        func isShown(_ place: SIMD2<Double>) -> Bool {
            let source = map.source(of: place)
            return source.x >= -reach && source.x <= Double(photograph.width - 1) + reach
                && source.y >= -reach && source.y <= Double(photograph.height - 1) + reach
        }
        if (outline ?? border(of: map.outputSize)).allSatisfy(isShown) { return spans }
        return spans.indices.map { y in
            func at(_ x: Int) -> SIMD2<Double> { SIMD2(Double(x), Double(y)) }
            return spans[y].flatMap { span in
                var runs: [ClosedRange<Int>] = []
                func add(_ run: ClosedRange<Int>) {
                    if let last = runs.last, last.upperBound == run.lowerBound - 1 {
                        runs[runs.count - 1] = last.lowerBound...run.upperBound
                    } else {
                        runs.append(run)
                    }
                }
                for first in stride(from: span.lowerBound, through: span.upperBound, by: probe) {
                    let last = min(first + probe - 1, span.upperBound)
                    switch (isShown(at(first)), isShown(at(last))) {
                    case (true, true): add(first...last)
                    case (false, false): break
                    default: for x in first...last where isShown(at(x)) { add(x...x) }
                    }
                }
                return runs
            }
        }
    }

    /// Pixels along the border of an image, `probe` apart, and its corners. If they are shown, so is what they enclose.
    private static func border(of size: PixelSize) -> [SIMD2<Double>] {
        let (right, bottom) = (size.width - 1, size.height - 1)
        let level = [0, bottom].flatMap { y in stride(from: 0, to: right, by: probe).map { ($0, y) } }
        let upright = [0, right].flatMap { x in stride(from: 0, to: bottom, by: probe).map { (x, $0) } }
        return (level + upright + [(right, 0), (0, bottom), (right, bottom)]).map {
            SIMD2(Double($0), Double($1))
        }
    }

    /// Half a pixel, less what rounding may add: what resampling takes from the photograph.
    private static let wholePixel = 0.49
    /// Distance between probed pixels: a photograph's border is straight, or nearly so, in the flat image.
    private static let probe = 16

    /// Shortens stretches at both ends and rounds them to whole pixels.
    private static func narrowed(
        _ spans: [ClosedRange<Double>], by rim: Double, width: Int
    ) -> [ClosedRange<Int>] {
        spans.compactMap { span in
            let first = max(span.lowerBound + rim, 0).rounded(.up)
            let last = min(span.upperBound - rim, Double(width - 1)).rounded(.down)
            return first <= last ? Int(first)...Int(last) : nil
        }
    }

    /// The intersection of two lists of stretches.
    private static func common(_ one: [ClosedRange<Int>], _ other: [ClosedRange<Int>]) -> [ClosedRange<Int>] {
        one.flatMap { a in
            other.compactMap { b in
                a.overlaps(b) ? max(a.lowerBound, b.lowerBound)...min(a.upperBound, b.upperBound) : nil
            }
        }
    }

    /// Fills all cells with colours: known colours spread to their neighbours, ring by ring. Nil if none is known.
    private static func spread(_ colours: [SIMD3<Float>?], _ size: PixelSize) -> Raster<SIMD3<Float>>? {
        guard colours.contains(where: { $0 != nil }) else { return nil }
        func mean(around index: Int, of colours: [SIMD3<Float>?]) -> SIMD3<Float>? {
            let (y, x) = index.quotientAndRemainder(dividingBy: size.width)
            var (sum, count) = (SIMD3<Float>.zero, Float(0))
            for j in max(y - 1, 0)...min(y + 1, size.height - 1) {
                for i in max(x - 1, 0)...min(x + 1, size.width - 1) {
                    guard let colour = colours[j * size.width + i] else { continue }
                    sum += colour
                    count += 1
                }
            }
            return count > 0 ? sum / count : nil
        }
        var colours = colours
        var unknown = colours.indices.filter { colours[$0] == nil }
        while !unknown.isEmpty {
            let found = unknown.map { ($0, mean(around: $0, of: colours)) }
            for (index, colour) in found { colours[index] = colour }
            unknown = unknown.filter { colours[$0] == nil }
        }
        for _ in 0..<smoothings { colours = colours.indices.map { mean(around: $0, of: colours) } }
        return Raster(width: size.width, height: size.height, elements: colours.compactMap(\.self))
    }

    /// Covers the pixels that do not show the sheet. O(pixels covered).
    /// - Parameters:
    ///   - pixels: some rows of the flat image.
    ///   - rows: the numbers of these rows.
    func cover(_ pixels: UnsafeMutableBufferPointer<RGB>, rows: Range<Int>) {
        for y in rows {
            var next = 0
            for span in shown[y] + [size.width...size.width] {
                for x in next..<max(next, span.lowerBound) {
                    pixels[(y - rows.lowerBound) * size.width + x] = colour(x: x, y: y)
                }
                next = span.upperBound + 1
            }
        }
    }

    /// The paper's colour at a pixel, interpolated linearly between the middles of the cells.
    private func colour(x: Int, y: Int) -> RGB {
        let place = (SIMD2(Double(x), Double(y)) + 0.5) / cellSide - 0.5
        let cell = BilinearCell(holding: place, columns: paper.width, rows: paper.height)
        let top = mix(cell.index, cell.index + cell.right, cell.across)
        let bottom = mix(cell.index + cell.below, cell.index + cell.below + cell.right, cell.across)
        let value = top + (bottom - top) * Float(cell.down)
        func byte(_ level: Float) -> UInt8 { UInt8(min(max(level.rounded(), 0), 255)) }
        return RGB(red: byte(value.x), green: byte(value.y), blue: byte(value.z))
    }

    private func mix(_ from: Int, _ to: Int, _ share: Double) -> SIMD3<Float> {
        paper.elements[from] + (paper.elements[to] - paper.elements[from]) * Float(share)
    }
}

import Imaging
import Platform
import PrintDetection

/// A sheet whose sides stand beside its print, for a photograph in which the network sees no sheet surely, or none of its
/// sides: a receipt that runs through the picture from one end to the other, or one on a table of strong grain.
///
/// On either side of the rows, the straight line is sought along which what lies inside differs most steadily from what lies
/// outside; hardly any letters may lie outside. An end across the rows is taken only if the same table lies beyond it as beyond a
/// side: logos and bars are printed across whole sheets. What has no side ends at the picture's border.
struct SidesBesidePrint {
    /// The sheet in pixels of the photograph, clockwise as seen: its sides and the picture's border.
    let polygon: [SIMD2<Double>]
    /// The share of the least sure side's length along which inside and outside differ, 0 to 1.
    let support: Double

    /// Longer side, in pixels, of the images in which print and sides are searched.
    private static let (printSide, lineSide) = (1600, 640)
    /// Fewest letters that show where a sheet is: a row's worth. Specks on a table form fewer that agree on their rows.
    private static let leastLetters = 20

    /// - Returns: nil if the picture has no rows of print, or neither side of them has one of the sheet.
    /// - Complexity: O(pixels + lines · letters · log letters); there are some hundred lines a side.
    init?(in image: RGBImage) {
        guard min(image.width, image.height) >= SheetOutline.leastSide else { return nil }
        let photograph = ReducedPicture(image)
        let forPrint = ReducedPicture(reducing: photograph, toLongestSide: Self.printSide)
        let print = PagePrint(of: PageMarks(of: forPrint.image.gray()), isOnSheet: { _ in true })
        guard print.letters.count >= Self.leastLetters, print.formsRows else { return nil }
        let small = ReducedPicture(reducing: photograph, toLongestSide: Self.lineSide)
        let scale = Double(forPrint.factor) / Double(small.factor)
        let letters = print.letters.map { box in
            Box(
                left: box.left * scale, top: box.top * scale, right: box.right * scale,
                bottom: box.bottom * scale)
        }
        func search(
            _ edges: [SheetSide.Edge], along direction: SIMD2<Double>, between ends: [SheetSide?]
        ) -> [SheetSide?] {
            edges.map { edge in
                SheetSide(
                    at: edge, of: small.image, beside: letters, along: direction,
                    between: (ends[0]?.middle ?? 0, ends[1]?.middle ?? .infinity))
            }
        }
        let rows = SIMD2(cos(print.rowAngle), sin(print.rowAngle))
        let (besideRows, acrossRows): ([SheetSide.Edge], [SheetSide.Edge]) =
            abs(rows.x) >= abs(rows.y)
            ? ([.left, .right], [.top, .bottom]) : ([.top, .bottom], [.left, .right])
        let sides = search(besideRows, along: SIMD2(-rows.y, rows.x), between: [nil, nil])
        let seen = sides.compactMap(\.self)
        let ends = search(acrossRows, along: rows, between: sides).compactMap(\.self).filter { end in
            seen.contains(where: end.liesOnSameTable)
        }
        let found = seen + ends
        guard !seen.isEmpty, let support = found.map(\.support).min() else { return nil }
        // The picture, cut by each side in turn.
        polygon =
            found.reduce(Polygon(SheetOutline.wholePicture(image.size).polygon)) { rest, side in
                rest.clipped { side.distanceInwards(of: small.reducedPoint($0)) }
            }.vertices
        guard polygon.count >= 3 else { return nil }
        self.support = support
    }
}

/// A straight side of a sheet in a small image.
struct SheetSide {
    /// Where a side is sought: between the print and this border of the image.
    enum Edge {
        case left, top, right, bottom

        /// Whether the border is one of the image's rows.
        var isLevel: Bool { self == .top || self == .bottom }
        /// Whether the border has the greater coordinates.
        var isFar: Bool { self == .right || self == .bottom }
    }

    private let edge: Edge
    /// The image's length across the border.
    private let depth: Double
    /// Half the image's length along it.
    private let half: Double
    /// Distance from the border, in pixels, in the middle of the image, and its growth a pixel along it.
    private let (start, slope): (Double, Double)
    /// The share of the side's length along which inside and outside differ, 0 to 1.
    let support: Double
    /// The mean colour outside, and the mean difference of the colour inside, in levels.
    private let (outside, step): (SIMD3<Float>, SIMD3<Float>)

    // The numbers below were chosen on 63 photographs and scans of which neither the network nor `ScannedPage` tells where the
    // sheet ends; none was held out.

    /// Greatest angle between the side and the direction in which it is expected, and the step of the search, in degrees: a
    /// sheet seen from aslant narrows by as much.
    private static let (greatestTurn, turnStep) = (14.0, 0.5)
    /// Share of the letters that may lie outside: a table's grain has some.
    private static let strayLetters = 0.02
    /// Least mean difference of colour, in levels over the three channels together. Sides have 61 to 270, one 48; creases,
    /// shadows and rules stay below 40 or are short.
    private static let leastStep: Float = 40
    /// Share of that difference that counts as a difference at one place.
    private static let leastShare: Float = 0.35
    /// Share of the length along which there must be one. Sides have .66 and more, other lines .61 at most.
    private static let leastSupport = 0.65
    /// Share of the strongest line's support, and of the greatest contrast among such lines, from which the sharpest is taken.
    private static let nearlyAsStrong = 0.9
    /// Distance in pixels of the colours that tell how sharp an edge is: half degrees leave a line a pixel and a half off.
    private static let nearReach = 2
    /// Share of the length that must lie in the image: less shows no direction.
    private static let leastInImage = 0.6
    /// Distance in pixels between places along the line, and of the places from the image's ends.
    private static let (spacing, rim) = (3, 4)
    /// Greatest difference between the colours beyond two sides of one table, as a share of that from table to paper.
    private static let sameTable: Float = 0.5

    /// - Parameters:
    ///   - edge: the border that the side stands nearest to.
    ///   - image: a small image.
    ///   - letters: boxes of letters in the image's pixels, from its corner.
    ///   - direction: where the side runs, at about.
    ///   - span: the coordinates along the border between which the side is sought.
    /// - Returns: nil if there is no such side.
    /// - Complexity: O(pixels + lines · length + turns · letters · log letters).
    init?(
        at edge: Edge, of image: RGBImage, beside letters: [Box], along direction: SIMD2<Double>,
        between span: (low: Double, high: Double)
    ) {
        let colours = TurnedColours(of: image, from: edge)
        let half = Double(colours.height) / 2
        let reach = TurnedColours.reach
        let places = stride(from: Self.rim, to: colours.height - Self.rim, by: Self.spacing).filter {
            Double($0) >= span.low && Double($0) <= span.high
        }
        let (inwards, lengthwise) = edge.isLevel ? (direction.y, direction.x) : (direction.x, direction.y)
        guard !places.isEmpty, colours.width > 2 * reach, lengthwise != 0 else { return nil }
        let expected = atan((edge.isFar ? -1 : 1) * inwards / lengthwise) * 180 / .pi
        // The nearest end of each letter to the border, and its middle along it.
        let nearest = letters.map { box in
            let (low, high) = edge.isLevel ? (box.top, box.bottom) : (box.left, box.right)
            let middle = edge.isLevel ? (box.left + box.right) / 2 : (box.top + box.bottom) / 2
            return (end: edge.isFar ? Double(colours.width) - high : low, middle: middle - half)
        }
        var lines: [(support: Double, contrast: Float, start: Double, slope: Double)] = []
        var steps: [SIMD3<Float>] = []
        for turn in stride(from: -Self.greatestTurn, through: Self.greatestTurn, by: Self.turnStep) {
            let slope = tan((expected + turn) * .pi / 180)
            let starts = nearest.map { $0.end - slope * $0.middle }.sorted()
            guard let last = starts.dropFirst(Int(Self.strayLetters * Double(starts.count))).first
            else { continue }
            for start in stride(from: Double(reach) - abs(slope) * half, to: last - 1, by: 1) {
                colours.read(&steps, at: places, start: start, slope: slope, reach: reach)
                guard Double(steps.count) >= Self.leastInImage * Double(places.count) else { continue }
                let mean = steps.reduce(.zero, +) / Float(steps.count)
                let contrast = (mean * mean).sum().squareRoot()
                guard contrast >= Self.leastStep else { continue }
                let least = Self.leastShare * contrast * contrast
                let count = steps.count { ($0 * mean).sum() > least }
                lines.append((Double(count) / Double(places.count), contrast, start, slope))
            }
        }
        guard let strongest = lines.map(\.support).max(), strongest >= Self.leastSupport else { return nil }
        let strong = lines.filter { $0.support >= Self.nearlyAsStrong * strongest }
        let greatest = strong.map(\.contrast).max() ?? 0
        // All lines within reach of an edge have its contrast; on the edge itself colours change at once.
        var (line, sharpest) = (strong[0], -Float.infinity)
        for next in strong where next.contrast >= Float(Self.nearlyAsStrong) * greatest {
            colours.read(&steps, at: places, start: next.start, slope: next.slope, reach: Self.nearReach)
            let sum = steps.reduce(.zero, +)
            let sharpness = (sum * sum).sum()
            if sharpness > sharpest { (line, sharpest) = (next, sharpness) }
        }
        colours.read(&steps, at: places, start: line.start, slope: line.slope, reach: reach)
        step = steps.reduce(.zero, +) / Float(steps.count)
        outside = colours.meanOutside(at: places, start: line.start, slope: line.slope)
        (support, start, slope) = (line.support, line.start, line.slope)
        (self.edge, self.half, depth) = (edge, half, Double(colours.width))
    }

    /// The side's place in the middle of the image, in the image's coordinate across the border.
    var middle: Double { edge.isFar ? depth - 1 - start : start }

    /// How far a point of the image lies on the sheet's side of the line; negative beyond it.
    func distanceInwards(of point: SIMD2<Double>) -> Double {
        let (across, along) = edge.isLevel ? (point.y, point.x) : (point.x, point.y)
        return (edge.isFar ? depth - 1 - across : across) - start - slope * (along - half)
    }

    /// Whether what lies beyond this side has the colour of the table beyond another side, and not of that side's paper.
    func liesOnSameTable(as other: SheetSide) -> Bool {
        let difference = outside - other.outside
        return (difference * difference).sum()
            < Self.sameTable * Self.sameTable * (other.step * other.step).sum()
    }
}

/// An image's colours, turned so that one of its borders stands at the left, and freed from thin lines.
private struct TurnedColours {
    /// The median of each five pixels across the border: rules and letters' strokes vanish.
    private let medians: [SIMD3<Float>]
    let (width, height): (Int, Int)

    /// Distance of the compared medians from a line: their half width, and two pixels of blur.
    static let reach = 4

    init(of image: RGBImage, from edge: SheetSide.Edge) {
        let (width, height) =
            edge.isLevel ? (image.height, image.width) : (image.width, image.height)
        (self.width, self.height) = (width, height)
        var row = [SIMD3<Float>](repeating: .zero, count: width)
        var medians: [SIMD3<Float>] = []
        medians.reserveCapacity(width * height)
        for y in 0..<height {
            for x in 0..<width {
                let across = edge.isFar ? width - 1 - x : x
                let pixel = edge.isLevel ? image[x: y, y: across] : image[x: across, y: y]
                row[x] = SIMD3(Float(pixel.red), Float(pixel.green), Float(pixel.blue))
            }
            for x in 0..<width {
                func at(_ offset: Int) -> SIMD3<Float> { row[min(max(x + offset, 0), width - 1)] }
                medians.append(Self.median(at(-2), at(-1), at(0), at(1), at(2)))
            }
        }
        self.medians = medians
    }

    /// The median of five values, channel by channel.
    private static func median(
        _ a: SIMD3<Float>, _ b: SIMD3<Float>, _ c: SIMD3<Float>, _ d: SIMD3<Float>, _ e: SIMD3<Float>
    ) -> SIMD3<Float> {
        // Neither the least nor the greatest of four is the median of five; two of them and the fifth are left.
        let low = pointwiseMax(pointwiseMin(a, b), pointwiseMin(c, d))
        let high = pointwiseMin(pointwiseMax(a, b), pointwiseMax(c, d))
        let (less, more) = (pointwiseMin(low, high), pointwiseMax(low, high))
        return pointwiseMax(less, pointwiseMin(more, e))
    }

    /// Reads the colours at a distance inside a line less those as far outside, where it lies in the image.
    /// - Parameters:
    ///   - steps: replaced by what is read.
    ///   - reach: the distance, at most `Self.reach`.
    func read(
        _ steps: inout [SIMD3<Float>], at places: [Int], start: Double, slope: Double, reach: Int
    ) {
        steps.removeAll(keepingCapacity: true)
        forEachPixel(at: places, start: start, slope: slope) {
            steps.append(medians[$0 + reach] - medians[$0 - reach])
        }
    }

    /// The mean colour outside a line that lies in the image at one place at least.
    func meanOutside(at places: [Int], start: Double, slope: Double) -> SIMD3<Float> {
        var (sum, count) = (SIMD3<Float>.zero, Float(0))
        forEachPixel(at: places, start: start, slope: slope) {
            sum += medians[$0 - Self.reach]
            count += 1
        }
        return sum / count
    }

    /// Calls `body` with the pixel under a line at each place where it lies in the image, `reach` from its border.
    private func forEachPixel(at places: [Int], start: Double, slope: Double, _ body: (Int) -> Void) {
        let half = Double(height) / 2
        for y in places {
            let x = Int((start + slope * (Double(y) - half)).rounded())
            if x >= Self.reach, x < width - Self.reach { body(y * width + x) }
        }
    }
}

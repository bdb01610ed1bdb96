import Imaging
import RobustStatistics
import Testing

/// Pictures shown as documents, on pages whose reflectance and light are known.
@Suite struct DocumentLookTests {
    private static let (width, height) = (640, 800)

    /// What the page reflects: rows of letters with strokes of 4 pixels, and a stamp, red, of 90 x 60 pixels.
    private static func reflectance(_ x: Int, _ y: Int, hasStamp: Bool) -> SIMD3<Double> {
        if hasStamp, (500..<560).contains(y), (420..<510).contains(x) { return SIMD3(0.8, 0.25, 0.3) }
        guard (60..<440).contains(y), (40..<600).contains(x), y % 40 < 22, x % 16 < 4 else {
            return SIMD3(repeating: 1)
        }
        return SIMD3(repeating: 0.3)
    }

    /// A photograph of the page: bluish paper in light that falls by a fifth to the right.
    private static func photograph(
        hasStamp: Bool = true, shadow: (Int, Int) -> Double = { _, _ in 1 },
        paper: SIMD3<Double> = SIMD3(200, 208, 220)
    ) -> RGBImage {
        RGBImage(
            width: width, height: height,
            elements: (0..<width * height).map { index in
                let (y, x) = index.quotientAndRemainder(dividingBy: width)
                let light = (1 - 0.2 * Double(x) / Double(width)) * shadow(x, y)
                let level = reflectance(x, y, hasStamp: hasStamp) * paper * light
                return RGB(
                    red: UInt8(level.x.rounded()), green: UInt8(level.y.rounded()),
                    blue: UInt8(level.z.rounded()))
            })
    }

    /// A shadow that leaves 55 % beyond a slanting line, sharp to two pixels.
    private static func hardShadow(_ x: Int, _ y: Int) -> Double {
        let beyond = (Double(x) + 0.3 * Double(y) - 430) / 1.044
        return 1 - 0.45 * min(max(beyond / 2 + 0.5, 0), 1)
    }

    private static func beyond(_ x: Int, _ y: Int) -> Double { (Double(x) + 0.3 * Double(y) - 430) / 1.044 }

    /// The least and greatest value of what is bare and far from print, within `range` of the shadow's edge.
    private static func paper(of picture: RGBImage, beyond range: ClosedRange<Double>) -> (Int, Int) {
        var (least, greatest) = (255, 0)
        for y in 480..<790 {
            for x in 10..<400 where range.contains(beyond(x, y)) {
                let pixel = picture[x: x, y: y]
                least = min(least, Int(min(pixel.red, pixel.green, pixel.blue)))
                greatest = max(greatest, Int(max(pixel.red, pixel.green, pixel.blue)))
            }
        }
        return (least, greatest)
    }

    /// Paper is white up to the edge. Its own two pixels are seen at half the size, as a ramp of three: where they differ the
    /// paper may be off by a third of the step (a simulation in numpy: 67 levels); a wide blur leaves half of it over its whole width.
    @Test func aHardShadowGoesWithItsEdge() {
        let photograph = Self.photograph(shadow: Self.hardShadow)
        let document = photograph.asDocument()
        #expect(Self.paper(of: document, beyond: -60 ... -5).0 >= 250, "beside the shadow, no dark band")
        #expect(Self.paper(of: document, beyond: 5...60).0 >= 250, "in the shadow, no halo")
        #expect(Self.paper(of: document, beyond: -4...4).0 >= 170, "on the edge itself")
        // One wide blur does worse: that is what the test would see.
        #expect(Self.paper(of: photograph.withEvenLight(), beyond: -60...60).0 < 200)
    }

    /// Medians of letters' cores on both sides are the same to 3 % of white, though the photograph's differ by half. 8-bit
    /// values of print in the shadow, some 30, are known to a level, 2 % of white there.
    @Test func printIsAsDarkInTheShadowAsBesideIt() {
        let document = Self.photograph(shadow: Self.hardShadow).asDocument()
        var (beside, inside): ([Double], [Double]) = ([], [])
        for y in 60..<440 where (4..<18).contains(y % 40) {
            for x in 40..<600 where x % 16 == 1 || x % 16 == 2 {
                let value = Double(document[x: x, y: y].green)
                if Self.beyond(x, y) < -6 { beside.append(value) }
                if Self.beyond(x, y) > 6 { inside.append(value) }
            }
        }
        let (one, other) = (beside.ranked(beside.count / 2), inside.ranked(inside.count / 2))
        #expect(abs(one - other) <= 0.03 * 255, "\(one) beside the shadow, \(other) inside")
        #expect(one < 0.3 * 255, "print is not bleached: it reflects 0.3")
    }

    /// The channels of the stamp relative to the paper's are 0.8, 0.25, 0.3; black is drawn down by at most 0.2, so hue and
    /// order stay, and saturation does not sink.
    @Test(arguments: [false, true]) func aStampKeepsItsHue(isInShadow: Bool) {
        let document = Self.photograph(shadow: { _, _ in isInShadow ? 0.5 : 1 }).asDocument()
        for (x, y) in [(422, 502), (465, 530), (507, 557)] {
            let pixel = document[x: x, y: y]
            let (red, green, blue) = (Double(pixel.red), Double(pixel.green), Double(pixel.blue))
            // Hue of (0.8, 0.25, 0.3): the share of blue over green in red over green.
            #expect(abs((blue - green) / (red - green) - 0.05 / 0.55) < 0.03, "\(pixel) at (\(x), \(y))")
            #expect((red - green) / 255 > 0.52, "\(pixel) at (\(x), \(y)): 0.55")
            #expect(red < 0.85 * 255)
        }
    }

    @Test func aDarkPanelWithLightLettersStaysDark() {
        var photograph = Self.photograph(hasStamp: false)
        for y in 500..<590 {
            for x in 60..<580 {
                let isLetter = (535..<560).contains(y) && x % 16 < 4
                let level: UInt8 = isLetter ? 180 : 45
                photograph[x: x, y: y] = RGB(red: level, green: level, blue: level)
            }
        }
        let document = photograph.asDocument()
        for y in [502, 548, 587] {
            for x in stride(from: 72, to: 570, by: 16) {
                #expect(document[x: x, y: y].green < 50, "(\(x), \(y)): \(document[x: x, y: y])")
            }
        }
    }

    @Test func aWhitePageStaysAsItIs() {
        let page = Self.photograph(hasStamp: false, paper: SIMD3(repeating: 255))
        let even = RGBImage(
            width: Self.width, height: Self.height,
            elements: (0..<Self.width * Self.height).map { index in
                let (y, x) = index.quotientAndRemainder(dividingBy: Self.width)
                let isPrint = Self.reflectance(x, y, hasStamp: false).x < 1
                return isPrint ? RGB(red: 0, green: 0, blue: 0) : .white
            })
        #expect(even.asDocument() == even)
        #expect(page.asDocument()[x: 5, y: 5] == .white)
    }

    @Test("Nothing to do leaves the picture as it is", arguments: [(0, 0), (1, 1), (3, 40), (700, 2)])
    func small(width: Int, height: Int) {
        let white = RGBImage(width: width, height: height, filledWith: .white)
        #expect(white.asDocument() == white)
        let black = RGBImage(width: width, height: height, filledWith: RGB(red: 0, green: 0, blue: 0))
        #expect(black.asDocument() == black)
    }

    /// White letters on black, as on a business card: there is no paper to make white.
    @Test func lightPrintOnBlackStaysAsItIs() {
        let card = RGBImage(
            width: 400, height: 240,
            elements: (0..<400 * 240).map { index in
                let (y, x) = index.quotientAndRemainder(dividingBy: 400)
                let level: UInt8 = (100..<140).contains(y) && (60..<220).contains(x) && x % 10 < 3 ? 235 : 28
                return RGB(red: level, green: level, blue: level)
            })
        #expect(card.asDocument() == card)
    }

    /// Under green light, with next to no red: paper becomes white, print stays neutral.
    @Test func colouredLightIsBalanced() {
        let document = Self.photograph(hasStamp: false, paper: SIMD3(4, 190, 90)).asDocument()
        let paper = document[x: 300, y: 600]
        #expect(min(paper.red, paper.green, paper.blue) >= 250)
        let print = document[x: 49, y: 90]
        #expect(
            Int(max(print.red, print.green, print.blue)) - Int(min(print.red, print.green, print.blue)) < 16)
        #expect(print.green < 90)
    }

    @Test func inOneBitAHardShadowLeavesNoTrace() {
        let image = Self.photograph(hasStamp: false, shadow: Self.hardShadow).inOneBit()
        var black = 0
        for y in 480..<790 { black += (10..<630).count { !image.isWhite(x: $0, y: y) } }
        #expect(black == 0, "bare paper")
    }

    @Test func threadsDoNotMatter() {
        let photograph = Self.photograph(shadow: Self.hardShadow)
        #expect(photograph.asDocument() == photograph.asDocument(threading: .single))
    }
}

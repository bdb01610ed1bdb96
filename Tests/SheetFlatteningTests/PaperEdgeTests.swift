import DepthGeometry
import Imaging
import Testing

@testable import SheetFlattening

@Suite struct PaperEdgeTests {
    private static let size = PixelSize(width: 200, height: 300)
    private static let outline = [SIMD2(20.0, 30), SIMD2(179, 20), SIMD2(185, 270), SIMD2(15, 279)]

    /// A sheet on a brown table, lit from one side, with dark print over a third of it.
    private let photograph: RGBImage
    private let edge: PaperEdge
    /// The photograph, what lies beyond the sheet covered.
    private let covered: RGBImage

    private static let table = RGB(red: 90, green: 60, blue: 30)
    private static let identity = SamplingMap(outputSize: size, spacing: 1) { $0 }

    init() throws {
        let (size, sheet) = (Self.size, Polygon(Self.outline))
        var picture = RGBImage(width: size.width, height: size.height, filledWith: Self.table)
        for y in 0..<size.height {
            for x in 0..<size.width where sheet.contains(SIMD2(Double(x), Double(y))) {
                picture[x: x, y: y] = (x + y) % 3 == 0 ? RGB(red: 20, green: 20, blue: 20) : Self.paper(x)
            }
        }
        photograph = picture
        let edge = try #require(PaperEdge(outline: Self.outline, of: picture, through: Self.identity))
        self.edge = edge
        picture.elements.withUnsafeMutableBufferPointer { edge.cover($0, rows: 0..<size.height) }
        covered = picture
    }

    private static func paper(_ x: Int) -> RGB {
        let level = UInt8(180 + x / 4)
        return RGB(red: level, green: level, blue: level - 10)
    }

    @Test func beyondTheSheetThePapersColourGoesOn() {
        for (x, y) in [(0, 0), (100, 5), (199, 150), (100, 299), (2, 150)] {
            let (shown, paper) = (covered[x: x, y: y], Self.paper(min(max(x, 20), 180)))
            // The light changes by 40 levels over the sheet; cells of 4 pixels, smoothed, follow it to a few.
            for (a, b) in [(shown.red, paper.red), (shown.green, paper.green), (shown.blue, paper.blue)] {
                #expect(abs(Int(a) - Int(b)) <= 6, "\(x), \(y): \(shown)")
            }
        }
        #expect(covered[x: 100, y: 150] == photograph[x: 100, y: 150], "the sheet itself stays")
        #expect(covered[x: 30, y: 40] == photograph[x: 30, y: 40])
    }

    @Test func noTableIsLeftAlongTheSides() {
        #expect(!covered.elements.contains(Self.table))
    }

    @Test func rowsOfABandAreCoveredAsInTheWhole() {
        let rows = 17..<64
        var band = Array(
            photograph.elements[rows.lowerBound * Self.size.width..<rows.upperBound * Self.size.width])
        band.withUnsafeMutableBufferPointer { edge.cover($0, rows: rows) }
        #expect(
            band
                == Array(
                    covered.elements[rows.lowerBound * Self.size.width..<rows.upperBound * Self.size.width]))
    }

    @Test("Where the photograph's rim cuts the sheet paper goes on, and not the white of what is missing")
    func cut() throws {
        // The first 60 rows and, along a slant, some more of the sheet lie beyond the photograph.
        let map = SamplingMap(outputSize: Self.size, spacing: 1) { $0 - SIMD2(0, 60 + 0.1 * $0.x) }
        var sheet = photograph
        for y in 0..<Self.size.height {
            for x in 0..<Self.size.width { sheet[x: x, y: y] = Self.paper(x) }
        }
        let edge = try #require(PaperEdge(outline: Self.outline, of: sheet, through: map))
        var picture = sheet.resampled(through: map)
        let white = RGB(red: 255, green: 255, blue: 255)
        #expect(picture[x: 100, y: 50] == white)
        let shown = picture[x: 100, y: 150]
        picture.elements.withUnsafeMutableBufferPointer { edge.cover($0, rows: 0..<Self.size.height) }
        #expect(!picture.elements.contains(white))
        #expect(picture[x: 100, y: 150] == shown)
        let paper = Self.paper(100)
        #expect(abs(Int(picture[x: 100, y: 50].red) - Int(paper.red)) <= 6)
    }

    @Test(
        "Beside a whole photograph that is turned its colours go on, and one that is not turned stays as it is"
    )
    func whole() throws {
        let turn = SamplingMap(outputSize: Self.size, spacing: 1) {
            let offset = $0 - SIMD2(99.5, 149.5)
            return SIMD2(99.5, 149.5)
                + SIMD2(offset.x * 0.995 - offset.y * 0.0998, offset.x * 0.0998 + offset.y * 0.995)
        }
        let white = RGB(red: 255, green: 255, blue: 255)
        var picture = photograph.resampled(through: turn)
        #expect(picture[x: 0, y: 0] == white)
        let edge = try #require(PaperEdge(outline: nil, of: photograph, through: turn))
        picture.elements.withUnsafeMutableBufferPointer { edge.cover($0, rows: 0..<Self.size.height) }
        #expect(!picture.elements.contains(white))
        let corner = picture[x: 0, y: 0]
        // The table's colour, to rounding.
        #expect(abs(Int(corner.red) - Int(Self.table.red)) <= 2, "\(corner)")

        var same = photograph
        let none = try #require(PaperEdge(outline: nil, of: photograph, through: Self.identity))
        same.elements.withUnsafeMutableBufferPointer { none.cover($0, rows: 0..<Self.size.height) }
        #expect(same.elements == photograph.elements)
    }

    @Test(
        "A flat image of a turned photograph has its colours in the corners, or white where the photograph is kept"
    )
    func choice() throws {
        for (edge, hasWhite) in [(SheetEdge.fill, false), (.keep, true)] {
            var options = SheetFlattener.Options()
            options.edge = edge
            let ladder = FlatteningLadder(
                capture: Capture(image: photograph), search: .notFound(.nothingStandsOut), options: options)
            var sheet = try ladder.climb()
            #expect(sheet.method == .unchanged)
            // By 0.1 radians, as rows of print would turn it.
            let corners = sheet.region.compactMap(sheet.unrolling.flatPosition(ofPixel:))
            let axis = 0.995004 * sheet.frame.xAxis + 0.099833 * sheet.frame.yAxis
            sheet.frame = try #require(
                sheet.frame.fitted(around: corners, along: axis, insteadOf: corners))
            let page = try PageLayout(sheet: sheet, photograph: photograph.size, options: options)
            let flat = FlatImage(
                of: sheet, on: page, photograph: photograph, map: page.samplingMap(), options: options)
            #expect(flat.render().elements.contains(RGB(red: 255, green: 255, blue: 255)) == hasWhite)
        }
    }

    @Test func anOutlineWithoutPaperCoversNothing() {
        #expect(
            PaperEdge(
                outline: [SIMD2(1000.0, 1000), SIMD2(1001, 1000), SIMD2(1001, 1001)], of: photograph,
                through: Self.identity) == nil)
    }
}

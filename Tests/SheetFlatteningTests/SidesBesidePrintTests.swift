import DepthGeometry
import Imaging
import RobustStatistics
import Testing
import TextTestSupport

@testable import SheetFlattening

/// Sides found from the print between them. The scene: a page of print that runs through the picture from its upper to its lower
/// border, with 60 pixels of table at the left and 90 at the right.
@Suite struct SidesBesidePrintTests {
    private static let text = (1...20).map { "\($0 + 10) ROLLS OF RYE AND WHEAT     \($0).20" }
        .joined(separator: "\n")
    private static let (left, right) = (60, 90)
    private static let table = SIMD3(110, 80, 50)
    private static let paper = 225

    /// - Parameters:
    ///   - above: rows of table above the page.
    ///   - draw: changes the colour of a pixel of the page.
    private static func scene(
        table: SIMD3<Int> = table, above: Int = 0, right: Int = right,
        draw: (_ x: Int, _ y: Int, _ page: GrayImage) -> SIMD3<Int>? = { _, _, _ in nil }
    ) throws -> (picture: RGBImage, page: PixelSize) {
        let page = try DrawnPage(text, paper: paper).picture
        var picture = RGBImage(
            width: left + page.width + right, height: above + page.height, filledWith: pixel(table))
        for y in 0..<page.height {
            for x in 0..<page.width {
                let level = Int(page[x: x, y: y])
                picture[x: left + x, y: above + y] = pixel(draw(x, y, page) ?? SIMD3(repeating: level))
            }
        }
        return (picture, page.size)
    }

    private static func pixel(_ colour: SIMD3<Int>) -> RGB {
        RGB(red: UInt8(colour.x), green: UInt8(colour.y), blue: UInt8(colour.z))
    }

    /// The corners of the smallest upright rectangle around a polygon.
    private static func bounds(_ polygon: [SIMD2<Double>]) -> (low: SIMD2<Double>, high: SIMD2<Double>) {
        polygon.reduce((SIMD2(repeating: .infinity), SIMD2(repeating: -.infinity))) {
            (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1))
        }
    }

    /// Sides are sought in an image of at most 640 pixels, in steps of a pixel and half a degree: two and a half pixels of it.
    private static func tolerance(_ picture: RGBImage) -> Double {
        2.5 * Double(ReducedPicture(reducing: ReducedPicture(picture), toLongestSide: 640).factor)
    }

    @Test func aPageThatRunsThroughThePictureEndsAtItsSides() throws {
        let (picture, page) = try Self.scene()
        let found = try #require(SidesBesidePrint(in: picture))
        let (low, high) = Self.bounds(found.polygon)
        let near = Self.tolerance(picture)
        #expect(abs(low.x - Double(Self.left)) <= near, "\(found.polygon)")
        #expect(abs(high.x - Double(Self.left + page.width)) <= near, "\(found.polygon)")
        #expect(low.y <= near && high.y >= Double(picture.height) - 1 - near)
        #expect(found.support > 0.95)
        #expect(Polygon(found.polygon).signedArea > 0, "clockwise")
    }

    @Test("So does one that lies on its side", arguments: [ImageOrientation.right, .left])
    func turned(way: ImageOrientation) throws {
        let (upright, page) = try Self.scene()
        let found = try #require(SidesBesidePrint(in: upright.oriented(by: way)))
        let near = Self.tolerance(upright)
        let (low, high) = Self.bounds(found.polygon)
        // The table at the left of the upright picture is above one way round and below the other.
        let first = [Double(Self.left), Double(Self.right)]
        #expect(first.contains { abs(low.y - $0) <= near }, "\(found.polygon)")
        #expect(abs(high.y - low.y - Double(page.width)) <= 2 * near)
        #expect(low.x <= near && high.x >= Double(upright.height) - 1 - near)
    }

    @Test(
        "Sides that lean or come together are found where they stand",
        arguments: [(0.1, 0.0), (-0.1, 0), (0, 0.08)])
    func slanted(lean: Double, taper: Double) throws {
        let (straight, page) = try Self.scene()
        let middle = SIMD2(Double(straight.width), Double(straight.height)) / 2
        // Rows stay level; a side moves by `lean` a pixel downwards, and both come together by `taper`.
        let picture = straight.moved { place in
            let y = place.y - middle.y
            return SIMD2(middle.x + (place.x - middle.x - lean * y) / (1 - taper * y / middle.y), place.y)
        }
        let sheet = Contour(try #require(SidesBesidePrint(in: picture)).polygon)
        let near = Self.tolerance(picture)
        for y in stride(from: 20.0, to: Double(picture.height) - 20, by: 60) {
            for side in [Double(Self.left), Double(Self.left + page.width)] {
                let offset = y - middle.y
                let x = middle.x + (side - middle.x) * (1 - taper * offset / middle.y) + lean * offset
                let inwards = side < middle.x ? near : -near
                #expect(sheet.contains(SIMD2(x + inwards, y)), "\(x), \(y)")
                #expect(!sheet.contains(SIMD2(x - inwards, y)), "\(x), \(y)")
            }
        }
    }

    @Test func oneSideIsEnough() throws {
        let (picture, page) = try Self.scene(right: 0)
        let (low, high) = Self.bounds(try #require(SidesBesidePrint(in: picture)).polygon)
        let near = Self.tolerance(picture)
        #expect(abs(low.x - Double(Self.left)) <= near)
        #expect(high.x >= Double(Self.left + page.width) - 1 - near)
    }

    @Test("An end is one where the sides' table lies beyond it, and a bar across the page is none")
    func ends() throws {
        let (picture, _) = try Self.scene(above: 50)
        let (low, _) = Self.bounds(try #require(SidesBesidePrint(in: picture)).polygon)
        #expect(abs(low.y - 50) <= Self.tolerance(picture))

        // Above all print, and not of the table's colour.
        let (barred, _) = try Self.scene { _, y, _ in y < 20 ? SIMD3(20, 40, 160) : nil }
        let (top, _) = Self.bounds(try #require(SidesBesidePrint(in: barred)).polygon)
        #expect(top.y <= Self.tolerance(barred))
    }

    @Test func rulesAndPaleShadesBesideThePrintAreNoSides() throws {
        let (ruled, _) = try Self.scene(table: SIMD3(repeating: Self.paper)) { x, y, page in
            x == 12 || x == page.width - 12 ? SIMD3(repeating: 30) : nil
        }
        #expect(SidesBesidePrint(in: ruled) == nil)
        // Three channels 22 levels darker are 38 together, less than 40; 25 levels are 43.
        for (darker, isSide) in [(22, false), (25, true)] {
            let (shaded, _) = try Self.scene(table: SIMD3(repeating: Self.paper - darker))
            #expect((SidesBesidePrint(in: shaded) != nil) == isSide, "\(darker)")
        }
    }

    @Test("A side shows along most of its length", arguments: [(0.6, false), (0.72, true)])
    func support(share: Double, isSide: Bool) throws {
        let (whole, _) = try Self.scene(right: 0)
        var picture = whole
        // The lower part of the table is as bright as the paper.
        for y in Int(share * Double(whole.height))..<whole.height {
            for x in 0..<Self.left {
                picture[x: x, y: y] = RGB(
                    red: UInt8(Self.paper), green: UInt8(Self.paper), blue: UInt8(Self.paper))
            }
        }
        #expect((SidesBesidePrint(in: picture) != nil) == isSide)
    }

    @Test func noSideCutsThroughPrint() throws {
        // The page's right part is as dark as the table, and its print is white.
        let (picture, page) = try Self.scene(right: 0) { x, y, page in
            guard x > page.width * 3 / 5 else { return nil }
            return page[x: x, y: y] < 130 ? SIMD3(repeating: 250) : Self.table
        }
        let found = try #require(SidesBesidePrint(in: picture))
        #expect(
            Self.bounds(found.polygon).high.x >= Double(Self.left + page.width) - 1 - Self.tolerance(picture))
    }

    @Test func aTextureIsNoPrint() {
        var generator = SplitMix64(seed: 3)
        var picture = RGBImage(width: 500, height: 700, filledWith: Self.pixel(SIMD3(repeating: 200)))
        for _ in 0..<900 {
            let (left, top) = (
                Int.random(in: 100..<490, using: &generator), Int.random(in: 0..<685, using: &generator)
            )
            for y in top..<top + 12 {
                for x in left..<left + 7 { picture[x: x, y: y] = Self.pixel(SIMD3(repeating: 60)) }
            }
        }
        for y in 0..<700 { for x in 0..<80 { picture[x: x, y: y] = Self.pixel(Self.table) } }
        #expect(SidesBesidePrint(in: picture) == nil)
    }

    @Test func aStripTooNarrowForASheetHasNone() throws {
        let (whole, _) = try Self.scene()
        var strip = RGBImage(width: 31, height: whole.height, filledWith: Self.pixel(Self.table))
        for y in 0..<whole.height {
            for x in 0..<31 { strip[x: x, y: y] = whole[x: Self.left - 6 + x, y: y] }
        }
        #expect(SidesBesidePrint(in: strip) == nil)
    }

    @Test func withoutPrintThereAreNone() {
        var picture = RGBImage(width: 400, height: 600, filledWith: RGB(red: 225, green: 225, blue: 225))
        for y in 0..<600 { for x in 0..<80 { picture[x: x, y: y] = RGB(red: 110, green: 80, blue: 50) } }
        #expect(SidesBesidePrint(in: picture) == nil)
    }

    @Test func theOutlineBesidePrintFollowsASideThatBows() throws {
        // The left side bows by 8 pixels.
        let (picture, page) = try Self.scene { x, y, page in
            let t = 2 * Double(y) / Double(page.height) - 1
            return Double(x) < 8 * t * t ? Self.table : nil
        }
        let outline = try #require(SheetOutline.besidePrint(in: picture))
        #expect(outline.confidence >= SheetOutline.sureConfidence)
        for y in stride(from: 20, to: page.height - 20, by: 40) {
            let t = 2 * Double(y) / Double(page.height) - 1
            let side = Double(Self.left) + 8 * t * t
            #expect(outline.contains(SIMD2(side + 3, Double(y))), "\(y)")
            #expect(!outline.contains(SIMD2(side - 3, Double(y))), "\(y)")
        }
        // The picture cuts the page at both ends, and the outline ends there.
        let (low, high) = Self.bounds(outline.polygon)
        #expect(low.y <= 2 && high.y >= Double(picture.height) - 3)
    }

    @Test func severalSheetsKeepTheirOwnOutlines() throws {
        // Two pages side by side on a table with grain: neither is thrown away for the print of both.
        let (one, page) = try Self.scene(above: 40)
        var both = RGBImage(width: 2 * one.width, height: one.height + 40, filledWith: Self.pixel(Self.table))
        for y in 0..<one.height {
            for x in 0..<one.width {
                both[x: x, y: y] = one[x: x, y: y]
                both[x: one.width + x, y: y] = one[x: x, y: y]
            }
        }
        var generator = SplitMix64(seed: 4)
        both.elements = both.elements.map { colour in
            let grain = Int.random(in: -9...9, using: &generator)
            func level(_ value: UInt8) -> UInt8 { UInt8(min(max(Int(value) + grain, 0), 255)) }
            return RGB(red: level(colour.red), green: level(colour.green), blue: level(colour.blue))
        }
        let search = try SheetFlattener().locateSheet(in: Capture(image: both))
        #expect(search.outlines.count >= 2)
        for outline in search.outlines { #expect(outline.area < 1.2 * Double(page.pixelCount)) }
    }
}

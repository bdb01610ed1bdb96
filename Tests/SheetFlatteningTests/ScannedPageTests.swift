import DepthGeometry
import Imaging
import Platform
import RobustStatistics
import Testing
import TextTestSupport

@testable import SheetFlattening

/// Which pictures are themselves the sheet. Drawn in fixed-width type: twelve rows, so that thirds of them can be compared.
@Suite struct ScannedPageTests {
    private static let text = (1...12).map { "\($0 + 10) ROLLS OF RYE AND WHEAT     \($0).20" }
        .joined(separator: "\n")

    /// The page in colour; grain of a few levels makes it a scan of paper, none a drawn screen.
    private static func page(grain: Int = 3, seed: UInt64 = 5) throws -> RGBImage {
        var generator = SplitMix64(seed: seed)
        let gray = try DrawnPage(text).picture
        var picture = RGBImage(
            width: gray.width, height: gray.height, filledWith: RGB(red: 0, green: 0, blue: 0))
        picture.elements = gray.elements.map { level in
            let noise = grain > 0 ? Int.random(in: -grain...grain, using: &generator) : 0
            let value = UInt8(min(max(Int(level) + noise, 0), 255))
            return RGB(red: value, green: value, blue: value)
        }
        return picture
    }

    private static func search(_ picture: RGBImage, depth: DepthMap? = nil) throws -> SheetSearch {
        try SheetFlattener().locateSheet(in: Capture(image: picture, depth: depth))
    }

    @Test(arguments: [ImageOrientation.up, .right, .down, .left])
    func aPageThatFillsThePictureIsAScanWhicheverWayItLies(way: ImageOrientation) throws {
        let picture = try Self.page().oriented(by: way)
        guard case .scan(let outline) = try Self.search(picture) else {
            Issue.record("no scan")
            return
        }
        #expect(outline.confidence >= 0.9)
        #expect(outline.polygon == SheetOutline.wholePicture(picture.size).polygon)
        #expect(outline.corners?.count == 4)
    }

    @Test func aScreenWithAColouredBarIsOne() throws {
        var picture = try Self.page(grain: 0)
        // As high as a twelfth of the screen, above all print.
        for y in 0..<picture.height / 14 {
            for x in 0..<picture.width { picture[x: x, y: y] = RGB(red: 20, green: 60, blue: 180) }
        }
        guard case .scan = try Self.search(picture) else {
            Issue.record("no scan")
            return
        }
    }

    @Test("An invoice that was drawn is one, though its bars and boxes look like sheets")
    func drawnFields() throws {
        let text = try Self.page(grain: 0)
        var picture = RGBImage(width: text.width, height: 2 * text.height, filledWith: text[x: 0, y: 0])
        for y in 0..<text.height {
            for x in 0..<text.width { picture[x: x, y: y] = text[x: x, y: y] }
        }
        for y in text.height + 20..<text.height + 80 {
            for x in text.width / 2..<text.width - 40 {
                picture[x: x, y: y] = RGB(red: 48, green: 0, blue: 96)
            }
        }
        let field = try SheetOutline(
            givenCorners: [
                SIMD2(Double(text.width / 2), Double(text.height + 20)),
                SIMD2(Double(text.width - 40), Double(text.height + 20)),
                SIMD2(Double(text.width - 40), Double(text.height + 80)),
                SIMD2(Double(text.width / 2), Double(text.height + 80)),
            ], imageSize: picture.size)
        #expect(ScannedPage(in: picture, found: [field]) != nil)
        #expect(ScannedPage(in: picture, found: [field, field]) != nil)
        // With a camera's grain it may be a sheet.
        var generator = SplitMix64(seed: 8)
        for index in picture.elements.indices {
            let noise = Int.random(in: -3...3, using: &generator)
            let level = UInt8(min(max(Int(picture.elements[index].green) + noise, 0), 255))
            picture.elements[index] = RGB(red: level, green: level, blue: level)
        }
        #expect(ScannedPage(in: picture, found: [field]) == nil)
    }

    @Test func rowsThatLeanAgainstEachOtherAreAPhotographs() throws {
        let picture = try Self.page()
        let size = SIMD2(Double(picture.width), Double(picture.height))
        // From -4 degrees at the upper end to 4 at the lower one.
        let fanned = picture.moved { place in
            let angle = (place.y / size.y - 0.5) * 8 * .pi / 180
            return SIMD2(place.x, place.y - tan(angle) * (place.x - size.x / 2))
        }
        #expect(ScannedPage(in: picture, found: []) != nil)
        #expect(ScannedPage(in: fanned, found: []) == nil)
    }

    @Test func aPageOnATableIsNone() throws {
        let page = try Self.page()
        var generator = SplitMix64(seed: 9)
        let (left, top) = (page.width / 8, page.height / 8)
        var picture = RGBImage(
            width: page.width + 2 * left, height: page.height + 2 * top,
            filledWith: RGB(red: 0, green: 0, blue: 0))
        picture.elements = picture.elements.map { _ in
            let level = Int.random(in: 70...110, using: &generator)
            return RGB(red: UInt8(level), green: UInt8(level * 3 / 4), blue: UInt8(level / 2))
        }
        for y in 0..<page.height {
            for x in 0..<page.width { picture[x: left + x, y: top + y] = page[x: x, y: y] }
        }
        #expect(ScannedPage(in: picture, found: []) == nil)
    }

    @Test func marksOfATextureAreNoRows() throws {
        var generator = SplitMix64(seed: 3)
        var picture = RGBImage(width: 500, height: 700, filledWith: RGB(red: 200, green: 200, blue: 200))
        for _ in 0..<900 {
            let (left, top) = (
                Int.random(in: 0..<490, using: &generator), Int.random(in: 0..<685, using: &generator)
            )
            for y in top..<top + 12 {
                for x in left..<left + 7 { picture[x: x, y: y] = RGB(red: 60, green: 60, blue: 60) }
            }
        }
        #expect(ScannedPage(in: picture, found: []) == nil)
    }

    @Test func withoutPrintNothingTellsAScan() {
        let blank = RGBImage(
            width: 400, height: 600, filledWith: RGB(red: 250, green: 250, blue: 250))
        #expect(ScannedPage(in: blank, found: []) == nil)
        let small = RGBImage(width: 8, height: 8, filledWith: RGB(red: 250, green: 250, blue: 250))
        #expect(ScannedPage(in: small, found: []) == nil)
    }

    @Test func whereThereIsDepthThePictureIsAPhotograph() throws {
        let picture = try Self.page()
        let depth = DepthMap(readings: Raster<Float>(width: 40, height: 40, filledWith: 0.4))
        if case .scan = try Self.search(picture, depth: depth) { Issue.record("a scan has no depth") }
    }

    @Test("What may be a scan or a page on a pale table is the page, if a side of it shows")
    func paleTable() throws {
        let page = try Self.page()
        var generator = SplitMix64(seed: 12)
        let strip = page.width / 20
        var picture = RGBImage(
            width: page.width + strip, height: page.height, filledWith: RGB(red: 0, green: 0, blue: 0))
        for y in 0..<page.height {
            // Only the darker quarter is surely no paper.
            let table = 4 * y > 3 * page.height ? 120 : 180
            for x in 0..<strip {
                let level = UInt8(table + Int.random(in: -3...3, using: &generator))
                picture[x: x, y: y] = RGB(red: level, green: level, blue: level)
            }
            for x in 0..<page.width { picture[x: strip + x, y: y] = page[x: x, y: y] }
        }
        let scan = try #require(ScannedPage(in: picture, found: []))
        #expect(scan.confidence < ScannedPage.leastConfidenceAgainstOutline)
        guard case .found(let outlines) = try Self.search(picture), let outline = outlines.first else {
            Issue.record("no sheet")
            return
        }
        // The edge is found to a pixel or two.
        #expect(outline.contains(SIMD2(Double(strip) + 3, 200)))
        #expect(!outline.contains(SIMD2(Double(strip) - 3, 200)))
    }

    @Test func aScanIsShownAsItIsAndStaysOneSheet() throws {
        let picture = try Self.page()
        let search = try Self.search(picture)
        #expect(search.outlines.count == 1 && search.eachInReadingOrder == [search])
        let sheet = try SheetFlattener().flatten(Capture(image: picture))
        #expect(sheet.method == .scan && sheet.confidence >= 0.9)
        #expect(sheet.refused.map(\.step).allSatisfy { $0 == "depth" || $0 == "print" })
        // Level rows are not turned: the picture comes out as it is.
        #expect(sheet.picture.size == picture.size)
        #expect(sheet.picture.render().elements == picture.elements)
    }
}

import Imaging
import Testing
import TextTestSupport

@testable import PrintDetection

@Suite struct PrintSegmentTests {
    @Test("The segments of a drawn page lie on its rows, and are as high as their print")
    func drawn() throws {
        let page = try DrawnPage("BREAD AND BUTTER\n\nCHEESE FROM GOUDA\n\nTOMATOES IN A TIN").picture
        let rows = PrintedRowFinder(marks: PageMarks(of: page).marks).rows()
        let letterHeight = try #require(rows.first).letterHeight
        let segments = try PrintSegment.segments(on: page, letterHeight: letterHeight)
        for row in rows {
            let x = (row.box.left + row.box.right) / 2
            let own = segments.filter { abs($0.middle(at: x) - row.middle(at: x)) < 0.3 * letterHeight }
            #expect(!own.isEmpty)
            let (left, right) = (own.map(\.left).min() ?? 0, own.map(\.right).max() ?? 0)
            #expect(left < row.box.left + letterHeight && right > row.box.right - letterHeight)
            for segment in own { #expect((0.8...2.5).contains(segment.height / letterHeight)) }
        }
    }

    @Test("Small print that fills a large page is found row by row, also where two bands meet")
    func dense() throws {
        // 5.9 megapixels, letters of 10 pixels: seen whole they would have 4.
        let line = String(repeating: "free software for all its users ", count: 9)
        let page = try DrawnPage(
            Array(repeating: line, count: 140).joined(separator: "\n"), cellWidth: 8, cellHeight: 16,
            linePitch: 18
        ).picture
        let rows = PrintedRowFinder(marks: PageMarks(of: page).marks).rows()
        let letterHeight = try #require(rows.first).letterHeight
        let segments = try PrintSegment.segments(on: page, letterHeight: letterHeight, inBands: true)
        for row in 0..<140 {
            // Two rows in one would lie half a pitch off, 9 pixels.
            let middle = Double(16 + 18 * row + 8)
            let reach = segments.filter { abs($0.middle(at: ($0.left + $0.right) / 2) - middle) < 4 }
                .reduce(0) { $0 + $1.right - $1.left }
            // The network leaves out some blanks.
            #expect(reach > 0.8 * Double(page.width - 32), "row \(row)")
        }
    }

    @Test("Blank paper has none, nor has an empty picture")
    func blank() throws {
        let paper = GrayImage(width: 300, height: 200, filledWith: 240)
        let nothing = GrayImage(width: 0, height: 0, filledWith: 0)
        #expect(try PrintSegment.segments(on: paper, letterHeight: 20).isEmpty)
        #expect(try PrintSegment.segments(on: nothing, letterHeight: 20).isEmpty)
    }

    @Test("Segments that overlap on a panel leave ink within its range")
    func panel() {
        // White letters on black, which is print to the white paper around it.
        let page = GrayImage(width: 400, height: 300) { pixels in
            for y in 0..<300 {
                for x in 0..<400 {
                    let isPanel = (120..<180).contains(y)
                    let isLetter = (135..<165).contains(y) && x % 20 < 8
                    pixels.initializeElement(at: y * 400 + x, to: isPanel && !isLetter ? 0 : 255)
                }
            }
        }
        var ink = PageMarks(of: page).ink
        let segment = PrintSegment(
            left: 30, right: 360, height: 50, intercept: 150, slope: 0, confidence: 1)
        let marks = (0..<3).map { _ in segment.enterPanel(in: &ink, of: page)?.count }
        // Sixteen letters of the segment's width.
        #expect(marks == [16, 16, 16])
        #expect(ink.relief.elements.allSatisfy { (-255...255).contains($0) })
    }

    /// Paper with bars for letters: so many, from a column on, so far apart, and their brightness.
    private func page(_ bars: [(count: Int, left: Int, width: Int, step: Int, level: UInt8)]) -> GrayImage {
        var page = GrayImage(width: 800, height: 300, filledWith: 230)
        for bar in bars {
            for index in 0..<bar.count {
                for y in 90..<210 {
                    for x in 0..<bar.width { page[x: bar.left + index * bar.step + x, y: y] = bar.level }
                }
            }
        }
        return page
    }

    @Test("Letters that leave little paper between them are print, and not what lies between")
    func heavy() {
        // Five sixths of the segment is dark, in strokes twice as wide as the ink's cells.
        let page = page([(6, 40, 100, 120, 30)])
        var ink = PageMarks(of: page).ink
        let segment = PrintSegment(
            left: 40, right: 740, height: 110, intercept: 150, slope: 0, confidence: 1)
        #expect(segment.isHeavy(in: ink, of: page))
        let found = segment.print(in: &ink, of: page)
        #expect(found.marks.map(\.left).sorted() == (0..<6).map { 40 + 120 * $0 })
        #expect(found.depth == 200)
        #expect(ink.relief[x: 90, y: 150] == -200 && ink.relief[x: 150, y: 150] == 0)
    }

    @Test("Inside a panel light print is as dark as that beside it, also where it touches the panel's edge")
    func enteringPanel() {
        // A panel from 100 to 700, and on it five letters as high as it is.
        var page = page([(1, 100, 600, 0, 30)])
        for index in 0..<5 {
            for y in 90..<210 {
                for x in 0..<30 { page[x: 160 + 100 * index + x, y: y] = 230 }
            }
        }
        var ink = PageMarks(of: page).ink
        let segment = PrintSegment(
            left: 90, right: 710, height: 140, intercept: 150, slope: 0, confidence: 1)
        let marks = segment.enterPanel(in: &ink, of: page)
        #expect(marks?.map(\.left).sorted() == (0..<5).map { 160 + 100 * $0 })
        let line = (90..<710).map { ink.relief[x: $0, y: 150] }
        #expect(Set(line) == [0, -200])
        let dark = line.indices.filter { line[$0] < 0 }.map { $0 + 90 }
        #expect(dark.count == 5 * 30 && dark.first == 160 && dark.last == 589)
    }

    @Test("Paler print beside letters is cut off, print as dark is not")
    func pale() {
        let page = page([(5, 60, 12, 30, 150), (5, 260, 12, 30, 30), (5, 460, 12, 30, 40)])
        let core = PrintSegment(
            left: 250, right: 400, height: 130, intercept: 150, slope: 0, confidence: 1)
        var wide = core
        (wide.left, wide.right) = (50, 600)
        let cut = wide.cut(to: core, on: page)
        #expect(cut.left == 250 && cut.right == 600)
    }

    @Test("A heading in letters of five times the height is seen whole from near")
    func closely() throws {
        let small = try DrawnPage("BREAD AND BUTTER  2.40\nCHEESE FROM GOUDA 3.10\nTOMATOES IN A TIN .90")
        let large = try DrawnPage("OLIVE", cellWidth: 70, cellHeight: 140, linePitch: 150)
        let width = max(small.picture.width, large.picture.width)
        var page = GrayImage(
            width: width, height: small.picture.height + large.picture.height, filledWith: 225)
        for (picture, top) in [(large.picture, 0), (small.picture, large.picture.height)] {
            for y in 0..<picture.height {
                for x in 0..<picture.width { page[x: x, y: top + y] = picture[x: x, y: y] }
            }
        }
        // Of which the middle letter is known.
        let y = Double(large.margin) + 70
        let part = PrintSegment(
            left: Double(large.margin) + 140, right: Double(large.margin) + 210, height: 110, intercept: y,
            slope: 0, confidence: 1)
        let found = try part.lookedAtClosely(on: page, letterHeight: 19)
        let heading = try #require(found.max { $0.right - $0.left < $1.right - $1.left })
        #expect(heading.left < Double(large.margin) + 35 && heading.right > Double(large.margin) + 315)
        #expect(found.allSatisfy { abs($0.middle(at: 200) - y) < 55 })
    }

    @Test("Of a page's upper part only what stands there is found, in the page's places")
    func upperPart() throws {
        let page = try DrawnPage("BREAD AND BUTTER\n\n\nCHEESE FROM GOUDA")
        let found = try PrintSegment.segments(
            on: page.picture, above: Double(page.margin + 2 * page.linePitch), letterHeight: 19)
        #expect(!found.isEmpty)
        // Half a cell of 28 below the first row's top.
        let middle = Double(page.margin) + 14
        #expect(found.allSatisfy { abs($0.middle(at: 100) - middle) < 10 })
        #expect(try PrintSegment.segments(on: page.picture, above: 0, letterHeight: 19).isEmpty)
    }

    @Test("A resized picture shows the same places", arguments: [0.4, 1, 2.5])
    func resized(scale: Double) {
        // Brightness that rises to the right and down by one level a pixel.
        let ramp = GrayImage(width: 120, height: 90) { pixels in
            for index in 0..<120 * 90 {
                pixels.initializeElement(at: index, to: UInt8(index % 120 + index / 120))
            }
        }
        let small = ramp.resized(width: 32, height: 32, pixelsPerPixel: scale)
        let reach = max(scale, 1)
        for y in 0..<32 {
            for x in 0..<32 {
                let place = SIMD2((Double(x) + 0.5) * scale - 0.5, (Double(y) + 0.5) * scale - 0.5)
                guard place.x > reach, place.y > reach, place.x < 119 - reach, place.y < 89 - reach else {
                    continue
                }
                // Rounded once; a triangle of few taps is off its middle by a fraction of a pixel.
                #expect(abs(Double(small[x: x, y: y]) - place.x - place.y) < 1, "\(x), \(y)")
            }
        }
    }
}

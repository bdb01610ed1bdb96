import Imaging
import RobustStatistics
import Testing
import TextTestSupport

@testable import PrintDetection
@testable import TextRecognition

/// How much is read of what has more rows than any page: counted in rows and their lengths, never in seconds.
@Suite struct ReadingBudgetTests {
    /// Pictures without print that break into rows of marks.
    enum Texture: String, CaseIterable, CustomTestStringConvertible {
        case cardboard, cloth, noise

        var testDescription: String { rawValue }

        /// The texture at a place, 0 to 255.
        func level(_ x: Int, _ y: Int, _ random: inout SplitMix64) -> Double {
            let chance = Double.random(in: -1...1, using: &random)
            switch self {
            case .cardboard:
                let fibre = Double((x / 9 + (y / 5) * 7) % 3 - 1)
                return 150 + 40 * chance + 30 * fibre
            case .cloth:
                let thread: Double = (x / 5 + y / 5) % 2 == 0 ? 55 : -55
                return 130 + thread + 25 * chance
            case .noise: return 128 + 90 * chance
            }
        }

        func picture(_ width: Int, _ height: Int) -> GrayImage {
            let seed: UInt64 = 5
            print("seed \(seed)")
            var random = SplitMix64(seed: seed)
            return GrayImage(width: width, height: height) { pixels in
                for index in 0..<width * height {
                    let level = level(index % width, index / width, &random)
                    pixels.initializeElement(at: index, to: UInt8(min(max(level, 0), 255)))
                }
            }
        }
    }

    /// 8,300 letter heights: an A4 page full of 8-point type at 300 dots an inch; with 10,000 at most 35 megapixels take 15 s.
    @Test func aFullPageFitsAndALargerPictureOfItTakesLittleMore() {
        #expect(ReadingBudget(pixels: 8_700_000).rest >= 8300)
        #expect(ReadingBudget(pixels: 35_000_000).rest <= 10_000)
    }

    /// Four turns of a page that are read to see which way is up are not to take as long as reading it four times.
    @Test func aCursoryReadingIsOnePortionHoweverLargeThePage() {
        var context = ReadingContext()
        context.isCursory = true
        for pixels in [1, 12_000_000, 35_000_000] {
            #expect(ReadingBudget(pixels: pixels, context: context).rest == ReadingTuning.Budget.portion)
        }
    }

    @Test(arguments: Texture.allCases)
    func noMoreIsTakenOfATextureThanWasAsked(texture: Texture) {
        let page = PageRows(on: TextPage(texture.picture(1800, 1800)))
        let all = Array(page.rows.indices)
        var budget = ReadingBudget(letterHeights: 200)
        let taken = budget.take(all, of: page)
        #expect(ReadingBudget.length(of: all, on: page) > 200)
        #expect(ReadingBudget.length(of: taken, on: page) <= 200 && budget.rest >= 0)
    }

    /// What reading the rows that ink forms comes to where each is read with one lead.
    private func read(
        _ rows: PageRows, lead: Double
    ) throws -> (length: Double, boxes: [Box], unread: Int) {
        var budget = ReadingBudget(pixels: rows.picture.size.pixelCount)
        var length = 0.0
        var boxes: [Box] = []
        let unread = try budget.spend(on: Array(rows.rows.indices), of: rows) { indices, _ in
            length += ReadingBudget.length(of: indices, on: rows)
            boxes += indices.map { rows.rows[$0].box }
            return lead
        }
        return (length, boxes, unread.count)
    }

    @Test("What comes to no text is read in one portion", arguments: Texture.allCases)
    func textures(texture: Texture) throws {
        // Few of a cloth's threads count as print, and what lies between them counts for little.
        let rows = PageRows(on: TextPage(texture.picture(3600, texture == .cloth ? 3600 : 900)))
        let all = ReadingBudget.length(of: Array(rows.rows.indices), on: rows)
        try #require(all > 2 * ReadingTuning.Budget.portion, "\(all) letter heights")
        let read = try read(rows, lead: -1)
        #expect(read.length > 0 && read.length <= ReadingTuning.Budget.portion)
        #expect(read.unread > 0 && read.unread < rows.rows.count)
    }

    @Test("In a texture the network finds next to nothing to read", arguments: Texture.allCases)
    func found(texture: Texture) throws {
        let page = TextPage(texture.picture(1800, 1800))
        let (ink, found) = (PageRows(on: page), try PageRows(found: page))
        let lengths = [ink, found].map { ReadingBudget.length(of: Array($0.rows.indices), on: $0) }
        #expect(lengths[1] < 0.05 * lengths[0], "\(lengths)")
    }

    @Test("Whatever rows are read as, reading ends with the page's budget")
    func bound() throws {
        let rows = PageRows(on: TextPage(Texture.noise.picture(1800, 1800)))
        let read = try read(rows, lead: 1)
        #expect(read.length <= ReadingBudget(pixels: rows.picture.size.pixelCount).rest)
        #expect(read.length > ReadingTuning.Budget.portion)
        #expect(read.unread > 0)
    }

    @Test("Rows of print are read before those of the table that they lie on", arguments: Texture.allCases)
    func printFirst(texture: Texture) throws {
        var picture = texture.picture(1800, 1800)
        let receipt = try DrawnPage(smallReceipt).picture
        for y in 0..<receipt.height {
            for x in 0..<receipt.width { picture[x: 700 + x, y: 800 + y] = receipt[x: x, y: y] }
        }
        let rows = PageRows(on: TextPage(picture))
        let sheet = Box(
            left: 700, top: 800, right: Double(700 + receipt.width), bottom: Double(800 + receipt.height))
        let ofReceipt = rows.rows.filter { row in
            row.box.top > sheet.top && row.box.bottom < sheet.bottom && row.box.left > sheet.left
                && row.box.right < sheet.right && row.marks.count > 8
        }
        let read = try read(rows, lead: -1)
        #expect(ofReceipt.allSatisfy { row in read.boxes.contains(row.box) })
    }

    @Test("A receipt is read whole")
    func receipt() throws {
        let rows = PageRows(on: TextPage(try DrawnPage(smallReceipt).picture))
        let read = try read(rows, lead: 1)
        #expect(read.boxes.count == rows.rows.count && read.unread == 0)
    }

    @Test("What is left pays for second looks at the likeliest rows, and no more")
    func second() throws {
        let page = PageRows(on: TextPage(try DrawnPage(smallReceipt).picture))
        let all = Array(page.rows.indices)
        var budget = ReadingBudget(pixels: 0)
        #expect(budget.take(all, of: page) == all)
        var rest = budget.rest
        while rest > 0 {
            let taken = budget.take(all, of: page, times: 2)
            #expect(ReadingBudget.length(of: taken, on: page) * 2 <= rest)
            guard !taken.isEmpty else { break }
            rest = budget.rest
        }
        #expect(budget.rest >= 0 && !budget.takeAll(of: page))
    }

    @Test("A row is as long as its print, and a blank no longer than it is drawn")
    func length() throws {
        // Two marks of 10 pixels one above the other's end, a gap of 4, and a blank of 200.
        let marks = [0, 5, 19, 229].map { (left: Int) in
            PrintedMark(left: left, top: 50, right: left + 10, bottom: 70, area: 90)
        }
        let row = try #require(PrintedRow(marks: marks, line: RowLine(intercept: 60, slope: 0)))
        #expect(row.length(longestBlank: 60) == 99)
        #expect(row.length(longestBlank: .infinity) == row.box.width)
    }
}
